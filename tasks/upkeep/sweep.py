"""Puts right what a crash between two steps left, every few seconds, by one process of the fleet at a time.

Each rule is idempotent and stands alone: what one cannot mend, or fails in, keeps no other from its work.
What should never have happened (a counter that does not match its rows) is recorded as a Finding, in red.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from procrastinate.contrib.django.models import ProcrastinateJob

from tasks.models import Lane, Task, Worker
from tasks.queueing import closing, control, lanes, recovery, shares, wake
from tasks.states import TaskState
from tasks.threads import UNAVAILABLE
from tasks.upkeep.drift import heal_drift, heal_drift_of_the_ended
from tasks.upkeep.retention import forget_what_is_old
from tasks.upkeep.transactions import report_old_transactions

logger = logging.getLogger(__name__)

ADVISORY_LOCK = 0x5EAF
WORKER_GONE_S = 60

_last_tried = _out_of_touch = float("-inf")


#: Frozen in the middle of a sweep, a process would keep all others from sweeping: the server ends its session.
_OR_ANOTHER = "SET idle_session_timeout = '15s'"


def sweep() -> list[str]:
    """One round, if no other process is at it. Returns the names of the rules that found something."""
    _note_absence()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [ADVISORY_LOCK])
        if not cursor.fetchone()[0]:
            return []
        cursor.execute(_OR_ANOTHER)
    try:
        return [rule.__name__ for rule in RULES if _apply(rule)]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [ADVISORY_LOCK])
            cursor.execute("RESET idle_session_timeout")


def _note_absence() -> None:
    """A process that was frozen, or that could not reach the database, knows nothing of who renewed meanwhile."""
    global _last_tried, _out_of_touch
    now, before = time.monotonic(), _last_tried
    _last_tried = now
    if before > float("-inf") and now - before > settings.SHEAF_SWEEP_S + settings.SHEAF_LANE_STALE_S / 2:
        _out_of_touch = now
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except UNAVAILABLE:
        _out_of_touch = now
        raise


def _apply(rule) -> int:
    try:
        found = rule() or 0
    except UNAVAILABLE:
        raise
    except Exception:
        logger.exception("Sweep: %s failed; the other rules go on", rule.__name__)
        return 0
    if found:
        logger.info("Sweep: %s (%s)", rule.__name__.replace("_", " "), found)
    return found


def give_up_stale_lanes() -> int:
    """Lanes that nobody renews: at once for local work; for a service only when its call must be over as well, or
    the fleet would exceed the limit while a frozen worker's call is still open."""
    if time.monotonic() - _out_of_touch < settings.SHEAF_LANE_STALE_S / 2 or _server_is_new():
        return 0  # nobody could renew; give them the time to
    stale = timedelta(seconds=settings.SHEAF_LANE_STALE_S)
    job_runs = ProcrastinateJob.objects.filter(id=OuterRef("job_id"), status="doing")
    is_over = (
        Q(queue__per_host=True)
        | ~Exists(job_runs)
        | Q(seen_at__lt=Now() - stale - F("queue__deadline_s") * timedelta(seconds=1))
    )
    return sum(
        lanes.abandon(lane) for lane in Lane.objects.filter(is_over, job_id__isnull=False, seen_at__lt=Now() - stale)
    )


def _server_is_new() -> bool:
    """Whether PostgreSQL started so lately that lanes may not have been renewed since."""
    with connection.cursor() as cursor:
        grace_s = settings.SHEAF_LANE_STALE_S / 2  # lanes renew twice in it
        cursor.execute("SELECT pg_postmaster_start_time() > now() - make_interval(secs => %s)", [grace_s])
        return cursor.fetchone()[0]


_ORPHANED_JOBS = """
UPDATE procrastinate_jobs SET status = 'failed', abort_requested = false
 WHERE id IN (SELECT j.id FROM procrastinate_jobs j
                LEFT JOIN procrastinate_workers w ON w.id = j.worker_id
               WHERE j.status = 'doing'
                 AND NOT EXISTS (SELECT 1 FROM procrastinate_events e WHERE e.job_id = j.id AND e.type = 'started'
                                    AND e.at > now() - make_interval(secs => %(after)s))
                 AND CASE WHEN j.task_name = %(lane)s
                          THEN NOT EXISTS (SELECT 1 FROM tasks_lane l WHERE l.job_id = j.id)
                          ELSE j.queue_name = %(control)s
                               AND (w.id IS NULL OR w.last_heartbeat < now() - make_interval(secs => %(after)s))
                     END
               FOR UPDATE OF j SKIP LOCKED)
"""


def end_orphaned_jobs() -> int:
    """Jobs whose worker died between fetching and beginning; their lock would keep every later job out."""
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANED_JOBS, {"after": job_orphaned_s(), "lane": wake.LANE_JOB, "control": control.QUEUE})
        return cursor.rowcount


def job_orphaned_s() -> float:
    """A job that procrastinate calls "doing" for this long without anybody behind it is over."""
    return 1.5 * settings.SHEAF_LANE_STALE_S


def disown(worker_id: int, running: list[int], suspects: set[int]) -> set[int]:
    """Jobs that procrastinate thinks this worker runs, and it does not: the commit of their fetch was unknown.

    ``running``: ids of those it does run; ``suspects``: what the last call returned. Who is suspected twice in a row
    is over: a job just fetched is not in ``running`` yet. Returns the suspects of this call.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM procrastinate_jobs WHERE worker_id = %s AND status = 'doing' AND id <> ALL(%s)",
            [worker_id, running],
        )
        found = {job for (job,) in cursor.fetchall()}
        if twice := found & suspects:
            cursor.execute(
                "UPDATE procrastinate_jobs SET status = 'failed', abort_requested = false"
                " WHERE id = ANY(%s) AND worker_id = %s AND status = 'doing'",
                [list(twice), worker_id],
            )
            logger.warning("Ended %s jobs that were fetched and never arrived", cursor.rowcount)
    return found - twice


_ORPHANS = """
SELECT s.lane_id, max(CASE WHEN l.id IS NULL THEN s.lane_run WHEN l.job_id IS NULL THEN l.run ELSE l.run - 1 END)
  FROM tasks_subtask s LEFT JOIN tasks_lane l ON l.id = s.lane_id
 WHERE s.state = 'running' AND s.started_at < now() - interval '2 seconds'
   AND (l.id IS NULL OR l.job_id IS NULL OR s.lane_run < l.run)
 GROUP BY s.lane_id
"""


def recover_orphans() -> int:
    """Running children of lanes that are not running, such as those above a lowered limit, or that are no more."""
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANS)
        orphaned = dict(cursor.fetchall())
    return recovery.recover(orphaned, lost=True) if orphaned else 0


def close_whole_tasks() -> int:
    whole = Task.objects.filter(closing.WHOLE, state__in=(TaskState.RUNNING, TaskState.CANCELLING))
    return sum(_close(task_id) for task_id in whole.values_list("pk", flat=True)[:500])


@transaction.atomic
def _close(task_id: int) -> bool:
    return closing.close_if_whole(task_id)


_WITHOUT_JOB = """
SELECT t.id, t.state, t.generation FROM tasks_task t
 WHERE t.state IN ('expanding', 'finalizing', 'cancelling') OR (t.state = 'running' AND t.reopening IS NOT NULL)
 ORDER BY t.id LIMIT 1000
"""
# The concatenation keeps the planner off the index by queue, in which the ended jobs of years are: open ones are few.
_OPEN_CONTROL_JOBS = """
SELECT lock FROM procrastinate_jobs WHERE queue_name || '' = %s AND status IN ('todo', 'doing')
"""


def defer_missing_jobs() -> int:
    """Tasks in a state that a job has to end, and no such job waits or runs (deferring a second one does nothing)."""
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT_JOB)
        rows = cursor.fetchall()
        cursor.execute(_OPEN_CONTROL_JOBS, [control.QUEUE])
        alive = {lock for (lock,) in cursor.fetchall()}
    deferred = 0
    for task_id, state, generation in rows:
        if state == TaskState.EXPANDING and f"expand/{task_id}" not in alive:
            control.defer_expand(task_id)
        elif state == TaskState.FINALIZING and f"finalize/{task_id}/{generation}" not in alive:
            control.defer_finalize(task_id, generation)
        elif state in (TaskState.CANCELLING, TaskState.RUNNING) and f"sweep_up/{task_id}" not in alive:
            control.defer_sweep_up(task_id)
        else:
            continue
        deferred += 1
    return deferred


_SLEEPING_SHARES = """
SELECT o.task_id, o.queue, c.position
  FROM tasks_task t JOIN tasks_share o ON o.task_id = t.id
 CROSS JOIN LATERAL (SELECT position FROM tasks_subtask s WHERE s.task_id = o.task_id AND s.queue = o.queue
                        AND s.state = 'pending' AND s.available_at IS NULL ORDER BY position LIMIT 1) c
 WHERE t.state IN ('expanding', 'running') AND (NOT o.ready OR o.held <> t.paused) LIMIT 500
"""


def wake_sleeping_shares() -> int:
    """Ready children of which the queue does not know."""
    with connection.cursor() as cursor:
        cursor.execute(_SLEEPING_SHARES)
        rows = cursor.fetchall()
    shares.mark_ready(rows)
    return len(rows)


_UNSERVED = """
SELECT DISTINCT o.queue FROM tasks_share o WHERE o.ready AND NOT o.held
   AND EXISTS (SELECT 1 FROM tasks_subtask s WHERE s.task_id = o.task_id AND s.queue = o.queue
                  AND s.state = 'pending' AND s.available_at IS NULL)
"""


def wake_due_lanes() -> int:
    """Queues with work and idle places: a wake-up was lost, or a limit was raised."""
    with connection.cursor() as cursor:
        cursor.execute(_UNSERVED)
        queues = [queue for (queue,) in cursor.fetchall()]
    return wake.now(queues) if queues else 0


def strike_off_dead_workers() -> int:
    return Worker.objects.filter(seen_at__lt=Now() - timedelta(seconds=WORKER_GONE_S)).delete()[0]


RULES = (
    give_up_stale_lanes,
    end_orphaned_jobs,
    recover_orphans,
    heal_drift,
    close_whole_tasks,
    defer_missing_jobs,
    wake_sleeping_shares,
    wake_due_lanes,
    strike_off_dead_workers,
    report_old_transactions,
    heal_drift_of_the_ended,
    forget_what_is_old,
)
