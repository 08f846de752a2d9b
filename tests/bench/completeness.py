"""Lines over many Tasks, sockets that are pulled, frozen and come back, the database cut and restarted: all arrive?

``python -m tests.bench completeness [--minutes 10] [--json]``. A writer at 1,000 lines a second over 20 Tasks; 100
sockets on two web processes, each kept up for a random while and then dropped without a goodbye, frozen, or let be;
the LISTEN connections are cut again and again; PostgreSQL is restarted once, as after a power cut (embedded server
only). ``lost``, ``duplicated``, ``reordered``: over all sockets, each counted against the whole log of its Task.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
import urllib.request

from tests.bench import ground
from tests.bench.crowd import Client, Tally, acknowledging
from tests.bench.stream import fresh_person

TASKS, SOCKETS, LINES_PER_S = 20, 100, 1000
CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ 'LISTEN|listening'
"""


def main(arguments: list[str]) -> dict:
    parser = argparse.ArgumentParser(prog="completeness")
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args(arguments)
    ground.prepare()
    from tests.integration.streaming.watching import running_task, session_of
    from tests.processes import Web

    owner = fresh_person()
    tasks = [running_task(owner).pk for _ in range(TASKS)]
    cookie = session_of(owner)
    with Web() as one, Web() as two:
        run = Run(tasks, (one.port, two.port), cookie)
        result = asyncio.run(run.all(60 * options.minutes))
    if result["lost"] or result["duplicated"] or result["reordered"]:
        raise SystemExit(f"not every line arrived exactly once and in order: {json.dumps(result)}")
    return result


class Run:
    def __init__(self, tasks: list[int], ports: tuple[int, int], cookie: str):
        self.tasks, self.ports, self.cookie = tasks, ports, cookie
        self.tally = Tally()
        self.clients: list[Client] = []
        self.written = dict.fromkeys(tasks, 0)
        self.reached: dict[int, int] = {}
        self.drops = self.freezes = self.cuts = self.restarts = self.filled = 0
        self.writing = True

    async def all(self, seconds: float) -> dict:
        confirming = asyncio.create_task(acknowledging(self.clients))
        watchers = [asyncio.create_task(self.watch(n)) for n in range(SOCKETS)]
        trouble = asyncio.create_task(self.trouble(seconds))
        await self.write(seconds)
        self.writing = False
        await trouble
        done, late = await asyncio.wait(watchers, timeout=60)
        confirming.cancel()
        for task in late:
            task.cancel()
        for task in done:
            task.result()
        missing = sum(self.written[self.task_of(n)] - self.reached.get(n, 0) for n in range(SOCKETS))
        expected = sum(self.written[self.task_of(n)] for n in range(SOCKETS))
        arrived = self.tally.lines + self.filled
        return {
            "lost": self.tally.lost + missing,
            "duplicated": self.tally.duplicated,
            "reordered": self.tally.reordered,
            "expected": expected,
            "arrived": arrived,
            "drops": self.drops,
            "freezes": self.freezes,
            "listeners_cut": self.cuts,
            "restarts": self.restarts,
            "gaps_filled": self.filled,
        }

    def task_of(self, n: int) -> int:
        return self.tasks[n % len(self.tasks)]

    async def write(self, seconds: float) -> None:
        """Lines to all Tasks in turn; one statement that failed is repeated if its lines are not there."""
        import psycopg

        from tests.integration.streaming.watching import WRITE, database_url, values

        began, total, turn = time.monotonic(), 0, 0
        db = None
        while (spent := time.monotonic() - began) < seconds:
            task = self.tasks[turn % len(self.tasks)]
            due = max(1, int(LINES_PER_S * spent) - total)
            try:
                db = db or await psycopg.AsyncConnection.connect(database_url(), autocommit=True)
                await db.execute(WRITE, values(task, [f"{self.written[task] + n + 1}" for n in range(due)]))
                self.written[task] += due
            except psycopg.Error:
                db = await self.know_again(task)
            total += due
            turn += 1
            await asyncio.sleep(0.02)
        await db.close()

    async def know_again(self, task: int):
        """After an unknown commit: how many lines there really are, on a new connection."""
        import psycopg

        from tests.integration.streaming.watching import database_url

        while True:
            try:
                db = await psycopg.AsyncConnection.connect(database_url(), autocommit=True)
                row = await (await db.execute("SELECT log_seq FROM tasks_task WHERE id = %s", [task])).fetchone()
                self.written[task] = row[0]
                return db
            except psycopg.Error:
                await asyncio.sleep(0.1)

    async def watch(self, n: int) -> None:
        """One reader: holds its cursor, connects again and again, until it has every line of a log that has ended."""
        dice, after, task = random.Random(n), 0, self.task_of(n)
        while self.writing or after < self.written[task]:
            try:
                client = await Client.connect(
                    self.tally, f"/ws/tasks/{task}/?after={{after}}", dice.choice(self.ports), self.cookie, after=after
                )
            except OSError:
                await asyncio.sleep(0.2 + dice.random())
                continue
            self.clients.append(client)
            await self.suffer(client, dice, task)
            client.drop()
            self.clients.remove(client)
            after = client.after
            for first, last in client.missed:
                self.filled += await asyncio.to_thread(self.fetch, task, first, last)
            self.reached[n] = after

    async def suffer(self, client: Client, dice: random.Random, task: int) -> None:
        """Let a client live for a while: quietly, frozen for a while, or until its server or the log has ended."""
        until = time.monotonic() + dice.uniform(1, 20)
        if dice.random() < 0.3:
            client.freeze()
            self.freezes += 1
            await asyncio.sleep(dice.uniform(0.5, 8))
            client.thaw()
        while not client.closed.done() and (time.monotonic() < until or not self.writing):
            if not self.writing and client.after >= self.written[task]:
                return
            await asyncio.sleep(0.1)
        self.drops += 1

    def fetch(self, task: int, first: int, last: int) -> int:
        """The lines of a gap, over HTTP; how many."""
        found, after = 0, first - 1
        address = f"http://127.0.0.1:{self.ports[0]}/tasks/{task}/log.json"
        while after < last:
            url = f"{address}?after={after}&limit={min(1000, last - after)}"
            with urllib.request.urlopen(urllib.request.Request(url, headers={"Cookie": self.cookie})) as answer:
                (page,) = json.load(answer)["messages"]
            seqs = [line["seq"] for line in page["lines"]]
            self.tally.lost += seqs != list(range(after + 1, after + 1 + len(seqs)))
            found, after = found + len(seqs), page["last"]
        return found

    async def trouble(self, seconds: float) -> None:
        """Cut the listeners every few seconds; in the middle, restart PostgreSQL."""
        import psycopg
        from django.conf import settings

        from config.machine import embedded_postgres
        from tests.integration.streaming.watching import database_url

        began = time.monotonic()
        while (spent := time.monotonic() - began) < seconds - 3:
            await asyncio.sleep(3)
            if spent > seconds / 2 and not self.restarts and settings.SHEAF_EMBEDDED_POSTGRES:
                self.restarts = 1
                await asyncio.to_thread(embedded_postgres.restart, settings.SHEAF_POSTGRES_DIR, immediate=True)
            try:
                async with await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db:
                    self.cuts += len(await (await db.execute(CUT)).fetchall())
            except psycopg.Error as error:
                ground.say(f"no cut: {error}")
