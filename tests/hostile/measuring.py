"""How the time of an expression grows with a hostile text."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass

from tests.hostile.found import Found
from tests.hostile.inputs import units

LARGEST = 300 * 1024
SIZES = tuple(LARGEST // 2**n for n in range(9, -1, -1))
#: A text of LARGEST that takes no longer shows a pattern that is linear enough; others are measured size by size.
QUICK_S = 0.1
#: Below this a measurement says more of the machine than of the pattern.
MEASURABLE_S = 0.01
#: Time at 2n over time at n: 2 is linear, 4 quadratic.
GROWTH = 3.0


@dataclass
class Worst:
    """The worst of all texts tried: ``growth`` is time at 2n over time at n, 1 where it is too quick to be measured;
    ``ms`` is of the largest text that was tried."""

    where: str
    growth: float = 1.0
    ms: float = 0.0
    text: str = ""


class _TooLong(Exception):
    """The time is up."""


@contextmanager
def _at_most(seconds: float):
    """CPU time; the engine of ``re`` looks for signals as it backtracks."""

    def stop(_number, _frame):
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def text_of(lead: str, body: str, end: str, size: int, as_bytes: bool) -> str | bytes:
    text = lead + body * max(1, (size - len(lead)) // len(body)) + end
    return text.encode("latin-1", "replace") if as_bytes else text


def seconds(found: Found, text: str | bytes, limit_s: float) -> float:
    """CPU time of one use, or infinite."""
    began = time.process_time()
    try:
        with _at_most(limit_s):
            if found.anchored:
                found.pattern.match(text)
            else:
                for _match in found.pattern.finditer(text):
                    pass
    except _TooLong:
        return float("inf")
    return time.process_time() - began


def worst(found: Found) -> Worst:
    """The worst of all hostile texts for one expression. Ends at the first that grows too fast."""
    out, as_bytes = Worst(found.where), isinstance(found.pattern.pattern, bytes)
    for parts in units(found.pattern):
        took = seconds(found, text_of(*parts, LARGEST, as_bytes), QUICK_S)
        if took < QUICK_S:
            if took * 1000 > out.ms:
                out.ms, out.text = took * 1000, _said(parts)
            continue
        growth, took = _growth(found, parts, as_bytes)
        if growth > out.growth:
            out = Worst(found.where, growth, max(out.ms, took * 1000), _said(parts))
        if growth > GROWTH:
            break
    return out


def _growth(found: Found, parts: tuple[str, str, str], as_bytes: bool) -> tuple[float, float]:
    """(time at 2n over time at n for the first n that can be measured, the time at 2n)."""
    for n in SIZES[:-1]:
        short = seconds(found, text_of(*parts, n, as_bytes), 1.0)
        if short == float("inf"):
            return short, 1.0
        if short > MEASURABLE_S:
            long = text_of(*parts, 2 * n, as_bytes)
            growth = took = float("inf")
            for _try in range(3):  # the least of three: another process may have had the machine
                short = min(short, seconds(found, text_of(*parts, n, as_bytes), 1.0))
                took = min(took, seconds(found, long, 10 * short + 0.1))
                growth = took / short
                if growth < GROWTH or short == float("inf"):
                    break
            return growth, took
    return 1.0, 0.0


def _said(parts: tuple[str, str, str]) -> str:
    lead, body, end = parts
    return f"{lead[:40]!r} + {body[:40]!r} * n + {end!r}"
