"""What is done to the fleet, the database and the service, and how it is taken back."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter

from django.conf import settings
from django.db import connection

from config.machine import embedded_postgres
from tasks.models import Queue
from tasks.queueing import limits
from tests.chaos.database import Downtime, insist
from tests.chaos.fleet import Fleet, Kept
from tests.chaos.rescue import Rescues

#: Longer than every timeout: lanes of services are given up at 20 s + the deadline, procrastinate prunes at 30 s.
FROZEN_S = 38

_KILL_CONNECTIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
WEATHER = {
    "hang": {"do": "hang"},
    "drip": {"do": "drip"},
    "503": {"do": "503"},
    "429": {"do": "429", "retry_after": "2"},
    "403": {"do": "403"},
    "html": {"do": "html"},
    "reset": {"do": "reset"},
    "500": {"do": "500"},
}


class Faults:
    """A deck of faults, shuffled anew when it is used up, so that a short run sees every kind."""

    def __init__(self, fleet: Fleet, service, rescues: Rescues, downtime: Downtime, rng: random.Random):
        self._fleet, self._service, self._rescues, self._downtime, self._rng = fleet, service, rescues, downtime, rng
        self.done: Counter[str] = Counter()
        self._deck: list[str] = []
        self._thaws: list[threading.Timer] = []

    def next(self) -> str:
        if not self._deck:
            self._deck = ["kill"] * 5 + ["stop"] * 2 + ["term"] * 2 + ["terminate_backends", "web", "deaf", *WEATHER]
            if settings.SHEAF_EMBEDDED_POSTGRES:
                self._deck += ["restart_fast", "restart_immediate"]
            self._rng.shuffle(self._deck)
        name = self._deck.pop()
        if name in WEATHER:
            self._storm(name)
        else:
            getattr(self, f"_{name}")()
        self.done[name] += 1
        return name

    def clear(self) -> None:
        """Take back whatever still lasts."""
        for thaw in self._thaws:
            thaw.cancel()
        self._fleet.thaw()
        self._service.weather()

    def _worker(self) -> Kept | None:
        running = [worker for worker in self._fleet.workers if not worker.frozen]
        return self._rng.choice(running) if running else None

    def _kill(self) -> None:
        if worker := self._worker():
            insist(self._rescues.fault, worker.token)
            worker.signal(signal.SIGKILL)

    def _stop(self) -> None:
        """Two workers at the most are frozen at once: somebody has to do the work."""
        worker = self._worker()
        if worker is None or sum(one.frozen for one in self._fleet.workers) >= 2:
            return
        insist(self._rescues.fault, worker.token)
        worker.freeze()
        thaw = threading.Timer(FROZEN_S, worker.thaw)
        thaw.daemon = True
        thaw.start()
        self._thaws.append(thaw)

    def _term(self) -> None:
        if worker := self._worker():
            worker.signal(signal.SIGTERM)

    def _web(self) -> None:
        self._fleet.web.signal(signal.SIGKILL)

    def _terminate_backends(self) -> None:
        def kill():
            with connection.cursor() as cursor:
                cursor.execute(_KILL_CONNECTIONS)

        began = time.time()
        insist(kill)
        self._downtime.note(began, time.time())

    def _restart_fast(self) -> None:
        self._restart(immediate=False)

    def _restart_immediate(self) -> None:
        self._restart(immediate=True)

    def _restart(self, *, immediate: bool) -> None:
        connection.close()
        began = time.time()
        embedded_postgres.restart(settings.SHEAF_POSTGRES_DIR, immediate=immediate)
        self._downtime.note(began, time.time())

    def _deaf(self) -> None:
        self._service.control("deaf", s=3)

    def _storm(self, name: str) -> None:
        """For some seconds the service does nothing else. A closed door needs a person, who comes a little later."""
        self._service.weather(**WEATHER[name])
        time.sleep(self._rng.uniform(2, 4))
        self._service.weather()
        if name == "403":
            time.sleep(1)
        insist(self._reset_if_stopped)

    def _reset_if_stopped(self) -> None:
        if Queue.objects.filter(pk="standin", breaker="open", breaker_until=None).exists():
            limits.reset_breaker("standin")
