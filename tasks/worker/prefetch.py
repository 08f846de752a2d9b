"""Fetches a lane's next child while the present one still runs, so that the place is not idle for a round trip.

At 100 ms a child, a trip of 7 ms between two children leaves a limited service idle for 7 % of its time. Only for
children that are short (by the pace seen so far) and only in the last part of their time: what is held in advance
is out of everybody else's reach, was handed out by the limit, the breaker and the pause of that moment, and so goes
back if it is not begun within ``KEEP_S`` of the asking. A queue whose limit shrinks, whose rate counts or whose service
is in trouble hands out nothing in advance (``limits.Gate.is_free``).
"""

from __future__ import annotations

import asyncio
import time

from tasks.queueing import messages
from tasks.queueing.messages import Assignment, Hold, Outcome
from tasks.worker import pace
from tasks.worker.desk import Desk, Request

KEEP_S = 0.25
TRIPS = 3  # so many round trips' time before a child is expected to end: others may be under way ...
EARLIEST = 0.2  # ... but not before this part of its time


class Ahead:
    """Of one lane. ``watch`` when a child begins, ``next`` when it has ended."""

    def __init__(self, desk: Desk, hold: Hold, paces: pace.Pace):
        self._desk, self._hold, self._paces = desk, hold, paces
        self._timer: asyncio.TimerHandle | None = None
        self._asked: Request | None = None
        self._until = 0.0
        self._told: set[asyncio.Future] = set()

    def watch(self, running: Assignment) -> None:
        """``running`` begins, the last that the lane holds. One that lost its worker before has it to itself."""
        seconds = self._paces.seconds(self._hold.queue)
        if seconds is not None and pace.BATCH_S / 2 < seconds < KEEP_S and not running.lost:
            self._timer = asyncio.get_running_loop().call_later(
                max(EARLIEST * seconds, seconds - TRIPS * self._desk.trip_s), self._ask
            )

    async def next(self, outcomes: list[Outcome], most: int) -> list[Assignment]:
        """Settle, and hand over what was fetched in advance; without that, as ``Desk.next``."""
        if any(outcome.trouble for outcome in outcomes) or time.monotonic() >= self._until:
            self.give_back()  # the breaker is to decide first; or we were frozen, and what we hold is stale
        self._stop_timer()
        asked, self._asked = self._asked, None
        if asked is None:
            return await self._desk.next(self._hold, outcomes, most)
        if outcomes:
            self._tell(outcomes)
        if not asked.answer.done():  # no longer in advance: the place is free
            asked.ahead = False
            self._desk.hear()
            return await asked.answer
        # "nothing, so end" was said while a child ran, which is no reason to end now
        return asked.answer.result() or await self._desk.next(self._hold, [], most)

    def give_back(self) -> None:
        """Ask no longer; what was fetched already goes back."""
        self._stop_timer()
        asked, self._asked = self._asked, None
        if asked is None:
            return
        if not asked.answer.done():
            asked.answer.cancel()  # the desk takes back what it would hand to nobody
        elif held := asked.answer.result():
            self._tell([Outcome(assignment, messages.HANDED_BACK, burns=False) for assignment in held])

    async def close(self) -> None:
        """The lane ends."""
        self.give_back()
        if self._told:
            await asyncio.gather(*self._told)

    def _ask(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(KEEP_S, self.give_back)
        self._until = time.monotonic() + KEEP_S
        self._asked = self._desk.ask(self._hold, [], 1, ahead=True)

    def _tell(self, outcomes: list[Outcome]) -> None:
        told = self._desk.ask(self._hold, outcomes, 0).answer
        self._told.add(told)
        told.add_done_callback(self._told.discard)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
