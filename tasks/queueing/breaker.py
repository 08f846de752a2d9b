"""When a queue stops asking its service, and when it asks again: one breaker for the whole fleet.

::

            enough failures in a row                      its time is over: one child probes
    closed ──────────────────────────▶ open (for a while) ──────────────────────────────────▶ half_open
       ▲                                    ▲      │ 401, 402, 403, quota                      │      │
       │                                    │      ▼                                           │      │
       ├──────────── a person ─────── open (until a person resets it)                          │      │
       │                                    └──────────────── the probe failed: twice as long ─┘      │
       └─────────────────────────────────────── the service answered the probe ──────────────────────┘

An answer to any child of the fleet makes a row of failures start anew, so one child that always runs into the
deadline closes no queue while others are served. What comes in while it is open had begun before, and says nothing new.
This module decides; ``tasks.queueing.limits`` keeps the outcome in the queue's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings

from tasks.errors import ServiceDown

CLOSED, OPEN, HALF_OPEN = "closed", "open", "half_open"


@dataclass(frozen=True)
class Breaker:
    """``failures``: in a row. ``open_s``: how long it stays open; None while open: until a person resets it."""

    state: str = CLOSED
    failures: int = 0
    open_s: float | None = None
    reason: str = ""


def after(breaker: Breaker, troubles: Sequence[ServiceDown], answered: bool) -> Breaker:
    """The breaker after some children ended: why the service failed some, whether it answered another."""
    if door := next((trouble for trouble in troubles if trouble.until_reset), None):
        return Breaker(OPEN, breaker.failures + 1, None, door.message)
    if breaker.state == OPEN or not (troubles or answered):
        return breaker
    if answered:
        return Breaker()
    if breaker.state == CLOSED:
        failures = breaker.failures + len(troubles)
        if failures < settings.SHEAF_BREAKER_FAILURES:
            return replace(breaker, failures=failures)
        failures = settings.SHEAF_BREAKER_FAILURES
    else:
        failures = breaker.failures + 1
    return Breaker(OPEN, failures, open_s(failures), troubles[-1].message)


def open_s(failures: int) -> float:
    """How long it stays open: twice as long after each probe that failed."""
    doublings = min(30, max(0, failures - settings.SHEAF_BREAKER_FAILURES))
    return min(settings.SHEAF_BREAKER_MAX_S, settings.SHEAF_BREAKER_OPEN_S * 2**doublings)
