"""The one door by which a file enters a set: the web form, the demo and the command line all come through here.

Nothing is dropped without a word: each file given leaves a Paper, accepted, duplicate or refused with its reason.
Several uploads of one set arrive at once; the set's row is locked for the moment in which a Paper is numbered, which
also settles the race with "start".
"""

from __future__ import annotations

import os
import unicodedata
from typing import BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Sum
from django.db.models.functions import Coalesce

from tasks.errors import Refused
from tasks.kinds.literature import archive, sniff
from tasks.kinds.literature.models import Intake, Paper
from tasks.models import Task
from tasks.states import TaskState

MIB = 2**20
_KEY = 190  # leaves room for " (123456)" within SubTask.key


def receive(task_id: int, file: BinaryIO, *, filename: str, folder: str = "") -> Paper:
    """Take one open file into a draft set and return its Paper.

    The same bytes under the same name again are the same Paper (an upload that is repeated after a broken
    connection). Raises Refused("not_draft") when the set has started.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(sniff.HEAD)
    filename, folder = tidy_name(filename), tidy_folder(folder)
    reason = _refusal(size, head)
    # Hashing and storing take their time, so they come before the set is locked.
    sha256 = archive.digest(file) if size and not (reason and reason[0] == "too_large") else ""
    if not reason:
        if task_state(task_id) != TaskState.DRAFT:
            raise Refused("not_draft")
        archive.keep(file, sha256)
    paper = _register(task_id, filename, folder, sha256, size, reason)
    if paper.state == Intake.ACCEPTED and not archive.is_kept(sha256):
        archive.keep(file, sha256)  # somebody took the last other paper with these bytes away between the two steps
    return paper


def declare_too_large(task_id: int, *, filename: str, folder: str, size: int) -> Paper:
    """Put a file on the receipt that was not sent because it is over the limit. Raises ValueError if it is not."""
    reason = _refusal(size, b"%PDF-")
    if not reason or reason[0] != "too_large":
        raise ValueError("a file within the limit has to be sent")
    return _register(task_id, tidy_name(filename), tidy_folder(folder), "", size, reason)


def remove(paper: Paper) -> None:
    """Take a file off the receipt of a draft. Its first duplicate, if any, takes its place."""
    with transaction.atomic():
        _locked_draft(paper.task_id)
        heir = paper.task.papers.filter(duplicate_of=paper).order_by("position").first()
        if heir:
            others = paper.task.papers.filter(duplicate_of=paper).exclude(pk=heir.pk)
            data = {"number": heir.position, "file": heir.path}
            others.update(duplicate_of=heir, reason_data=data)
        was_accepted = paper.state == Intake.ACCEPTED
        paper.delete()
        if heir:
            heir.state, heir.reason, heir.reason_data, heir.duplicate_of = Intake.ACCEPTED, "", {}, None
            heir.key = _free_key(heir.task_id, heir.path)
            heir.save()
        elif was_accepted:
            Task.objects.filter(pk=paper.task_id).update(expected=F("expected") - 1)
            _forget_unused([paper.sha256])


@transaction.atomic
def discard(task_id: int) -> bool:
    """Delete a draft with its papers and the bytes that no other set has; False if it has started."""
    try:
        _locked_draft(task_id)
    except Refused:
        return False
    addresses = set(Paper.objects.filter(task_id=task_id).exclude(sha256="").values_list("sha256", flat=True))
    Task.objects.get(pk=task_id).delete()
    _forget_unused(sorted(addresses))
    return True


def _forget_unused(addresses: list[str]) -> None:
    """Delete the bytes that no paper of any set has. Sorted addresses: two who lock several can't block each other."""
    for sha256 in addresses:
        archive.lock(sha256)
        if not Paper.objects.filter(sha256=sha256).exists():
            archive.forget(sha256)


def task_state(task_id: int) -> str:
    return Task.objects.values_list("state", flat=True).get(pk=task_id)


def tidy_name(filename: str) -> str:
    """The last part of a path, without control characters, at most 255 characters; never empty."""
    parts = _parts(filename)
    name = parts[-1] if parts else ""
    if len(name) > 255:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem[: 254 - len(ending)]}.{ending}" if dot and len(ending) < 20 else name[:255]
    return name or "?"


def tidy_folder(folder: str) -> str:
    """A folder as words between slashes: no root, no "..", at most 500 characters."""
    return "/".join(_parts(folder))[:500].rstrip("/")


def _parts(path: str) -> list[str]:
    clean = "".join(c for c in unicodedata.normalize("NFC", path) if unicodedata.category(c)[:2] not in ("Cc", "Cs"))
    return [part for part in clean.replace("\\", "/").split("/") if part.strip(". ")]


def _refusal(size: int, head: bytes) -> tuple[str, dict] | None:
    limit = settings.SHEAF_MAX_FILE_MIB
    if size == 0:
        return "empty_file", {}
    if size > limit * MIB:
        return "too_large", {"mib": -(-size // MIB), "limit_mib": limit}
    if not sniff.is_pdf(head):
        return "not_a_pdf", {"found": sniff.kind_of(head)}
    return None


def _locked_draft(task_id: int) -> None:
    task = Task.objects.select_for_update(no_key=True).only("state").get(pk=task_id)
    if task.state != TaskState.DRAFT:
        raise Refused("not_draft")


@transaction.atomic
def _register(task_id: int, filename: str, folder: str, sha256: str, size: int, reason) -> Paper:
    _locked_draft(task_id)
    if sha256:
        archive.lock(sha256)
    papers = Paper.objects.filter(task_id=task_id)
    again = papers.filter(filename=filename, folder=folder, sha256=sha256, size=size).order_by("position").first()
    if again:
        return again
    known = papers.aggregate(last=Coalesce(Max("position"), 0), bytes=Coalesce(Sum("size"), 0))
    paper = Paper(
        task_id=task_id, position=known["last"] + 1, filename=filename, folder=folder, sha256=sha256, size=size
    )
    accepted = papers.filter(state=Intake.ACCEPTED)
    first = None if reason else accepted.filter(sha256=sha256).first()
    if first:
        paper.state, paper.duplicate_of = Intake.DUPLICATE, first
        paper.reason, paper.reason_data = "same_file", {"number": first.position, "file": first.path}
    elif reason := reason or _set_limit(accepted, size):
        paper.state = Intake.REFUSED
        paper.reason, paper.reason_data = reason
    else:
        paper.state, paper.key = Intake.ACCEPTED, _free_key(task_id, paper.path)
        Task.objects.filter(pk=task_id).update(expected=Coalesce(F("expected"), 0) + 1)
    paper.save(force_insert=True)
    return paper


def _set_limit(accepted, size: int) -> tuple[str, dict] | None:
    now = accepted.aggregate(bytes=Coalesce(Sum("size"), 0))["bytes"]
    if accepted.count() >= settings.SHEAF_MAX_SET_FILES:
        return "set_full", {"limit": settings.SHEAF_MAX_SET_FILES}
    if now + size > settings.SHEAF_MAX_SET_GIB * 2**30:
        return "set_too_large", {"limit_gib": settings.SHEAF_MAX_SET_GIB}
    return None


def _free_key(task_id: int, path: str) -> str:
    """The path, shortened at its front if need be; two papers of one name get a number."""
    base = path if len(path) <= _KEY else "…" + path[1 - _KEY :]
    key, number = base, 1
    while Paper.objects.filter(task_id=task_id, key=key).exists():
        number += 1
        key = f"{base} ({number})"
    return key
