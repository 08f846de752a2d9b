"""Workers that are killed, frozen or told to stop in the middle of their work: nothing is lost or counted twice."""

import signal
import threading

import pytest

from tasks import fanout
from tasks.models import Lane, Queue
from tasks.queueing import lanes
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


@pytest.fixture(autouse=True)
def short_deadline():
    """A lost call to a service is waited for as long as it may take: not long, here."""
    fanout.ensure_queues()
    Queue.objects.filter(name="act").update(deadline_s=1)


class Fleet:
    """Workers of which each that dies is replaced and its lanes freed, as a supervisor does."""

    def __init__(self, n: int, concurrency: int = 4):
        self.workers, self.deaths, self._concurrency = [Worker(concurrency) for _ in range(n)], 0, concurrency

    def __enter__(self):
        for worker in self.workers:
            worker.__enter__()
        return self

    def __exit__(self, *_):
        for worker in self.workers:
            worker.__exit__()

    def keep(self) -> None:
        """Replace the dead."""
        for nth, worker in enumerate(self.workers):
            if worker.returncode is not None:
                worker.__exit__()
                lanes.release(worker.token)
                self.deaths += 1
                self.workers[nth] = Worker(self._concurrency).__enter__()


def wait_with(fleet, task, timeout=60):
    wait_until(lambda: fleet.keep() or fresh(task).is_terminal, timeout, what="the batch to end")
    return wait_for_end(task)


def test_a_worker_killed_in_the_middle_of_200_costs_nothing():
    with Worker(8) as doomed, Worker(4) as other:
        task = act({"s": 0.02}, repeat=200)
        wait_until(lambda: rows(task)["succeeded"] >= 60 and Lane.objects.filter(worker=doomed.token).exists())
        doomed.kill()
        ended = wait_for_end(task, 30, processes=[other])
    assert (ended.state, counters(task)) == ("completed", (200, 200, 0, 0))
    assert set(task.children.values_list("lost", flat=True)) <= {0, 1}


def test_every_worker_killed_at_once_and_started_again_costs_nothing():
    with Worker(4) as one, Worker(4) as two:
        task = act({"s": 0.1}, repeat=40)
        wait_until(lambda: rows(task)["succeeded"] >= 5)
        one.kill()
        two.kill()
    with Worker(8) as third:
        wait_for_end(task, 30, processes=[third])
    assert counters(task) == (40, 40, 0, 0)


def test_a_child_that_kills_its_worker_fails_alone_and_the_fleet_goes_on():
    with Fleet(2) as fleet:
        task = submit("slow", children=[{"do": "die", "s": 0.1}, *[{"s": 0.05}] * 40])
        ended = wait_with(fleet, task)
    assert ended.state == "completed"
    assert counters(task) == (41, 40, 1, 0)
    poison = child(task, key="0.0")
    assert (poison.state, poison.error_code, poison.lost) == ("failed", "worker_lost", 3)
    assert fleet.deaths == 3


def test_a_child_that_kills_its_worker_takes_no_short_neighbour_with_it():
    with Fleet(2) as fleet:
        wait_for_end(act({}, repeat=100), processes=fleet.workers)
        task = act(*[{}] * 20, {"do": "die"}, *[{}] * 60)
        wait_with(fleet, task)
    assert counters(task) == (81, 80, 1, 0)


def test_a_worker_frozen_for_longer_than_every_timeout_takes_nothing_and_its_results_are_dropped():
    """Both do the same child; the one that was given up comes back first with a result, which changes nothing."""
    with Worker(2) as frozen:
        task = submit("slow", children=[{"s": 1.0}])
        wait_until(lambda: running(task))
        frozen.signal(signal.SIGSTOP)
        with Worker(2) as other:
            wait_until(lambda: child(task).lost == 1, 30, processes=[other])
            wait_until(lambda: running(task), 30, processes=[other])
            lease = child(task).lease
            frozen.signal(signal.SIGCONT)
            wait_until(lambda: "too late" in frozen.output or "ours no more" in frozen.output, 30)
            ended = wait_for_end(task, processes=[other])
            assert child(task).lease == lease
    assert (ended.succeeded, ended.failed) == (1, 0)


def test_a_batch_goes_on_while_a_worker_is_frozen_and_after_it_wakes():
    with Worker(4) as frozen, Worker(4):
        task = submit("slow", children=[{"s": 0.1}] * 80)
        wait_until(lambda: rows(task)["succeeded"] >= 8)
        frozen.signal(signal.SIGSTOP)
        thaw = threading.Timer(6, lambda: frozen.signal(signal.SIGCONT))
        thaw.start()
        wait_for_end(task, 30)
        thaw.join()
    assert counters(task) == (80, 80, 0, 0)


def test_a_worker_told_to_stop_hands_back_and_the_attempt_is_not_counted():
    with Worker(2, SHEAF_STOP_S=0.3) as worker:
        task = submit("slow", children=[{"s": 30}])
        wait_until(lambda: running(task))
        worker.terminate()
        assert worker.wait() == 0
    back = child(task)
    assert (back.state, back.attempt, back.lost) == ("pending", 0, 0)
    assert fresh(task).state == "running"
    assert not Lane.objects.filter(job_id__isnull=False).exists()
    task.children.update(input={})
    with Worker(2) as worker:
        assert wait_for_end(task, processes=[worker]).succeeded == 1
    assert child(task).attempt == 1


def test_a_worker_told_to_stop_lets_what_is_nearly_done_end():
    with Worker(2, SHEAF_STOP_S=15) as worker:
        task = submit("slow", children=[{"s": 0.8}, *[{"s": 0.8}] * 20])
        wait_until(lambda: running(task, 2))
        worker.terminate()
        assert worker.wait() == 0
    assert rows(task) == {"succeeded": 2, "pending": 19}
    assert counters(task) == (21, 2, 0, 0)
    assert not task.children.filter(lost__gt=0).exists() and lines(task, "child_lost") == 0
