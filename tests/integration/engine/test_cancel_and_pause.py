"""Cancel, pause and resume: at once for any number of children, and final for what has not begun."""

import os
import time
from pathlib import Path

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tasks import fanout
from tests.integration.engine.batches import (
    Worker,
    act,
    at_once,
    child,
    counters,
    fresh,
    lines,
    rows,
    running,
    sql,
    submit,
    wait_for_end,
)
from tests.processes import wait_until


@pytest.fixture(scope="module")
def workers(ground):
    with Worker(8) as one, Worker(8) as two:
        yield one, two


def test_cancel_of_ten_thousand_touches_a_few_rows_and_nothing_more_begins(workers):
    task = act({"s": 0.05}, repeat=10_000)
    wait_until(lambda: rows(task)["succeeded"] >= 50 and fresh(task).sealed, 20, processes=workers)
    with CaptureQueriesContext(connection) as asked:
        assert fanout.cancel(task)
    assert len(asked) < 12, "it touches the Task and its Shares, not ten thousand children"
    cancelled_at = fresh(task).cancelled_at
    ended = wait_for_end(task, 30, processes=workers)
    assert ended.state == "cancelled" and ended.cancelled > 5_000
    # what a round trip that was under way had in hand, at the most; how long it takes is measured by tests.bench submit
    assert task.children.filter(started_at__gt=cancelled_at).count() <= 64
    assert fanout.cancel(task) is False


@pytest.mark.parametrize("does", [{"s": 60}, {"do": "isolate", "isolated_s": 60}], ids=["coroutine", "isolated"])
def test_a_running_child_is_stopped_long_before_its_end(workers, does):
    task = submit("slow", children=[does])
    wait_until(lambda: running(task), processes=workers)
    if does.get("do"):
        wait_until(lambda: isolates_of(workers), processes=workers)
    began = time.monotonic()
    fanout.cancel(task)
    wait_for_end(task, processes=workers)
    wait_until(lambda: not isolates_of(workers), processes=workers)
    assert time.monotonic() - began < 20  # of 60; on a machine with nothing else to do it takes less than one
    assert child(task).state == "cancelled"


def isolates_of(workers) -> list[int]:
    """Process ids of the isolated children of these workers."""
    found = []
    for worker in workers:
        for thread in os.listdir(f"/proc/{worker.pid}/task"):
            found += Path(f"/proc/{worker.pid}/task/{thread}/children").read_text().split()
    return found


def test_a_draft_is_cancelled_on_the_spot():
    task = fanout.create("noop", params={"n": 3})
    assert fanout.cancel(task)
    assert (fresh(task).state, fresh(task).total) == ("cancelled", 0)
    assert fanout.start(task) is False


def test_two_who_cancel_at_once_cancel_once(workers):
    task = act({"s": 0.5}, repeat=40)
    wait_until(lambda: running(task), processes=workers)
    assert sorted(at_once(*[lambda: fanout.cancel(task)] * 6)) == [False] * 5 + [True]
    wait_for_end(task, processes=workers)
    assert lines(task, "cancelling") == 1


def test_a_paused_batch_begins_nothing_until_it_is_resumed(workers):
    task = act({"s": 0.05}, repeat=1_000)
    wait_until(lambda: rows(task)["succeeded"] >= 20, processes=workers)
    assert fanout.pause(task)
    assert fanout.pause(task) is False
    wait_until(lambda: not running(task), processes=workers)
    done = rows(task)["succeeded"]
    other = wait_for_end(act({"s": 0.05}, repeat=40), processes=workers)  # the queue goes on meanwhile
    assert other.succeeded == 40
    assert rows(task)["succeeded"] == done < 1_000
    task.children.filter(state="pending").update(input={})  # the rest takes no time
    assert fanout.resume(task) and fanout.resume(task) is False
    wait_for_end(task, processes=workers)
    assert counters(task) == (1_000, 1_000, 0, 0)


def test_a_paused_batch_can_be_cancelled(workers):
    task = act({"s": 0.2}, repeat=50)
    wait_until(lambda: running(task), processes=workers)
    fanout.pause(task)
    fanout.cancel(task)
    assert wait_for_end(task, processes=workers).state == "cancelled"


def test_verbs_that_are_rolled_back_leave_no_trace(workers):
    task = fanout.create("noop", params={"n": 3})
    jobs = "SELECT count(*) FROM procrastinate_jobs WHERE (args->>'task_id')::int = %s"
    with pytest.raises(psycopg.Error), transaction.atomic():
        fanout.start(task)
        raise psycopg.OperationalError("the connection is lost before the commit")
    assert (fresh(task).state, sql(jobs, task.pk), task.log.count()) == ("draft", [(0,)], 0)
    fanout.start(task)
    assert wait_for_end(task, processes=workers).succeeded == 3
