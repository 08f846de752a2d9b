"""The one transaction of a round trip: settle what ended, hand out what is next, move the counters, store the log.

A desk calls ``trip`` with everything that gathered since its last one. Order of locks: children (the settled ones are
ours by lease, the taken ones are skipped when locked), then Tasks in id order, then Shares, then log lines; the
Task's row, which every worker wants, is locked last and for as short as can be.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F

from tasks import closing, joblog, limits, shares, wake
from tasks.errors import ServiceDown
from tasks.joblog import Line
from tasks.models import Task

#: How a run of a child ended; see ``Outcome.end``.
SUCCEEDED, ADVANCED, FAILED, RETRY, HANDED_BACK, CANCELLED = (
    "succeeded",
    "advanced",
    "failed",
    "retry",
    "handed_back",
    "cancelled",
)


@dataclass(frozen=True)
class Hold:
    """A lane in the hands of this process: row, run, and whose limit it is a place in."""

    lane_id: int
    run: int
    queue: str
    host: str
    slot: int
    job_id: int


@dataclass(frozen=True)
class Assignment:
    """A child that was handed to a lane."""

    hold: Hold
    child_id: int
    task_id: int
    lease: int
    key: str
    stage: str
    position: int
    number: int
    lost: int
    input: dict
    results: dict
    deadline_s: int


@dataclass
class Outcome:
    """How an assignment ended.

    ``result`` is JSON text {stage: value} (succeeded, advanced); ``delay_s`` and ``burns`` belong to a retry;
    ``stage`` and ``queue`` say where an advanced child goes.
    """

    assignment: Assignment
    end: str
    result: str = "{}"
    code: str = ""
    error: str = ""
    data: dict = field(default_factory=dict)
    delay_s: float | None = None
    burns: bool = True
    stage: str = ""
    queue: str = ""
    #: What it says of its queue's service (``tasks.breaker``): why it failed, or that it answered.
    trouble: ServiceDown | None = None
    answered: bool = False


@dataclass
class Work:
    """What gathered since the last trip: ended children, lanes with how many they ask for, lines, queues whose shares' bounds
    are due for renewal with the highest tag served in them."""

    outcomes: list[Outcome] = field(default_factory=list)
    asks: list[tuple[Hold, int]] = field(default_factory=list)
    #: Lanes that ask while a child of theirs still runs.
    ahead: set[int] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)
    keep_up: set[str] = field(default_factory=set)
    served: dict[str, int] = field(default_factory=dict)
    #: This process runs a child already that one more lost worker would fail.
    on_last_chance: bool = False


@dataclass
class Answer:
    """What a trip brought: children by lane id, outcomes that came too late, lanes that must end, by queue the
    highest tag served and the seconds after which asking again makes sense."""

    taken: dict[int, list[Assignment]] = field(default_factory=dict)
    late: list[Outcome] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    served: dict[str, int] = field(default_factory=dict)
    retry_s: dict[str, float] = field(default_factory=dict)
    #: Children went back to a queue: lanes of this process that wait may ask at once.
    readied: bool = False


_SETTLE = """
UPDATE tasks_subtask s
   SET state = CASE WHEN t.state = 'cancelling' THEN 'cancelled' ELSE d.state END,
       stage = CASE WHEN d.stage = '' THEN s.stage ELSE d.stage END,
       queue = CASE WHEN d.queue = '' THEN s.queue ELSE d.queue END,
       result = CASE WHEN d.result = '{}' THEN s.result ELSE s.result || d.result END,
       error_code = d.code, error = d.error, error_data = d.data,
       attempt = CASE WHEN d.stage <> '' THEN 0 WHEN d.burns THEN s.attempt ELSE GREATEST(s.attempt - 1, 0) END,
       available_at = CASE WHEN d.delay IS NOT NULL AND t.state <> 'cancelling'
                           THEN now() + make_interval(secs => d.delay) END,
       finished_at = CASE WHEN d.state <> 'pending' OR t.state = 'cancelling' THEN now() END
  FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::jsonb[], %s::text[], %s::text[],
              %s::jsonb[], %s::bool[], %s::float[])
       AS d(id, lease, state, stage, queue, result, code, error, data, burns, delay)
  JOIN tasks_subtask c ON c.id = d.id
  JOIN tasks_task t ON t.id = c.task_id
 WHERE s.id = d.id AND s.lease = d.lease AND s.state = 'running'
RETURNING s.id, s.task_id, s.state, s.queue, s.position, s.available_at
"""

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
       AND (s.lost < %(last)s OR %(room)s AND s.id = (SELECT id FROM candidate WHERE lost >= %(last)s ORDER BY tag LIMIT 1))
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
RETURNING m.lane, s.id, s.task_id, s.lease, s.key, s.stage, s.position, s.attempt, s.lost, s.input, s.result, m.tag
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

# Bounds of shares are renewed, and emptied ones marked, by whoever saw their latest epoch; never waits for another desk.
_KEEP_UP = """
WITH seen AS MATERIALIZED (
    SELECT o.id, o.epoch, o.next_tag,
           (SELECT o.base + c.position * o.step FROM tasks_subtask c
             WHERE c.task_id = o.task_id AND c.queue = o.queue AND c.state = 'pending' AND c.available_at IS NULL
             ORDER BY c.position LIMIT 1) AS tag
      FROM tasks_share o WHERE o.queue = %s AND o.ready AND NOT o.held ORDER BY o.next_tag LIMIT 256
), mine AS MATERIALIZED (
    SELECT id FROM tasks_share WHERE id IN (SELECT id FROM seen WHERE tag IS DISTINCT FROM next_tag)
     ORDER BY id FOR UPDATE SKIP LOCKED
)
UPDATE tasks_share s SET next_tag = COALESCE(seen.tag, s.next_tag), ready = seen.tag IS NOT NULL
  FROM seen, mine WHERE s.id = seen.id AND s.id = mine.id AND s.epoch = seen.epoch
"""
# How far an idle queue came, so that newcomers start there.
_SERVED = """
UPDATE tasks_queue SET vtime = %s
 WHERE name = (SELECT name FROM tasks_queue WHERE name = %s AND vtime < %s FOR UPDATE SKIP LOCKED)
"""


@transaction.atomic
def trip(work: Work, known: dict[str, list[str]]) -> Answer:
    """One round trip. ``known``: {kind: [stage, ...]} that this process can run. Raises what the database raises;
    then nothing of it happened, or its commit is unknown, and repeating it is safe by lease.
    """
    answer = Answer()
    counts: dict[int, list[int]] = {}
    ready = _settle(work.outcomes, counts, answer) if work.outcomes else []
    late = {id(outcome) for outcome in answer.late}
    gate = limits.Gate((o for o in work.outcomes if id(o) not in late), {hold.queue for hold, _ in work.asks})
    short = _take(work, known, answer, gate) if work.asks else set()
    count(counts, work.lines, taken={a.task_id for batch in answer.taken.values() for a in batch})
    if ready:
        answer.readied = True
        shares.mark_ready(ready)
        wake.after_commit({queue for _, queue, _ in ready}, len(ready))
    if queues := short | work.keep_up:
        # after the commit: the Task's row must not stay locked for this
        transaction.on_commit(lambda: _keep_up(queues, {**work.served, **answer.served}))
    return answer


def _keep_up(queues: set[str], served: dict[str, int]) -> None:
    with connection.cursor() as cursor:
        for queue in sorted(queues):
            cursor.execute(_KEEP_UP, [queue])
            if tag := served.get(queue):
                cursor.execute(_SERVED, [tag, queue, tag])


def _settle(outcomes, counts, answer) -> list[tuple[int, str, int]]:
    """Store how children ended; the rows that are ours no more change nothing and are reported as late."""
    with connection.cursor() as cursor:
        cursor.execute(
            _SETTLE,
            [
                [o.assignment.child_id for o in outcomes],
                [o.assignment.lease for o in outcomes],
                [o.end if o.end in (SUCCEEDED, FAILED, CANCELLED) else "pending" for o in outcomes],
                [o.stage for o in outcomes],
                [o.queue for o in outcomes],
                [o.result for o in outcomes],
                [o.code for o in outcomes],
                [joblog.storable(o.error) for o in outcomes],
                [joblog.storable_json(o.data) for o in outcomes],
                [o.burns for o in outcomes],
                [o.delay_s for o in outcomes],
            ],
        )
        rows = cursor.fetchall()
    settled, ready = set(), []
    for child_id, task_id, state, queue, position, available_at in rows:
        settled.add(child_id)
        tally = counts.setdefault(task_id, [0, 0, 0])
        if state == "pending":
            if available_at is None:
                ready.append((task_id, queue, position))
        else:
            tally[(SUCCEEDED, FAILED, CANCELLED).index(state)] += 1
    answer.late = [outcome for outcome in outcomes if outcome.assignment.child_id not in settled]
    return ready


def last_chance() -> int:
    """From this many lost workers on a child is on its last chance."""
    return max(1, settings.SHEAF_MAX_LOST - 1)


def _take(work: Work, known, answer: Answer, gate: limits.Gate) -> set[str]:
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
        for lane, child, task, lease, key, stage, position, number, lost, given, result, tag in rows:
            assignment = Assignment(
                lanes[lane][0], child, task, lease, key, stage, position, number, lost, _loaded(given), _loaded(result), permit.deadline_s
            )  # fmt: skip
            answer.taken.setdefault(lane, []).append(assignment)
            room = room and lost < last_chance()
            answer.served[queue] = max(tag, answer.served.get(queue, 0))
        if len(rows) < permit.n:
            short.add(queue)
        elif permit.retry_s is not None:
            answer.retry_s[queue] = permit.retry_s
    return short


def _dealt(lanes: list[tuple[Hold, int]]) -> list[Hold]:
    """A place for each child that is asked for, dealt out in rounds: every lane gets its first before any its second."""
    rounds = max((most for _, most in lanes), default=0)
    return [hold for n in range(rounds) for hold, most in lanes if n < most]


def _loaded(value):
    """Django hands jsonb over as text."""
    return json.loads(value) if isinstance(value, str) else value


def count(counts: dict[int, list[int]], lines: list[Line], taken: Collection[int] = ()) -> None:
    """Move the counters of every touched Task ({id: [succeeded, failed, cancelled]}), number its lines, and close it
    if that made it whole. Children are locked already, Shares are not yet.

    Tasks that move by the same numbers move in one statement; several are locked in id order first. A Task of which a
    child was handed out in this trip (``taken``) is not whole, which spares it the question.
    """
    n_lines = Counter(line.task_id for line in lines)
    touched = sorted(counts.keys() | n_lines.keys())
    if len(touched) > 1:
        list(Task.objects.select_for_update(no_key=True).filter(pk__in=touched).order_by("pk").values_list("pk"))
    by_move: dict[tuple[int, ...], list[int]] = {}
    for task_id in touched:
        by_move.setdefault((*counts.get(task_id, (0, 0, 0)), n_lines[task_id]), []).append(task_id)
    for move, task_ids in by_move.items():
        moved = {name: F(name) + n for name, n in zip(("succeeded", "failed", "cancelled", "log_seq"), move) if n}
        if moved:
            Task.objects.filter(pk__in=task_ids).update(**moved)
    joblog.insert(lines)
    settled = [task_id for task_id, tally in counts.items() if any(tally) and task_id not in taken]
    if settled:
        for task_id in closing.whole(settled):
            closing.close_if_whole(task_id)
