"""A queue's limit changed while it works, queues that stop and go on, and who is served when many wait."""

import pytest
from django.db.models import Max, Min
from django.db.models.functions import Now

from tasks import fanout
from tasks.models import Queue
from tasks.queueing import wake
from tests.integration.engine.batches import Worker, act, child, fresh, lines, rows, running, sql, submit, wait_for_end
from tests.processes import wait_until


@pytest.fixture(scope="module")
def workers(ground):
    with Worker(16) as one, Worker(16) as two:
        yield one, two


@pytest.fixture(autouse=True)
def usual_limit(workers):
    yield
    Queue.objects.filter(name="act").update(limit=8, paused=False)


def most_at_once(task, since=None) -> int:
    """The most children that ran at the same moment, by the children's own clock ({"span": True})."""
    spans = task.log.filter(text__in=("begin", "end")).values_list("at", "text")
    level = most = 0
    for at, text in sorted(spans, key=lambda span: (span[0], span[1] == "begin")):
        level += 1 if text == "begin" else -1
        if since is None or at >= since:
            most = max(most, level)
    return most


def set_limit(n: int) -> None:
    """As the admin does it."""
    Queue.objects.filter(name="act").update(limit=n)
    wake.now("act")


def test_never_more_run_than_the_limit_says_and_no_place_is_idle(workers):
    task = act({"s": 0.1, "span": True}, repeat=120)
    wait_for_end(task, processes=workers)
    assert most_at_once(task) == 8


def test_a_limit_that_is_raised_is_used_at_once(workers):
    set_limit(1)
    task = act({"s": 0.3}, repeat=40)
    wait_until(lambda: rows(task)["succeeded"] >= 2, processes=workers)
    set_limit(12)
    wait_until(lambda: running(task, 12), processes=workers)
    wait_for_end(task, processes=workers)


def test_a_limit_that_is_lowered_drains_and_then_holds(workers):
    task = act({"s": 0.4, "span": True}, repeat=60)
    wait_until(lambda: rows(task)["succeeded"] >= 8, processes=workers)
    set_limit(2)
    lowered = sql("SELECT clock_timestamp() + interval '1 second'")[0][0]
    wait_until(lambda: not running(task, 3), processes=workers)
    before = rows(task)["succeeded"]
    wait_until(lambda: rows(task)["succeeded"] >= before + 6, processes=workers)
    assert most_at_once(task, since=lowered) == 2
    set_limit(8)
    wait_for_end(task, processes=workers)
    assert not task.children.filter(lost__gt=0).exists()


def test_a_limit_of_zero_stops_the_queue_and_a_higher_one_starts_it_again(workers):
    set_limit(0)
    task = act({}, repeat=5)
    other = wait_for_end(submit("noop", n=20), processes=workers)  # the other queues go on
    assert other.succeeded == 20 and rows(task)["pending"] == 5
    set_limit(4)
    wait_for_end(task, processes=workers)


def test_a_paused_queue_begins_nothing_until_it_goes_on(workers):
    task = act({"s": 0.1}, repeat=60)
    wait_until(lambda: running(task), processes=workers)
    Queue.objects.filter(name="act").update(paused=True)
    wait_until(lambda: not running(task), processes=workers)
    done = rows(task)["succeeded"]
    wait_for_end(submit("noop", n=20), processes=workers)
    assert rows(task)["succeeded"] == done
    Queue.objects.filter(name="act").update(paused=False)
    wake.now("act")
    wait_for_end(task, processes=workers)


def test_a_delayed_retry_holds_no_place(workers):
    set_limit(1)
    task = act({"do": "flake", "after_s": 600, "until_attempt": 2}, *[{"s": 0.02}] * 20)
    wait_until(lambda: rows(task)["succeeded"] == 20, processes=workers)
    assert child(task, key="0.0").state == "pending"
    task.children.filter(state="pending").update(available_at=Now())
    wait_for_end(task, processes=workers)
    assert child(task, key="0.0").attempt == 2


def test_a_small_batch_behind_a_large_one_is_served_at_once(workers):
    large = act({"s": 0.05}, repeat=3_000)
    wait_until(lambda: rows(large)["succeeded"] >= 20, 20, processes=workers)
    small = act({"s": 0.05}, repeat=3)
    wait_for_end(small, processes=workers)
    assert not fresh(large).is_terminal
    there, done = small.children.aggregate(there=Min("created_at"), done=Max("finished_at")).values()
    assert large.children.filter(started_at__gt=there, started_at__lt=done).count() < 100  # of some 2,900
    fanout.cancel(large)
    wait_for_end(large, processes=workers)


def test_a_stream_of_small_batches_does_not_starve_a_large_one(workers):
    large = act({"s": 0.05}, repeat=300)
    wait_until(lambda: running(large), processes=workers)
    before = rows(large)["succeeded"]
    for _ in range(12):
        wait_for_end(act({"s": 0.05}, repeat=8), processes=workers)
    assert rows(large)["succeeded"] >= before + 40
    fanout.cancel(large)
    wait_for_end(large, processes=workers)


def test_a_lost_wake_up_is_made_good_by_the_sweep(workers):
    wait_until(lambda: sql("SELECT count(*) FROM tasks_lane WHERE queue_id = 'act' AND job_id IS NOT NULL") == [(0,)])
    Queue.objects.filter(name="act").update(paused=True)
    task = act({}, repeat=5)
    wait_until(lambda: fresh(task).sealed, processes=workers)
    sql("DELETE FROM procrastinate_jobs WHERE queue_name LIKE 'lane:act%%' AND status = 'todo'")
    Queue.objects.filter(name="act").update(paused=False)  # and nobody is told
    wait_for_end(task, processes=workers)
    assert lines(task, "ended") == 1


def test_a_worker_with_many_lanes_keeps_to_four_connections(ground):
    with Worker(32) as worker:
        task = submit("noop", n=4_000)
        seen = 0
        name = worker._env["SHEAF_PROCESS_NAME"]
        while not fresh(task).is_terminal:
            seen = max(seen, sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", name)[0][0])
        assert 1 <= seen <= 4
