"""Lines of machines whose clocks differ are stored in one time, the database's."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tasks.log import joblog
from tasks.log.joblog import Line
from tests.integration.streaming.watching import running_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def write_by_a_clock(monkeypatch):
    """Write a line on a machine whose clock is so many seconds ahead; when it was stored as being said."""
    task = running_task(None)
    right = joblog.now

    def write(ahead_s: float, ago_s: float = 0):
        monkeypatch.setattr(joblog, "now", lambda: right() + timedelta(seconds=ahead_s))
        line = Line(task.pk, "said")
        line.at -= timedelta(seconds=ago_s)
        joblog.write([line])
        return task.log.latest("seq").at

    return write


@pytest.mark.parametrize("ahead_s", [3600, -3600, 86400 * 400])
def test_a_clock_that_goes_wrong_stamps_no_line_wrongly(write_by_a_clock, ahead_s):
    stored = write_by_a_clock(ahead_s, ago_s=20)
    assert abs(timezone.now() - timedelta(seconds=20) - stored) < timedelta(seconds=10)


def test_lines_of_a_fast_and_a_slow_machine_follow_each_other(write_by_a_clock):
    times = [write_by_a_clock(ahead_s) for ahead_s in (300, -300, 60, 0)]
    assert times == sorted(times)


def test_clocks_that_agree_are_left_alone(write_by_a_clock, monkeypatch):
    before = joblog.now()
    stored = write_by_a_clock(0)
    assert before <= stored <= joblog.now()
