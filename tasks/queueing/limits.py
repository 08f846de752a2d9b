"""How many children of a queue may begin now: its limit while it shrinks, its rate, its breaker.

In the steady state none of it needs a lock: a child runs in a lane, and there are ``limit`` lanes. The Queue's row is
locked, always in the order of names, while a lowered limit drains (a lane above it still runs), while a rate or a
service's Retry-After counts, while the breaker is not closed, and when a service failed. Order of locks in a round
trip: settled children, then Queues, then Tasks, then Shares.

Rate: the generic cell rate algorithm on the database's clock. ``next_call_at`` is when the next call would be on time;
each call moves it by 60 s / rate. A lane that comes up to ``LATE_S`` late does not lose that time.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from tasks.models import Queue
from tasks.queueing import wake
from tasks.queueing.breaker import CLOSED, HALF_OPEN, OPEN, Breaker, after

logger = logging.getLogger(__name__)

LATE_S = 0.1
MAX_RETRY_AFTER_S = 3600  # a service that asks for more is asked again after this

_LOOK = """
SELECT q.name, q."limit", q.paused, q.deadline_s, q.breaker_failures > 0,
       q.rate_per_minute IS NOT NULL OR q.breaker <> 'closed' OR COALESCE(q.next_call_at > clock_timestamp(), false)
       OR EXISTS (SELECT 1 FROM tasks_subtask s JOIN tasks_lane l ON l.id = s.lane_id
                   WHERE s.queue = q.name AND s.state = 'running' AND l.slot >= q."limit")
  FROM tasks_queue q WHERE q.name = ANY(%s)
"""
_LOCK = """
SELECT name, "limit", paused, deadline_s, per_host, rate_per_minute, breaker, breaker_failures, breaker_reason,
       EXTRACT(EPOCH FROM breaker_until - clock_timestamp())::float8,
       EXTRACT(EPOCH FROM next_call_at - clock_timestamp())::float8
  FROM tasks_queue WHERE name = ANY(%s) ORDER BY name FOR NO KEY UPDATE
"""
# A statement of its own, after the lock: its snapshot must see what the desk that held the lock before us took.
_BUSY = """
SELECT count(DISTINCT s.lane_id) FROM tasks_subtask s WHERE s.queue = %s AND s.state = 'running'
   AND (%s = '' OR EXISTS (SELECT 1 FROM tasks_lane l WHERE l.id = s.lane_id AND l.host = %s))
"""
_SPENT = """
UPDATE tasks_queue SET next_call_at = GREATEST(next_call_at, clock_timestamp() - make_interval(secs => %s))
                                      + make_interval(secs => %s) WHERE name = %s
"""
_BREAKER = """
UPDATE tasks_queue SET breaker = %s, breaker_failures = %s, breaker_reason = %s,
       breaker_until = clock_timestamp() + make_interval(secs => %s) WHERE name = %s
"""
_RETRY_AFTER = """
UPDATE tasks_queue SET next_call_at = GREATEST(next_call_at, clock_timestamp() + make_interval(secs => %s))
 WHERE name = %s
"""
_DUE = """
SELECT q.name, EXTRACT(EPOCH FROM GREATEST(q.next_call_at, CASE WHEN q.breaker = 'open' THEN q.breaker_until END)
                       - clock_timestamp())::float8
  FROM tasks_queue q
 WHERE q.name = ANY(%s) AND (q.breaker_until IS NOT NULL OR q.next_call_at > clock_timestamp() - interval '2 seconds')
   AND EXISTS (SELECT 1 FROM tasks_share o WHERE o.queue = q.name AND o.ready AND NOT o.held)
"""


@dataclass(frozen=True)
class Permit:
    """``n`` children may begin now; ask again after ``retry_s`` seconds if that was too few."""

    n: int
    deadline_s: int
    retry_s: float | None = None


@dataclass
class _Held:
    """A locked Queue. ``until_s``, ``next_s``: seconds from now to ``breaker_until`` and ``next_call_at``."""

    limit: int
    paused: bool
    deadline_s: int
    per_host: bool
    rate: int | None
    breaker: Breaker
    until_s: float | None
    next_s: float | None


class Gate:
    """What the queues of one round trip allow, in its transaction, after what its settled children say of them.

    ``settled``: outcomes that were stored (a late one says nothing); ``asked``: queues from which lanes want children.
    """

    def __init__(self, settled: Iterable, asked: Iterable[str]):
        troubles, answered = {}, set()
        for outcome in settled:
            if outcome.trouble:
                troubles.setdefault(outcome.assignment.hold.queue, []).append(outcome.trouble)
            elif outcome.answered:
                answered.add(outcome.assignment.hold.queue)
        self._held: dict[str, _Held] = {}
        self._free: dict[str, tuple[int, bool, int]] = {}
        if not (names := {*troubles, *answered, *asked}):
            return
        with connection.cursor() as cursor:
            cursor.execute(_LOOK, [list(names)])
            wanted = set(troubles)
            for name, limit, paused, deadline_s, failing, careful in cursor.fetchall():
                self._free[name] = limit, paused, deadline_s
                if careful or (failing and name in answered):
                    wanted.add(name)
            if not wanted:
                return
            cursor.execute(_LOCK, [list(wanted)])
            for (
                name,
                limit,
                paused,
                deadline_s,
                per_host,
                rate,
                state,
                failures,
                reason,
                until_s,
                next_s,
            ) in cursor.fetchall():
                breaker = Breaker(state, failures, until_s, reason)
                self._held[name] = _Held(limit, paused, deadline_s, per_host, rate, breaker, until_s, next_s)
        for name in self._held:
            self._hear(name, troubles.get(name, []), name in answered)

    def _hear(self, name: str, troubles: list, answered: bool) -> None:
        held = self._held[name]
        if pauses := [trouble.retry_after_s for trouble in troubles if trouble.retry_after_s]:
            pause_s = min(max(pauses), MAX_RETRY_AFTER_S)
            held.next_s = max(pause_s, held.next_s or 0)
            with connection.cursor() as cursor:
                cursor.execute(_RETRY_AFTER, [pause_s, name])
        breaker = after(held.breaker, troubles, answered)
        if breaker != held.breaker:
            self._turn(name, breaker)

    def _turn(self, name: str, breaker: Breaker) -> None:
        held = self._held[name]
        before, held.breaker, held.until_s = held.breaker, breaker, breaker.open_s
        with connection.cursor() as cursor:
            reason = breaker.reason[:300]
            cursor.execute(_BREAKER, [breaker.state, breaker.failures, reason, breaker.open_s, name])
        if breaker.state == OPEN:
            until = "until a person resets it" if breaker.open_s is None else f"for {breaker.open_s:.3g} s"
            logger.warning("Queue %s: nothing more is asked %s: %s", name, until, reason)
        elif breaker.state == CLOSED and before.state != CLOSED:
            logger.info("Queue %s: the service answers again", name)
            wake.after_commit(name)

    def is_free(self, queue: str) -> bool:
        """Whether nothing but the number of its lanes limits the queue now."""
        return queue not in self._held

    def permit(self, queue: str, host: str, wanted: int) -> Permit:
        """How many of ``wanted`` children may begin now, on this machine for a queue per machine."""
        held = self._held.get(queue)
        if held is None:
            limit, paused, deadline_s = self._free.get(queue, (0, True, 1))
            return Permit(0 if paused or limit == 0 else wanted, deadline_s)
        waits = [seconds for seconds in (held.next_s, held.until_s if held.breaker.state == OPEN else None) if seconds]
        retry_s = max([0.0, *waits])
        never = held.breaker.state == OPEN and held.until_s is None
        if held.paused or held.limit == 0 or never:
            return Permit(0, held.deadline_s)
        if retry_s > 0:
            return Permit(0, held.deadline_s, retry_s)
        with connection.cursor() as cursor:
            whose = host if held.per_host and held.breaker.state == CLOSED else ""
            cursor.execute(_BUSY, [queue, whose, whose])
            busy = cursor.fetchone()[0]
        if held.breaker.state != CLOSED:
            return Permit(0 if busy else min(wanted, 1), held.deadline_s)
        n = max(0, min(wanted, held.limit - busy))
        if held.rate:
            interval_s = 60 / held.rate
            late_s = LATE_S if held.next_s is None else min(-held.next_s, LATE_S)
            due = math.floor(late_s / interval_s) + 1
            if n >= due:
                n, retry_s = due, due * interval_s - late_s
        return Permit(n, held.deadline_s, retry_s or None)

    def took(self, queue: str, n: int) -> None:
        """That many of the permitted children were really handed out."""
        held = self._held.get(queue)
        if held is None or not n:
            return
        if held.rate:
            with connection.cursor() as cursor:
                cursor.execute(_SPENT, [LATE_S, n * 60 / held.rate, queue])
        if held.breaker.state == OPEN:
            self._turn(queue, Breaker(HALF_OPEN, held.breaker.failures, None, held.breaker.reason))


def due(queues: list[str]) -> tuple[list[str], float | None]:
    """Queues with work whose time (rate, Retry-After, probe) has come, and the seconds until that of the next."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [queues])
        rows = cursor.fetchall()
    ahead = [seconds for _, seconds in rows if seconds is not None and seconds > 0]
    return [name for name, seconds in rows if seconds is not None and seconds <= 0], min(ahead, default=None)


def reset_breaker(queue: str, by=None) -> None:
    """A person says that the service is well again: the queue begins anew, on every machine."""
    Queue.objects.filter(pk=queue).update(
        breaker=CLOSED, breaker_failures=0, breaker_until=None, breaker_reason="", next_call_at=None
    )
    logger.info("Queue %s: the breaker was reset by %s", queue, by.get_username() if by is not None else "Sheaf")
    wake.after_commit(queue)
