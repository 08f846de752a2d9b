"""Machines disagree about the time: what decides when something is due asks the database's clock, on both sides."""

import re
from pathlib import Path

import pytest

from tasks import limits

TASKS = Path(limits.__file__).parent
#: What takes, limits, renews, gives up, wakes, promotes and retries.
DECIDES = (
    "background", "breaker", "closing", "control", "desk", "drift", "fanout", "handover", "heartbeat", "lanes",
    "ledger", "limits", "old_transactions", "recovery", "retention", "shares", "sweep", "taking", "wake",
)  # fmt: skip
WALL_CLOCK = re.compile(r"\btime\.time\(|\btimezone\.now\(|\bdatetime\.(?:now|utcnow|today)\(|\bdate\.today\(")


@pytest.mark.parametrize("module", DECIDES)
def test_what_decides_reads_no_wall_clock_of_its_machine(module):
    assert not WALL_CLOCK.search((TASKS / f"{module}.py").read_text())


def test_the_search_finds_a_wall_clock():
    assert WALL_CLOCK.search((TASKS / "metrics.py").read_text())
