"""The sweep finds what a crash between two steps left, heals it once, and gives up nobody too early."""

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now

from tasks import background, fanout
from tasks.models import Finding, Lane, Queue, Task
from tasks.queueing import lanes, ledger
from tasks.queueing.messages import Work
from tasks.upkeep import drift, sweep
from tests.integration.engine.batches import act, at_once, child, counters, fresh, rows, sql

KNOWN = {"act": ["act"], "slow": ["slow"]}


@pytest.fixture(autouse=True)
def quick(empty, settings):
    settings.SHEAF_LANE_STALE_S = 2
    fanout.ensure_queues()
    sweep._out_of_touch = sweep._last_tried = float("-inf")
    for which in drift._checked:
        drift._checked[which], drift._from[which] = time.monotonic(), 0


@pytest.fixture
def settings():
    """pytest-django's own would be put back before the module's ground is left."""
    from django.test import override_settings

    class Changes:
        def __setattr__(self, name, value):
            change = override_settings(**{name: value})
            change.enable()
            made.append(change)

    made = []
    yield Changes()
    for change in made:
        change.disable()


def jobs(name: str, status: str = "todo") -> int:
    return sql(
        "SELECT count(*) FROM procrastinate_jobs WHERE task_name = %s AND status = %s::procrastinate_job_status",
        f"tasks.jobs.{name}",
        status,
    )[0][0]


def running_batch(queue: str = "act"):
    """(Task, Lane) of a batch of two of which one runs, in a lane with a job that runs."""
    task = fanout.create(queue, params={"children": [{}, {}]})
    fanout.start(task)
    list(background.expand(task.pk))
    sql("DELETE FROM procrastinate_jobs")
    ((job,),) = sql(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status)"
        " VALUES ('lane', 'tasks.jobs.lane', 'x', '{}', 'doing') RETURNING id"
    )
    host = "here" if queue == "slow" else ""
    hold = lanes.begin(queue, host, 0, job_id=job, worker=None)
    ledger.trip(Work(asks=[(hold, 1)]), KNOWN)
    assert rows(task)["running"] == 1
    return task, Lane.objects.get(pk=hold.lane_id)


def silent_for(lane: Lane, seconds: float) -> None:
    Lane.objects.filter(pk=lane.pk).update(seen_at=Now() - timedelta(seconds=seconds))


def server_started_long_ago(monkeypatch):
    monkeypatch.setattr(sweep, "_server_is_new", lambda: False)


@pytest.mark.parametrize(
    ("state", "job"), [("expanding", "expand"), ("finalizing", "finalize"), ("cancelling", "sweep_up")]
)
def test_a_batch_whose_job_was_lost_gets_it_again_once(state, job):
    Task.objects.create(kind="act", state=state, sealed=state == "finalizing")
    assert "defer_missing_jobs" in sweep.sweep()
    assert "defer_missing_jobs" not in sweep.sweep()
    assert jobs(job) == 1


def test_a_batch_that_is_whole_and_open_is_closed_by_one_of_many_sweeps():
    task = Task.objects.create(kind="act", state="running", sealed=True)
    assert sorted(at_once(*[lambda: sweep._close(task.pk)] * 8)) == [False] * 7 + [True]
    assert fresh(task).state == "finalizing" and jobs("finalize") == 1
    assert task.log.filter(code="finalizing").count() == 1


def test_one_rule_that_fails_keeps_no_other_from_its_work(monkeypatch):
    def broken():
        raise RuntimeError("a row that nobody thought of")

    task = Task.objects.create(kind="act", state="running", sealed=True)
    monkeypatch.setattr(sweep, "RULES", (broken, *sweep.RULES))
    assert "close_whole_tasks" in sweep.sweep()
    assert fresh(task).state == "finalizing"


def test_a_database_that_dies_in_the_middle_of_a_sweep_leaves_nothing_half_done(monkeypatch):
    tasks = [Task.objects.create(kind="act", state="running", sealed=True) for _ in range(3)]
    close, closed = sweep.closing.close_if_whole, []

    def close_and_die(task_id):
        """The second is closed, and the server's session ends before the commit."""
        closed.append(close(task_id))
        if len(closed) == 2:
            sql("SELECT pg_terminate_backend(pg_backend_pid())")
        return closed[-1]

    monkeypatch.setattr(sweep.closing, "close_if_whole", close_and_die)
    with pytest.raises(sweep.UNAVAILABLE):
        sweep.sweep()
    connection.close()
    assert [fresh(task).state for task in tasks].count("finalizing") == jobs("finalize") == 1
    assert "close_whole_tasks" in sweep.sweep()  # its lock went with its session
    assert [fresh(task).state for task in tasks] == ["finalizing"] * 3
    assert jobs("finalize") == 3
    assert [task.log.filter(code="finalizing").count() for task in tasks] == [1, 1, 1]


def test_local_work_is_given_up_as_soon_as_its_lane_is_stale(monkeypatch):
    server_started_long_ago(monkeypatch)
    task, lane = running_batch("slow")
    silent_for(lane, 1)
    assert sweep.give_up_stale_lanes() == 0
    silent_for(lane, 3)
    assert sweep.give_up_stale_lanes() == 1
    assert rows(task) == {"pending": 2} and child(task, lost=1)
    assert jobs("lane", "doing") == 0


def test_a_call_to_a_service_is_given_up_only_when_its_deadline_is_over_too(monkeypatch):
    server_started_long_ago(monkeypatch)
    task, lane = running_batch("act")
    silent_for(lane, 6)  # stale after 2, but a call may take 5
    assert sweep.give_up_stale_lanes() == 0
    silent_for(lane, 8)
    assert sweep.give_up_stale_lanes() == 1
    assert rows(task) == {"pending": 2}


def test_a_lane_whose_job_has_ended_needs_no_deadline(monkeypatch):
    server_started_long_ago(monkeypatch)
    task, lane = running_batch("act")
    sql("UPDATE procrastinate_jobs SET status = 'failed' WHERE id = %s", lane.job_id)
    silent_for(lane, 3)
    assert sweep.give_up_stale_lanes() == 1
    assert rows(task) == {"pending": 2}


def test_after_an_absence_everybody_gets_the_time_to_renew(monkeypatch):
    server_started_long_ago(monkeypatch)
    task, lane = running_batch("slow")
    silent_for(lane, 60)
    sweep._last_tried = time.monotonic() - 60  # this process was frozen, or the database was away
    sweep.sweep()
    assert rows(task)["running"] == 1


def test_a_server_that_has_just_started_tells_nothing_about_lanes(monkeypatch):
    task, lane = running_batch("slow")
    silent_for(lane, 60)
    monkeypatch.setattr(sweep, "_server_is_new", lambda: True)
    assert sweep.give_up_stale_lanes() == 0
    assert rows(task)["running"] == 1


def test_two_who_give_up_the_same_lane_count_one_loss(monkeypatch):
    task, lane = running_batch("slow")
    silent_for(lane, 60)
    lane.refresh_from_db()
    assert sorted(at_once(*[lambda: lanes.abandon(lane)] * 6)) == [False] * 5 + [True]
    assert sorted(task.children.values_list("lost", flat=True)) == [0, 1]


def test_running_children_of_a_queue_that_was_deleted_come_back():
    task, lane = running_batch("act")
    Queue.objects.filter(name="act").delete()
    task.children.filter(state="running").update(started_at=Now() - timedelta(seconds=5))
    assert "recover_orphans" in sweep.sweep()
    assert rows(task) == {"pending": 2}


def test_children_above_a_lowered_limit_come_back_when_their_worker_died(monkeypatch):
    server_started_long_ago(monkeypatch)
    task, lane = running_batch("act")
    Queue.objects.filter(name="act").update(limit=0)
    silent_for(lane, 60)
    assert sweep.give_up_stale_lanes() == 1
    assert rows(task) == {"pending": 2}


def test_counters_that_lie_are_healed_and_said_in_red():
    task, _ = running_batch("act")
    Task.objects.filter(pk=task.pk).update(total=7, failed=2)
    drift._checked["open"] = float("-inf")
    assert "heal_drift" in sweep.sweep()
    assert counters(task) == (2, 0, 0, 0)
    finding = Finding.objects.get(task=task)
    assert finding.code == "drift" and finding.seen_by is None and finding.data["before"]["total"] == 7
    drift._checked["open"] = float("-inf")
    assert "heal_drift" not in sweep.sweep()


def ended_batch() -> Task:
    task = act({}, {})
    list(background.expand(task.pk))
    task.children.update(state="succeeded")
    for state in ("finalizing", "completed"):
        Task.objects.filter(pk=task.pk).update(state=state, succeeded=2)
    return fresh(task)


def test_counters_of_a_batch_that_has_ended_are_healed_too():
    untouched, task = ended_batch(), ended_batch()
    Task.objects.filter(pk=task.pk).update(succeeded=1, failed=1)
    drift._checked["ended"] = float("-inf")
    assert "heal_drift_of_the_ended" in sweep.sweep()
    assert (counters(task), fresh(task).state) == ((2, 2, 0, 0), "completed")
    assert Finding.objects.get().task_id == task.pk != untouched.pk


def test_the_walk_through_what_has_ended_takes_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(drift, "CHILDREN", 3)
    tasks = [ended_batch() for _ in range(5)]
    Task.objects.filter(pk=tasks[4].pk).update(succeeded=1, failed=1)
    healed = []
    for _ in range(3):
        drift._checked["ended"] = float("-inf")
        healed.append(drift.heal_drift_of_the_ended())
    assert healed == [0, 0, 1]


def test_children_put_into_a_batch_that_has_ended_are_said_once():
    task = ended_batch()
    child(task, key="0.0")
    task.children.filter(key="0.0").update(state="pending")
    for _ in range(2):
        drift._checked["ended"], drift._from["ended"] = float("-inf"), 0
        sweep.sweep()
    assert Finding.objects.get(task=task).code == "unsettled"
    assert counters(task) == (2, 2, 0, 0)


def test_a_frozen_run_of_retry_reaches_into_no_later_generation():
    task = act({})
    list(background.expand(task.pk))
    task.children.update(state="failed", error_code="crashed")
    Task.objects.filter(pk=task.pk).update(failed=1)
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    Task.objects.filter(pk=task.pk).update(state="completed")
    fanout.retry_failed(fresh(task))
    frozen = fresh(task)
    Task.objects.filter(pk=task.pk).update(generation=3)
    assert background.reopen_chunk(frozen) == 0
    assert rows(task) == {"failed": 1} and counters(task) == (1, 0, 1, 0)
