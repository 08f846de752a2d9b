"""The one door by which anything enters a set: the web form, the demo and the command line all come through here.

Told apart by content: a PDF is a paper; so are JATS, TEI, DOCX and HTML; a list of references gives an item for each
record; an archive gives what is in it, each member through this same door. Nothing is dropped without a word: whatever
is given leaves a Paper, accepted, listed, duplicate or refused with its reason.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import BinaryIO

from django.conf import settings

from tasks.errors import Refused
from tasks.files import sniff, store
from tasks.kinds.literature.intake import page_count
from tasks.kinds.literature.intake.naming import numbered, tidy_folder, tidy_name
from tasks.kinds.literature.intake.opening import Opener
from tasks.kinds.literature.intake.registering import Item, register, register_list, same_source
from tasks.kinds.literature.models import Paper, Source
from tasks.kinds.literature.references import Format, name_of
from tasks.models import Task
from tasks.sandbox.isolate import IsolateError
from tasks.states import TaskState

MIB = 2**20


def receive(
    task_id: int,
    file: BinaryIO,
    *,
    filename: str,
    folder: str = "",
    source: Source | None = None,
    opener: Opener | None = None,
) -> Paper | Source:
    """Take one open file into a draft set: its Paper, or the Source of all that came out of an archive or a list.

    The same bytes under the same name again are the same rows (an upload that is repeated after a broken connection).
    ``source`` is the archive that the file came in, ``opener`` what opened it. Raises Refused("not_draft") when the set
    has started.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(sniff.HEAD)
    filename, folder = tidy_name(filename), tidy_folder(folder)
    if not size or size > _most_mib(head) * MIB:
        return register(task_id, Item(filename, folder, size, source=source, refusal=_by_size(size, head)))
    if task_state(task_id) != TaskState.DRAFT:
        raise Refused("not_draft")
    # Hashing, opening and storing take their time, so they come before the set is locked.
    item = Item(filename, folder, size, store.digest(file), source=source)
    if sniff.is_pdf(head):
        return _keep(task_id, file, replace(item, pages=page_count.claimed(file)))
    if opener:
        return _open(task_id, file, item, opener)
    with own_opener() as opener:
        return _open(task_id, file, item, opener)


def paste(task_id: int, text: str) -> Paper | Source:
    """Take what somebody typed or pasted: numbers of papers, or a list in any format. Raises Refused."""
    data = text.replace("\x00", "").strip().encode()
    if not data:
        raise Refused("nothing_pasted")
    number = Source.objects.filter(task_id=task_id, filename__startswith="pasted").count() + 1
    again = Source.objects.filter(task_id=task_id, filename__startswith="pasted", sha256=store.digest(io.BytesIO(data)))
    name = again.values_list("filename", flat=True).first() or f"pasted {number}.txt"
    return receive(task_id, io.BytesIO(data), filename=name)


def declare_too_large(task_id: int, *, filename: str, folder: str, size: int) -> Paper:
    """Put a file on the receipt that was not sent because it is over the limit. Raises ValueError if it is not,
    or no file can be that large."""
    if not settings.SHEAF_MAX_FILE_MIB * MIB < size < 2**63:
        raise ValueError("a file within the limit has to be sent")
    return register(task_id, Item(tidy_name(filename), tidy_folder(folder), size, refusal=_by_size(size, b"%PDF-")))


def task_state(task_id: int) -> str:
    return Task.objects.values_list("state", flat=True).get(pk=task_id)


def _most_mib(head: bytes) -> int:
    return settings.SHEAF_MAX_ARCHIVE_MIB if head.startswith(b"PK") else settings.SHEAF_MAX_FILE_MIB


def _by_size(size: int, head: bytes) -> tuple[str, dict]:
    return ("too_large", {"mib": -(-size // MIB), "limit_mib": _most_mib(head)}) if size else ("empty_file", {})


def _keep(task_id: int, file: BinaryIO, item: Item) -> Paper:
    store.keep(file, item.sha256)
    paper = register(task_id, item)
    if paper.state == "accepted" and not store.is_kept(item.sha256):
        store.keep(file, item.sha256)  # somebody took the last other paper with these bytes away between the two
    return paper


def _refuse(task_id: int, item: Item, code: str, **values) -> Paper:
    return register(
        task_id, Item(item.filename, item.folder, item.size, item.sha256, item.format, item.source, (code, values))
    )


def _open(task_id: int, file: BinaryIO, item: Item, opener: Opener) -> Paper | Source:
    """Whatever is no PDF: a child process looks at it."""
    with as_path(file) as (path, into):
        try:
            found = opener.open_up(path, into)
        except IsolateError as error:
            return _refuse(task_id, item, error.code, **opening_limits())
        item = Item(item.filename, item.folder, item.size, item.sha256, found["format"], item.source)
        if "reading" in found:
            return _take_list(task_id, file, item, found["reading"])
        if "members" in found:
            return _take_members(task_id, item, found, opener)
    if "refused" in found:
        return _refuse(task_id, item, found["refused"], **found["detail"])
    called_pdf = item.filename.lower().endswith(".pdf")
    if Format(item.format).is_paper and not (item.format == Format.HTML and called_pdf):
        if item.size > settings.SHEAF_MAX_FILE_MIB * MIB:
            return _refuse(task_id, item, "too_large", mib=-(-item.size // MIB), limit_mib=settings.SHEAF_MAX_FILE_MIB)
        return _keep(task_id, file, item)
    file.seek(0)
    # A web page under the name of a PDF is what a failed download leaves: nobody wants it read.
    head = file.read(sniff.HEAD)
    return _refuse(
        task_id, item, "not_a_pdf" if called_pdf else "not_a_format", found=name_of(head) or sniff.kind_of(head)
    )


def _take_list(task_id: int, file: BinaryIO, item: Item, reading: dict) -> Paper | Source:
    refused = next((one for one in reading["problems"] if one["severity"] == "refused"), None)
    unreadable = any(one["severity"] == "unreadable" for one in reading["problems"])
    if refused:
        return _refuse(task_id, item, refused["code"], **refused["detail"])
    if not reading["records"] and not unreadable:
        return _refuse(task_id, item, "no_records")
    store.keep(file, item.sha256)
    source = register_list(_source(task_id, item), reading)
    if not store.is_kept(item.sha256):
        store.keep(file, item.sha256)
    return source


def _take_members(task_id: int, item: Item, found: dict, opener: Opener) -> Paper | Source:
    if not found["members"]:
        return _refuse(task_id, item, "archive_empty")
    source = _source(task_id, item)
    known = same_source(source)
    if known and known.done:
        return known
    if known is None:
        source.save(force_insert=True)
    source = known or source
    inside = "/".join(filter(None, (item.folder, item.filename)))
    for member in found["members"]:
        name = numbered(tidy_name(member["name"]), member["copy"])
        folder = tidy_folder("/".join(filter(None, (inside, member["folder"]))))
        if "stored" not in member:
            register(
                task_id,
                Item(name, folder, member["size"], source=source, refusal=(member["refused"], member["detail"])),
            )
            continue
        with open(member["stored"], "rb") as inner:
            receive(task_id, inner, filename=name, folder=folder, source=source, opener=opener)
        os.unlink(member["stored"])  # the disk holds what is still to come, not what was taken
    Source.objects.filter(pk=source.pk).update(done=True, ignored=found["ignored"])
    source.refresh_from_db()
    return source


def _source(task_id: int, item: Item) -> Source:
    return Source(
        task_id=task_id,
        parent=item.source,
        filename=item.filename,
        folder=item.folder,
        sha256=item.sha256,
        size=item.size,
        format=item.format,
    )


def own_opener() -> Opener:
    """One for whatever comes in by one request; a context manager."""
    return Opener(limits=_limits(), timeout_s=settings.SHEAF_OPEN_TIMEOUT_S, memory_mib=settings.SHEAF_ISOLATE_MIB)


def opening_limits() -> dict[str, int]:
    """The values of the sentences about an opener that failed."""
    return {"limit_s": round(settings.SHEAF_OPEN_TIMEOUT_S), "limit_mib": settings.SHEAF_ISOLATE_MIB}


def _limits() -> dict[str, dict]:
    return {
        "list": {"file_bytes": settings.SHEAF_MAX_FILE_MIB * MIB, "records": settings.SHEAF_MAX_SET_REFERENCES},
        "archive": {
            "members": settings.SHEAF_MAX_SET_FILES,
            "member_bytes": settings.SHEAF_MAX_FILE_MIB * MIB,
            "total_bytes": settings.SHEAF_MAX_UNPACKED_MIB * MIB,
        },
    }


@contextmanager
def as_path(file: BinaryIO) -> Iterator[tuple[str, str]]:
    """(path of a copy, an empty folder beside it), both gone afterwards."""
    folder = tempfile.mkdtemp(prefix="sheaf-open-")
    try:
        path, into = os.path.join(folder, "given"), os.path.join(folder, "members")
        os.mkdir(into)
        file.seek(0)
        with open(path, "xb") as copy:
            shutil.copyfileobj(file, copy, 256 * 1024)
        yield path, into
    finally:
        shutil.rmtree(folder)
