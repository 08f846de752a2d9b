"""A service in trouble is left alone by the whole fleet, and its children wait without paying."""

import time

import pytest

from tasks.queueing import limits
from tests.integration.limits.conftest import queue
from tests.processes import wait_until


def attempts(task):
    return set(task.children.values_list("attempt", flat=True))


def test_a_closed_door_is_knocked_at_once_a_lane_and_then_waits_for_a_person(service, calls, end):
    service.weather(do="403")
    task = calls(30)
    wait_until(lambda: queue().breaker == "open", what="the breaker to open")
    time.sleep(1.5)  # three sweeps, and every child's back-off: whoever would knock again had the time to
    assert service.stats()["calls"] <= 3 + 1
    assert (queue().breaker, queue().breaker_until) == ("open", None)
    assert "403" in queue().breaker_reason
    service.weather()
    limits.reset_breaker("standin")
    assert end(task).succeeded == 30
    assert attempts(task) == {1}


@pytest.mark.parametrize("down", ["503", "refused"])
def test_a_service_that_is_down_costs_no_child_an_attempt(service, calls, end, down):
    task = calls(60, ms=20)
    wait_until(lambda: service.stats()["calls"] > 6, what="the first calls")
    if down == "refused":
        service.control("deaf", s=3)
    else:
        service.weather(do="503")
    wait_until(lambda: queue().breaker == "open", what="the breaker to open")
    service.mark() if down == "503" else None
    until = time.monotonic() + 2.5
    wait_until(lambda: time.monotonic() > until, 10)
    if down == "503":
        assert service.stats()["calls"] < 10  # probes alone, fewer and fewer
        service.weather()
    assert end(task).succeeded == 60
    # A call that waited to be accepted just as the door closed is reset, not refused, and a reset burns an attempt
    reset = task.children.filter(attempt__gt=1).count()
    assert reset <= (3 if down == "refused" else 0), f"{reset} of 60 were tried again"
    assert (queue().breaker, queue().breaker_failures) == ("closed", 0)


def test_a_service_that_comes_back_is_asked_by_one_child_first(service, calls, end):
    service.weather(do="503")
    task = calls(30, ms=20)
    wait_until(lambda: queue().breaker == "open", what="the breaker to open")
    service.weather(do="ok", ms=700)
    service.mark()
    wait_until(lambda: service.stats()["in_flight"], what="the probe")
    wait_until(lambda: queue().breaker == "closed", what="the breaker to close")
    assert service.stats()["began"][0:2][-1] == 0 or service.stats()["began"][1] >= 0.65
    service.weather()
    assert end(task).succeeded == 30


def test_one_child_that_hangs_closes_no_queue_while_others_are_served(service, calls, end):
    queue_row = queue()
    queue_row.deadline_s = 1
    queue_row.save(update_fields=["deadline_s"])
    task = calls(queries=[{"do": "hang"}] * 2 + [{"ms": 50}] * 120)
    seen = set()

    def ended():
        seen.add(queue().breaker)
        return task.children.filter(state__in=["pending", "running"]).count() == 0

    wait_until(ended, 60, what="the batch to end")
    task = end(task)
    assert (task.succeeded, task.failed) == (120, 2)
    assert seen == {"closed"}
    assert set(task.children.filter(state="failed").values_list("error_code", "attempt")) == {("service_slow", 3)}


def test_a_service_that_hangs_for_everybody_opens_the_breaker(service, calls):
    queue_row = queue()
    queue_row.deadline_s = 1
    queue_row.save(update_fields=["deadline_s"])
    service.weather(do="hang")
    calls(30)
    wait_until(lambda: queue().breaker == "open", what="the breaker to open")
    assert queue().breaker_until is not None


def test_retry_after_is_obeyed_by_the_whole_fleet(service, calls, end):
    service.weather(do="429", retry_after="2")
    task = calls(20, ms=10)
    wait_until(lambda: queue().next_call_at is not None, what="the pause to be known")
    service.weather()
    assert end(task).succeeded == 20
    began = service.stats()["began"]
    early = [at for at in began if at < 1.5]
    assert len(early) <= 3 + 1
    assert min(at for at in began if at >= 1.5) >= 1.9
    assert attempts(task) == {1}
