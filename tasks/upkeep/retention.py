"""Forgets what is old: ended batches by state, drafts, and the rows that procrastinate leaves.

In small transactions (``ROWS`` at a time) and for a second at most per round, so that nobody waits behind it; a batch
of a million lines takes many rounds. Only what has ended goes, and only after it was finalized. By default nothing of a
batch is ever deleted: results are what people came for.
"""

from __future__ import annotations

import time
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from tasks.kinds.base import registered
from tasks.models import Task
from tasks.states import TaskState

ROWS = 2000
BUDGET_S = 1.0
EVERY_S = 60
#: Batches listed at a time.
BATCHES = 500
#: procrastinate's row of a worker that has been silent for this long goes; well above any outage that workers survive.
WORKER_SILENT_S = 3600

_PART = """
DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE task_id = %s LIMIT %s)
"""
# Jobs that ended long ago (lane jobs that succeed are deleted at once), with their events by cascade. So many are
# looked at, old or not: a history of millions that are all young costs one page.
_JOBS = """
WITH page AS MATERIALIZED (
    SELECT id FROM procrastinate_jobs
     WHERE id > %(after)s AND status IN ('succeeded', 'failed', 'cancelled', 'aborted') ORDER BY id LIMIT %(rows)s
), gone AS (
    DELETE FROM procrastinate_jobs j USING page
     WHERE j.id = page.id AND j.status IN ('succeeded', 'failed', 'cancelled', 'aborted')
       AND NOT EXISTS (SELECT 1 FROM procrastinate_events e WHERE e.job_id = j.id
                          AND e.at > now() - make_interval(days => %(days)s))
       AND NOT EXISTS (SELECT 1 FROM procrastinate_periodic_defers d WHERE d.job_id = j.id)
    RETURNING j.id
)
SELECT (SELECT count(*) FROM page), (SELECT max(id) FROM page), (SELECT count(*) FROM gone)
"""
# Never while a job refers to it: the foreign key would set worker_id to null in all of a long history, in one statement
# (procrastinate issue 1454). New history refers to nobody (migration 0007), the older goes with its retention. Asked
# for by order, for which there is an index: for an equal value the planner would read millions of rows to find none.
_WORKERS = """
DELETE FROM procrastinate_workers w
 WHERE w.last_heartbeat < now() - make_interval(secs => %s)
   AND (SELECT j.worker_id FROM procrastinate_jobs j WHERE j.worker_id >= w.id ORDER BY j.worker_id LIMIT 1)
       IS DISTINCT FROM w.id
"""

_pruned_at = -EVERY_S


def forget_what_is_old() -> int:
    """A rule of the sweep: once a minute, for a second. Returns the number of batches and jobs that went."""
    global _pruned_at
    if time.monotonic() - _pruned_at < EVERY_S:
        return 0
    _pruned_at = time.monotonic()
    return prune(BUDGET_S)


def prune(budget_s: float | None = None) -> int:
    """Forget for so many seconds (None: until nothing is left). Returns the number of batches and jobs that went."""
    until = time.monotonic() + budget_s if budget_s is not None else float("inf")
    gone = 0
    while batches := list(expired().order_by("pk").only("pk")[:BATCHES]):
        for task in batches:
            if not _forget(task, until):
                return gone
            gone += 1
    for kind in registered():
        gone += kind.forget(until)
    gone += _forget_jobs(until)
    with connection.cursor() as cursor:
        cursor.execute(_WORKERS, [WORKER_SILENT_S])
    return gone


def _forget_jobs(until: float) -> int:
    """Oldest first, by the primary key: the first page of which nothing is old ends it, since the next are younger."""
    gone, after = 0, 0
    while settings.SHEAF_KEEP_JOBS_DAYS and time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(_JOBS, {"after": after, "rows": ROWS, "days": settings.SHEAF_KEEP_JOBS_DAYS})
            looked_at, after, went = cursor.fetchone()
        gone += went
        if not went or looked_at < ROWS:
            break
    return gone


def expired():
    """Batches past their time. 0 days = kept for ever."""
    past = Q(pk__in=[])
    for days, states in (
        (settings.SHEAF_KEEP_COMPLETED_DAYS, [TaskState.COMPLETED]),
        (settings.SHEAF_KEEP_FAILED_DAYS, [TaskState.FAILED]),
        (settings.SHEAF_KEEP_CANCELLED_DAYS, [TaskState.CANCELLED]),
    ):
        if days:
            past |= Q(state__in=states, finished_at__lt=Now() - timedelta(days=days))
    if settings.SHEAF_KEEP_DRAFT_DAYS:
        past |= Q(state=TaskState.DRAFT, updated_at__lt=Now() - timedelta(days=settings.SHEAF_KEEP_DRAFT_DAYS))
    return Task.objects.filter(past)


def _forget(task: Task, until: float) -> bool:
    """Delete lines, then children, then the Task with what its Kind hung on it; False when time ran out.

    Asked again before each step: a person may have opened the next generation meanwhile.
    """
    for table in ("tasks_logline", "tasks_subtask"):
        while True:
            if time.monotonic() > until:
                return False
            with transaction.atomic(), connection.cursor() as cursor:
                if not expired().select_for_update(no_key=True).filter(pk=task.pk).exists():
                    return True
                cursor.execute(_PART.format(table=table), [task.pk, ROWS])
                if cursor.rowcount < ROWS:
                    break
    expired().filter(pk=task.pk).delete()
    return True
