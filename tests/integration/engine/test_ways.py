"""A child's way: chosen per batch and per child, kept through a deploy; and stages that are called again later."""

import dataclasses

import pytest
from django.db import transaction

from tasks import fanout
from tasks.kinds import base
from tasks.kinds.base import NewChild, Stage, kind_named
from tasks.observe import waiting
from tasks.queueing import route
from tests import kinds
from tests.integration.engine.batches import (
    Worker,
    assert_whole,
    child,
    counters,
    fresh,
    lines,
    running,
    sql,
    submit,
    wait_for_end,
)
from tests.processes import wait_until


@pytest.fixture(scope="module")
def worker(ground):
    with Worker(6) as worker:
        yield worker


def started_with(way, children):
    """A batch of Fork that a version with another list of stages started."""
    task = fanout.create("fork", title="of another version", params={"children": children})
    with transaction.atomic():
        fanout.start(task)
        sql("UPDATE tasks_task SET route = %s WHERE id = %s", way, task.pk)
    return task


def fork(**children):
    return submit("fork", children=children)


def test_a_stage_is_skipped_by_what_an_earlier_one_returned(worker):
    task = fork(scan={}, digital={"text": "words"})
    wait_for_end(task, processes=[worker])
    scan, digital = child(task, key="scan"), child(task, key="digital")
    assert scan.result["extract"] == {"from": "recognised", "passed": ["look", "recognise"]}
    assert digital.result["extract"] == {"from": "words", "passed": ["look"]}


def test_a_child_may_begin_at_a_later_stage_and_end_before_the_last(worker):
    task = fork(known={"known": "all"}, scan={})
    wait_for_end(task, processes=[worker])
    assert set(child(task, key="known").result) == {"recognise"}
    assert set(child(task, key="scan").result) == {"look", "recognise", "extract"}


def test_the_stages_are_chosen_for_each_batch_and_written_down(worker):
    task = submit("fork", children={"scan": {}}, quick=True)
    wait_for_end(task, processes=[worker])
    assert fresh(task).route == [["look", "fork-look"], ["recognise", "fork-ocr"]]
    assert set(child(task, key="scan").result) == {"look", "recognise"}


def test_a_running_batch_keeps_its_way_when_a_stage_is_inserted(worker):
    """The worker knows all three stages: the batch was started by a version that had two."""
    task = started_with('[["look", "fork-look"], ["extract", "fork-llm"]]', {"scan": {}})
    wait_for_end(task, processes=[worker])
    assert set(child(task, key="scan").result) == {"look", "extract"}


def test_a_stage_that_no_worker_knows_is_left_alone_until_one_does(worker, stack):
    task = started_with('[["look", "fork-look"], ["check", "fork-llm"]]', {"scan": {"text": "words"}})
    wait_until(lambda: task.children.filter(stage="check").exists(), processes=[worker])
    behind = fork(other={"text": "words"})
    wait_for_end(behind, processes=[worker])  # it does not stand in the way of others in its queue
    assert (child(task, key="scan").state, child(task, key="scan").attempt) == ("pending", 0)
    stack.enter_context(Worker(2, SHEAF_KINDS="tests.integration.engine.newer.NewerFork"))
    wait_for_end(task, processes=[worker])
    assert child(task, key="scan").result["check"] == {"checked": "words"}


def test_a_renamed_stage_is_found_by_its_former_name():
    renamed = tuple(
        dataclasses.replace(stage, name="read", formerly=("look",)) if stage.name == "look" else stage
        for stage in kinds.Fork.stages
    )

    class Renamed(kinds.Fork):
        stages = renamed

    kind, old = Renamed(), [["look", "fork-look"], ["extract", "fork-llm"]]
    so_far = base.ChildSoFar("a", {}, {})
    assert kind.stage("look").name == "read" and "look" in kind.known_stages({"fork-look"})
    assert route.first(kind, old, so_far) == ("read", "fork-look")
    assert route.after(kind, old, "look", so_far) == route.after(kind, old, "read", so_far) == ("extract", "fork-llm")
    assert kind.by_present_names({"look": 1, "gone": 2}) == {"read": 1, "gone": 2}


def test_a_child_that_no_stage_wants_is_named():
    kind = kind_named("fork")
    with pytest.raises(ValueError, match="no stage of"):
        route.first(kind, [["look", "fork-look"]], base.ChildSoFar("odd", {"known": "all"}, {}))


def test_stages_for_must_name_stages_of_its_kind():
    class Lost(kinds.Fork):
        def stages_for(self, task):
            return [Stage("nowhere", "fork-look", kinds.look)]

    with pytest.raises(ValueError, match="nowhere"):
        route.of(Lost(), None)


def test_children_that_are_added_later_follow_their_batch(worker):
    task = submit("fork", children={"scan": {}}, quick=True)
    wait_for_end(task, processes=[worker])
    fanout.extend(task, [NewChild("more", {})])
    wait_for_end(task, generation=2, processes=[worker])
    assert set(child(task, key="more").result) == {"look", "recognise"}


# --- Later ---


def test_a_stage_that_waits_is_called_again_with_its_state_and_burns_no_attempt(worker):
    task = submit("patient", n=3, do={"asks": 7, "s": 0.1})
    wait_for_end(task, processes=[worker])
    for one in task.children.all():
        number = one.result["remote"].pop("number")
        key = one.result["remote"].pop("key")
        assert one.result["remote"] == {"asked": 7, "state": {"remote": one.key}}
        assert number == 1 and str(one.pk) in key
        assert (one.asked, one.later_state, one.asked_since, one.stage) == (0, None, None, "rest")
    assert task.log.filter(text="submitted").count() == 3


def test_waiting_holds_no_place(worker):
    """Two places, eight children that wait for long: another batch of the same queue is done meanwhile."""
    waiting = submit("patient", n=8, do={"asks": 1, "s": 2.2})
    wait_until(lambda: waiting.children.filter(asked=1).count() == 8, processes=[worker])
    assert not running(waiting)
    assert not sql("SELECT 1 FROM tasks_lane WHERE queue_id = 'remote' AND job_id IS NOT NULL AND worker IS NULL")
    quick = submit("patient", n=4, do={"asks": 0})
    wait_for_end(quick, processes=[worker])
    assert waiting.children.filter(asked=1, state="pending").count() == 8
    wait_for_end(waiting, processes=[worker])


def test_an_error_between_two_calls_keeps_the_state(worker):
    task = submit("patient", n=1, do={"asks": 3, "s": 0.05, "fail_at": 2})
    wait_for_end(task, processes=[worker])
    assert child(task).result["remote"]["state"] == {"remote": "0"}
    assert task.log.filter(text="submitted").count() == 1


def test_it_waits_for_so_long_and_no_longer(worker):
    task = submit("hasty", n=1, do={"asks": 1_000, "s": 1.0})
    wait_for_end(task, processes=[worker])
    failed = child(task)
    assert (failed.state, failed.error_code) == ("failed", "later_too_long")
    assert failed.asked >= 2 and failed.error_data["asked"] == failed.asked + 1
    took = (failed.finished_at - failed.asked_since).total_seconds()
    assert took >= 2.5
    fanout.retry_failed(task)
    wait_until(lambda: child(task).asked == 1, processes=[worker])  # asked anew, submitted anew
    fanout.cancel(task)
    wait_until(lambda: fresh(task).is_terminal, processes=[worker])


@pytest.mark.parametrize("state", [None, 0, [1, {"a": "ä"}], "text"])
def test_any_json_is_a_state(worker, state):
    task = submit("patient", n=1, do={"asks": 2, "s": 0.05, "state": state})
    wait_for_end(task, processes=[worker])
    assert child(task).result["remote"]["state"] == state


def test_cancel_works_while_children_wait(worker):
    task = submit("patient", n=6, do={"asks": 50, "s": 2.0})
    wait_until(lambda: task.children.filter(asked=1).count() == 6, processes=[worker])
    fanout.cancel(task)
    ended = wait_until(lambda: fresh(task).is_terminal and fresh(task), 10, processes=[worker])
    assert_whole(ended)
    assert counters(task) == (6, 0, 0, 6)


def test_a_batch_that_waits_says_so_and_how_often_it_has_asked(worker):
    task = submit("patient", n=3, do={"asks": 1, "s": 60})
    wait_until(lambda: task.children.filter(asked=1).count() == 3, processes=[worker])
    (reason,) = waiting.reasons(fresh(task))
    assert (reason.code, reason.data["n"], reason.data["asked"]) == ("waiting_later", 3, 1)
    fanout.cancel(task)
    wait_until(lambda: fresh(task).is_terminal, processes=[worker])


# --- what follows, and what stops ---


def test_a_closing_step_that_runs_twice_starts_one_batch_that_follows(worker):
    first = submit("chain", n=3)
    wait_for_end(first, processes=[worker])
    (after,) = first.followers.all()
    wait_for_end(after, processes=[worker])
    assert (after.follows_generation, counters(after), after.owner) == (1, (2, 2, 0, 0), first.owner)


def test_a_batch_stops_at_its_nth_failure(worker):
    task = fanout.create(
        "act", title="stops", max_failed=3, params={"children": [{"do": "fail", "s": 0.05}], "repeat": 400}
    )
    fanout.start(task)
    ended = wait_for_end(task, processes=[worker])
    assert (ended.state, ended.error_code) == ("failed", "too_many_failed")
    assert 3 <= ended.failed < 100 and ended.cancelled == ended.total - ended.failed > 0
    assert lines(task, "too_many_failed") == 1


def test_failures_below_the_bound_stop_nothing(worker):
    task = fanout.create("act", title="goes on", max_failed=5, params={"children": [{"do": "fail"}, {}], "repeat": 4})
    fanout.start(task)
    assert wait_for_end(task, processes=[worker]).state == "completed"
    assert counters(task) == (8, 4, 4, 0)
