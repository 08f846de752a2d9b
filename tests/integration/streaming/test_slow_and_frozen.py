"""Slow clients keep their socket and may fill their gaps later; a process that stands still holds up nobody."""

import asyncio
import json
import signal

import httpx
import psycopg
import pytest
from asgiref.sync import sync_to_async

from tests.integration.streaming.watching import (
    Watcher,
    database_url,
    many_lines,
    person,
    running_task,
    session_of,
    until,
    write,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task():
    return running_task(person())


@pytest.fixture
async def cookie(task):
    return await sync_to_async(session_of)(task.owner)


class SlowWatcher(Watcher):
    """Confirms each message a while after it has come."""

    async def _take_time(self):
        await asyncio.sleep(0.1)


def spans(watcher) -> list[tuple[int, int]]:
    """(after, last) of every message of lines and every gap, in the order of arrival."""
    told = [message for message in watcher.messages if message["type"] in ("lines", "gap")]
    return [(m["after"], m["last"]) if m["type"] == "lines" else (m["from"] - 1, m["to"]) for m in told]


async def test_a_slow_client_is_never_closed_and_its_gaps_can_be_filled(web, task, cookie):
    """For three times as long as a client may confirm nothing; far more is written than it can take."""
    texts = [f"{n} {'x' * 300}" for n in range(500)]
    async with SlowWatcher(web.port, task.id, cookie) as slow:
        await slow.until(lambda w: w.of("task"))
        now, written = asyncio.get_running_loop().time, 0
        began = now()
        while now() - began < 6 or (not slow.of("gap") and now() - began < 60):  # SHEAF_LIVE_ACK_S is 2 here
            await sync_to_async(write)(task.id, *texts)
            written += 500
            await asyncio.sleep(0.02)
        await slow.until(lambda w: spans(w) and spans(w)[-1][1] == written, timeout=60)
        told = spans(slow)
        assert slow.close_code is None
        assert [after for after, _ in told] == [0, *(last for _, last in told[:-1])], "a hole, or something twice"
        gap = slow.of("gap")[0]
        address = f"http://127.0.0.1:{web.port}/tasks/{task.id}/log.json"
        async with httpx.AsyncClient(headers={"Cookie": cookie}, timeout=20) as client:
            answer = await client.get(address, params={"after": gap["from"] - 1, "limit": 100})
        lines = answer.json()["messages"][0]["lines"]
        assert [line["seq"] for line in lines] == list(range(gap["from"], gap["from"] + 100))


async def test_a_frozen_web_process_holds_up_neither_writers_nor_others_and_catches_up(two_webs, task, cookie):
    awake, frozen = two_webs
    async with Watcher(awake.port, task.id, cookie) as a, Watcher(frozen.port, task.id, cookie) as b:
        for watcher in (a, b):
            await watcher.until(lambda w: w.of("task"))
        frozen.signal(signal.SIGSTOP)
        try:
            for n in range(40):
                await asyncio.wait_for(sync_to_async(write)(task.id, *(f"{n} {i}" for i in range(25))), 20)
            await a.until(lambda w: len(w.seqs) == 1000, timeout=20)
            assert not b.seqs
        finally:
            frozen.signal(signal.SIGCONT)
        await b.until(lambda w: len(w.seqs) == 1000, timeout=30)
        assert a.seqs == b.seqs == list(range(1, 1001))


async def test_listening_holds_back_no_vacuum_and_open_transactions_hold_back_no_line(web, task, cookie):
    """A LISTEN connection without a transaction has no snapshot; a writer of another batch that never ends is not
    waited for."""
    other = await sync_to_async(running_task)(None)
    async with (
        Watcher(web.port, task.id, cookie) as watcher,
        await psycopg.AsyncConnection.connect(database_url()) as forgotten,
        await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db,
    ):
        await watcher.until(lambda w: w.of("task"))
        await forgotten.execute("UPDATE tasks_task SET succeeded = 1 WHERE id = %s", [other.pk])
        await sync_to_async(write)(task.id, "not waiting")
        await watcher.until(lambda w: w.texts == ["not waiting"])

        async def listening_without_a_snapshot():
            found = await db.execute(
                "SELECT backend_xmin, state FROM pg_stat_activity WHERE datname = current_database()"
                " AND query ~ 'LISTEN|pg_listening_channels' AND pid <> pg_backend_pid()"
            )
            backends = await found.fetchall()
            return backends and all(row == (None, "idle") for row in backends)

        await until(listening_without_a_snapshot)


async def test_one_statement_that_touches_every_batch_is_told_to_each_watcher(web, task, cookie):
    tasks = [task, *[await sync_to_async(running_task)(task.owner) for _ in range(4)]]
    await sync_to_async(lambda: [running_task(None) for _ in range(200)])()
    watchers = [Watcher(web.port, one.pk, cookie) for one in tasks]
    for watcher in watchers:
        await watcher.__aenter__()
    try:
        for watcher in watchers:
            await watcher.until(lambda w: w.of("task"))
        async with await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db:
            await db.execute("UPDATE tasks_task SET paused = true")
        for watcher in watchers:
            await watcher.until(lambda w: w.of("task")[-1]["paused"])
    finally:
        for watcher in watchers:
            await watcher.__aexit__()


async def test_a_quiet_socket_hears_a_sign_of_life_for_proxies_that_cut_idle_ones(web, task, cookie):
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: len(w.of("ping")) >= 2)
        assert not watcher.of("ping")[-1]["stale"]


async def test_an_event_stream_is_cut_when_its_reader_may_no_longer_watch(web, task, cookie):
    await sync_to_async(many_lines)(task.id, 3)
    address = f"http://127.0.0.1:{web.port}/tasks/{task.id}/events?after=0"
    async with httpx.AsyncClient(headers={"Cookie": cookie}, timeout=20) as client:
        async with client.stream("GET", address) as answer:
            told = []
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    told.append(json.loads(line[6:]))
                    if told[-1]["type"] == "lines":
                        task.owner.is_active = False
                        await task.owner.asave()
        assert told[-1] == {"type": "bye", "code": 4401}  # and the stream has ended
        assert (await client.get(address)).status_code == 401
