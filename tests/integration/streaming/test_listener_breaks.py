"""The LISTEN connection is cut, PostgreSQL goes and comes back, notices are lost: no line is."""

import asyncio
import contextlib

import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections

from config.machine import embedded_postgres
from streaming.hub import Hub
from streaming.subscription import Subscription
from tests.integration.streaming.watching import (
    WRITE,
    Watcher,
    database_url,
    person,
    running_task,
    session_of,
    until,
    values,
    write,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task():
    return running_task(person())


@pytest.fixture
async def hub():
    hub = Hub.here()
    yield hub
    await hub.close()


CUT = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ 'LISTEN|listening'
"""


async def test_a_cut_listen_connection_is_replaced_and_nothing_is_missed(web, task):
    cookie = await sync_to_async(session_of)(task.owner)
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.of("task"))
        async with await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db:
            for turn in range(3):

                async def listening() -> bool:
                    cut = await db.execute(CUT)
                    return (await cut.fetchone())[0] > 0

                await until(listening)
                await db.execute(WRITE, values(task.id, [f"{turn} a", f"{turn} b"]))
                await watcher.until(lambda w, n=2 * turn + 2: w.seqs == list(range(1, n + 1)))


@pytest.fixture
def own_connection_breaks():
    """The test's own connection doesn't survive either; a broken one must not meet the emptying of tables."""
    yield
    connections.close_all()


async def test_a_restart_of_postgresql_is_survived(web, task, own_connection_breaks):
    cookie = await sync_to_async(session_of)(task.owner)
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.of("task"))
        await sync_to_async(write)(task.id, "before")
        await watcher.until(lambda w: w.seqs == [1])
        await sync_to_async(connections.close_all)()
        await sync_to_async(embedded_postgres.restart)(settings.SHEAF_POSTGRES_DIR, immediate=True)
        await sync_to_async(write)(task.id, "after")
        await watcher.until(lambda w: w.seqs == [1, 2], timeout=60)


async def test_a_lost_notice_costs_a_moment_and_no_line(task, hub):
    """With the trigger off, as after a restore without triggers, the look around every second or two finds it."""
    news = asyncio.Event()
    subscription = Subscription(hub, task.id, 0, news.set)
    await subscription.next()
    await until(lambda: hub.listener.state == "listening")
    async with await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db:
        await db.execute("SET session_replication_role = replica")
        await db.execute("UPDATE tasks_task SET version = version + 1, log_seq = 1 WHERE id = %s", [task.id])
        await db.execute(
            "INSERT INTO tasks_logline (task_id, seq, attempt, level, code, text, data)"
            " VALUES (%s, 1, 0, 20, '', 'unannounced', '{}')",
            [task.id],
        )
    texts = []

    async def gather():
        while "unannounced" not in "".join(texts):
            news.clear()
            while (text := await subscription.next()) is not None:
                texts.append(text)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(news.wait(), 0.1)

    await asyncio.wait_for(gather(), 3 * settings.SHEAF_LIVE_POLL_S + 20)
    subscription.leave()


async def test_a_pooler_that_swallows_notices_is_found_out_and_the_view_polls(task, hub, monkeypatch):
    """As PgBouncer does in transaction mode: LISTEN is accepted, and no notice ever comes."""
    monkeypatch.setattr("streaming.listener.PROOF_LIMIT_S", 0.3)
    monkeypatch.setattr("streaming.listener.CHANNEL", "nobody_talks_here")
    original = hub.reader.rows

    async def rows(statement, arguments):
        if "pg_notify" in statement:
            return []
        return await original(statement, arguments)

    monkeypatch.setattr(hub.reader, "rows", rows)
    from streaming.health import probe

    news = asyncio.Event()
    subscription = Subscription(hub, task.id, 0, news.set)
    await subscription.next()
    await until(lambda: hub.listener.state == "polling")
    assert probe() == "polling"
    await sync_to_async(write)(task.id, "found by polling")
    await until(lambda: subscription.watched.head == 1)
    subscription.leave()


async def test_watchers_share_one_query_for_the_lines_of_a_task(task, hub):
    await sync_to_async(write)(task.id, *(f"{n}" for n in range(300)))
    subscriptions = [Subscription(hub, task.id, after, lambda: None) for after in range(200)]
    for subscription in subscriptions:
        seqs = 0
        while (text := await subscription.next()) is not None:
            seqs += text.count('"seq"')
        assert seqs == 300 - subscriptions.index(subscription)
        subscription.leave()
    assert hub.reads == 1
