"""A literature set as the engine sees it: one child for each paper, one stage, a report at the end."""

from __future__ import annotations

import asyncio
import os

from django.conf import settings
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tasks.errors import Permanent
from tasks.files import store
from tasks.files.unused import forget_orphans
from tasks.kinds.base import Entry, Kind, NewChild, QueueDefault, Stage
from tasks.kinds.literature.fields import EXPECTED
from tasks.kinds.literature.lifecycle import deleting, finishing
from tasks.kinds.literature.models import Intake, Paper
from tasks.kinds.literature.reading.errors import ExtractionError
from tasks.kinds.literature.record.sources import PARSE
from tasks.kinds.literature.report import estimate
from tasks.kinds.literature.sentences import FIELD_WORDS, SENTENCES
from tasks.kinds.notify import wishes
from tasks.sandbox.isolate import IsolateError
from tasks.states import Level

EXTRACTION = "tasks.kinds.literature.reading"
#: Parts of a record that are too large for a row. They are stored as one file; record["artefact"] is its address.
LARGE = ("page_text", "markdown", "tables", "captions")


async def parse(attempt) -> dict:
    """Read one paper. Raises Permanent with the code of the catalogue that says what is wrong with the file."""
    sha256 = attempt.input["sha256"]
    attempt.log(code="paper_started", kib=-(-attempt.input["size"] // 1024))
    path = store.empty_copy()
    try:
        await _fetch(attempt, path, sha256)
        limit_s = max(1.0, min(settings.SHEAF_PAPER_TIMEOUT_S, attempt.seconds_left()))
        record = await attempt.isolate(
            "tasks.kinds.literature.reader:read_any",
            path,
            timeout_s=limit_s,
            max_pages=settings.SHEAF_MAX_PAGES,
            max_bytes=settings.SHEAF_MAX_FILE_MIB * 2**20,
        )
    except ExtractionError as error:
        raise Permanent(error.code, error.message, **error.detail) from error
    except IsolateError as error:
        if error.code != "timeout":
            raise  # the engine knows what to do about memory and crashes
        raise Permanent("timeout", error.detail, limit_s=round(limit_s)) from error
    finally:
        os.unlink(path)
    _tell(attempt, record)
    large = {name: record.pop(name) for name in LARGE if name in record}
    data, address = store.encoded(large)
    await attempt.db(store.refer, address, attempt.task_id)
    await _stored(attempt, store.put, ContentFile(data), address)
    return {**record, "artefact": address}


async def _fetch(attempt, path: str, sha256: str) -> None:
    try:
        await _stored(attempt, store.write_into, path, sha256, attempt.seconds_left())
    except FileNotFoundError as error:
        raise Permanent("file_gone", str(error)) from error


async def _stored(attempt, function, *args):
    """Call a function that reads or writes the storage. A slow storage across the network must not block the process's
    one database thread, which also renews the lanes."""
    if store.in_database():
        return await attempt.db(function, *args)
    return await asyncio.to_thread(function, *args)


def _tell(attempt, record: dict) -> None:
    """Tell the live log what was found, what is missing, and what is ambiguous."""
    if record.get("title"):
        attempt.log(code="paper_title", title=record["title"])
    references = len(record.get("references") or [])
    attempt.log(code="paper_read", pages=record.get("pages"), references=references)
    for warning in record.get("warnings") or []:
        if f"paper_{warning}" in SENTENCES:  # the others say what the two lines below say by name
            attempt.log(code=f"paper_{warning}", level=Level.WARNING)
    unsure = [field["name"] for field in record.get("fields") or [] if field.get("status") == "ambiguous"]
    lacks = [name for name in EXPECTED if not record.get(name) and name not in unsure]
    if lacks:
        attempt.log(code="paper_lacks", level=Level.WARNING, fields=lacks)
    if unsure:
        attempt.log(code="paper_ambiguous", level=Level.WARNING, fields=unsure)


class Literature(Kind):
    name = "literature"
    title = _("Literature set")
    about = _("Sheaf turns papers into a table of checked facts.")
    urls = "tasks.kinds.literature.urls"
    page_parts = "tasks.kinds.literature.web.parts"
    queues = (QueueDefault("local", limit=None, per_host=True),)
    stages = (Stage(PARSE, queue="local", run=parse),)
    isolated = (EXTRACTION, "tasks.kinds.literature.reader")
    sentences = SENTENCES

    def words(self):
        return FIELD_WORDS

    def expand(self, task):
        """One child for each accepted paper, in the order they were given."""
        estimate.note(task)
        papers = Paper.objects.filter(task=task, state=Intake.ACCEPTED).order_by("position")
        for paper in papers.iterator(chunk_size=1000):
            yield NewChild(key=paper.key, input={"paper": paper.pk, "sha256": paper.sha256, "size": paper.size})

    def complete(self, task):
        finishing.finish(task)
        wishes.tell(task, reverse("literature:report", args=[task.pk]))

    def forget(self, until):
        """Remove sets that their owners have deleted, and stored files that nothing refers to any more."""
        return deleting.go_on(until) + forget_orphans(until)

    def url(self, task):
        return reverse("literature:set", args=[task.pk])

    def navigation(self, user):
        sets = Entry(_("Sets"), reverse("literature:list"))
        return [sets, Entry(_("Templates"), reverse("literature:templates"))] if user.is_authenticated else [sets]
