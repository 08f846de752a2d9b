"""The breaker's decisions, without a database."""

import pytest

from tasks.errors import ServiceDown
from tasks.queueing.breaker import CLOSED, HALF_OPEN, OPEN, Breaker, after, open_s


@pytest.fixture(autouse=True)
def knobs(settings):
    settings.SHEAF_BREAKER_FAILURES, settings.SHEAF_BREAKER_OPEN_S, settings.SHEAF_BREAKER_MAX_S = 3, 5, 60


DOWN = ServiceDown("service_down", "503")
DOOR = ServiceDown("service_refused", "403", until_reset=True)


def test_failures_in_a_row_open_it():
    breaker = after(Breaker(), [DOWN], False)
    assert (breaker.state, breaker.failures) == (CLOSED, 1)
    breaker = after(after(breaker, [DOWN], False), [DOWN], False)
    assert (breaker.state, breaker.open_s, breaker.reason) == (OPEN, 5, "503")


def test_an_answer_makes_the_row_begin_anew():
    assert after(Breaker(failures=2), [], True) == Breaker()
    assert after(Breaker(failures=2), [DOWN, DOWN, DOWN], True) == Breaker()


def test_many_failures_at_once_open_it_for_the_first_time_only():
    assert after(Breaker(), [DOWN] * 30, False).open_s == 5


def test_each_failed_probe_doubles_the_time_up_to_a_bound():
    breaker, times = Breaker(OPEN, 3, 5), []
    for _ in range(6):
        breaker = after(Breaker(HALF_OPEN, breaker.failures), [DOWN], False)
        times.append(breaker.open_s)
    assert times == [10, 20, 40, 60, 60, 60]
    assert open_s(10_000) == 60


def test_a_probe_that_is_answered_closes_it():
    assert after(Breaker(HALF_OPEN, 7), [], True) == Breaker()


def test_a_probe_that_says_nothing_of_the_service_changes_nothing():
    assert after(Breaker(HALF_OPEN, 7), [], False) == Breaker(HALF_OPEN, 7)


def test_what_began_before_it_opened_says_nothing_new():
    assert after(Breaker(OPEN, 3, 4.2), [DOWN], False) == Breaker(OPEN, 3, 4.2)
    assert after(Breaker(OPEN, 3, 4.2), [], True) == Breaker(OPEN, 3, 4.2)


@pytest.mark.parametrize("state", [CLOSED, OPEN, HALF_OPEN])
def test_a_closed_door_opens_it_until_a_person_comes(state):
    breaker = after(Breaker(state, 1, 3.0 if state == OPEN else None), [DOWN, DOOR], True)
    assert (breaker.state, breaker.open_s, breaker.reason) == (OPEN, None, "403")
