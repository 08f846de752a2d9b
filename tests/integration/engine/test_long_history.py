"""Millions of ended jobs and dead workers cost a worker nothing: not when it starts, not when it sweeps or stops."""

import asyncio
import threading

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from config.database import url_of
from tasks.models import Task
from tasks.threads import DatabaseThread
from tasks.upkeep import retention, sweep
from tests.integration.engine.batches import Worker, act, fresh, sql, wait_for_end
from tests.processes import wait_until


@pytest.fixture(autouse=True)
def nothing_else(empty):
    pass


def dead_workers(n: int, silent_s: int = 86_400) -> list[int]:
    return [
        worker
        for (worker,) in sql(
            "INSERT INTO procrastinate_workers (last_heartbeat)"
            " SELECT now() - make_interval(secs => %s) FROM generate_series(1, %s) RETURNING id",
            silent_s,
            n,
        )
    ]


def ended_jobs(n: int, worker: int | None = None, days_ago: float = 0) -> None:
    """As if they had been ended before migration 0007."""
    sql(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, args, status, worker_id)"
        " SELECT 'control', 'ended', '{}', 'failed', %s FROM generate_series(1, %s)",
        worker,
        n,
    )
    sql(
        "INSERT INTO procrastinate_events (job_id, type, at)"
        " SELECT id, 'failed', now() - make_interval(secs => %s) FROM procrastinate_jobs j WHERE task_name = 'ended'"
        " AND NOT EXISTS (SELECT 1 FROM procrastinate_events e WHERE e.job_id = j.id AND e.type = 'failed')",
        days_ago * 86_400,
    )


def workers_left() -> set[int]:
    return {worker for (worker,) in sql("SELECT id FROM procrastinate_workers")}


def plan(query: str, values) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {query}", values)
        return "\n".join(line for (line,) in cursor.fetchall())


def test_a_worker_that_starts_and_stops_touches_no_job_of_the_dead():
    dead = dead_workers(3)
    for worker in dead:
        ended_jobs(100, worker)
    with Worker(2) as worker:
        wait_for_end(act({}), 30, processes=[worker])
        wait_until(lambda: "forget what is old" in worker.output or len(workers_left()) == 3 + 2, 30)
        worker.terminate()
        assert worker.wait(30) == 0
    assert workers_left() == set(dead)
    assert sql("SELECT count(worker_id) FROM procrastinate_jobs WHERE task_name = 'ended'") == [(300,)]


@pytest.mark.parametrize("end", ["succeeded", "failed", "cancelled", "aborted"])
def test_a_job_that_ends_lets_go_of_its_worker(end):
    (worker,) = dead_workers(1)
    sql(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, args, status, worker_id)"
        " VALUES ('control', 'runs', '{}', 'doing', %s)",
        worker,
    )
    assert sql("SELECT worker_id FROM procrastinate_jobs WHERE task_name = 'runs'") == [(worker,)]
    sql("UPDATE procrastinate_jobs SET status = %s::procrastinate_job_status WHERE task_name = 'runs'", end)
    assert sql("SELECT worker_id FROM procrastinate_jobs WHERE task_name = 'runs'") == [(None,)]


def test_a_dead_workers_row_goes_when_no_job_refers_to_it():
    with_history, without = dead_workers(2)
    (lately_silent,) = dead_workers(1, silent_s=60)
    ended_jobs(3, with_history)
    retention.prune()
    assert workers_left() == {with_history, lately_silent}
    sql("DELETE FROM procrastinate_jobs")
    retention.prune()
    assert workers_left() == {lately_silent}


def test_a_history_that_is_all_young_is_looked_at_for_one_page(monkeypatch):
    monkeypatch.setattr(retention, "ROWS", 10)
    ended_jobs(200)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert retention.prune() == 0
    assert len([query for query in queries if "AS MATERIALIZED" in query["sql"]]) == 1


def test_an_old_history_goes_page_by_page_up_to_what_is_young(monkeypatch):
    monkeypatch.setattr(retention, "ROWS", 10)
    ended_jobs(35, days_ago=9)
    ended_jobs(50)
    with CaptureQueriesContext(connection) as queries:
        assert retention.prune() == 35
    pages = [query for query in queries if "AS MATERIALIZED" in query["sql"]]
    assert len(pages) == 5  # three, one of both, one of which nothing is old
    assert sql("SELECT count(*) FROM procrastinate_jobs") == [(50,)]


def test_housekeeping_reads_by_index_however_long_the_history_is():
    (dead,) = dead_workers(1)
    ended_jobs(20_000, dead)
    sql("ANALYZE procrastinate_jobs, procrastinate_events, procrastinate_workers")
    page = plan(retention._JOBS, {"after": 0, "rows": 100, "days": 7})
    assert "using procrastinate_jobs_pkey" in page and "Seq Scan on procrastinate_jobs" not in page
    assert "Seq Scan on procrastinate_jobs" not in plan(retention._WORKERS, [60])
    control = plan(sweep._OPEN_CONTROL_JOBS, ["control"])
    assert "procrastinate_jobs_id_lock_idx_v1" in control
    orphaned = plan(sweep._ORPHANED_JOBS, {"after": 30, "lane": "tasks.jobs.lane", "control": "control"})
    assert "Seq Scan on procrastinate_jobs" not in orphaned


def test_a_statement_of_housekeeping_is_cancelled_and_no_other():
    began = threading.Event()

    def for_ever():
        with connection.cursor() as cursor:
            began.set()
            cursor.execute("SELECT pg_sleep(600)")

    def quick():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 7")
            return cursor.fetchone()[0]

    async def interrupted():
        thread = DatabaseThread("test")
        try:
            sleeping = asyncio.ensure_future(thread.call(for_ever))
            await asyncio.to_thread(began.wait, 30)
            await thread.interrupt(quick)  # something else runs: it is left alone
            assert not sleeping.done()
            after = asyncio.ensure_future(thread.call(quick))
            await asyncio.wait_for(thread.interrupt(for_ever), 30)
            with pytest.raises(OperationalError, match="cancel"):
                await sleeping
            return await after
        finally:
            await asyncio.to_thread(thread.close)

    assert asyncio.run(interrupted()) == 7


def test_a_worker_told_to_stop_in_the_middle_of_a_sweep_does_not_wait_for_it():
    """The sweep wants to mend counters, and the Task's row is locked for as long as the test likes."""
    task = Task.objects.create(kind="act", state="running", total=7)
    with psycopg.connect(url_of(connection.settings_dict)) as locking:
        locking.execute("SELECT 1 FROM tasks_task WHERE id = %s FOR NO KEY UPDATE", [task.pk])
        with Worker(1) as worker:
            waits = (
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"
                " AND datname = current_database()"
            )
            wait_until(lambda: sql(waits, f"sheaf-{worker.token[:8]}") == [(1,)], 30, processes=[worker])
            worker.terminate()
            assert worker.wait(40) == 0
    assert fresh(task).total == 7
