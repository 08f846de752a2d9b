"""A Redis of the bench's own, for the peers that need one: a free loopback port, nothing written to disk.

Without a disk it is as fast as Redis gets, while our own side commits with fsync.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator

from tests.bench.peers import Absent

#: Tells the bench and the peer's workers where it listens.
VARIABLE = "BENCH_REDIS_URL"


def url() -> str:
    return os.environ[VARIABLE]


@contextlib.contextmanager
def running() -> Iterator[None]:
    """Redis for the length of the `with`; raises Absent if its program is not on this machine."""
    program = shutil.which("redis-server")
    if program is None:
        raise Absent("redis-server is not on this machine")
    import redis

    from tests.processes import Process, free_port, wait_until

    port = free_port()
    command = (program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")

    def answers() -> bool:
        try:
            return redis.Redis(port=port).ping()
        except redis.ConnectionError:
            return False

    with Process(*command, name="redis-server") as server:
        wait_until(answers, 20, what="redis-server to answer", processes=[server])
        os.environ[VARIABLE] = f"redis://127.0.0.1:{port}/0"
        try:
            yield
        finally:
            del os.environ[VARIABLE]


def count_call(name: str) -> None:
    """The callback of the round `name` was called (once more)."""
    import redis

    with redis.Redis.from_url(url()) as client:
        client.incr(f"called:{name}")


def calls(client, name: str) -> int:
    """How often the callback of the round `name` was called."""
    return int(client.get(f"called:{name}") or 0)
