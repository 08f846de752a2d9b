"""Regular expressions meet hostile text: what runs in our own processes stays linear, what runs in a killable child
ends long before its time is up.

Each expression gets texts of up to 300 KiB made from its own parts (tests/hostile).
"""

from __future__ import annotations

import logging
import time

import pytest

from config.logs import LONGEST, MaskingFormatter
from tasks.log.masking import masked
from tests.hostile.found import Found, everything_afresh
from tests.hostile.inputs import units
from tests.hostile.measuring import GROWTH, seconds, text_of, worst

#: Runs in the isolated child alone: a hostile file costs itself, within a clock and a share of the processor.
IN_THE_CHILD = (
    "tasks.kinds.literature.reading.",
    "tasks.kinds.literature.references.",
    "tasks.kinds.literature.samples",
)
#: Of one line or value there.
LONG_LINE = 1024
LONG_LINE_S = 1.0


@pytest.fixture(scope="module")
def expressions() -> list[Found]:
    return everything_afresh()


def in_the_child(found: Found) -> bool:
    return found.where.startswith(IN_THE_CHILD)


def test_the_walk_finds_them(expressions):
    assert len(expressions) > 300
    assert {"tasks.log.colours:_SGR", "tasks.log.joblog:_NUL"} <= {one.where for one in expressions}
    assert any(one.where.startswith("tasks.kinds.literature.record:") and one.uses == {"sub"} for one in expressions)


def test_what_meets_text_in_our_own_processes_is_linear(expressions):
    slow = [one for one in map(worst, (e for e in expressions if not in_the_child(e))) if one.growth > GROWTH]
    assert not slow, "\n".join(f"{one.where}: {one.growth:.1f} times at twice the length of {one.text}" for one in slow)


def test_none_in_the_child_runs_away(expressions):
    slow = []
    for one in filter(in_the_child, expressions):
        as_bytes = isinstance(one.pattern.pattern, bytes)
        for parts in units(one.pattern):
            if seconds(one, text_of(*parts, LONG_LINE, as_bytes), LONG_LINE_S) > LONG_LINE_S:
                slow.append(f"{one.where}: {parts}")
                break
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize("text", ["sk-" * 100_000 + "!", "eyJ-" * 75_000 + "!", "://a:" * 60_000, "bearer " * 43_000])
def test_masking_a_long_text_takes_time_like_its_length(text):
    """At twice the length twice the time, and not four times."""

    def took(size: int) -> float:
        began = time.process_time()
        masked(text[:size])
        return time.process_time() - began

    masked("warm")
    half, whole = (min(took(size) for _ in range(3)) for size in (len(text) // 2, len(text)))
    assert whole < 3 * half + 0.01


def test_a_message_is_cut_before_it_is_masked():
    record = logging.LogRecord("x", logging.WARNING, "x", 1, "Not Found: /%s", ("a" * 300_000,), None)
    assert len(MaskingFormatter("%(message)s").format(record)) < LONGEST + 100
