"""More children for a Task that runs or has ended: counted, closed once, and only where they can still be taken."""

import pytest

from tasks import background, fanout
from tasks.errors import Refused
from tasks.kinds.base import NewChild
from tasks.models import Queue
from tests.integration.engine.batches import assert_log_has_no_gap, at_once, counters, fresh, lines, rows, sql
from tests.integration.engine.test_last_child import KNOWN, expanded, finalize_jobs, settle, taken

MORE = [NewChild("more 1"), NewChild("more 2")]


@pytest.fixture(autouse=True)
def queue(empty):
    fanout.ensure_queues()
    Queue.objects.filter(name="act").update(limit=200)


def ended(*children):
    task = expanded(*children)
    settle(*taken(len(children)))
    background.finalize(task.pk, task.generation)
    sql("DELETE FROM procrastinate_jobs")
    return fresh(task)


def test_an_ended_batch_goes_on_in_its_next_generation_and_ends_once_more():
    task = ended({}, {})
    assert task.state == "completed"
    assert fanout.extend(task, MORE) == 2
    task = fresh(task)
    assert (task.state, task.generation, task.sealed, task.expected) == ("running", 2, True, 4)
    assert set(task.children.filter(key__startswith="more").values_list("generation", "position")) == {(2, 3), (2, 4)}
    settle(*taken(2))
    assert counters(task) == (4, 4, 0, 0) and fresh(task).state == "finalizing" and finalize_jobs(task) == 1
    assert lines(task, "extended") == 1
    assert_log_has_no_gap(task)


def test_a_running_batch_takes_more_into_the_run_under_way():
    task = expanded({}, {})
    first = taken(1)
    fanout.extend(task, MORE[:1])
    assert (fresh(task).generation, fresh(task).sealed, counters(task)) == (1, True, (3, 0, 0, 0))
    settle(*first)
    settle(*taken(2))
    assert fresh(task).state == "finalizing" and finalize_jobs(task) == 1


def test_while_failed_ones_are_moved_back_more_may_come_and_nothing_closes_early():
    task = expanded({}, {})
    settle(*taken(2), end="failed", code="boom")
    background.finalize(task.pk, 1)
    fanout.retry_failed(task)
    fanout.extend(task, MORE[:1])
    assert (fresh(task).sealed, fresh(task).generation) == (False, 2)
    settle(*taken(1))
    assert fresh(task).state == "running"
    for _ in background.sweep_up(task.pk):
        pass
    settle(*taken(2))
    assert fresh(task).state == "finalizing" and counters(task) == (3, 3, 0, 0)


@pytest.mark.parametrize("state", ["draft", "expanding", "cancelling", "finalizing"])
def test_in_between_nothing_is_added(state):
    task = fanout.create("act", params={"children": [{}], "repeat": 1})
    if state != "draft":
        fanout.start(task)
    if state == "cancelling":
        fanout.cancel(task)
    if state == "finalizing":
        task = expanded({})
        settle(*taken(1))
    before = rows(task)
    with pytest.raises(Refused, match="not_ended"):
        fanout.extend(fresh(task), MORE)
    assert fresh(task).state == state and rows(task) == before


def test_what_is_there_already_changes_nothing():
    task = ended({})
    fanout.extend(task, MORE)
    settle(*taken(2))
    background.finalize(task.pk, 2)
    with pytest.raises(Refused, match="nothing_new"):
        fanout.extend(task, MORE)
    assert (fresh(task).state, fresh(task).generation) == ("completed", 2)


def test_many_who_extend_at_once_while_the_last_child_ends_lose_nothing():
    task = expanded({})
    (last,) = taken(1)
    answers = at_once(
        lambda: settle(last), *[lambda n=n: fanout.extend(fresh(task), [NewChild(f"more {n}")]) for n in range(8)]
    )
    refused = [answer for answer in answers if isinstance(answer, Exception)]
    assert all(isinstance(one, Refused) for one in refused)
    added = 8 - len(refused)
    assert sum(rows(task).values()) == counters(task)[0] == 1 + added
    if added:
        settle(*taken(added))
    assert counters(task) == (1 + added, 1 + added, 0, 0) and fresh(task).state == "finalizing"
    assert KNOWN
