"""What a worker tells and asks the database once a second, and its row in the list of workers."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from tasks.models import Task, Worker
from tasks.queueing import lanes, limits, shares, wake
from tasks.states import TaskState

DUE_AT_ONCE = 500

_PROMOTE = """
UPDATE tasks_subtask SET available_at = NULL
 WHERE id IN (SELECT id FROM tasks_subtask WHERE state = 'pending' AND available_at <= now()
               ORDER BY available_at LIMIT %s FOR UPDATE SKIP LOCKED)
RETURNING task_id, queue, position
"""
_NEXT_CHILD = """
SELECT EXTRACT(EPOCH FROM min(available_at) - clock_timestamp())::float8 FROM tasks_subtask
 WHERE state = 'pending' AND available_at IS NOT NULL
"""
_OTHERS_WAIT = """
SELECT EXISTS (SELECT 1 FROM procrastinate_jobs j WHERE j.status = 'todo' AND j.queue_name = ANY(%s)
                  AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs d WHERE d.lock = j.lock AND d.status = 'doing'))
"""


@dataclass
class Seen:
    """What a beat found: lanes that are ours no more, cancelled Tasks among the running, and two hints."""

    lost: set[int] = field(default_factory=set)
    cancelled: set[int] = field(default_factory=set)
    promoted: int = 0
    others_wait: bool = False
    #: Seconds until the next child, rate or probe is due.
    next_due_s: float | None = None


def job_queues(queues: list[str]) -> list[str]:
    """The procrastinate queues in which the lanes of these queues wait, on this machine."""
    return [name for queue in queues for name in (wake.lane_queue(queue), wake.lane_queue(queue, settings.SHEAF_HOST))]


def beat(crew, holds, running: set[int], full_queues: list[str]) -> Seen:
    """``holds``: lanes to renew now; ``running``: Task ids; ``full_queues``: asked for waiting lanes if not empty.

    What has become due (a delayed child, a queue's rate, the probe of an open breaker) is put to work.
    """
    seen = Seen()
    if holds:
        seen.lost = lanes.renew(holds)
    if not Worker.objects.filter(pk=crew.token).update(seen_at=Now()):  # we were taken for dead
        enrol(crew.token, crew.queues, crew.concurrency)
    if running:
        seen.cancelled = set(
            Task.objects.filter(pk__in=running, state=TaskState.CANCELLING).values_list("pk", flat=True)
        )
    while promoted := promote_due():
        seen.promoted += promoted
        if promoted < DUE_AT_ONCE:
            break
    due, seen.next_due_s = limits.due(crew.queues)
    if due:
        wake.now(due)
    if (child_s := _next_child_s()) is not None:
        seen.next_due_s = min(child_s, seen.next_due_s or child_s)
    if full_queues:
        with connection.cursor() as cursor:
            cursor.execute(_OTHERS_WAIT, [job_queues(full_queues)])
            seen.others_wait = cursor.fetchone()[0]
    return seen


def _next_child_s() -> float | None:
    with connection.cursor() as cursor:
        cursor.execute(_NEXT_CHILD)
        return cursor.fetchone()[0]


@transaction.atomic
def promote_due() -> int:
    """Make children whose time has come ready; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_PROMOTE, [DUE_AT_ONCE])
        rows = cursor.fetchall()
    if rows:
        shares.mark_ready(rows)
        wake.after_commit({queue for _, queue, _ in rows}, len(rows))
    return len(rows)


def enrol(token: str, queues: list[str], concurrency: int) -> None:
    """Enter this process in the list of workers, and wake lanes for what already waits."""
    Worker.objects.update_or_create(
        token=token,
        defaults={
            "host": settings.SHEAF_HOST,
            "pid": os.getpid(),
            "queues": queues,
            "concurrency": concurrency,
            "stopping": False,
            "seen_at": Now(),
        },
    )
    wake.now(waiting_queues(queues))


def waiting_queues(queues: list[str]) -> list[str]:
    """Those of these queues that have ready children."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT queue FROM tasks_share WHERE ready AND NOT held AND queue = ANY(%s)", [queues])
        return [queue for (queue,) in cursor.fetchall()]


def say_stopping(token: str) -> None:
    Worker.objects.filter(pk=token).update(stopping=True)


def strike_off(token: str) -> None:
    """Take this process off the list; what its lanes left is free at once."""
    lanes.release(token)
    Worker.objects.filter(pk=token).delete()
