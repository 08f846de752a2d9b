"""Three rounds a peer: one job (the workers are up), a sample (how fast is it?), then the measured one."""

from __future__ import annotations

import time
from collections.abc import Callable

CAP_S = 120.0
SAMPLE = 500
#: Of the time left after the sample, so much is planned for the measured round: rates vary.
PLANNED = 0.6


def rate(
    run: Callable[[int, float], None], jobs: int, *, cap_s: float = CAP_S, clock: Callable[[], float] = time.monotonic
) -> tuple[float, int]:
    """(jobs per second of the last round, its number of jobs: `jobs`, or fewer if those would not fit `cap_s`).

    `run(n, left_s)` submits n jobs and returns when all have ended; it raises AssertionError after `left_s` seconds.
    """
    deadline = clock() + cap_s

    def seconds(n: int) -> float:
        began = clock()
        run(n, max(deadline - began, 1.0))
        return clock() - began

    seconds(1)
    per_s = SAMPLE / seconds(SAMPLE)
    n = max(1, min(jobs, int(per_s * (deadline - clock()) * PLANNED)))
    return n / seconds(n), n
