"""The one transaction of a desk, called directly from many connections: counted once, closed once, fenced by lease."""

import pytest
from django.db import IntegrityError, connection, transaction

from tasks import background, fanout
from tasks.kinds.base import NewChild
from tasks.models import Finding, Queue, SubTask, Task
from tasks.queueing import closing, lanes, ledger, messages, recovery
from tasks.queueing.messages import Outcome, Work
from tasks.upkeep import drift, sweep
from tests.integration.engine.batches import (
    act,
    assert_log_has_no_gap,
    at_once,
    child,
    counters,
    fresh,
    lines,
    rows,
    sql,
)

KNOWN = {"act": ["act"]}


@pytest.fixture(autouse=True)
def queue(empty):
    fanout.ensure_queues()
    Queue.objects.filter(name="act").update(limit=200)


def expanded(*children, **params) -> Task:
    """A running batch, its children inserted by no worker."""
    task = act(*children, **params)
    for _ in background.expand(task.pk):
        pass
    return fresh(task)


def taken(n: int, queue: str = "act") -> list[messages.Assignment]:
    """Take up to n children, each in a lane of its own."""
    asks = [(lanes.begin(queue, "", slot, job_id=slot + 1, worker=None), 1) for slot in range(n)]
    answer = ledger.trip(Work(asks=asks), KNOWN)
    return [assignment for batch in answer.taken.values() for assignment in batch]


def settle(*assignments, end=messages.SUCCEEDED, **fields):
    return ledger.trip(Work(outcomes=[Outcome(one, end, **fields) for one in assignments]), KNOWN)


def finalize_jobs(task) -> int:
    return sql(
        "SELECT count(*) FROM procrastinate_jobs"
        " WHERE task_name = 'tasks.jobs.finalize' AND (args->>'task_id')::int = %s",
        task.pk,
    )[0][0]


def test_fifty_last_children_at_the_same_moment_close_the_batch_once():
    task = expanded({}, repeat=50)
    assignments = taken(50)
    at_once(*[lambda one=one: settle(one) for one in assignments])
    assert counters(task) == (50, 50, 0, 0)
    assert fresh(task).state == "finalizing"
    assert lines(task, "finalizing") == finalize_jobs(task) == 1
    assert_log_has_no_gap(task)


def test_many_batches_that_share_their_desks_close_without_a_deadlock():
    tasks = [expanded({}, repeat=6) for _ in range(8)]
    assignments = taken(48)
    mixed = [assignments[nth::6] for nth in range(6)]
    answers = at_once(*[lambda part=part: settle(*part) for part in mixed + mixed[::-1]])
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    for task in tasks:
        assert counters(task) == (6, 6, 0, 0)
        assert lines(task, "finalizing") == 1


def test_the_close_and_its_finalize_job_are_in_one_transaction():
    task = expanded({})
    (one,) = taken(1)
    with pytest.raises(RuntimeError), transaction.atomic():
        settle(one)
        raise RuntimeError("the process dies before the commit")
    assert (fresh(task).state, finalize_jobs(task), rows(task)["running"]) == ("running", 0, 1)
    settle(one)
    assert (fresh(task).state, finalize_jobs(task)) == ("finalizing", 1)


def test_the_same_settle_twice_counts_once():
    task = expanded({}, {})
    one, _ = taken(2)
    assert settle(one).late == []
    assert len(settle(one).late) == 1
    assert counters(task) == (2, 1, 0, 0)


def test_the_same_settle_from_eight_connections_counts_once():
    task = expanded({}, {})
    one, _ = taken(2)
    answers = at_once(*[lambda: settle(one)] * 8)
    assert sorted(len(answer.late) for answer in answers) == [0] + [1] * 7
    assert counters(task) == (2, 1, 0, 0)


def test_a_late_result_changes_nothing():
    task = expanded({}, {})
    one, _ = taken(2)
    recovery.recover({one.hold.lane_id: one.hold.run}, lost=True)
    answer = settle(one, result='{"act": "stale"}')
    assert [late.assignment.child_id for late in answer.late] == [one.child_id]
    given_back = child(task, pk=one.child_id)
    assert (given_back.state, given_back.result, given_back.lost) == ("pending", {}, 1)
    assert counters(task) == (2, 0, 0, 0)


def test_a_late_result_changes_nothing_after_another_worker_took_the_child():
    task = expanded({})
    (one,) = taken(1)
    recovery.recover({one.hold.lane_id: one.hold.run}, lost=True)
    (again,) = taken(1)
    assert again.child_id == one.child_id and again.lease != one.lease
    assert len(settle(one, end=messages.FAILED, code="crashed").late) == 1
    settle(again)
    assert counters(task) == (1, 1, 0, 0)


def test_a_success_that_comes_after_the_cancel_is_cancelled():
    task = expanded({}, {})
    one, _ = taken(2)
    fanout.cancel(task)
    settle(one)
    assert child(task, pk=one.child_id).state == "cancelled"
    assert counters(task) == (2, 0, 0, 1)


@pytest.mark.parametrize("end", [messages.RETRY, messages.ADVANCED, messages.HANDED_BACK])
def test_what_would_go_on_ends_when_its_batch_is_cancelled(end):
    task = expanded({})
    (one,) = taken(1)
    fanout.cancel(task)
    settle(one, end=end, delay_s=60.0 if end == messages.RETRY else None)
    list(background.sweep_up(task.pk))
    assert counters(task) == (1, 0, 0, 1)
    assert fresh(task).state == "finalizing"


def test_a_lane_that_was_given_up_takes_nothing():
    expanded({}, {})
    hold = lanes.begin("act", "", 0, job_id=1, worker=None)
    lanes.begin("act", "", 0, job_id=2, worker=None)
    answer = ledger.trip(Work(asks=[(hold, 1)]), KNOWN)
    assert answer.taken == {} and answer.refused == {hold.lane_id}


def test_a_worker_takes_only_the_kinds_and_stages_it_knows():
    expanded({})
    hold = lanes.begin("act", "", 0, job_id=1, worker=None)
    for known in ({"noop": ["noop"]}, {"act": ["another stage"]}):
        assert ledger.trip(Work(asks=[(hold, 1)]), known).taken == {}
    assert len(ledger.trip(Work(asks=[(hold, 1)]), KNOWN).taken) == 1


def test_a_chunk_that_ends_before_the_next_is_inserted_closes_nothing():
    task = act({})
    Task.objects.filter(pk=task.pk).update(state="expanding")
    fanout.add_chunk(task, [NewChild("one")], 0)
    settle(*taken(1))
    assert not closing.close_if_whole(task.pk) and fresh(task).state == "expanding"
    fanout.add_chunk(task, [NewChild("two")], 1)
    settle(*taken(1))
    assert fresh(task).state == "expanding"
    fanout.seal(task)
    assert fresh(task).state == "finalizing"


def test_the_same_key_again_is_the_same_child():
    task = act({})
    assert fanout.add(task, [NewChild("a"), NewChild("b"), NewChild("a")]) == 2
    assert fanout.add(task, [NewChild("b"), NewChild("c")]) == 1
    assert counters(task)[0] == 3 == sum(rows(task).values())


def test_a_paused_batch_hands_out_nothing_even_if_its_share_says_otherwise():
    """A hand-back that raced with the pause may have marked the share as open: the Task's own word counts."""
    task = expanded({})
    fanout.pause(task)
    sql("UPDATE tasks_share SET held = false WHERE task_id = %s", task.pk)
    assert taken(1) == []
    fanout.resume(task)
    assert len(taken(1)) == 1


def test_counters_that_lie_low_are_healed_and_the_batch_closes():
    task = expanded({}, {})
    settle(*taken(2)[:1])
    Task.objects.filter(pk=task.pk).update(succeeded=0)
    settle(*taken(1))
    recovery.recover(dict(sql("SELECT id, run FROM tasks_lane")), lost=False)
    settle(*taken(1))
    assert (fresh(task).state, rows(task)["succeeded"]) == ("running", 2)
    drift._checked["open"] = float("-inf")
    assert "heal_drift" in sweep.sweep()
    assert (fresh(task).state, counters(task)) == ("finalizing", (2, 2, 0, 0))
    finding = Finding.objects.get(task=task)
    assert (finding.code, finding.seen_by) == ("drift", None)
    assert finding.data["before"]["succeeded"] == 1 and finding.data["after"]["succeeded"] == 2
    assert lines(task, "healed") == 1


def test_counters_that_lie_high_close_nothing_while_a_child_runs():
    """Three of four by the counters, two by the rows: the settle that seems to be the last must not end the batch."""
    task = expanded({}, {}, {}, {})
    first, second, third, last = taken(4)
    settle(first, second)
    Task.objects.filter(pk=task.pk).update(succeeded=3)
    settle(third)
    assert (fresh(task).state, counters(task), finalize_jobs(task)) == ("running", (4, 4, 0, 0), 0)
    sweep.close_whole_tasks()
    assert (fresh(task).state, child(task, pk=last.child_id).state) == ("running", "running")
    drift._checked["open"] = float("-inf")
    assert "heal_drift" in sweep.sweep()
    assert counters(task) == (4, 3, 0, 0)
    settle(last)
    assert (fresh(task).state, counters(task), finalize_jobs(task)) == ("finalizing", (4, 4, 0, 0), 1)


def test_children_of_many_batches_deleted_by_hand_in_any_order_deadlock_nobody():
    tasks = [expanded({}, repeat=40) for _ in range(4)]
    ids = [list(task.children.order_by("position").values_list("pk", flat=True)) for task in tasks]

    def delete(order: int):
        """A tenth of each batch, in one statement, its batches in this order."""
        mixed = [ids[nth][order * 4 + place] for place in range(4) for nth in ([0, 1, 2, 3], [3, 2, 1, 0])[order % 2]]
        return SubTask.objects.filter(pk__in=mixed).delete()

    answers = at_once(*[lambda order=order: delete(order) for order in range(10)])
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert [counters(task) for task in tasks] == [(0, 0, 0, 0)] * 4


def test_retry_during_every_other_verb_and_the_sweep_deadlocks_nowhere():
    """Settles, cancel, retry, seal, recovery and sweeps on the same few batches from 36 connections at once."""
    tasks = [expanded({"do": "fail"}, repeat=12) for _ in range(3)]
    assignments = taken(36)
    calls = [lambda one=one: settle(one, end=messages.FAILED, code="crashed") for one in assignments[:24]]
    calls += [sweep.sweep] * 3
    calls += [lambda task=task: fanout.cancel(task) for task in tasks]
    calls += [lambda task=task: list(background.sweep_up(task.pk)) for task in tasks]
    calls += [lambda: recovery.recover({one.hold.lane_id: one.hold.run for one in assignments[24:]}, lost=False)]
    calls += [lambda task=task: drift._heal(task.pk) for task in tasks]
    answers = at_once(*calls)
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    for task in tasks:
        list(background.sweep_up(task.pk))
        by_state = rows(task)
        assert counters(task) == (12, by_state["succeeded"], by_state["failed"], by_state["cancelled"])
        assert by_state["failed"] + by_state["cancelled"] == 12 and lines(task, "finalizing") == 1
        assert_log_has_no_gap(task)


def test_two_sweeps_at_once_are_one():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [sweep.ADVISORY_LOCK])
        try:
            assert at_once(sweep.sweep) == [[]]
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [sweep.ADVISORY_LOCK])
    assert Finding.objects.count() == 0


@pytest.mark.parametrize("fields", [{"succeeded": -1}, {"failed": 3}, {"cancelled": 1, "succeeded": 2}])
def test_the_database_refuses_counters_that_cannot_be(fields):
    task = expanded({}, {})
    with pytest.raises(IntegrityError):
        Task.objects.filter(pk=task.pk).update(**fields)
