"""How many children of a queue may begin now: its limit while it shrinks, its rate, its breaker.

In the steady state the limit needs no counting: a child runs in a lane, and there are ``limit`` lanes. Only while a
lowered limit drains (a lane above it still runs) is the Queue's row locked and the running ones counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

_STATE = """
SELECT q."limit", q.paused, q.deadline_s, q.breaker,
       q.rate_per_minute IS NOT NULL OR q.breaker <> 'closed' OR EXISTS (
           SELECT 1 FROM tasks_subtask s JOIN tasks_lane l ON l.id = s.lane_id
            WHERE s.queue = q.name AND s.state = 'running' AND l.slot >= q."limit")
  FROM tasks_queue q WHERE q.name = %s
"""
_DRAINING = """
SELECT q."limit" - (SELECT count(*) FROM tasks_subtask s WHERE s.queue = q.name AND s.state = 'running'
                     AND (NOT q.per_host OR EXISTS (SELECT 1 FROM tasks_lane l WHERE l.id = s.lane_id AND l.host = %s)))
  FROM tasks_queue q WHERE q.name = %s FOR UPDATE OF q
"""


@dataclass(frozen=True)
class Permit:
    """``n`` children may begin now; ask again after ``retry_s`` seconds if that was too few."""

    n: int
    deadline_s: int
    retry_s: float | None = None


def permit(queue: str, host: str, wanted: int) -> Permit:
    with connection.cursor() as cursor:
        cursor.execute(_STATE, [queue])
        row = cursor.fetchone()
        if row is None:
            return Permit(0, 1)
        limit, paused, deadline_s, breaker, careful = row
        if paused or limit == 0 or breaker == "open":
            return Permit(0, deadline_s)
        if careful:
            cursor.execute(_DRAINING, [host, queue])
            wanted = max(0, min(wanted, cursor.fetchone()[0]))
        return Permit(wanted, deadline_s)
