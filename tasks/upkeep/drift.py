"""Counters against their rows: what should never differ is looked for all the time, mended, and said in red.

Tasks that are open twice a minute; those that have ended, whose results people look at for years, one after the other
in a walk that never ends. Each round is bounded by the rows that it counts and by time.
"""

from __future__ import annotations

import logging
import time

from django.conf import settings
from django.db import connection, transaction

from tasks.log import joblog
from tasks.models import Finding, Task
from tasks.queueing import closing
from tasks.states import ACTIVE, TERMINAL, Level

logger = logging.getLogger(__name__)

EVERY_S = 30
#: So many Tasks are compared in one statement, with so many children together, and for so long in one round.
TASKS, CHILDREN, BUDGET_S = 100, 100_000, 1.0

#: {where the walk is}: the last Task looked at; when it last came to the end (open) or moved on (ended).
_from = {"open": 0, "ended": 0}
_checked = {"open": float("-inf"), "ended": float("-inf")}

# Counters and rows move in one transaction, so one statement, which has one snapshot, sees them agree or sees a drift.
_DRIFTED = """
WITH listed AS (
    SELECT id, total, succeeded, failed, cancelled FROM tasks_task
     WHERE id > %(after)s AND state IN ({states}) ORDER BY id LIMIT %(tasks)s
), few AS MATERIALIZED (
    SELECT * FROM (SELECT *, sum(total) OVER (ORDER BY id) - total AS before FROM listed) l WHERE before < %(children)s
)
SELECT few.id, (few.total, few.succeeded, few.failed, few.cancelled) IS DISTINCT FROM
       (n.total, n.succeeded, n.failed, n.cancelled)
  FROM few CROSS JOIN LATERAL (
       SELECT count(*) AS total, count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
              count(*) FILTER (WHERE state = 'failed') AS failed,
              count(*) FILTER (WHERE state = 'cancelled') AS cancelled
         FROM tasks_subtask c WHERE c.task_id = few.id) n
 ORDER BY few.id
"""
# Written out, so that the planner sees that the index of active Tasks is the one.
_OF_OPEN = _DRIFTED.format(states=", ".join(f"'{state}'" for state in ACTIVE))
_OF_ENDED = _DRIFTED.format(states=", ".join(f"'{state}'" for state in TERMINAL))


def heal_drift() -> int:
    """A rule of the sweep: every unfinished Task, twice a minute; a second's worth a round."""
    if time.monotonic() - _checked["open"] < EVERY_S * min(1.0, settings.SHEAF_SWEEP_S / 5):
        return 0
    healed, until = 0, time.monotonic() + BUDGET_S
    while time.monotonic() < until:
        found, at_the_end = _step("open", _OF_OPEN)
        healed += found
        if at_the_end:
            _checked["open"] = time.monotonic()
            break
    return healed


def heal_drift_of_the_ended() -> int:
    """A rule of the sweep: of the Tasks that have ended the next few, twice a minute."""
    if time.monotonic() - _checked["ended"] < EVERY_S * min(1.0, settings.SHEAF_SWEEP_S / 5):
        return 0
    _checked["ended"] = time.monotonic()
    return _step("ended", _OF_ENDED)[0]


def _step(which: str, query: str) -> tuple[int, bool]:
    """Compare the next few. Returns how many were mended, and whether these were the last."""
    with connection.cursor() as cursor:
        cursor.execute(query, {"after": _from[which], "tasks": TASKS, "children": CHILDREN})
        rows = cursor.fetchall()
    healed = sum(_heal(task_id) for task_id, drifted in rows if drifted)
    _from[which] = rows[-1][0] if rows else 0
    return healed, not rows


@transaction.atomic
def _heal(task_id: int) -> bool:
    """The Task's row is held while its rows are counted, so no settle can come in between."""
    task = Task.objects.select_for_update(no_key=True).filter(pk=task_id).first()
    if task is None:  # deleted since
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT state, count(*) FROM tasks_subtask WHERE task_id = %s GROUP BY state", [task_id])
        by_state = dict(cursor.fetchall())
    true = {"total": sum(by_state.values())} | {
        name: by_state.get(name, 0) for name in ("succeeded", "failed", "cancelled")
    }
    before = {name: getattr(task, name) for name in true}
    if before == true:
        return False
    if task.is_terminal and (unsettled := by_state.get("pending", 0) + by_state.get("running", 0)):
        return _say_unsettled(task_id, unsettled)
    Task.objects.filter(pk=task_id).update(**true)
    Finding.objects.create(code="drift", task_id=task_id, data={"before": before, "after": true})
    joblog.say(task_id, "healed", level=Level.WARNING, before=before, after=true)
    logger.error("Counters of task %s did not match its rows: %s, corrected to %s", task_id, before, true)
    closing.close_if_whole(task_id)
    return True


def _say_unsettled(task_id: int, n: int) -> bool:
    """Somebody put children into a batch that has ended: no number is right until a person decides. Said once."""
    found = Finding.objects.filter(code="unsettled", task_id=task_id, seen_by__isnull=True)
    if found.exists():
        return False
    Finding.objects.create(code="unsettled", task_id=task_id, data={"n": n})
    logger.error("Task %s has ended, but %s of its children have not", task_id, n)
    return True
