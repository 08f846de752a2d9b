"""Counts, after everything has ended, and says which promise was broken."""

from __future__ import annotations

from django.db import connection

from tasks.models import Finding, Task
from tasks.states import TERMINAL

_ROWS = """
SELECT task_id, count(*) FILTER (WHERE state = 'succeeded'), count(*) FILTER (WHERE state = 'failed'),
       count(*) FILTER (WHERE state = 'cancelled'), count(*) FROM tasks_subtask GROUP BY task_id
"""
_ENDED = "SELECT task_id, count(*) FROM tasks_logline WHERE code = 'ended' GROUP BY task_id"
_GAPS = """
SELECT count(*) FROM tasks_task t
 WHERE t.log_seq <> (SELECT count(*) FROM tasks_logline l WHERE l.task_id = t.id)
    OR t.log_seq <> COALESCE((SELECT max(l.seq) FROM tasks_logline l WHERE l.task_id = t.id), 0)
"""


def count() -> dict:
    """lost: children that have not ended, or are not there at all; double_counted: by how much the counters differ
    from the rows; drift: what the sweep had to mend; finalized: endings, of which each generation is to have one."""
    with connection.cursor() as cursor:
        cursor.execute(_ROWS)
        rows = {task: counts for task, *counts in cursor.fetchall()}
        cursor.execute(_ENDED)
        ended = dict(cursor.fetchall())
        cursor.execute(_GAPS)
        gaps = cursor.fetchone()[0]
    tasks = list(Task.objects.order_by("pk"))
    lost = double = expected = 0
    for task in tasks:
        succeeded, failed, cancelled, there = rows.get(task.pk, (0, 0, 0, 0))
        promised = there if task.cancelled_at else task.params["n"]
        lost += abs(promised - (succeeded + failed + cancelled))
        double += abs(task.succeeded - succeeded) + abs(task.failed - failed) + abs(task.cancelled - cancelled)
        expected += task.generation if task.state in TERMINAL else 0
    wrong = [task.pk for task in tasks if ended.get(task.pk, 0) != task.generation]
    return {
        "batches": len(tasks),
        "children": sum(counts[3] for counts in rows.values()),
        "lost": lost,
        "double_counted": double,
        "drift": Finding.objects.filter(code="drift").count(),
        "finalized": sum(ended.values()),
        "expected_finalized": expected,
        "finalized_wrongly": wrong[:20],
        "unfinished": [task.pk for task in tasks if task.state not in TERMINAL][:20],
        "logs_with_gaps": gaps,
    }


def broken(result: dict) -> list[str]:
    """The promises that were not kept."""
    found = [
        f"{name} = {result[name]}" for name in ("lost", "double_counted", "drift", "logs_with_gaps") if result[name]
    ]
    if result["finalized"] != result["expected_finalized"] or result["finalized_wrongly"]:
        found.append(f"finalized {result['finalized']} times, expected {result['expected_finalized']}")
    if result["unfinished"]:
        found.append(f"unfinished batches: {result['unfinished']}")
    if result["max_in_flight"] > result["limit"]:
        found.append(f"{result['max_in_flight']} calls in flight, the limit is {result['limit']}")
    if (result["rescue_p95_s"] or 0) > 45:
        found.append(f"rescue took {result['rescue_p95_s']} s")
    if result["web_errors"]:
        found.append(f"the web process answered {result['web_errors'][:5]}")
    if result["did_not_stop"]:
        found.append(f"ignored SIGTERM: {', '.join(result['did_not_stop'])}")
    return found
