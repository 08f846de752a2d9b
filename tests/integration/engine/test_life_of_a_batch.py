"""How a batch ends, whatever its children do: each promised once, with counters that are their rows."""

from datetime import timedelta

import pytest
from django.db.models import F

from tasks import fanout
from tasks.errors import Refused
from tasks.kinds.base import kind_named
from tasks.models import Queue, Task
from tests.integration.engine.batches import (
    Worker,
    act,
    child,
    counters,
    fresh,
    lines,
    rows,
    running,
    submit,
    wait_for_end,
)
from tests.processes import wait_until


@pytest.fixture(scope="module")
def workers(ground):
    with Worker(8) as one, Worker(8) as two:
        yield one, two


def test_an_empty_batch_ends(workers):
    task = wait_for_end(submit("noop", n=0), processes=workers)
    assert (task.state, task.total) == ("completed", 0)


def test_a_batch_of_one_ends(workers):
    task = wait_for_end(act({}), processes=workers)
    assert (task.state, task.succeeded) == ("completed", 1)
    assert child(task, key="0.0").result == {"act": {"attempt": 1}}


def test_a_batch_of_which_all_fail_ends_as_completed_with_failures(workers):
    task = wait_for_end(act({"do": "fail"}, repeat=30), processes=workers)
    assert (task.state, task.failed, task.succeeded) == ("completed", 30, 0)


def test_one_failure_costs_one_child(workers):
    task = wait_for_end(act({"do": "fail"}, *[{}] * 99), processes=workers)
    assert counters(task) == (100, 99, 1, 0)
    assert child(task, state="failed").error_code == "crashed"


def test_a_child_that_fails_twice_and_then_succeeds_holds_the_batch_open(workers):
    task = wait_for_end(act({"do": "flake", "after_s": 0.1, "until_attempt": 3}), processes=workers)
    assert counters(task) == (1, 1, 0, 0)
    assert child(task).attempt == 3
    assert lines(task, "child_retry") == 2


def test_attempts_run_out_and_the_child_fails_with_its_last_reason(workers):
    task = wait_for_end(act({"do": "raise"}), processes=workers)
    failed = child(task)
    assert (failed.state, failed.error_code, failed.attempt) == ("failed", "unexpected", 3)
    assert "it was told to raise" in failed.error


def test_a_service_that_refuses_burns_no_attempt(workers):
    task = act({"do": "down", "after_s": 0.1})
    wait_until(lambda: lines(task, "child_retry") >= 5, 20, processes=workers)
    assert child(task).attempt <= 1
    fanout.cancel(task)
    assert wait_for_end(task, processes=workers).state == "cancelled"


def test_each_attempt_that_is_followed_by_another_counts_as_a_retry_of_its_queue(workers):
    before = Queue.objects.get(pk="act").retries
    task = act({"do": "flake", "after_s": 0.05, "until_attempt": 3}, {})
    wait_for_end(task, processes=workers)
    wait_until(lambda: Queue.objects.get(pk="act").retries == before + 2, 5, processes=workers)


def test_starting_twice_is_one_start(workers):
    task = fanout.create("noop", params={"n": 5})
    assert [fanout.start(task), fanout.start(task)] == [True, False]
    assert wait_for_end(task, processes=workers).total == 5
    assert fanout.start(task) is False
    assert lines(task, "submitted_open") == 1


def test_retrying_what_failed_finalizes_once_more_and_touches_nothing_else(workers):
    task = act({"do": "fail", "code": "timeout"}, {"do": "fail", "code": "crashed"}, {}, repeat=5)
    wait_for_end(task, processes=workers)
    finished = dict(task.children.filter(state="succeeded").values_list("key", "finished_at"))
    assert fanout.retry_failed(task, codes=["timeout"])
    again = wait_for_end(task, generation=2, processes=workers)
    assert (again.state, again.failed, again.succeeded) == ("completed", 10, 5)
    assert dict(task.children.values_list("error_code").distinct().values_list("error_code", "generation")) == {
        "": 1,
        "crashed": 1,
        "timeout": 2,
    }
    assert dict(task.children.filter(state="succeeded").values_list("key", "finished_at")) == finished


def test_a_third_generation_may_follow(workers):
    task = act({"do": "fail"}, {})
    for generation in (1, 2, 3):
        wait_for_end(task, generation=generation, processes=workers)
        fanout.retry_failed(task)
    wait_for_end(task, generation=4, processes=workers)


def test_a_run_that_follows_is_timed_by_itself(workers):
    task = wait_for_end(act({"do": "fail"}, {}), processes=workers)
    Task.objects.filter(pk=task.pk).update(started_at=F("started_at") - timedelta(hours=9))
    fanout.retry_failed(task)
    wait_for_end(task, generation=2, processes=workers)
    wait_until(lambda: lines(task, "ended") == 2, processes=workers)
    assert task.log.filter(code="ended").latest("seq").data["duration_s"] < 3600


def test_retry_is_refused_while_the_batch_runs(workers):
    task = act({"do": "fail"}, {"s": 2})
    wait_until(lambda: rows(task)["failed"] == 1 and running(task), processes=workers)
    with pytest.raises(Refused, match="not_ended"):
        fanout.retry_failed(task)
    assert fresh(task).generation == 1
    wait_for_end(task, processes=workers)


def test_retry_is_refused_when_nothing_failed(workers):
    task = wait_for_end(act({}), processes=workers)
    with pytest.raises(Refused, match="nothing_failed"):
        fanout.retry_failed(task)


def test_retry_of_codes_that_none_has_is_refused(workers):
    task = wait_for_end(act({"do": "fail"}), processes=workers)
    with pytest.raises(Refused, match="nothing_failed"):
        fanout.retry_failed(task, codes=["timeout"])
    assert fresh(task).state == "completed"


def test_a_retry_during_which_it_is_cancelled_ends_as_cancelled(workers):
    task = act({"do": "fail", "s": 0.5}, repeat=16)
    wait_for_end(task, 30, processes=workers)
    fanout.retry_failed(task)
    wait_until(lambda: running(task), processes=workers)
    fanout.cancel(task)
    assert wait_for_end(task, generation=2, processes=workers).state == "cancelled"


def test_a_child_deleted_by_hand_is_forgotten_and_the_batch_ends(workers):
    task = act({}, {"do": "flake", "after_s": 600})
    wait_until(lambda: rows(task)["succeeded"] == 1 and lines(task, "child_retry"), processes=workers)
    task.children.filter(key="1.0").delete()
    assert wait_for_end(task, processes=workers).total == 1


def test_a_running_child_deleted_by_hand_is_forgotten_and_its_result_dropped(workers):
    task = act({}, {"s": 1.5})
    wait_until(lambda: rows(task)["succeeded"] == 1 and running(task), processes=workers)
    task.children.filter(key="1.0").delete()
    assert wait_for_end(task, processes=workers).total == 1


def test_stages_hand_results_on(workers):
    task = wait_for_end(submit("shout", words=["oh", "ah", "一"]), processes=workers)
    assert child(task, key="oh").result == {"upper": {"word": "OH"}, "exclaim": {"word": "OH!"}}


def test_a_third_stage_that_fails_never_pays_for_the_second_again(workers):
    task = wait_for_end(submit("relay", n=3, third_needs=3), processes=workers)
    assert counters(task) == (3, 3, 0, 0)
    ran = list(task.log.filter(text__startswith="ran").values_list("text", flat=True))
    assert (ran.count("ran first"), ran.count("ran second"), ran.count("ran third")) == (3, 3, 9)
    assert child(task, key="0").result["third"] == {"seen": ["first", "second"]}


def test_short_children_do_not_wait_for_a_long_one_that_shares_their_lane(workers):
    wait_for_end(act({}, repeat=60), processes=workers)  # the lanes learn that children are short, and take several
    task = act({"s": 3}, *[{}] * 40)
    wait_until(lambda: rows(task)["succeeded"] == 40, 2.5, processes=workers)
    assert child(task, key="0.0").state == "running"
    wait_for_end(task, processes=workers)
    assert set(task.children.values_list("attempt", flat=True)) == {1}


def test_a_child_that_hangs_ends_at_the_deadline_of_its_queue_each_time(workers):
    Queue.objects.filter(name="act").update(deadline_s=1)
    try:
        task = wait_for_end(act({"s": 600}, {}), 60, processes=workers)
    finally:
        Queue.objects.filter(name="act").update(deadline_s=5)
    hung = child(task, key="0.0")
    assert (hung.state, hung.error_code, child(task, key="1.0").state) == ("failed", "timeout", "succeeded")
    assert hung.attempt == kind_named("act").max_attempts and hung.lost == 0
