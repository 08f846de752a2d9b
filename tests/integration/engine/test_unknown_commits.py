"""Round trips that fail, or of which nobody knows whether they were committed: repeated, and counted once."""

import pytest

from tests.integration.engine.batches import KINDS, Worker, act, counters, lines, submit, wait_for_end


@pytest.mark.parametrize("fault", ["doubt", "fail"])
def test_a_round_trip_that_fails_or_may_have_been_committed_costs_nothing(fault):
    kinds = ",".join([*KINDS, "tests.integration.engine.faults.Faulty"])
    with Worker(8, SHEAF_KINDS=kinds, SHEAF_TEST_FAULT=fault) as worker:
        task = act({"s": 0.02, "log": "once"}, *[{"do": "fail"}] * 4, repeat=12)
        relay = submit("relay", n=6, third_needs=2)
        wait_for_end(task, 40, processes=[worker])
        wait_for_end(relay, 40, processes=[worker])
        assert "cannot be reached" in worker.output
    assert counters(task) == (60, 12, 48, 0)
    assert counters(relay) == (6, 6, 0, 0)
    assert not task.children.filter(lost__gt=0).exists()
    assert set(task.children.values_list("attempt", flat=True)) == {1}
    assert lines(task, "child_lost") == 0
