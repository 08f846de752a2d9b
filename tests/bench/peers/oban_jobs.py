"""Oban for Python on the bench's PostgreSQL: no-op jobs to the last one's end (callbacks are not in its open part).

``python -m tests.bench.peers.oban_jobs PLACES`` is a worker process.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import ExitStack

from oban import Oban, worker
from oban.schema import install, uninstall
from psycopg_pool import AsyncConnectionPool

from tests.bench.peers import rounds


@worker(queue="bench")
class Nothing:
    async def process(self, job) -> None:
        pass


def pool(address: str) -> AsyncConnectionPool:
    return AsyncConnectionPool(conninfo=address, min_size=2, max_size=8, open=False)


async def work(places: int) -> None:
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    async with pool(os.environ["DATABASE_URL"]) as connections:
        async with Oban(pool=connections, queues={"bench": places}):
            await told.wait()


def measure(jobs: int, places: int, processes: int) -> tuple[float, int]:
    """(jobs per second, jobs run), from the first insertion (`enqueue_many`) to the last job's end."""
    from django.db import connection

    from config.database import url_of
    from tests.processes import Process, wait_until

    def left() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM oban_jobs WHERE state <> 'completed'")
            return cursor.fetchone()[0]

    command = (sys.executable, "-m", "tests.bench.peers.oban_jobs", str(places))
    with asyncio.Runner() as runner, ExitStack() as stack:
        connections = pool(url_of(connection.settings_dict))
        runner.run(connections.open())
        stack.callback(lambda: runner.run(connections.close()))
        runner.run(install(connections))
        stack.callback(lambda: runner.run(uninstall(connections)))
        sender = Oban(pool=connections)
        workers = [stack.enter_context(Process(*command, name=f"oban {i}")) for i in range(processes)]

        def run(n: int, left_s: float) -> None:
            runner.run(sender.enqueue_many([Nothing.new({"n": i}) for i in range(n)]))
            wait_until(lambda: left() == 0, left_s, what=f"Oban's {n} jobs to end", processes=workers)

        return rounds.rate(run, jobs)


if __name__ == "__main__":
    asyncio.run(work(int(sys.argv[1])))
