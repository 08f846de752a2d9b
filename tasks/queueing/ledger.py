"""The one transaction of a round trip: settle what ended, hand out what is next, move the counters, store the log.

A desk calls ``trip`` with everything that gathered since its last one. Order of locks: children (the settled ones are
ours by lease, the taken ones are skipped when locked), then Tasks in id order, then Shares, then log lines; the
Task's row, which every worker wants, is locked last and for as short as can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from django.db import connection, transaction
from django.db.models import F

from tasks.log import joblog
from tasks.log.joblog import Line
from tasks.log.masking import masked_values
from tasks.models import Queue, Task
from tasks.queueing import claim, closing, control, limits, shares, wake
from tasks.queueing.messages import CANCELLED, FAILED, RETRY, SUCCEEDED, Answer, Work
from tasks.states import OPEN, Level, TaskState

COUNTERS = ("succeeded", "failed", "cancelled", "log_seq")

# COALESCE keeps the planner off the partial index of running rows, which it believes to be empty: by primary key, each
# row is found at once; by that index, every settled child is compared with every running one.
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
       finished_at = CASE WHEN d.state <> 'pending' OR t.state = 'cancelling' THEN now() END,
       later_state = CASE WHEN d.later IS NOT NULL THEN d.later
                          WHEN d.stage = '' AND d.state <> 'succeeded' THEN s.later_state END,
       asked = CASE WHEN d.later IS NOT NULL THEN s.asked + 1 WHEN d.stage = '' THEN s.asked ELSE 0 END,
       asked_since = CASE WHEN d.later IS NOT NULL THEN COALESCE(s.asked_since, now())
                          WHEN d.stage = '' THEN s.asked_since END
  FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::jsonb[], %s::text[], %s::text[],
              %s::jsonb[], %s::bool[], %s::float[], %s::jsonb[])
       AS d(id, lease, state, stage, queue, result, code, error, data, burns, delay, later)
  JOIN tasks_subtask c ON c.id = d.id
  JOIN tasks_task t ON t.id = c.task_id
 WHERE s.id = d.id AND s.lease = d.lease AND COALESCE(s.state, '') = 'running'
RETURNING s.id, s.task_id, s.state, s.queue, s.position, s.available_at
"""

# Bounds of shares are renewed, and emptied ones marked, by whoever saw their latest epoch; no desk waits for another.
_KEEP_UP = """
WITH seen AS MATERIALIZED (
    SELECT o.id, o.epoch, o.next_tag,
           (SELECT o.base + c.position * o.step FROM tasks_subtask c
             WHERE c.task_id = o.task_id AND c.queue = o.queue AND c.state = 'pending' AND c.available_at IS NULL
             ORDER BY c.position LIMIT 1) AS tag
      FROM tasks_share o WHERE o.queue = %s AND o.ready AND NOT o.held ORDER BY o.next_tag LIMIT 256
), mine AS MATERIALIZED (
    SELECT o.id, seen.epoch, seen.tag FROM seen JOIN tasks_share o ON o.id = seen.id
     WHERE seen.tag IS DISTINCT FROM seen.next_tag FOR UPDATE OF o SKIP LOCKED
)
UPDATE tasks_share s SET next_tag = COALESCE(mine.tag, s.next_tag), ready = mine.tag IS NOT NULL
  FROM mine WHERE s.id = mine.id AND s.epoch = mine.epoch
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
    short = claim.take(work, known, answer, gate) if work.asks else set()
    count(counts, work.lines, taken={a.task_id for batch in answer.taken.values() for a in batch})
    if ready:
        answer.readied = True
        shares.mark_ready(ready)
        wake.after_commit({queue for _, queue, _ in ready}, len(ready))
    if retried := Counter(o.assignment.hold.queue for o in work.outcomes if o.end == RETRY and id(o) not in late):
        transaction.on_commit(lambda: _note_retries(retried))
    if queues := short | work.keep_up:
        # after the commit: the Task's row must not stay locked for this
        transaction.on_commit(lambda: _keep_up(queues, {**work.served, **answer.served}))
    return answer


def _note_retries(retried: Counter) -> None:
    """For the metrics; after the commit, so that no Queue's row is locked in the trip for it."""
    for queue, n in retried.items():
        Queue.objects.filter(pk=queue).update(retries=F("retries") + n)


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
                [joblog.storable_json(masked_values(o.data)) for o in outcomes],
                [o.burns for o in outcomes],
                [o.delay_s for o in outcomes],
                [o.state for o in outcomes],
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
        moved = {name: F(name) + n for name, n in zip(COUNTERS, move, strict=True) if n}
        if moved:
            Task.objects.filter(pk__in=task_ids).update(**moved)
    joblog.insert(lines)
    _stop_at_failures([task_id for task_id, (_, failed, _) in counts.items() if failed])
    settled = [task_id for task_id, tally in counts.items() if any(tally) and task_id not in taken]
    if settled:
        for task_id in closing.whole(settled):
            closing.close_if_whole(task_id)


def _stop_at_failures(task_ids: list[int]) -> None:
    """Stop the batches that have more failures than they allow, as a cancel would; they end as failed. The rows of
    these Tasks are locked already."""
    if not task_ids:
        return
    over = Task.objects.filter(pk__in=task_ids, state__in=OPEN, failed__gte=F("max_failed")).order_by("pk")
    for task_id, failed, most in list(over.values_list("pk", "failed", "max_failed")):
        Task.objects.filter(pk=task_id).update(
            state=TaskState.CANCELLING, paused=False, error_code="too_many_failed", error=str(failed)
        )
        shares.hold(task_id)
        joblog.say(task_id, "too_many_failed", level=Level.ERROR, failed=failed, most=most)
        control.defer_sweep_up(task_id)
