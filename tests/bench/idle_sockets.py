"""5,000 quiet websockets on one daphne process, beside as many on an empty AsyncWebsocketConsumer; then a storm.

``kib_each`` and ``empty_kib_each``: resident memory of the process per socket, ``ratio`` of the two (1.25 at most).
``storm``: 2,000 of them, over 20 Tasks, are cut at once and come back at once with their cursors, half a second of
lines later: ``recovered_s`` until each is up to date again. ``line_queries``: reads of lines in that time, which
should be one for each Task that is watched and each notice, not one for each socket.
"""

from __future__ import annotations

import asyncio
import time

from tests.bench import ground
from tests.bench.crowd import Client, Tally
from tests.bench.stream import fresh_person, write_lines
from tests.bench.stream_peer import bare_web

SOCKETS, STORM, TASKS = 5000, 2000, 20


def main(arguments: list[str]) -> dict:
    ground.prepare()
    from tests.integration.streaming.watching import running_task, session_of
    from tests.processes import Web

    owner = fresh_person()
    tasks = [running_task(owner).pk for _ in range(TASKS)]
    cookie = session_of(owner)
    with Web(env={"SHEAF_LIVE_ACK_S": 600}) as web:
        each, recovered, queries = asyncio.run(_ours(web, tasks, cookie))
    with bare_web(Web, "tests.bench.empty_app:application") as web:
        empty_each = asyncio.run(_theirs(web))
    return {
        "sockets": SOCKETS,
        "kib_each": round(each, 1),
        "empty_kib_each": round(empty_each, 1),
        "ratio": round(each / empty_each, 2),
        "storm": STORM,
        "recovered_s": round(recovered, 2),
        "line_queries": queries,
    }


def resident_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


async def _crowd(port: int, addresses: list[tuple[str, int]], cookie: str, tally: Tally) -> list[Client]:
    """One client for each (path, cursor), forty at a time: daphne's queue of new connections holds fifty."""
    clients = []
    for begin in range(0, len(addresses), 40):
        some = addresses[begin : begin + 40]
        clients += await asyncio.gather(*(Client.connect(tally, path, port, cookie, after=at) for path, at in some))
    return clients


async def _settled(clients, tally, at_least: int) -> None:
    """Until every client has had its snapshot (or nothing is awaited) and two seconds have passed."""
    while at_least and sum(client.messages for client in clients) < at_least:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await asyncio.sleep(2)


async def _ours(web, tasks: list[int], cookie: str) -> tuple[float, float, int]:
    tally = Tally()
    paths = [f"/ws/tasks/{tasks[n % TASKS]}/?after={{after}}" for n in range(SOCKETS)]
    warm = await _crowd(web.port, [(path, 0) for path in paths[:100]], cookie, tally)
    await _settled(warm, tally, 100)
    before = resident_kib(web.pid)
    clients = await _crowd(web.port, [(path, 0) for path in paths], cookie, tally)
    await _settled(clients, tally, SOCKETS)
    each = (resident_kib(web.pid) - before) / SOCKETS
    ground.say(f"ours: {each:.1f} KiB a socket")

    reads = await asyncio.to_thread(_line_reads)
    for client in clients[:STORM]:
        client.drop()
    await asyncio.to_thread(lambda: [write_lines(task, 100, 0.1) for task in tasks])
    heads = await asyncio.to_thread(_heads)
    began = time.monotonic()
    back = await _crowd(web.port, [(path, 0) for path in paths[:STORM]], cookie, tally)
    while any(client.after < heads[tasks[n % TASKS]] for n, client in enumerate(back)):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    recovered = time.monotonic() - began
    queries = await asyncio.to_thread(_line_reads) - reads
    for client in (*warm, *clients, *back):
        client.drop()
    assert not tally.lost and not tally.duplicated
    return each, recovered, queries


async def _theirs(web) -> float:
    tally = Tally()
    warm = await _crowd(web.port, [("/", 0)] * 100, "", tally)
    await _settled(warm, tally, 0)
    before = resident_kib(web.pid)
    clients = await _crowd(web.port, [("/", 0)] * SOCKETS, "", tally)
    await _settled(clients, tally, 0)
    each = (resident_kib(web.pid) - before) / SOCKETS
    ground.say(f"empty: {each:.1f} KiB a socket")
    for client in (*warm, *clients):
        client.drop()
    return each


def _heads() -> dict[int, int]:
    from tasks.models import Task

    return dict(Task.objects.values_list("pk", "log_seq"))


def _line_reads() -> int:
    """Scans of the log so far, as PostgreSQL counts them: one for each Task in each read of lines."""
    from django.db import connection

    time.sleep(1.2)  # a backend reports its counts at most once a second
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'tasks_logline'"
        )
        return int(cursor.fetchone()[0])
