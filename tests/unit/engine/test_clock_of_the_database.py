"""Machines disagree about the time: what decides when something is due asks the database's clock, on both sides."""

import re
from pathlib import Path

import pytest

import tasks.queueing

TASKS = Path(tasks.queueing.__file__).parent.parent
#: What takes, limits, renews, gives up, wakes, promotes and retries.
DECIDES = [
    TASKS / "background.py",
    TASKS / "fanout.py",
    TASKS / "jobs.py",
    *sorted((TASKS / "queueing").glob("*.py")),
    *sorted((TASKS / "upkeep").glob("*.py")),
    TASKS / "worker" / "desk.py",
    TASKS / "worker" / "heartbeat.py",
]
WALL_CLOCK = re.compile(r"\btime\.time\(|\btimezone\.now\(|\bdatetime\.(?:now|utcnow|today)\(|\bdate\.today\(")


@pytest.mark.parametrize("module", DECIDES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_what_decides_reads_no_wall_clock_of_its_machine(module):
    assert not WALL_CLOCK.search(module.read_text())


def test_the_search_finds_a_wall_clock():
    assert WALL_CLOCK.search((TASKS / "observe" / "metrics.py").read_text())
