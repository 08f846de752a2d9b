"""Control jobs whose worker dies with them: the sweep has another worker run them again, as often as makes sense."""

import time

from tasks import background
from tasks.models import Task
from tests.integration.engine.batches import Worker, act, counters, fresh, sql, submit, wait_for_end
from tests.processes import wait_until


def test_a_batch_whose_manager_was_killed_gets_every_child_exactly_once():
    with Worker(2, SHEAF_CHUNK=50) as doomed:
        task = submit("noop", n=4_000)
        wait_until(lambda: 0 < fresh(task).total < 4_000)
        doomed.kill()
    assert not fresh(task).sealed
    with Worker(8) as other:
        ended = wait_for_end(task, 120, processes=[other])
    assert (ended.state, ended.total, ended.expected) == ("completed", 4_000, 4_000)
    assert task.children.values("key").distinct().count() == 4_000
    assert counters(task) == (4_000, 4_000, 0, 0)


def test_a_closing_step_that_kills_its_worker_does_not_do_so_for_ever():
    """Its first start and its last two, of six."""
    deaths, task = 0, None
    until = time.monotonic() + 120
    while time.monotonic() < until and (task is None or not fresh(task).is_terminal):
        with Worker(1) as worker:
            task = task or act({}, complete="die")
            wait_until(lambda: worker.ended_by_itself or fresh(task).is_terminal, 60)  # noqa: B023
            deaths += worker.returncode is not None
        if deaths == 1:
            assert fresh(task).finalize_attempts == 1
            Task.objects.filter(pk=task.pk).update(finalize_attempts=background.MAX_STARTS - 2)
    ended = fresh(task)
    assert (ended.state, ended.error_code, counters(task)) == ("failed", "finalize_failed", (1, 1, 0, 0))
    assert deaths == 3


def test_a_job_that_was_fetched_and_never_arrived_blocks_nothing():
    """Its fetch was committed, but the answer was lost: procrastinate calls it running, and it holds the lock."""
    with Worker(2) as worker:
        wait_for_end(act({}), processes=[worker])
        task = submit("noop", n=0)
        wait_for_end(task, processes=[worker])
        mine = (
            "SELECT id FROM procrastinate_workers ORDER BY last_heartbeat DESC LIMIT 2"  # the dead of other tests stay
        )
        for (procrastinate_worker,), name in zip(sql(mine), ("expand", "lane"), strict=True):
            lock = "act/199" if name == "lane" else "expand/424242"
            sql(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id)"
                " VALUES (%s, %s, %s, '{}', 'doing', %s)",
                "lane:act" if name == "lane" else "control",
                f"tasks.jobs.{name}",
                lock,
                procrastinate_worker,
            )
        stuck = (
            "SELECT count(*) FROM procrastinate_jobs WHERE lock IN ('act/199', 'expand/424242') AND status = 'doing'"
        )
        wait_until(lambda: sql(stuck)[0][0] == 0, processes=[worker])
