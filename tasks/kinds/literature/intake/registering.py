"""Writes what was given into a set: numbered, counted against the limits, the same again found again.

Several uploads of one set arrive at once; the set's row is locked for the moment in which a Paper is numbered, which
also settles the race with "start".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Sum
from django.db.models.functions import Coalesce

from tasks.errors import Refused
from tasks.files import store
from tasks.kinds.literature.models import Intake, Paper, Source
from tasks.models import Task
from tasks.states import TaskState

_KEY = 190  # leaves room for " (123456)" within SubTask.key


@dataclass(frozen=True)
class Item:
    """A file on its way into a set: ``refusal`` is (code, values of its sentence)."""

    filename: str
    folder: str
    size: int
    sha256: str = ""
    format: str = "pdf"
    source: Source | None = None
    refusal: tuple[str, dict] | None = None
    #: Of a PDF: pages by its own words.
    pages: int | None = None


def locked_draft(task_id: int) -> None:
    """Lock the set's row until the end of the transaction. Raises Refused("not_draft") when it has started."""
    task = Task.objects.select_for_update(no_key=True).only("state").get(pk=task_id)
    if task.state != TaskState.DRAFT:
        raise Refused("not_draft")


@transaction.atomic
def register(task_id: int, item: Item) -> Paper:
    """The Paper of a file: the one that it left before, or a new one. Raises Refused: not_draft, and source_gone when
    the archive that it came in was taken off the receipt while it was being unpacked."""
    locked_draft(task_id)
    _must_be_there(item.source)
    if item.sha256:
        store.lock(item.sha256)
    papers = Paper.objects.filter(task_id=task_id)
    same = papers.filter(filename=item.filename, folder=item.folder, sha256=item.sha256, size=item.size, line=None)
    if again := same.order_by("position").first():
        return again
    paper = Paper(
        task_id=task_id,
        position=next_position(task_id),
        filename=item.filename,
        folder=item.folder,
        sha256=item.sha256,
        size=item.size,
        format=item.format,
        source=item.source,
        pages_claimed=item.pages,
    )
    accepted = papers.filter(state=Intake.ACCEPTED)
    first = None if item.refusal else accepted.filter(sha256=item.sha256).first()
    if first:
        paper.state, paper.duplicate_of = Intake.DUPLICATE, first
        paper.reason, paper.reason_data = "same_file", {"number": first.position, "file": first.path}
    elif refusal := item.refusal or _set_limit(accepted, item.size):
        paper.state = Intake.REFUSED
        paper.reason, paper.reason_data = refusal
    else:
        paper.state, paper.key = Intake.ACCEPTED, free_key(task_id, paper.path)
        Task.objects.filter(pk=task_id).update(expected=Coalesce(F("expected"), 0) + 1)
    paper.save(force_insert=True)
    return paper


@transaction.atomic
def register_list(source: Source, reading: dict) -> Source:
    """The Papers of a list: one for each record, one for each record that can't be read, with its line.

    ``source`` is not saved yet; the same list again is the one that is there. ``reading``: references.Reading.as_dict.
    """
    locked_draft(source.task_id)
    _must_be_there(source.parent)
    if again := same_source(source):
        return again
    source.problems = [one for one in reading["problems"] if one["severity"] != "unreadable"]
    source.done = True
    source.save(force_insert=True)
    unreadable = [one for one in reading["problems"] if one["severity"] == "unreadable"]
    entries: list[tuple[int, dict | None, dict | None]] = [
        (one["source_line"], one, None) for one in reading["records"]
    ]
    entries += [(one["line"], None, one) for one in unreadable]
    entries.sort(key=lambda entry: entry[0])
    Paper.objects.bulk_create(_listed(source, entries), batch_size=1000)
    return source


def _must_be_there(source: Source | None) -> None:
    if source and not Source.objects.filter(pk=source.pk).exists():
        raise Refused("source_gone")


def _listed(source: Source, entries: list[tuple[int, dict | None, dict | None]]) -> Iterable[Paper]:
    position = next_position(source.task_id)
    for number, (line, record, problem) in enumerate(entries):
        paper = Paper(
            task_id=source.task_id,
            position=position + number,
            filename=source.filename,
            folder=source.folder,
            size=0,
            format=source.format,
            source=source,
            line=line or None,
        )
        if problem is None:
            paper.state, paper.listed = Intake.LISTED, record
        else:
            paper.state, paper.reason = Intake.REFUSED, problem["code"]
            paper.reason_data = {**problem["detail"], "text": problem["text"]}
        yield paper


def same_source(source: Source) -> Source | None:
    """What the same file under the same name left before."""
    return Source.objects.filter(
        task_id=source.task_id, sha256=source.sha256, folder=source.folder, filename=source.filename
    ).first()


def next_position(task_id: int) -> int:
    return Paper.objects.filter(task_id=task_id).aggregate(last=Coalesce(Max("position"), 0))["last"] + 1


def free_key(task_id: int, path: str) -> str:
    """The path, shortened at its front if need be; two papers of one name get a number."""
    base = path if len(path) <= _KEY else "…" + path[1 - _KEY :]
    key, number = base, 1
    while Paper.objects.filter(task_id=task_id, key=key).exists():
        number += 1
        key = f"{base} ({number})"
    return key


def must_fit(task_id: int, size: int) -> None:
    """Whether the set may hold one file more, of so many bytes. Raises Refused: set_full, set_too_large."""
    if limit := _set_limit(Paper.objects.filter(task_id=task_id, state=Intake.ACCEPTED), size):
        code, values = limit
        raise Refused(code, **values)


def _set_limit(accepted, size: int) -> tuple[str, dict] | None:
    now = accepted.aggregate(bytes=Coalesce(Sum("size"), 0))["bytes"]
    if accepted.count() >= settings.SHEAF_MAX_SET_FILES:
        return "set_full", {"limit": settings.SHEAF_MAX_SET_FILES}
    if now + size > settings.SHEAF_MAX_SET_GIB * 2**30:
        return "set_too_large", {"limit_gib": settings.SHEAF_MAX_SET_GIB}
    return None
