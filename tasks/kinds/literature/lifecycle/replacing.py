"""Replaces the file of a paper that failed or was refused. The new file is read in the next run."""

from __future__ import annotations

import os
from typing import BinaryIO

from django.conf import settings
from django.db import transaction

from tasks import fanout
from tasks.errors import Refused
from tasks.files import sniff, store
from tasks.files.unused import forget_unused
from tasks.kinds.base import NewChild
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.intake.naming import tidy_name
from tasks.kinds.literature.intake.registering import Item, free_key, must_fit
from tasks.kinds.literature.lifecycle.models import Replacement
from tasks.kinds.literature.models import Intake, Paper
from tasks.kinds.literature.references import Format
from tasks.models import SubTask, Task
from tasks.sandbox.isolate import IsolateError

#: The code of a child whose file was replaced: the next run reads it, and "retry these" can name it.
REPLACED = "replaced"


def may_be_replaced(paper: Paper) -> bool:
    """Whether it is a file (not a record of a list) that failed or was refused, in a set that has started."""
    return paper.line is None and paper.outcome in ("failed", "refused") and paper.task.state != "draft"


def replace(paper: Paper, file: BinaryIO, filename: str, by) -> None:
    """Replace the file of a paper (from ``outcomes.papers_of``) by ``file``, and have it read.

    While the set runs, a failed paper waits for the next retry. Raises Refused: not_replaceable; a code that says what
    is wrong with the file; same_file when the set has it already; set_full and set_too_large when a refused paper does
    not fit into the set; not_ended for a refused paper between two runs.
    """
    if not may_be_replaced(paper):
        raise Refused("not_replaceable")
    item = _judged(file, filename)
    store.keep(file, item.sha256)
    with transaction.atomic():
        store.lock(item.sha256)
        if not store.is_kept(item.sha256):
            store.keep(file, item.sha256)  # the last other paper with these bytes was deleted in between
        _must_be_new(paper, item)
        if paper.state == Intake.ACCEPTED:
            given_up = _in_place_of_failed(paper, item, by)
        else:
            given_up = _in_place_of_refused(paper, item, by)
    forget_unused([given_up] if given_up else [])


def _judged(file: BinaryIO, filename: str) -> Item:
    """The file as an item. Raises Refused for a file that is no paper or too large."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(sniff.HEAD)
    name = tidy_name(filename)
    if not size:
        raise Refused("empty_file")
    if size > settings.SHEAF_MAX_FILE_MIB * entry.MIB:
        raise Refused("too_large", mib=-(-size // entry.MIB), limit_mib=settings.SHEAF_MAX_FILE_MIB)
    found = Format.PDF.value
    if not sniff.is_pdf(head):
        with entry.as_path(file) as (path, _into), entry.own_opener() as opener:
            try:
                found = opener.look(path)
            except IsolateError as error:
                raise Refused(error.code, **entry.opening_limits()) from error
        page_for_pdf = found == Format.HTML and name.lower().endswith(".pdf")
        if not Format(found).is_paper or page_for_pdf:
            raise Refused("not_one_paper", found=sniff.kind_of(head))
    return Item(name, "", size, store.digest(file), format=found)


def _must_be_new(paper: Paper, item: Item) -> None:
    same = Paper.objects.filter(task=paper.task_id, sha256=item.sha256, state=Intake.ACCEPTED).first()
    if same:
        raise Refused("same_file", number=same.position, file=same.path)


def _in_place_of_failed(paper: Paper, item: Item, by) -> str:
    """Returns the address of the replaced bytes."""
    child = SubTask.objects.select_for_update(no_key=True).get(task_id=paper.task_id, key=paper.key)
    if child.state != "failed":
        raise Refused("not_replaceable")
    old = Paper.objects.get(pk=paper.pk)  # read again under the lock: somebody else may have replaced it
    _remember(old, child.error_code, {"detail": child.error, **child.error_data}, by)
    child.input = {**child.input, "sha256": item.sha256, "size": item.size}
    child.error_code, child.error, child.error_data = REPLACED, "", {}
    child.save(update_fields=["input", "error_code", "error", "error_data"])
    _take(paper, item)
    try:
        fanout.retry_failed(paper.task, by, [REPLACED])
    except Refused as refused:
        if refused.code != "not_ended":
            raise
    return old.sha256


def _in_place_of_refused(paper: Paper, item: Item, by) -> str:
    """Returns the address of the replaced bytes; "" when the refused file was not kept."""
    Task.objects.select_for_update(no_key=True).get(pk=paper.task_id)  # the lock makes ``free_key`` unique
    if not Paper.objects.filter(pk=paper.pk, state=Intake.REFUSED).exists():
        raise Refused("not_replaceable")
    must_fit(paper.task_id, item.size)
    _remember(paper, paper.reason, paper.reason_data, by)
    key = free_key(paper.task_id, paper.path)
    _take(paper, item, state=Intake.ACCEPTED, key=key, reason="", reason_data={})
    child = NewChild(key, {"paper": paper.pk, "sha256": item.sha256, "size": item.size})
    fanout.extend(paper.task, [child], by)
    return paper.sha256


def _remember(paper: Paper, reason: str, data: dict, by) -> None:
    Replacement.objects.create(
        paper=paper,
        filename=paper.filename,
        sha256=paper.sha256,
        size=paper.size,
        reason=reason,
        reason_data=data,
        by=by,
    )


def _take(paper: Paper, item: Item, **more) -> None:
    Paper.objects.filter(pk=paper.pk).update(
        filename=item.filename, sha256=item.sha256, size=item.size, format=item.format, pages_claimed=None, **more
    )
