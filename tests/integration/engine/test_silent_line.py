"""The other end of a worker's connections vanishes without a word: nothing is closed, nothing ever answers."""

import asyncio
import threading

import pytest
from django.conf import settings
from django.db import OperationalError, connection

from tasks.threads import DatabaseThread
from tests.cable import CableOfProcesses
from tests.integration.engine.batches import Worker, counters, lines, rows, running, sql, submit, wait_for_end
from tests.processes import wait_until

pytestmark = pytest.mark.skipif(not settings.SHEAF_EMBEDDED_POSTGRES, reason="the cable leads to a unix socket")


@pytest.fixture
def cable(ground):
    with CableOfProcesses() as cable:
        yield cable


def assert_each_was_given_back_once(task, n: int) -> None:
    assert counters(task) == (n, n, 0, 0)
    lost = list(task.children.filter(lost__gt=0).values_list("lost", flat=True))
    assert set(lost) <= {1} and lines(task, "child_lost") == len(lost)


def test_a_worker_whose_lines_fall_silent_connects_anew_and_goes_on(cable):
    with Worker(4, DATABASE_URL=cable.url, SHEAF_TCP_USER_TIMEOUT_S=1) as worker:
        task = submit("slow", children=[{"s": 0.1}] * 60)
        wait_until(lambda: rows(task)["succeeded"] >= 8, 30, processes=[worker])
        cable.freeze()
        before = rows(task)["succeeded"]
        wait_until(lambda: rows(task)["succeeded"] > before + 4, 60, processes=[worker])
        assert "connecting anew" in worker.output
        wait_for_end(task, 60, processes=[worker])
    assert_each_was_given_back_once(task, 60)


def test_what_a_worker_ran_that_nobody_can_reach_is_given_back_once_and_it_can_be_stopped(cable):
    with Worker(4, DATABASE_URL=cable.url, SHEAF_TCP_USER_TIMEOUT_S=1) as cut_off:
        task = submit("slow", children=[{"s": 0.3}] * 24)
        wait_until(lambda: running(task, 4), 30, processes=[cut_off])
        cable.vanish()
        with Worker(4) as other:
            wait_for_end(task, 60, processes=[other])
        assert cut_off.returncode is None
        cut_off.terminate()
        cut_off.wait(60)
    assert_each_was_given_back_once(task, 24)
    assert task.children.filter(lost=1).exists()


def wait_on(query: str, *, hung_up: bool) -> None:
    """Keep a thread's line while it waits for this statement; whether it should be hung up."""
    began = threading.Event()

    def ask():
        with connection.cursor() as cursor:
            began.set()
            cursor.execute(query)

    async def kept():
        thread = DatabaseThread("test")
        keeping = asyncio.ensure_future(thread.keep_line(0.2))
        try:
            asked = asyncio.ensure_future(thread.call(ask))
            await asyncio.to_thread(began.wait, 30)
            if hung_up:
                with pytest.raises(OperationalError):
                    await asyncio.wait_for(asked, 30)
                await asyncio.wait_for(thread.call(ask_quickly), 30)
            else:
                await asyncio.wait_for(asked, 30)
        finally:
            keeping.cancel()
            await asyncio.to_thread(thread.close)

    before = sessions()
    asyncio.run(kept())
    if not hung_up:
        wait_until(lambda: sessions() == before, what="the thread's session to end with it")


def sessions() -> int:
    return sql("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")[0][0]


def ask_quickly():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_a_statement_that_is_just_long_is_left_alone():
    wait_on("SELECT pg_sleep(1.5)", hung_up=False)


def test_a_session_that_the_server_no_longer_knows_is_hung_up(monkeypatch):
    """The server ended it, and the news of that never came."""
    from tasks import threads

    asked = []

    async def unknown(backend_pid, patience_s):
        asked.append(backend_pid)
        return await really(-1, patience_s)

    really = threads._is_served
    monkeypatch.setattr(threads, "_is_served", unknown)
    wait_on("SELECT pg_sleep(600)", hung_up=True)
    assert asked and asked[0] > 0
    sql("SELECT pg_terminate_backend(%s)", asked[0])  # it would sleep on
