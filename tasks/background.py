"""What the verbs leave for later, each safe to run again from the start: expand, cancel, reopen, finalize.

All of it moves children in chunks of ``SHEAF_CHUNK``, a transaction each, counters in the same transaction.
The functions block; the jobs call them on the process's database thread, one step at a time, so that nobody waits
long behind a batch of 100,000.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Case, F, Min, Q, Value, When
from django.db.models.functions import Now

from tasks import fanout
from tasks.errors import Refused
from tasks.kinds.base import kind_named
from tasks.log import joblog
from tasks.models import Task
from tasks.queueing import closing, control, shares, wake
from tasks.states import OPEN, ChildState, Level, TaskState
from tasks.threads import UNHURRIED

logger = logging.getLogger(__name__)

MAX_FINALIZE_ATTEMPTS = 3
#: Those included that ended with their worker: a closing step that kills it must not do so for ever.
MAX_STARTS = 6
#: A small first chunk: the lanes start while the rest is still being inserted.
FIRST_CHUNK = 200

_CANCELLED_OR_COMPLETED = Case(
    # a retry that ends well does not make done what was cancelled before it
    When(Q(cancelled_at__isnull=False) | Q(cancelled__gt=0), then=Value(TaskState.CANCELLED)),
    default=Value(TaskState.COMPLETED),
)

# SKIP LOCKED: a row that is locked is being taken or settled this moment; it comes with the next chunk or by itself.
_CANCEL = """
UPDATE tasks_subtask SET state = 'cancelled', available_at = NULL, finished_at = now()
 WHERE id IN (SELECT id FROM tasks_subtask WHERE task_id = %s AND state = 'pending'
               ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED)
"""
_REOPEN = """
UPDATE tasks_subtask s SET state = 'pending', generation = %(generation)s, attempt = 0, lost = 0, lease = NULL,
       available_at = NULL, finished_at = NULL, error_code = '', error = '', error_data = '{}',
       later_state = NULL, asked = 0, asked_since = NULL
  FROM (SELECT id, state FROM tasks_subtask
         WHERE task_id = %(task)s AND state = ANY(%(states)s) AND generation < %(generation)s
           AND (%(codes)s::text[] IS NULL OR error_code = ANY(%(codes)s))
         ORDER BY id LIMIT %(chunk)s FOR UPDATE SKIP LOCKED) ended
 WHERE s.id = ended.id
RETURNING s.queue, s.position, ended.state
"""


def expand(task_id: int) -> Iterator[int]:
    """Insert the Kind's children, yielding the number so far after each chunk; seals at the end.

    Gives up after ``MAX_STARTS`` starts without a new child: a list that kills its worker must not do so for ever.
    """
    task = Task.objects.get(pk=task_id)
    if task.state not in (*OPEN, TaskState.CANCELLING) or task.sealed or task.reopening is not None:
        return
    if task.finalize_attempts >= MAX_STARTS:
        give_up_expanding(task_id, RuntimeError(f"the worker was lost {task.finalize_attempts} times while making it"))
        return
    Task.objects.filter(pk=task_id).update(finalize_attempts=F("finalize_attempts") + 1)
    children = iter(kind_named(task.kind).expand(task))
    before, size = 0, min(FIRST_CHUNK, settings.SHEAF_CHUNK)
    try:
        while chunk := list(islice(children, size)):
            if fanout.add_chunk(task, chunk, before):
                Task.objects.filter(pk=task_id, finalize_attempts__gt=0).update(finalize_attempts=0)
            before, size = before + len(chunk), settings.SHEAF_CHUNK
            yield before
    except Refused:  # cancelled meanwhile: what is there is there
        fanout.seal(task)
        return
    Task.objects.filter(pk=task_id).update(expected=F("total"))
    joblog.say(task_id, "sealed", total=Task.objects.values_list("total", flat=True).get(pk=task_id))
    fanout.seal(task)


@transaction.atomic
def give_up_expanding(task_id: int, error: Exception) -> None:
    """The Kind could not make its children: the Task ends as failed, with the reason; what ran keeps its results."""
    stopped = Task.objects.filter(pk=task_id, state__in=OPEN, sealed=False).update(
        state=TaskState.CANCELLING, error_code="expand_failed", error=joblog.storable(str(error))[:2000]
    )
    if stopped:
        shares.hold(task_id)
        joblog.say(task_id, "expand_failed", level=Level.ERROR, detail=str(error)[:500])
        control.defer_sweep_up(task_id)


def sweep_up(task_id: int) -> Iterator[int]:
    """Carry out what a cancel or a retry asked for, a chunk a step."""
    task = Task.objects.get(pk=task_id)
    if task.state == TaskState.CANCELLING:
        fanout.seal(task)
        while moved := cancel_chunk(task_id):
            yield moved
        closing.close_if_whole(task_id)
    elif task.reopening is not None:
        while moved := reopen_chunk(task):
            yield moved
        fanout.seal(task)


@transaction.atomic
def cancel_chunk(task_id: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_CANCEL, [task_id, settings.SHEAF_CHUNK])
        moved = cursor.rowcount
    if moved:
        Task.objects.filter(pk=task_id).update(cancelled=F("cancelled") + moved)
    return moved


@transaction.atomic
def reopen_chunk(task: Task) -> int:
    asked = task.reopening or {}
    with connection.cursor() as cursor:
        cursor.execute(
            _REOPEN,
            {
                "task": task.pk,
                "generation": task.generation,
                "states": asked.get("states", [ChildState.FAILED]),
                "codes": asked.get("codes"),
                "chunk": settings.SHEAF_CHUNK,
            },
        )
        moved = cursor.fetchall()
    if moved:
        # A run of this job that was frozen for long must not reach into a later generation
        were = Counter(state for *_, state in moved)
        if not Task.objects.filter(pk=task.pk, generation=task.generation, reopening__isnull=False).update(
            failed=F("failed") - were["failed"], cancelled=F("cancelled") - were["cancelled"]
        ):
            transaction.set_rollback(True)
            return 0
        shares.mark_ready([(task.pk, queue, position) for queue, position, _ in moved])
        wake.after_commit({queue for queue, *_ in moved}, len(moved))
    return len(moved)


def finalize(task_id: int, generation: int) -> bool:
    """Run the Kind's closing step, then end the Task: the change of state happens once, the step at least once.

    After three failures the Task is failed, with the reason, and waits for "Finalize again". Returns whether there is
    nothing left to do; False asks for another try.
    """
    mine = Task.objects.filter(pk=task_id, generation=generation, state=TaskState.FINALIZING)
    mine.update(finalize_attempts=F("finalize_attempts") + 1)
    task = mine.first()
    if task is None:
        return True
    if task.finalize_attempts > MAX_STARTS:
        end(task, "finalize_failed", "the worker was lost each time")
        return True
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(UNHURRIED)
            kind_named(task.kind).complete(task)
    except (OperationalError, InterfaceError):  # no fault of the Kind's; the sweep defers it again
        raise
    except Exception as error:  # whatever a Kind raises is told to its people, not to the job's log alone
        logger.exception("Task %s: the closing step failed (attempt %s)", task_id, task.finalize_attempts)
        if task.finalize_attempts < MAX_FINALIZE_ATTEMPTS:
            joblog.say(task_id, "finalize_retry", level=Level.WARNING, detail=str(error)[:500])
            return False
        end(task, "finalize_failed", str(error))
        return True
    end(task, task.error_code, task.error)
    return True


def _begun(task: Task) -> datetime:
    """When the run that has ended began: a batch that is run again after a night has not worked all night."""
    if task.generation == 1:
        return task.started_at or task.created_at
    return (
        task.children.filter(generation=task.generation).aggregate(first=Min("started_at"))["first"] or task.finished_at
    )


@transaction.atomic
def end(task: Task, error_code: str, error: str) -> bool:
    ended = Task.objects.filter(pk=task.pk, generation=task.generation, state=TaskState.FINALIZING).update(
        state=Value(TaskState.FAILED) if error_code else _CANCELLED_OR_COMPLETED,
        finished_at=Now(),
        error_code=error_code,
        error=joblog.storable(error)[:2000],
    )
    if ended:
        row = Task.objects.get(pk=task.pk)
        if error_code == "finalize_failed":
            joblog.say(task.pk, error_code, level=Level.ERROR, detail=error[:500])
        joblog.say(
            task.pk,
            "ended",
            duration_s=round((row.finished_at - _begun(row)).total_seconds(), 1),
            succeeded=row.succeeded,
            failed=row.failed,
            cancelled=row.cancelled,
        )
    return bool(ended)
