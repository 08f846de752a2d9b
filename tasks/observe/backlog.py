"""How much waits in each queue, since when, and how much runs: for pages and metrics, at a bounded cost.

A COUNT(*) over millions of waiting children takes seconds. Here each Share (a batch's part of a queue) leads through
the index (task, queue, position) of ready children, and counting stops at ``CAP``. The LATERAL subquery with its own
LIMIT is what keeps the planner from joining whole tables; the ORM can't write it.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Count
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tasks.models import SubTask
from tasks.states import ChildState

#: Waiting children are counted up to here, for each queue.
CAP = 10_000
#: Batches that are looked at for the oldest waiting child, for each queue, in the order of their numbers.
SHARES = 500

_READY = "c.task_id = s.task_id AND c.queue = s.queue AND c.state = 'pending' AND c.available_at IS NULL"

_DEPTHS = f"""
SELECT q.name, n.depth FROM tasks_queue q CROSS JOIN LATERAL (
    SELECT count(*) AS depth FROM (
        SELECT 1 FROM tasks_share s
         CROSS JOIN LATERAL (SELECT 1 FROM tasks_subtask c WHERE {_READY} LIMIT {CAP + 1}) ready
         WHERE s.queue = q.name AND s.ready LIMIT {CAP + 1}) counted) n
"""

_OLDEST = f"""
SELECT q.name, EXTRACT(EPOCH FROM clock_timestamp() - min(first.created_at))::float8
  FROM tasks_queue q
 CROSS JOIN LATERAL (SELECT task_id, queue FROM tasks_share
                      WHERE queue = q.name AND ready ORDER BY task_id LIMIT {SHARES}) s
 CROSS JOIN LATERAL (SELECT c.created_at FROM tasks_subtask c WHERE {_READY} ORDER BY c.position LIMIT 1) first
 GROUP BY q.name
"""


def _pairs(statement: str) -> dict:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return dict(cursor.fetchall())


def depths() -> dict[str, int]:
    """{queue: children that could begin now}; ``CAP + 1`` stands for "more than CAP"."""
    return _pairs(_DEPTHS)


def oldest_waits() -> dict[str, float]:
    """{queue: seconds since its oldest ready child was made}; a queue where nothing is ready is absent."""
    return _pairs(_OLDEST)


def running() -> dict[str, int]:
    """{queue: places in use}, by an index of running children only.

    A place is a lane: it may hold several short children, and runs one of them at a time.
    """
    rows = (
        SubTask.objects.filter(state=ChildState.RUNNING)
        .values("queue")
        .annotate(n=Count("lane", distinct=True))
        .order_by()
    )
    return {row["queue"]: row["n"] for row in rows}


def delayed() -> int:
    """Children that wait for their time (a retry, a service's Retry-After), up to ``CAP + 1``."""
    waiting = SubTask.objects.filter(state=ChildState.PENDING, available_at__isnull=False)
    return waiting.order_by().values("pk")[: CAP + 1].count()


def words(depth: int) -> str:
    shown = number_format(min(depth, CAP), use_l10n=True, force_grouping=True)
    return _("more than %(n)s") % {"n": shown} if depth > CAP else shown
