"""A killed worker is known to be dead by its neighbours at once; a frozen one is not, and nor is one that lives."""

import signal
import uuid
from pathlib import Path

import pytest
from django.conf import settings

from tasks import fanout
from tasks.models import Lane, Queue
from tasks.models import Worker as Row
from tasks.queueing import lanes
from tasks.worker import liveness
from tests.integration.engine.batches import Worker, act, child, counters, fresh, running, sql, submit, wait_for_end
from tests.processes import wait_until

#: So long that nothing in these tests is found by a silence.
NEVER = 600


@pytest.fixture(autouse=True)
def nothing_else(empty):
    fanout.ensure_queues()
    liveness.release_the_dead()  # those of other tests


def life_of(token) -> liveness.Life:
    life = liveness.Life(str(token))
    life.begin()
    return life


def kill(life: liveness.Life) -> None:
    """As the kernel does: the lock is gone, the file is not."""
    life._file.close()


def held_lane(token) -> Lane:
    Row.objects.create(token=token, host="here", pid=1, concurrency=1)
    hold = lanes.begin("slow", "here", 0, job_id=7, worker=token)
    return Lane.objects.get(pk=hold.lane_id)


def test_the_lanes_of_the_dead_are_freed_once_and_nobody_else_s():
    dead, alive = uuid.uuid4(), uuid.uuid4()
    life, other = life_of(dead), life_of(alive)
    held_lane(dead)
    try:
        assert liveness.release_the_dead() == 0
        kill(life)
        assert [liveness.release_the_dead() for _ in range(2)] == [1, 0]
        assert not Lane.objects.filter(job_id__isnull=False).exists()
        assert not Row.objects.filter(token=dead).exists()
    finally:
        other.end()
    assert not list((settings.SHEAF_VAR / "workers").glob(f"*{alive}"))


def test_jobs_that_the_dead_ran_end_with_it():
    life = life_of(uuid.uuid4())
    ((number,),) = sql("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id")
    life.note([number])
    sql(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id)"
        " VALUES ('control', 'tasks.jobs.finalize', 'finalize/7/1', '{}', 'doing', %s)",
        number,
    )
    kill(life)
    assert liveness.release_the_dead() == 1
    assert sql("SELECT status FROM procrastinate_jobs WHERE lock = 'finalize/7/1'") == [("failed",)]


def test_who_cannot_be_freed_now_is_found_again(monkeypatch):
    token = uuid.uuid4()
    life = life_of(token)
    held_lane(token)
    kill(life)
    with monkeypatch.context() as broken:
        broken.setattr(liveness, "_END_JOBS", "SELECT no_such_column, %s")
        with pytest.raises(Exception, match="no_such_column"):
            liveness.release_the_dead()
    assert liveness.release_the_dead() == 1
    assert not Lane.objects.filter(job_id__isnull=False).exists()


@pytest.mark.parametrize("words", ["[1, 2", "[1]]", "{}", '["a"]'])
def test_words_that_were_cut_off_by_the_kill_keep_no_lane_from_being_freed(words):
    token = uuid.uuid4()
    life = life_of(token)
    held_lane(token)
    life._file.write(words)
    kill(life)
    assert liveness.release_the_dead() == 1
    assert not Lane.objects.filter(job_id__isnull=False).exists()


def test_files_that_are_nobodys_and_that_cannot_be_removed_stop_no_sweep(monkeypatch):
    strange = settings.SHEAF_VAR / "workers" / f"{liveness._boot()}.notes of a person"
    strange.touch()
    life = life_of(uuid.uuid4())
    kill(life)
    try:
        with monkeypatch.context() as somebody_else:
            somebody_else.setattr(Path, "unlink", refused)
            assert liveness.release_the_dead() == 1
        assert [liveness.release_the_dead() for _ in range(2)] == [1, 0]
        assert strange.exists()
    finally:
        strange.unlink()


def refused(path, missing_ok=False):
    raise PermissionError(f"{path} belongs to somebody else")


def test_a_file_of_another_boot_proves_nothing(monkeypatch):
    token = uuid.uuid4()
    life = life_of(token)
    lane = held_lane(token)
    kill(life)
    with monkeypatch.context() as rebooted:
        rebooted.setattr(liveness, "_boot", lambda: "another")
        assert liveness.release_the_dead() == 0
    assert Lane.objects.get(pk=lane.pk).job_id == 7
    assert liveness.release_the_dead() == 1


def test_where_there_is_no_proof_a_worker_works_all_the_same(monkeypatch):
    monkeypatch.setattr(liveness, "_boot", lambda: None)
    life = life_of(uuid.uuid4())
    life.note([1])
    life.end()
    assert liveness.release_the_dead() == 0


def test_neighbours_take_over_from_a_killed_worker_without_waiting_for_a_silence():
    """A call to a service, which by silence alone is given back after its deadline and more."""
    Queue.objects.filter(name="act").update(deadline_s=90)
    with Worker(2, SHEAF_LANE_STALE_S=NEVER) as doomed:
        task = act({"s": 80})
        wait_until(lambda: running(task), 30, processes=[doomed])
        doomed.kill()
    task.children.update(input={})
    with Worker(2, SHEAF_LANE_STALE_S=NEVER) as neighbour:
        ended = wait_for_end(task, 60, processes=[neighbour])
    assert (ended.state, counters(task), child(task).lost) == ("completed", (1, 1, 0, 0), 1)


def test_a_frozen_worker_is_not_dead():
    with Worker(2, SHEAF_LANE_STALE_S=NEVER) as frozen:
        task = submit("slow", children=[{"s": 3}])
        wait_until(lambda: running(task), 30, processes=[frozen])
        frozen.signal(signal.SIGSTOP)
        assert liveness.release_the_dead() == 0
        assert Lane.objects.filter(worker=frozen.token, job_id__isnull=False).exists()
        frozen.signal(signal.SIGCONT)
        wait_for_end(task, 40, processes=[frozen])
    assert child(task).lost == 0 and fresh(task).succeeded == 1
