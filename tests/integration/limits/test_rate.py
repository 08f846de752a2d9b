"""So many calls a minute for the whole fleet, on the database's clock."""

from tasks.models import Queue
from tests.integration.limits.conftest import queue


def rate(per_minute):
    Queue.objects.filter(pk="standin").update(rate_per_minute=per_minute, next_call_at=None)


def test_a_rate_is_kept_and_used_by_all_workers_together(service, calls, end):
    rate(300)
    assert end(calls(20, ms=10)).succeeded == 20
    began = service.stats()["began"]
    assert began[-1] >= 19 * 0.2 - 0.6  # never faster (the first call itself may have been late) ...
    assert began[-1] <= 2 * 19 * 0.2 + 2.0  # ... and not much slower, on a starved machine either
    assert max(sum(since <= at < since + 1 for at in began) for since in began) <= 5 + 2


def test_a_slow_rate_holds_no_lane_and_is_on_time_all_the_same(service, calls, end):
    rate(40)  # one in 1.5 s; lanes linger for 0.2 s only
    assert end(calls(4, ms=10)).succeeded == 4
    began = service.stats()["began"]
    gaps = [later - earlier for earlier, later in zip(began, began[1:], strict=False)]
    assert sum(gaps) >= 3 * 1.5 - 0.7 and min(gaps) >= 0.7, gaps  # one that came late makes the next gap shorter
    assert max(gaps) <= 6, gaps


def test_a_rate_and_a_limit_hold_together(service, calls, end):
    rate(1200)
    assert end(calls(30, ms=200)).succeeded == 30
    assert service.stats()["max_in_flight"] == 3


def test_an_idle_queue_saves_up_no_burst(service, calls, end):
    rate(300)
    assert end(calls(1)).succeeded == 1
    first_due = queue().next_call_at
    service.mark()
    end(calls(10, ms=5))
    began = service.stats()["began"]
    assert began[-1] >= 9 * 0.2 - 0.3
    assert queue().next_call_at > first_due
