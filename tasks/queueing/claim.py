"""Hands children to lanes: of every queue that lanes ask for, the ready children whose turn it is.

Part of a trip's transaction (``ledger``): rows that another desk holds are skipped, never waited for.
"""

from __future__ import annotations

import json
from collections import OrderedDict

from django.conf import settings
from django.db import connection

from tasks.models import Task
from tasks.queueing import limits
from tasks.queueing.messages import Answer, Assignment, Hold, Work

TASKS_REMEMBERED = 1000
_remembered: OrderedDict[int, tuple[str, dict, list]] = OrderedDict()

# Open shares by next tag, some ready children of each, the lowest tags of them all; more candidates than wanted,
# since other desks lock the same ones this moment. The nth child goes to the nth lane, if its run is still the same.
# Of the children that one more lost worker would fail, a process runs one at a time: one of them may be what kills
# workers, and the others must not go down with it.
_TAKE = """
WITH open AS MATERIALIZED (
    SELECT o.task_id, o.base, o.step, t.kind FROM tasks_share o JOIN tasks_task t ON t.id = o.task_id
     WHERE o.queue = %(queue)s AND o.ready AND NOT o.held AND t.kind = ANY(%(kinds)s)
       AND NOT t.paused AND t.state IN ('expanding', 'running')  -- held is a hint: a hand-back may race with a pause
     ORDER BY o.next_tag LIMIT %(shares)s
), candidate AS MATERIALIZED (
    SELECT c.id, c.lost, open.base + c.position * open.step AS tag FROM open CROSS JOIN LATERAL (
        SELECT id, lost, position FROM tasks_subtask
         WHERE task_id = open.task_id AND queue = %(queue)s AND state = 'pending' AND available_at IS NULL
           AND open.kind || '/' || stage = ANY(%(stages)s)
         ORDER BY position LIMIT GREATEST(4, %(candidates)s / (SELECT GREATEST(1, count(*)) FROM open))) c
     ORDER BY tag LIMIT %(candidates)s
), picked AS MATERIALIZED (
    SELECT s.id, candidate.tag FROM candidate JOIN tasks_subtask s ON s.id = candidate.id
     WHERE s.state = 'pending' AND s.available_at IS NULL
       AND (s.lost < %(last)s
            OR %(room)s AND s.id = (SELECT id FROM candidate WHERE lost >= %(last)s ORDER BY tag LIMIT 1))
     ORDER BY candidate.tag LIMIT %(n)s FOR UPDATE OF s SKIP LOCKED
), matched AS MATERIALIZED (
    SELECT p.id, p.tag, l.id AS lane, l.run
      FROM (SELECT id, tag, row_number() OVER (ORDER BY tag) AS nth FROM picked) p
      JOIN tasks_lane l ON l.id = (%(lanes)s::bigint[])[p.nth] AND l.run = (%(runs)s::bigint[])[p.nth]
)
UPDATE tasks_subtask s
   SET state = 'running', lane_id = m.lane, lane_run = m.run, lease = nextval('tasks_lease'),
       attempt = s.attempt + 1, started_at = now(), finished_at = NULL
  FROM matched m WHERE s.id = m.id
RETURNING m.lane, s.id, s.task_id, s.lease, s.key, s.stage, s.position, s.attempt, s.lost, s.input, s.result, m.tag,
          s.generation, s.later_state, s.asked, EXTRACT(EPOCH FROM now() - s.asked_since)::float8
"""

#: For the connection that makes these trips. Each statement touches few rows and has an index for it; the planner,
#: whose statistics lag behind a batch of 100,000 that came a second ago, is not to try anything else.
PLANNER = """
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET jit = off
"""

#: Lanes whose run is over or whose place is above the limit: they end.
_UNFIT = """
SELECT a.id FROM unnest(%s::bigint[], %s::bigint[]) AS a(id, run)
  LEFT JOIN tasks_lane l ON l.id = a.id AND l.run = a.run
  LEFT JOIN tasks_queue q ON q.name = l.queue_id
 WHERE l.id IS NULL OR l.slot >= q."limit" OR q.paused
"""


def last_chance() -> int:
    """From this many lost workers on a child is on its last chance."""
    return max(1, settings.SHEAF_MAX_LOST - 1)


def take(work: Work, known, answer: Answer, gate: limits.Gate) -> set[str]:
    """Hand children to lanes, by queue; returns the queues that had less than was asked for."""
    by_queue: dict[tuple[str, str], dict[int, tuple[Hold, int]]] = {}
    for hold, most in work.asks:
        by_queue.setdefault((hold.queue, hold.host), {})[hold.lane_id] = hold, most
    short, room = set(), not work.on_last_chance
    for (queue, host), lanes in by_queue.items():
        with connection.cursor() as cursor:
            cursor.execute(_UNFIT, [list(lanes), [hold.run for hold, _ in lanes.values()]])
            for (unfit,) in cursor.fetchall():
                answer.refused.add(unfit)
                del lanes[unfit]
            if not gate.is_free(queue):
                lanes = {lane: ask for lane, ask in lanes.items() if lane not in work.ahead}
            places = _dealt([(hold, most) for hold, most in lanes.values()])
            permit = gate.permit(queue, host, len(places))
            if not permit.n:
                if permit.retry_s is not None:
                    answer.retry_s[queue] = permit.retry_s
                continue
            cursor.execute(
                _TAKE,
                {
                    "lanes": [hold.lane_id for hold in places],
                    "runs": [hold.run for hold in places],
                    "queue": queue,
                    "kinds": list(known),
                    "stages": [f"{kind}/{stage}" for kind, stages in known.items() for stage in stages],
                    "shares": max(16, permit.n),
                    "candidates": min(4 * permit.n, permit.n + 256),
                    "n": permit.n,
                    "last": last_chance(),
                    "room": room,
                },
            )
            rows = cursor.fetchall()
        gate.took(queue, len(rows))
        batches = _facts_of_batches({row[2] for row in rows})
        for lane, child, task, lease, key, stage, position, number, lost, given, result, tag, *wait in rows:
            facts = key, stage, position, number, lost, _loaded(given), _loaded(result), permit.deadline_s
            generation, state, asked, asked_for_s = wait
            wait = generation, _loaded(state), asked, asked_for_s or 0.0
            assignment = Assignment(lanes[lane][0], child, task, lease, *facts, *wait, *batches[task])
            answer.taken.setdefault(lane, []).append(assignment)
            room = room and lost < last_chance()
            answer.served[queue] = max(tag, answer.served.get(queue, 0))
        if len(rows) < permit.n:
            short.add(queue)
        elif permit.retry_s is not None:
            answer.retry_s[queue] = permit.retry_s
    return short


def _facts_of_batches(task_ids: set[int]) -> dict[int, tuple[str, dict, list]]:
    """{id: (kind, parameters, route)} of these Tasks. None changes once a Task has started, so each is read once."""
    if missing := task_ids - _remembered.keys():
        _remembered.update(
            (task_id, tuple(facts))
            for task_id, *facts in Task.objects.filter(pk__in=missing).values_list("pk", "kind", "params", "route")
        )
    batches = {task_id: _remembered[task_id] for task_id in task_ids}
    while len(_remembered) > TASKS_REMEMBERED:
        _remembered.popitem(last=False)
    return batches


def _dealt(lanes: list[tuple[Hold, int]]) -> list[Hold]:
    """A place for each child that is asked for, in rounds: every lane gets its first before any its second."""
    rounds = max((most for _, most in lanes), default=0)
    return [hold for n in range(rounds) for hold, most in lanes if n < most]


def _loaded(value):
    """Django hands jsonb over as text."""
    return json.loads(value) if isinstance(value, str) else value
