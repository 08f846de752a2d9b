"""Fair shares: where the children of a Task stand in the virtual time of a queue (see ``models.Share``).

Lock order of the engine, kept by every transaction: children, then Tasks in id order, then Shares, then log lines.
"""

from django.db import connection

# V, the tag being served: the smallest open share's; an idle queue remembers how far it came.
_SERVED = """COALESCE((SELECT min(next_tag) FROM tasks_share WHERE queue = {queue} AND ready AND NOT held),
                      (SELECT vtime FROM tasks_queue WHERE name = {queue}), 0)"""

# A share that had nothing ready is set to V: what it did not ask for while it slept, it has not saved up.
_READY = f"""
INSERT INTO tasks_share AS s (task_id, queue, base, step, next_tag, ready, held, epoch)
SELECT r.task_id, r.queue, v.tag - r.position * t.priority, t.priority, v.tag, true,
       t.paused OR t.state NOT IN ('expanding', 'running'), 1
  FROM unnest(%s::bigint[], %s::text[], %s::bigint[]) AS r(task_id, queue, position)
  -- LIMIT keeps the planner from walking every batch ever kept in order of id; the rows come in order already.
 CROSS JOIN LATERAL (SELECT priority, paused, state FROM tasks_task WHERE id = r.task_id LIMIT 1) t
 CROSS JOIN LATERAL (SELECT {_SERVED.format(queue="r.queue")} AS tag) v
ON CONFLICT (task_id, queue) DO UPDATE SET
    base = CASE WHEN s.ready THEN s.base ELSE GREATEST(s.base, excluded.base) END,
    next_tag = CASE WHEN s.ready THEN LEAST(s.next_tag, s.base + (excluded.next_tag - excluded.base))
                    ELSE GREATEST(s.base, excluded.base) + (excluded.next_tag - excluded.base) END,
    ready = true, held = excluded.held, epoch = s.epoch + 1
"""

_REBASE = f"""
UPDATE tasks_share s SET held = %s, epoch = s.epoch + 1, base = b.base, next_tag = b.base + b.position * s.step
  FROM (SELECT o.id, p.position, {_SERVED.format(queue="o.queue")} - p.position * o.step AS base
          FROM tasks_share o
         CROSS JOIN LATERAL (SELECT COALESCE(min(c.position), 0) AS position FROM tasks_subtask c
                              WHERE c.task_id = o.task_id AND c.queue = o.queue
                                AND c.state = 'pending' AND c.available_at IS NULL) p
         WHERE o.task_id = %s ORDER BY o.id FOR UPDATE OF o) b
 WHERE s.id = b.id
"""


def mark_ready(rows) -> None:
    """Children became ready: rows are (task_id, queue, lowest position). The Tasks' rows are locked already."""
    lowest = {}
    for task_id, queue, position in rows:
        lowest[task_id, queue] = min(position, lowest.get((task_id, queue), position))
    if lowest:
        lowest = dict(sorted(lowest.items()))  # Shares are locked in this order
        tasks, queues = zip(*lowest, strict=True)
        with connection.cursor() as cursor:
            cursor.execute(_READY, [list(tasks), list(queues), list(lowest.values())])


def hold(task_id: int) -> None:
    """Hand out nothing more of this Task. Costs one row a queue, whatever the number of children."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tasks_share SET held = true WHERE task_id = %s", [task_id])


def release(task_id: int) -> None:
    """Hand out again, from the place in the queue that is being served now."""
    with connection.cursor() as cursor:
        cursor.execute(_REBASE, [False, task_id])


def queues_of(task_id: int) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT queue FROM tasks_share WHERE task_id = %s ORDER BY queue", [task_id])
        return [queue for (queue,) in cursor.fetchall()]
