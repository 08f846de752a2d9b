"""The table of complaints names tests that exist: a test that is renamed must not leave a promise behind."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
TABLE = TESTS / "integration" / "literature" / "README.md"


def test_every_named_test_is_there():
    named = set(re.findall(r"`(test_\w+)`", TABLE.read_text()))
    there = set(re.findall(r"def (test_\w+)", "".join(file.read_text() for file in TESTS.rglob("test_*.py"))))
    assert len(named) > 50 and not named - there


def test_all_39_complaints_have_a_row():
    numbers = re.findall(r"^\| ([\d ]+) ", TABLE.read_text(), re.M)
    assert sorted(int(number) for row in numbers for number in row.split()) == list(range(1, 40))
