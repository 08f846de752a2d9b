"""Deletes a set with everything that was read, said and decided in it.

    requested ──▶ hidden from everybody (pages, files, live view) ──▶ cancelled if it ran ──▶ rows deleted by the sweep

Stored files are deleted too, unless another set has the same bytes. This can't be undone, and the page says so.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, Sum

from tasks import fanout
from tasks.errors import Refused
from tasks.files.models import Artefact
from tasks.files.unused import forget_unused
from tasks.kinds.literature.lifecycle.models import Deletion
from tasks.kinds.literature.models import Intake, Note, Paper, Source, Verdict
from tasks.models import Task
from tasks.states import ACTIVE, TERMINAL, TaskState

logger = logging.getLogger(__name__)

ROWS = 2000
PAPERS = 300

_PART = "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE task_id = %s LIMIT %s)"


@dataclass(frozen=True)
class Loss:
    """What is lost with a set, for the page that asks for confirmation. ``size`` is in bytes."""

    papers: int
    read: int
    records: int
    size: int
    judged: int
    notes: int
    runs: bool


def loss(task: Task) -> Loss:
    given = task.papers.aggregate(papers=Count("pk"), size=Sum("size", default=0))
    return Loss(
        papers=given["papers"],
        read=task.succeeded,
        records=task.papers.filter(state=Intake.LISTED).count(),
        size=given["size"],
        judged=Verdict.objects.filter(paper__task=task, current=True).count(),
        notes=Note.objects.filter(paper__task=task).count(),
        runs=task.state in ACTIVE,
    )


@transaction.atomic
def delete(task: Task, by) -> None:
    """Hide the set from everybody at once and cancel it if it runs; the sweep deletes its rows.

    Raises Refused("is_draft"): a draft is discarded instead.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if task.state == TaskState.DRAFT:
        raise Refused("is_draft")
    Deletion.objects.get_or_create(task=task)
    task.members.all().delete()
    task.wishes.all().delete()  # nobody is told about the end of a set that they can't open
    for telling in Task.objects.filter(notice__about=task, state__in=ACTIVE).order_by("pk"):
        fanout.cancel(telling, by)
    if task.state in ACTIVE:
        fanout.cancel(task, by)
    Task.objects.filter(pk=task.pk).update(owner=None)
    logger.info("Set %s is deleted by %s", task.pk, fanout.who(by))


def go_on(until: float) -> int:
    """Delete rows of deleted sets that have ended, until the monotonic time ``until``; the number of sets removed."""
    gone = 0
    for task_id in Deletion.objects.order_by("pk").values_list("pk", flat=True)[:100]:
        gone += _delete(task_id, until)
        if time.monotonic() > until:
            break
    return gone


def _delete(task_id: int, until: float) -> bool:
    """Delete log lines, children, papers with their files, then the rest; False if it still runs or time is up."""
    for step in (_rows_of("tasks_logline"), _rows_of("tasks_subtask"), _papers):
        while True:
            with transaction.atomic():
                if not _over(task_id):
                    return False
                moved, addresses = step(task_id)
            forget_unused(addresses)
            if not moved:
                break
            if time.monotonic() > until:
                return False
    with transaction.atomic():
        if not _over(task_id):
            return False
        addresses = {
            *Source.objects.filter(task=task_id).values_list("sha256", flat=True),
            *Artefact.objects.filter(task=task_id).values_list("sha256", flat=True),
        }
        Task.objects.filter(notice__about=task_id).delete()
        Task.objects.get(pk=task_id).delete()
    forget_unused(addresses)
    return True


def _over(task_id: int) -> bool:
    """Whether nothing of the set runs. Its row is locked, so nothing can start either."""
    ended = Task.objects.select_for_update(no_key=True).filter(pk=task_id, state__in=TERMINAL)
    return ended.exists() and not Task.objects.filter(notice__about=task_id, state__in=ACTIVE).exists()


def _rows_of(table: str):
    def part(task_id: int) -> tuple[int, list[str]]:
        with connection.cursor() as cursor:
            cursor.execute(_PART.format(table=table), [task_id, ROWS])
            return cursor.rowcount, []

    return part


def _papers(task_id: int) -> tuple[int, list[str]]:
    some = list(Paper.objects.filter(task=task_id).order_by("-position").values_list("pk", "sha256")[:PAPERS])
    Paper.objects.filter(pk__in=[pk for pk, _sha256 in some]).delete()
    return len(some), [sha256 for _pk, sha256 in some if sha256]
