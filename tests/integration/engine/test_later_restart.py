"""Children that wait remotely while every worker is killed: asked again by the next, with their state."""

from tests.integration.engine.batches import Worker, counters, submit, wait_for_end
from tests.processes import wait_until


def test_a_waiting_child_is_there_after_all_workers_were_killed(stack):
    first = stack.enter_context(Worker(2))
    task = submit("patient", n=5, do={"asks": 2, "s": 1.0})
    wait_until(lambda: task.children.filter(asked=1).count() == 5, processes=[first])
    first.kill()
    second = stack.enter_context(Worker(2))
    wait_for_end(task, processes=[second])
    assert task.log.filter(text="submitted").count() == 5
    assert counters(task) == (5, 5, 0, 0)
