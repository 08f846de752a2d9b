"""What a cancel left, run after all: a new generation of every child that did not succeed, closed once."""

import pytest

from tasks import background, fanout
from tasks.errors import Refused
from tasks.models import Queue
from tasks.queueing import lanes, ledger, messages
from tasks.queueing.messages import Outcome, Work
from tests.integration.engine.batches import (
    Worker,
    act,
    assert_log_has_no_gap,
    at_once,
    counters,
    fresh,
    lines,
    rows,
    running,
    wait_for_end,
)
from tests.processes import wait_until

KNOWN = {"act": ["act"]}


@pytest.fixture(autouse=True)
def queue(empty):
    fanout.ensure_queues()
    Queue.objects.filter(name="act").update(limit=200)


def settled(n: int, end: str = messages.SUCCEEDED) -> None:
    """Take n children, each in a lane of its own, and end them like this, all at the same moment."""
    asks = [(lanes.begin("act", "", slot, job_id=slot + 1, worker=None), 1) for slot in range(n)]
    answer = ledger.trip(Work(asks=asks), KNOWN)
    taken = [assignment for batch in answer.taken.values() for assignment in batch]
    assert len(taken) == n
    errors = at_once(*[lambda one=one: ledger.trip(Work(outcomes=[Outcome(one, end)]), KNOWN) for one in taken])
    assert not [error for error in errors if isinstance(error, Exception)]


def cancelled_batch(n: int, *, succeeded: int = 0, failed: int = 0):
    """A batch that ended as cancelled after so many of its n children had ended by themselves."""
    task = act({}, repeat=n)
    list(background.expand(task.pk))
    settled(succeeded)
    settled(failed, messages.FAILED)
    fanout.cancel(task)
    list(background.sweep_up(task.pk))
    assert background.finalize(task.pk, 1)
    assert (fresh(task).state, counters(task)) == ("cancelled", (n, succeeded, failed, n - succeeded - failed))
    return fresh(task)


def test_what_was_cancelled_and_what_failed_run_and_the_batch_completes_once():
    task = cancelled_batch(30, succeeded=5, failed=3)
    kept = set(task.children.filter(state="succeeded").values_list("pk", "lease"))
    assert fanout.run_the_rest(task)
    list(background.sweep_up(task.pk))
    assert (fresh(task).state, fresh(task).generation, counters(task)) == ("running", 2, (30, 5, 0, 0))
    settled(25)
    assert (fresh(task).state, counters(task), lines(task, "finalizing")) == ("finalizing", (30, 30, 0, 0), 2)
    assert background.finalize(task.pk, 2)
    assert (fresh(task).state, lines(task, "ended"), lines(task, "running_rest")) == ("completed", 2, 1)
    assert kept <= set(task.children.values_list("pk", "lease"))
    assert_log_has_no_gap(task)


def test_two_who_ask_at_once_open_one_generation():
    task = cancelled_batch(4, succeeded=1)
    answers = at_once(*[lambda: fanout.run_the_rest(fresh(task))] * 6)
    assert answers.count(True) == 1
    assert {answer.code for answer in answers if answer is not True} == {"not_ended"}
    assert (fresh(task).generation, lines(task, "running_rest")) == (2, 1)


def test_it_moves_in_chunks_and_closes_only_after_the_last(settings):
    settings.SHEAF_CHUNK = 2
    task = cancelled_batch(5)
    fanout.run_the_rest(task)
    step = background.sweep_up(task.pk)
    assert next(step) == 2
    settled(2)
    assert (fresh(task).state, rows(task)) == ("running", {"succeeded": 2, "cancelled": 3})
    list(step)
    settled(3)
    assert (fresh(task).state, counters(task)) == ("finalizing", (5, 5, 0, 0))


def test_cancelled_again_it_ends_as_cancelled_again():
    task = cancelled_batch(6, succeeded=2)
    fanout.run_the_rest(task)
    list(background.sweep_up(task.pk))
    settled(1)
    fanout.cancel(task)
    list(background.sweep_up(task.pk))
    assert background.finalize(task.pk, 2)
    assert (fresh(task).state, counters(task)) == ("cancelled", (6, 3, 0, 3))


def test_a_retry_of_what_failed_leaves_what_was_cancelled():
    task = cancelled_batch(4, failed=1)
    fanout.retry_failed(task)
    list(background.sweep_up(task.pk))
    assert (rows(task), counters(task)) == ({"pending": 1, "cancelled": 3}, (4, 0, 0, 3))


@pytest.mark.parametrize("state", ["completed", "draft"])
def test_where_nothing_is_left_it_is_refused(state):
    task = fanout.create("act", params={"children": [{}]})
    if state == "completed":
        fanout.start(task)
        list(background.expand(task.pk))
        settled(1)
        assert background.finalize(task.pk, 1)
    assert fresh(task).state == state
    with pytest.raises(Refused) as refused:
        fanout.run_the_rest(fresh(task))
    assert refused.value.code == {"completed": "nothing_left", "draft": "not_ended"}[state]


def test_workers_finish_a_batch_that_was_cancelled_in_the_middle():
    with Worker(8) as worker:
        task = act({"s": 0.05}, repeat=200)
        wait_until(lambda: running(task, 4) and rows(task)["succeeded"] >= 10, 30, processes=[worker])
        fanout.cancel(task)
        left = wait_for_end(task, 30, processes=[worker]).cancelled
        assert left and fanout.run_the_rest(fresh(task))
        ended = wait_for_end(task, 60, processes=[worker], generation=2)
    assert (ended.state, counters(task)) == ("completed", (200, 200, 0, 0))
