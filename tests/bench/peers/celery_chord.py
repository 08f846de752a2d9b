"""Celery on Redis: a chord of no-ops, its body called once; one thread pool a worker process.

This module is also the workers' application (``celery -A``).
"""

from __future__ import annotations

import sys
import uuid
from contextlib import ExitStack

from celery import Celery, chord

from tests.bench.peers import redis_server, rounds

# No fixups: Celery would set Django up and look after its connections, which nothing here uses. The address is read
# when a connection is made, since the module is imported before Redis runs.
app = Celery("bench", fixups=[])


@app.on_configure.connect
def _address(sender, **_) -> None:
    sender.conf.update(broker_url=redis_server.url(), result_backend=redis_server.url())


@app.task(name="bench.nothing")
def nothing(n: int) -> None:
    pass


@app.task(name="bench.body", ignore_result=True)
def body(results: list, name: str) -> None:
    redis_server.count_call(name)


def measure(jobs: int, places: int, processes: int) -> tuple[float, int]:
    """(jobs per second, jobs run), from the chord's submission to its body."""
    import redis

    from tests.processes import Process, wait_until

    command = (
        sys.executable,
        "-m",
        "celery",
        "-A",
        "tests.bench.peers.celery_chord",
        "worker",
        "--pool",
        "threads",
        "--concurrency",
        str(places),
        "--loglevel",
        "WARNING",
    )
    with redis_server.running(), redis.Redis.from_url(redis_server.url()) as client, ExitStack() as stack:
        workers = [
            stack.enter_context(Process(*command, "--hostname", f"bench{i}@%h", name=f"celery {i}"))
            for i in range(processes)
        ]

        def run(n: int, left_s: float) -> None:
            name = uuid.uuid4().hex
            chord((nothing.s(i) for i in range(n)), body.s(name)).apply_async()
            wait_until(lambda: redis_server.calls(client, name), left_s, what=f"the chord of {n}", processes=workers)
            assert redis_server.calls(client, name) == 1, "the chord's body was called more than once"

        return rounds.rate(run, jobs)
