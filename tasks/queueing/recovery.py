"""Children whose worker is gone go back to the queue; a child that loses its worker again and again fails.

Only for children of lanes that somebody else holds now, or that nobody may hold: the lease that is taken away here
is what makes a late result of the old worker change nothing.
"""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.db import connection, transaction

from tasks.log.joblog import Line
from tasks.queueing import ledger, shares, wake
from tasks.states import Level

_RECOVER = """
WITH orphan AS MATERIALIZED (
    SELECT c.id, c.task_id FROM unnest(%(lanes)s::bigint[], %(runs)s::bigint[]) AS l(id, run)
      JOIN tasks_subtask c ON c.lane_id = l.id AND c.lane_run <= l.run
     WHERE c.state = 'running' AND NOT c.lease = ANY(%(held)s) FOR UPDATE OF c SKIP LOCKED
)
UPDATE tasks_subtask s
   SET lease = NULL, lost = s.lost + %(lost)s,
       attempt = CASE WHEN %(lost)s = 0 THEN GREATEST(s.attempt - 1, 0) ELSE s.attempt END,
       state = CASE WHEN t.state = 'cancelling' THEN 'cancelled'
                    WHEN s.lost + %(lost)s >= %(most)s THEN 'failed' ELSE 'pending' END,
       error_code = CASE WHEN s.lost + %(lost)s >= %(most)s THEN 'worker_lost' ELSE s.error_code END,
       finished_at = CASE WHEN t.state = 'cancelling' OR s.lost + %(lost)s >= %(most)s THEN now() END
  FROM orphan o JOIN tasks_task t ON t.id = o.task_id
 WHERE s.id = o.id
RETURNING s.id, s.task_id, s.key, s.state, s.queue, s.position, s.attempt
"""


@transaction.atomic
def recover(lanes: dict[int, int], *, lost: bool, held: Collection[int] = ()) -> int:
    """Return the running children of these lanes ({id: last run that is over}) to pending, or fail them as
    ``worker_lost``. ``held``: leases that a coroutine still holds. ``lost=False`` after a database failure: it was
    not the child's fault, nothing is held against it. Returns how many.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _RECOVER,
            {
                "lanes": list(lanes),
                "runs": list(lanes.values()),
                "lost": int(lost),
                "most": settings.SHEAF_MAX_LOST,
                "held": list(held),
            },
        )
        rows = cursor.fetchall()
    counts, lines, ready = {}, [], []
    for child_id, task_id, key, state, queue, position, attempt in rows:
        tally = counts.setdefault(task_id, [0, 0, 0])
        if state == "pending":
            ready.append((task_id, queue, position))
            if lost:
                lines.append(
                    Line(
                        task_id,
                        code="child_lost",
                        level=Level.WARNING,
                        data={"key": key},
                        subtask_id=child_id,
                        attempt=attempt,
                    )
                )
            continue
        tally[("succeeded", "failed", "cancelled").index(state)] += 1
        if state == "failed":
            data = {"key": key, "reason_code": "worker_lost"}
            lines.append(
                Line(task_id, code="child_failed", level=Level.ERROR, data=data, subtask_id=child_id, attempt=attempt)
            )
    ledger.count(counts, lines)
    shares.mark_ready(ready)
    wake.after_commit({queue for _, queue, _ in ready}, len(ready))
    return len(rows)
