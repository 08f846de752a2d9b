"""Dramatiq on Redis: a group of no-ops with a completion callback.

This module is also what its workers import, with the address of Redis in the environment.
"""

from __future__ import annotations

import os
import sys
import uuid

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from dramatiq.middleware import GroupCallbacks
from dramatiq.rate_limits.backends import RedisBackend

from tests.bench.peers import redis_server, rounds


def connect() -> None:
    """Send and take jobs through the bench's Redis from now on; the actors are bound to it."""
    broker = RedisBroker(url=redis_server.url())
    broker.add_middleware(GroupCallbacks(RedisBackend(url=redis_server.url())))
    dramatiq.set_broker(broker)
    for actor in (dramatiq.actor(nothing), dramatiq.actor(called)):
        ACTORS[actor.actor_name] = actor


def nothing(n: int) -> None:
    pass


def called(name: str) -> None:
    redis_server.count_call(name)


ACTORS: dict[str, dramatiq.Actor] = {}
if redis_server.VARIABLE in os.environ:
    connect()


def measure(jobs: int, places: int, processes: int) -> tuple[float, int]:
    """(jobs per second, jobs run), from the group's submission to its completion callback."""
    import redis

    from tests.processes import Process, wait_until

    command = (
        sys.executable,
        "-m",
        "dramatiq",
        "tests.bench.peers.dramatiq_group",
        "--processes",
        str(processes),
        "--threads",
        str(places),
    )
    with (
        redis_server.running(),
        redis.Redis.from_url(redis_server.url()) as client,
        Process(*command, name="dramatiq") as workers,
    ):
        connect()

        def run(n: int, left_s: float) -> None:
            name = uuid.uuid4().hex
            group = dramatiq.group(ACTORS["nothing"].message(i) for i in range(n))
            group.add_completion_callback(ACTORS["called"].message(name))
            group.run()
            wait_until(lambda: redis_server.calls(client, name), left_s, what=f"the group of {n}", processes=[workers])
            assert redis_server.calls(client, name) == 1, "the group's callback was called more than once"

        return rounds.rate(run, jobs)
