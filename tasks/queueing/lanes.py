"""A lane is one place in a queue's limit, and one procrastinate job: ``lock`` makes it run once in the whole fleet.

Whoever starts a lane bumps ``run``; from then on the old run takes nothing and what it left running is an orphan.
All lanes of a process renew together; a lane that was not renewed for too long is given up by the sweep.
"""

from __future__ import annotations

import logging

from django.db import connection, transaction

from tasks.models import Lane
from tasks.queueing import recovery, wake
from tasks.queueing.messages import Hold

logger = logging.getLogger(__name__)

_BEGIN = """
INSERT INTO tasks_lane AS l (queue_id, host, slot, run, job_id, worker, seen_at)
SELECT q.name, %(host)s, %(slot)s, 1, %(job)s, %(worker)s, clock_timestamp()
  FROM tasks_queue q WHERE q.name = %(queue)s AND %(slot)s < q."limit" AND NOT q.paused
ON CONFLICT (queue_id, host, slot) DO UPDATE
   SET run = l.run + 1, job_id = excluded.job_id, worker = excluded.worker, seen_at = excluded.seen_at
RETURNING l.id, l.run
"""
_RENEW = """
UPDATE tasks_lane l SET seen_at = clock_timestamp()
  FROM unnest(%s::bigint[], %s::bigint[]) AS h(id, run) WHERE l.id = h.id AND l.run = h.run
RETURNING l.id
"""
_END = "UPDATE tasks_lane SET job_id = NULL, worker = NULL WHERE id = %s AND run = %s"
_WORK_LEFT = """
SELECT EXISTS (SELECT 1 FROM tasks_share o WHERE o.queue = %s AND o.ready AND NOT o.held AND EXISTS (
       SELECT 1 FROM tasks_subtask c WHERE c.task_id = o.task_id AND c.queue = o.queue
          AND c.state = 'pending' AND c.available_at IS NULL))
"""


@transaction.atomic
def begin(queue: str, host: str, slot: int, job_id: int, worker: str) -> Hold | None:
    """Take the lane into this process's hands, and recover what its last run left. None: above the limit, or paused."""
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN, {"queue": queue, "host": host, "slot": slot, "job": job_id, "worker": worker})
        row = cursor.fetchone()
    if row is None:
        return None
    lane_id, run = row
    if orphans := recovery.recover({lane_id: run - 1}, lost=True):
        logger.warning("Lane %s/%s: recovered %s children of a lost run", queue, slot, orphans)
    return Hold(lane_id, run, queue, host, slot, job_id)


def renew(holds: list[Hold]) -> set[int]:
    """Say that these lanes are alive; returns the ids of those that are ours no more."""
    with connection.cursor() as cursor:
        cursor.execute(_RENEW, [[hold.lane_id for hold in holds], [hold.run for hold in holds]])
        return {hold.lane_id for hold in holds} - {lane for (lane,) in cursor.fetchall()}


def end(hold: Hold, *, hand_on: bool) -> None:
    """Let the lane go. Work that came while we were saying so finds no waking lane: look again, after the commit.

    ``hand_on``: another worker is to go on with it at once (a lane that yields, a worker that stops).
    """
    with connection.cursor() as cursor:
        cursor.execute(_END, [hold.lane_id, hold.run])
        cursor.execute(_WORK_LEFT, [hold.queue])
        if cursor.fetchone()[0]:
            wake.now(hold.queue, None if hand_on else 1)


def release(worker: str) -> int:
    """Free the lanes of a worker that is known to be dead (its supervisor reaped it). Returns how many."""
    held = Lane.objects.filter(worker=worker, job_id__isnull=False)
    return sum(abandon(lane) for lane in held)


def abandon(lane: Lane) -> bool:
    """Give up a lane that nobody renews: its job is over, its children go back, the place is free for a new job.

    Never by retrying its job: procrastinate's finish takes a job by id alone, so the old run, if it lives, could
    finish the new one. A conditional update decides between two who try.
    """
    with transaction.atomic():
        freed = Lane.objects.filter(pk=lane.pk, run=lane.run, job_id=lane.job_id, seen_at=lane.seen_at).update(
            run=lane.run + 1, job_id=None, worker=None
        )
        if not freed:
            return False
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE procrastinate_jobs SET status = 'failed', abort_requested = false"
                " WHERE id = %s AND status = 'doing'",
                [lane.job_id],
            )
        recovery.recover({lane.pk: lane.run}, lost=True)
        wake.after_commit(lane.queue_id)
    logger.warning("Lane %s was given up: nobody renewed it", lane)
    return True
