"""The database goes away in the middle of a batch: nothing is lost, and nothing is held against any child."""

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections

from config.machine import embedded_postgres
from tasks import fanout
from tests.integration.engine.batches import QUICK, Worker, act, counters, rows, running, sql, submit, wait_for_end
from tests.processes import wait_until


@pytest.fixture(scope="module")
def workers(ground):
    with Worker(4) as one, Worker(4) as two:
        yield one, two


@pytest.fixture
def server():
    if not settings.SHEAF_EMBEDDED_POSTGRES:
        pytest.skip("the server is not ours to stop")
    yield settings.SHEAF_POSTGRES_DIR
    connections.close_all()


def under_way(*, of: str = "act"):
    """A batch of 80 of which some have ended and some run."""
    task = act({"s": 0.1}, repeat=80) if of == "act" else submit("slow", children=[{"s": 0.1}] * 60)
    wait_until(lambda: rows(task)["succeeded"] >= 8)
    return task


def assert_unharmed(task, workers):
    wait_for_end(task, 40, processes=workers)
    n = task.children.count()
    assert counters(task) == (n, n, 0, 0)
    assert not task.children.filter(lost__gt=0).exists(), "an outage was held against a child"
    assert not task.children.exclude(attempt=1).exists()


def test_every_connection_is_cut_in_the_middle_of_a_batch(workers):
    task = under_way()
    for _ in range(3):
        sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        before = rows(task)["succeeded"]
        wait_until(lambda: rows(task)["succeeded"] > before, 15, processes=workers)  # noqa: B023
    assert_unharmed(task, workers)


@pytest.mark.parametrize("immediate", [False, True], ids=["fast", "immediate"])
def test_the_server_restarts_in_the_middle_of_a_batch(workers, server, immediate):
    task = under_way()
    connection.close()
    embedded_postgres.restart(server, immediate=immediate)
    assert_unharmed(task, workers)


def test_the_server_stays_away_for_longer_than_a_lane_may_be_silent(workers, server):
    task = under_way(of="slow")
    connection.close()
    embedded_postgres.stop(server)
    try:
        wait_until(lambda: all("No sweep" in worker.output for worker in workers), 20, processes=workers)
        silent_s = 1.25 * QUICK["SHEAF_LANE_STALE_S"]
        with pytest.raises(AssertionError, match="in vain"):
            wait_until(server_answers, silent_s)
    finally:
        embedded_postgres.start(server)
    assert_unharmed(task, workers)


def test_a_worker_told_to_stop_while_the_server_is_away_stops(server):
    with Worker(4, SHEAF_STOP_S=0.5) as worker:
        task = submit("slow", children=[{"s": 30, "log": "said while the server is there"}] * 2)
        wait_until(lambda: running(task))
        connection.close()
        embedded_postgres.stop(server)
        try:
            worker.terminate()
            worker.wait(40)
        finally:
            embedded_postgres.start(server)
    fanout.cancel(task)
    with Worker(4) as other:
        wait_for_end(task, 30, processes=[other])


def server_answers() -> bool:
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    return True
