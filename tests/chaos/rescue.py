"""How long a child of a broken worker waits until it is taken again."""

from __future__ import annotations

import statistics
import threading
import time

from django.db import connection

from tests.chaos.database import Downtime, insist

AT_LEAST = 20  # samples, for a 95th percentile that means something

_HELD = """
SELECT s.id, s.lease, l.host <> '' FROM tasks_subtask s JOIN tasks_lane l ON l.id = s.lane_id AND l.run = s.lane_run
 WHERE l.worker = %s AND s.state = 'running'
"""
_NOW = "SELECT id, lease, state, EXTRACT(EPOCH FROM started_at)::float8 FROM tasks_subtask WHERE id = ANY(%s)"


class Rescues:
    def __init__(self, downtime: Downtime):
        self._downtime = downtime
        self._waiting: dict[int, tuple[int, float, bool]] = {}
        self._lock = threading.Lock()
        #: Seconds, of children of per-machine queues and of the others.
        self.local: list[float] = []
        self.network: list[float] = []
        #: Of the latter: seconds until the child was free to be taken.
        self.network_given_back: list[float] = []
        self._given_back: set[int] = set()

    def fault(self, token: str) -> None:
        """This worker breaks now: what it runs has to be rescued."""
        with connection.cursor() as cursor:
            cursor.execute(_HELD, [token])
            rows = cursor.fetchall()
        with self._lock:
            for child, lease, local in rows:
                self._waiting.setdefault(child, (lease, time.time(), local))

    def look(self) -> None:
        """See which have been taken again. A child that its old run could still settle was not rescued and not lost."""
        with self._lock:
            waiting = dict(self._waiting)
        with connection.cursor() as cursor:
            cursor.execute(_NOW, [list(waiting)])
            rows = cursor.fetchall()
        for child, lease, state, started in rows:
            before, since, local = waiting[child]
            if not local and lease != before and child not in self._given_back:
                self._given_back.add(child)
                self.network_given_back.append(max(0.0, self._seconds(since, time.time())))
            if lease is not None and lease != before:
                (self.local if local else self.network).append(max(0.0, self._seconds(since, started)))
            elif state not in ("succeeded", "failed", "cancelled"):
                continue
            self._given_back.discard(child)
            with self._lock:
                self._waiting.pop(child, None)

    def _seconds(self, since: float, until: float) -> float:
        return until - since - self._downtime.within(since, until)

    def watch(self, over: threading.Event) -> None:
        while not over.wait(0.25):
            insist(self.look)
        connection.close()


def p95(samples: list[float]) -> float | None:
    return round(statistics.quantiles(samples, n=20)[-1], 2) if len(samples) >= AT_LEAST else None
