"""The manager job that makes a batch's children: in chunks, sealed at the end, safe to kill, honest when it cannot."""

import pytest

from tasks import fanout
from tasks.models import LogLine
from tests.integration.engine.batches import Worker, act, counters, fresh, lines, rows, submit, wait_for_end
from tests.processes import wait_until

SILENT_S = 3  # a lane may be


@pytest.fixture(scope="module")
def workers(ground):
    hurried = {"SHEAF_CHUNK": 2, "SHEAF_LANE_STALE_S": SILENT_S}
    with Worker(8, **hurried) as one, Worker(8, **hurried) as two:
        yield one, two


def test_chunks_with_pauses_between_them_never_close_early(workers):
    task = act({}, repeat=6, pause_s=0.4)
    wait_until(lambda: rows(task)["succeeded"] >= 2, processes=workers)
    assert wait_for_end(task, processes=workers).total == 6
    said = list(task.log.filter(code__in=["sealed", "finalizing"]).order_by("seq").values_list("code", flat=True))
    assert said == ["sealed", "finalizing"]


def test_a_slow_manager_costs_its_process_no_lane(workers):
    """Its pauses are longer than a lane may stay silent, and it blocks the thread that it runs on."""
    other = submit("slow", children=[{"s": 4}] * 4)
    task = act({}, repeat=4, pause_s=0.6 * SILENT_S)  # two in a chunk
    wait_for_end(task, 30, processes=workers)
    wait_for_end(other, 30, processes=workers)
    assert not other.children.filter(lost__gt=0).exists()
    assert set(other.children.values_list("attempt", flat=True)) == {1}


def test_a_slow_closing_step_costs_its_process_no_lane(workers):
    task = act({}, complete_s=1.3 * SILENT_S)
    wait_until(lambda: fresh(task).state == "finalizing", processes=workers)
    other = submit("slow", children=[{"s": 3.5}] * 4)
    wait_for_end(other, 30, processes=workers)
    wait_for_end(task, 30, processes=workers)
    assert not other.children.filter(lost__gt=0).exists()


def test_a_list_that_cannot_be_made_fails_the_batch_with_the_reason(workers):
    task = wait_for_end(act({}, expand="raise"), processes=workers)
    assert (task.state, task.error_code, task.total) == ("failed", "expand_failed", 0)
    assert "no list today" in task.error
    assert LogLine.objects.get(task=task, code="expand_failed").data["detail"].startswith("no list today")


def test_a_batch_cancelled_while_its_list_is_made_ends(workers):
    task = act({}, repeat=40, pause_s=0.2)
    wait_until(lambda: fresh(task).total >= 2, processes=workers)
    fanout.cancel(task)
    ended = wait_for_end(task, processes=workers)
    assert ended.state == "cancelled" and ended.total < 40


def test_a_closing_step_that_fails_thrice_fails_the_batch_and_can_be_run_again(workers):
    task = wait_for_end(act({}, complete="raise"), processes=workers)
    assert (task.state, task.error_code, task.succeeded) == ("failed", "finalize_failed", 1)
    assert "no report today" in task.error
    assert lines(task, "finalize_retry") == 2
    task.params = {**task.params, "complete": ""}
    task.save(update_fields=["params"])
    assert fanout.finalize_again(task)
    wait_until(lambda: fresh(task).state == "completed", processes=workers)
    assert fresh(task).error == "" and counters(task) == (1, 1, 0, 0)
