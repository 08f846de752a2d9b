"""The demo itself: give the sample papers at the web form's door, watch the set, compare the end with the promise."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tasks.kinds.literature.samples import Sample
from tasks.management.demo.terminal import Progress
from tasks.management.demo.visitor import Visitor
from tasks.states import TERMINAL

_READY_S = 60.0
_STANDSTILL_S = 180.0  # longer than the longest that reading one paper may take
_POLL_S = 0.2


class TourEnded(Exception):
    """The tour can't go on; the text says where it stopped."""


def wait_ready(visitor: Visitor, goes_on: Callable[[], bool]) -> None:
    """Return when the web process may get visitors."""
    deadline = time.monotonic() + _READY_S
    while not visitor.is_ready():
        if not goes_on():
            raise TourEnded(_("stopped"))
        if time.monotonic() > deadline:
            raise TourEnded(_("the web process was not ready after %d s") % _READY_S)
        time.sleep(_POLL_S)


def submit(visitor: Visitor, papers: Sequence[Path], progress: Progress) -> dict[str, Any]:
    """A new set with `papers`, started; the set as the server describes it."""
    title = _("Demo of %s") % timezone.localtime().strftime("%Y-%m-%d %H:%M")
    made = visitor.post(reverse("literature:new"), {"title": title})
    for number, paper in enumerate(papers, 1):
        visitor.give(made["files_url"], paper)
        progress.show(number, len(papers), _("%(n)d of %(all)d papers given") % {"n": number, "all": len(papers)})
    progress.end()
    visitor.post(made["start_url"])
    return made


def watch(visitor: Visitor, url: str, progress: Progress, goes_on: Callable[[], bool]) -> dict[str, Any]:
    """Show the set's progress until its end; the set as it then is."""
    changed, version = time.monotonic(), None
    while True:
        now = visitor.get(url)
        ended = now["succeeded"] + now["failed"] + now["cancelled"]
        words = _("%(done)d of %(total)d papers read, %(failed)d failed") % {
            "done": ended,
            "total": now["expected"] or now["total"],
            "failed": now["failed"],
        }
        progress.show(ended, now["expected"] or now["total"], words)
        if now["state"] in TERMINAL:
            progress.end()
            return now
        if (now["version"], ended) != version:
            changed, version = time.monotonic(), (now["version"], ended)
        if not goes_on():
            raise TourEnded(_("stopped"))
        if time.monotonic() - changed > _STANDSTILL_S:
            raise TourEnded(_("nothing has changed for %d s") % _STANDSTILL_S)
        time.sleep(_POLL_S)


def surprises(samples: Sequence[Sample], records: Sequence[dict[str, Any]]) -> list[str]:
    """A sentence for each sample that did not end as it should; records are in the order of giving."""
    found = []
    if len(records) != len(samples):
        found.append(_("%(a)d papers were given, %(b)d are told of") % {"a": len(samples), "b": len(records)})
    for sample, record in zip(samples, records, strict=False):
        should = sample.outcome, sample.error_code or None
        is_now = record["status"], (record["error_code"] if record["status"] == "failed" else None)
        if record["file"] != sample.path.name or should != is_now:
            found.append(f"{sample.path.name}: {should} ≠ {record['file']} {is_now}")
    return found
