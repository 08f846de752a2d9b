"""Runs one stage of one child: deadline, log, isolation, and what its ending means.

Three things may stop it from outside, each with its own ending: its Task was cancelled (cancelled), the worker stops
(handed back, the attempt is not counted), its lane is ours no more (dropped: somebody else has the child by now).
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings

from tasks.errors import ChildError, LaneStale, Permanent, ServiceDown, Transient
from tasks.kinds.base import ChildSoFar, Kind, Later, Stage
from tasks.log.colours import Colours
from tasks.log.joblog import Line, storable_json
from tasks.log.masking_stream import MaskingStream
from tasks.queueing import messages, route
from tasks.queueing.messages import Assignment, Outcome
from tasks.sandbox.isolate import Isolate, IsolateError
from tasks.states import Level
from tasks.threads import DatabaseThread

logger = logging.getLogger(__name__)

MAX_BACKOFF_S = 300
SOONEST_LATER_S = 0.1
STALE_PAUSE_S = 1.0  # a child whose lane was not renewed in time comes back after this: renewal is due by then
STOPPED_CANCELLED, STOPPED_BY_WORKER, STOPPED_LOST = "cancelled", "worker stops", "lane lost"


class Running:
    """The running attempt, as its stage sees it (``kinds.base.Attempt``)."""

    def __init__(
        self,
        assignment: Assignment,
        params: dict,
        log: Callable[[Line], None],
        db: DatabaseThread,
        isolates: Isolate,
        is_fresh: Callable[[], bool],
    ):
        self.task_id, self.child_id, self.key = assignment.task_id, assignment.child_id, assignment.key
        self.stage, self.number = assignment.stage, assignment.number
        self.input, self.params, self.results = assignment.input, params, assignment.results
        self.state, self.asked = assignment.state, assignment.asked
        self.request_key = f"{assignment.task_id}-{assignment.child_id}-{assignment.generation}-{assignment.stage}"
        self._deadline = time.monotonic() + assignment.deadline_s
        self._db, self._isolates, self.is_fresh = db, isolates, is_fresh
        self._lines, self._overdue = MaskingStream(Colours(log).add), None
        self.service_answered = False

    def log(self, text: str = "", *, code: str = "", level: int = Level.INFO, **data: Any) -> None:
        self._lines.add(Line(self.task_id, text, code, level, data, self.child_id, self.number))
        if self._lines.holds and self._overdue is None:
            self._overdue = asyncio.get_running_loop().call_later(settings.SHEAF_LOG_FLUSH_S, self._wait_no_longer)

    def _wait_no_longer(self) -> None:
        self._overdue = None
        self._lines.release(doubtful=True)

    def end(self) -> None:
        """No more lines come."""
        if self._overdue is not None:
            self._overdue.cancel()
        self._lines.release()

    async def isolate(self, function: str, *args: Any, timeout_s: float, **kwargs: Any) -> Any:
        return await self._isolates.call(function, *args, timeout_s=min(timeout_s, self.seconds_left()), **kwargs)

    async def db(self, function: Callable, *args: Any, **kwargs: Any) -> Any:
        return await self._db.call(function, *args, **kwargs)

    def seconds_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def heard(self) -> None:
        self.service_answered = True


async def run(kind: Kind, assignment: Assignment, attempt: Running) -> Outcome:
    """Run the stage to its end or its deadline. Raises only CancelledError."""
    try:
        return await _run(kind, assignment, attempt)
    finally:
        attempt.end()


async def _run(kind: Kind, assignment: Assignment, attempt: Running) -> Outcome:
    stage = kind.stage(assignment.stage)
    attempt.results = kind.by_present_names(assignment.results)
    try:
        async with asyncio.timeout(assignment.deadline_s):
            value = await stage.run(attempt)
        if isinstance(value, Later):
            return _later(value, stage, assignment, attempt)
        result = storable_json({stage.name: value})
        so_far = ChildSoFar(assignment.key, assignment.input, assignment.params, {**attempt.results, stage.name: value})
        following = route.after(kind, assignment.route, assignment.stage, so_far)
    except TimeoutError:
        error = Transient("timeout", f"deadline of {assignment.deadline_s} s", limit_s=assignment.deadline_s)
        return _after(error, kind, assignment, attempt)
    except IsolateError as error:
        limits = {"limit_s": assignment.deadline_s, "limit_mib": settings.SHEAF_ISOLATE_MIB}
        kind_of_end = Transient if error.code == "crashed" else Permanent
        return _after(kind_of_end(error.code, str(error), **limits), kind, assignment, attempt)
    except ChildError as error:
        return _after(error, kind, assignment, attempt)
    except LaneStale as error:
        logger.warning("Child %s goes back: %s", assignment.child_id, error)
        return Outcome(assignment, messages.HANDED_BACK, delay_s=STALE_PAUSE_S, burns=False)
    except asyncio.CancelledError as error:
        if asyncio.current_task().cancelling():
            raise
        detail = f"the stage cancelled itself {error}".strip()
        return _after(Transient("unexpected", detail, detail=detail), kind, assignment, attempt)
    except (Exception, SystemExit) as error:
        logger.exception("Child %s (%s/%s) failed unexpectedly", assignment.child_id, kind.name, stage.name)
        detail = f"{type(error).__name__}: {error}"[:300]
        return _after(Transient("unexpected", detail, detail=detail), kind, assignment, attempt)
    if following:
        name, queue = following
        return Outcome(assignment, messages.ADVANCED, result, stage=name, queue=queue, answered=True)
    return Outcome(assignment, messages.SUCCEEDED, result, answered=True)


def _later(later: Later, stage: Stage, assignment: Assignment, attempt: Running) -> Outcome:
    """The child waits without a place, until its stage is due again or its time is over."""
    left_s = stage.later_s - assignment.asked_for_s
    if assignment.asked and left_s <= 0:
        data = {"hours": round(stage.later_s / 3600, 1), "asked": assignment.asked + 1}
        raise Permanent("later_too_long", f"still not done after {stage.later_s:g} s", **data)
    delay_s = min(max(SOONEST_LATER_S, float(later.seconds)), max(SOONEST_LATER_S, left_s))
    return Outcome(
        assignment,
        messages.LATER,
        delay_s=delay_s,
        burns=False,
        state=storable_json(later.state),
        answered=True,
    )


def _after(error: ChildError, kind: Kind, assignment: Assignment, attempt: Running) -> Outcome:
    """What an error means: the end, or another attempt after a while."""
    said = {"key": assignment.key, "reason_code": error.code, **error.data}
    service = {"trouble": error} if isinstance(error, ServiceDown) else {"answered": attempt.service_answered}
    if isinstance(error, ServiceDown):
        delay = error.retry_after_s if error.retry_after_s is not None else backoff_s(assignment.number)
        burns = error.burns
    else:
        delay = getattr(error, "after_s", None)
        delay = backoff_s(assignment.number) if delay is None else delay
        burns = True
    if isinstance(error, Permanent) or (burns and assignment.number >= kind.max_attempts):
        attempt.log(code="child_failed", level=Level.ERROR, **said)
        return Outcome(assignment, messages.FAILED, code=error.code, error=error.message, data=error.data, **service)
    attempt.log(code="child_retry", level=Level.WARNING, after_s=round(delay, 1), **said)
    words = {"code": error.code, "error": error.message, "data": error.data}
    return Outcome(assignment, messages.RETRY, **words, **service, delay_s=delay, burns=burns)


def stopped(assignment: Assignment, reason: str) -> Outcome | None:
    """The ending of an attempt that was stopped from outside; None: not ours to settle any more."""
    if reason == STOPPED_CANCELLED:
        return Outcome(assignment, messages.CANCELLED)
    if reason == STOPPED_BY_WORKER:
        return Outcome(assignment, messages.HANDED_BACK, burns=False)
    return None


def backoff_s(attempt: int) -> float:
    """Doubling, with half of it left to chance, so that what failed together does not come back together."""
    whole = min(MAX_BACKOFF_S, settings.SHEAF_BACKOFF_S * 2 ** (attempt - 1))
    return whole * (0.5 + random.random() / 2)
