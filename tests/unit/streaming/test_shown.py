"""The parts of a page: what is sent to whom has the latest rendering, the one before, or none."""

from __future__ import annotations

import random

import pytest

from streaming.shown import edits


def applied(lines: list[str], changes: list[list]) -> list[str]:
    """As web/parts.js does it."""
    lines = list(lines)
    for begin, end, other in changes:
        lines[begin:end] = other
    return lines


@pytest.mark.parametrize("seed", range(20))
def test_edits_turn_one_rendering_into_the_next(seed):
    dice = random.Random(seed)
    before = [str(dice.randrange(9)) for _ in range(dice.randrange(40))]
    after = [line for line in before if dice.random() < 0.8]
    for _ in range(5):
        after.insert(dice.randrange(len(after) + 1), "new")
    assert applied(before, edits(before, after)) == after


def test_one_changed_row_is_all_that_travels():
    before = [f"<li>{n} waits</li>" for n in range(50)]
    after = [*before[:20], "<li>20 succeeded</li>", *before[21:]]
    assert edits(before, after) == [[20, 21, ["<li>20 succeeded</li>"]]]
