"""The desk of a process: its lanes bring what they finished and get what is next, in micro-batches.

While one round trip is under way, requests gather; the next trip serves them all. Idle, a request is served at
once; busy, it batches by itself. A lane that finds nothing stays a while (``SHEAF_LINGER_S``) and is asked again with
all the others that wait, so that the next small batch needs no wake-up.

After a failed trip its commit is unknown. Its settles are repeated, which their leases make safe, and children that the
database thinks we run, but that no lane here holds, go back to the queue.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db import DataError, IntegrityError

from tasks.log.joblog import Line
from tasks.queueing import claim, ledger, messages, recovery
from tasks.queueing.messages import Answer, Assignment, Hold, Outcome, Work
from tasks.states import Level
from tasks.threads import UNAVAILABLE, DatabaseThread

logger = logging.getLogger(__name__)

POLL_S = 0.25  # waiting lanes ask again together, and at once when the process hears of new work
KEEP_UP_S = 0.1  # bounds of shares are renewed this often at the most
MAX_LINES_HELD = 20_000  # lines kept while the database is away


@dataclass(eq=False)
class Request:
    """One lane at the desk: what it brings, how many children it takes at the most, and where the answer goes."""

    hold: Hold
    outcomes: list[Outcome]
    most: int
    answer: asyncio.Future
    #: The lane asks while a child of its still runs (``tasks.worker.prefetch``).
    ahead: bool = False
    since: float = field(default_factory=time.monotonic)


class Desk:
    """``known``: {kind: [stage, ...]} that this process can run."""

    def __init__(self, thread: DatabaseThread, known: dict[str, list[str]]):
        self._thread, self._known = thread, known
        self._arrived: list[Request] = []
        self._waiting: list[Request] = []
        self._orphaned: list[Outcome] = []  # children handed to a lane that was cancelled while it asked
        self._lines: list[Line] = []
        self._lines_dropped: dict[int, int] = {}
        self._wanted = asyncio.Event()
        self._again_s = POLL_S
        self._ask_again = False
        self._in_doubt = False
        self._stopping = False
        self._kept_up = 0.0
        self._busy_queues: set[str] = set()
        self._served: dict[str, int] = {}
        #: {lane id: the children it was handed}; filled here, emptied when their settle is committed.
        self.running: dict[int, list[Assignment]] = {}
        self.holds: dict[int, Hold] = {}
        #: How long a round trip takes of late.
        self.trip_s = 0.01

    # --- what lanes do ---

    async def next(self, hold: Hold, finished: list[Outcome], most: int = 1) -> list[Assignment]:
        """Settle what the lane finished and hand it what is next, ``most`` children at the most; none: it must end."""
        return await self.ask(hold, finished, most).answer

    def ask(self, hold: Hold, finished: list[Outcome], most: int, *, ahead: bool = False) -> Request:
        """As ``next``, without waiting. A lane asks for children once at a time; cancel the answer to ask no longer."""
        request = Request(hold, finished, most, asyncio.get_running_loop().create_future(), ahead)
        self._arrived.append(request)
        self._wanted.set()
        return request

    async def settle(self, hold: Hold, finished: list[Outcome]) -> None:
        """Settle, and take nothing more."""
        await self.next(hold, finished, most=0)

    def log(self, line: Line) -> None:
        """Keep a line for the next trip; it is stored before or with the change of state that it explains."""
        if len(self._lines) >= MAX_LINES_HELD:
            self._lines_dropped[line.task_id] = self._lines_dropped.get(line.task_id, 0) + 1
            return
        self._lines.append(line)
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(settings.SHEAF_LOG_FLUSH_S, self._wanted.set)
        elif len(self._lines) == 200:
            self._wanted.set()

    def hear(self) -> None:
        """There may be new work: lanes that wait ask again now."""
        self._ask_again = True
        self._wanted.set()

    # --- the life of the desk ---

    def stop(self) -> None:
        """Hand out nothing more; settle what comes."""
        self._stopping = True
        self._ask_again = True
        self._wanted.set()

    async def run(self) -> None:
        """Until cancelled. Survives the database's absence; everything else that goes wrong ends the process."""
        failures = 0
        while True:
            await self._something_to_do()
            work, requests = self._gather()
            try:
                if self._in_doubt:
                    await self._clear_doubt()
                began = time.monotonic()
                answer = await self._thread.call(ledger.trip, work, self._known)
                self.trip_s += 0.2 * (time.monotonic() - began - self.trip_s)
            except UNAVAILABLE as error:
                self._put_back(work, requests)
                failures += 1
                delay = min(5.0, 0.1 * 2 ** min(failures, 6))
                logger.warning("The database cannot be reached (%s); again in %.1f s", str(error).strip(), delay)
                await asyncio.sleep(delay)
            except (DataError, IntegrityError, ValueError, TypeError) as error:
                logger.warning("A round trip was refused (%s); its parts are tried one by one", error)
                try:
                    await self._one_by_one(work, requests)
                except UNAVAILABLE:
                    self._put_back(work, requests)
            else:
                failures = 0
                self._deliver(work, requests, answer)

    async def flush(self) -> None:
        """Wait until every line that was logged is stored (at the end of a process)."""
        while self._lines:
            self._wanted.set()
            await asyncio.sleep(0.02)

    async def _something_to_do(self) -> None:
        while not self._wanted.is_set():
            try:
                async with asyncio.timeout(self._again_s if self._waiting else None):
                    await self._wanted.wait()
            except TimeoutError:
                self._ask_again = True
                break
        self._wanted.clear()
        # Lanes that were just served may end a short child at once: let them come back into this trip.
        await asyncio.sleep(0)

    def _gather(self) -> tuple[Work, list[Request]]:
        requests, self._arrived = self._arrived, []
        if self._ask_again or any(request.most for request in requests):
            requests += self._waiting
            self._waiting, self._ask_again = [], False
        requests = [request for request in requests if request.outcomes or not request.answer.cancelled()]
        asking = [] if self._stopping else [one for one in requests if one.most and not one.answer.cancelled()]
        work = Work(
            outcomes=[outcome for request in requests for outcome in request.outcomes] + self._orphaned,
            asks=[(request.hold, request.most) for request in asking],
            ahead={request.hold.lane_id for request in asking if request.ahead},
            lines=self._take_lines(),
            served=self._served,
            on_last_chance=any(one.lost >= claim.last_chance() for batch in self.running.values() for one in batch),
        )
        self._orphaned = []
        self._busy_queues.update(hold.queue for hold, _ in work.asks)
        if (now := time.monotonic()) - self._kept_up >= KEEP_UP_S:
            self._kept_up = now
            work.keep_up, self._busy_queues = self._busy_queues, set()
        return work, requests

    def _take_lines(self) -> list[Line]:
        lines, self._lines = self._lines, []
        lines += [
            Line(task_id, code="log_truncated", level=Level.WARNING, data={"n": n})
            for task_id, n in self._lines_dropped.items()
        ]
        self._lines_dropped = {}
        return lines

    def _put_back(self, work: Work, requests: list[Request]) -> None:
        self._in_doubt = True
        self._lines = work.lines + self._lines
        brought = {id(outcome) for request in requests for outcome in request.outcomes}
        self._orphaned += [outcome for outcome in work.outcomes if id(outcome) not in brought]
        self._arrived = requests + self._arrived
        self._wanted.set()

    async def _clear_doubt(self) -> None:
        held = [assignment.lease for batch in self.running.values() for assignment in batch]
        runs = {hold.lane_id: hold.run for hold in self.holds.values()}
        returned = await self._thread.call(recovery.recover, runs, lost=False, held=held)
        self._in_doubt = False
        if returned:
            logger.warning("%s children of an unfinished round trip went back to the queue", returned)

    async def _one_by_one(self, work: Work, requests: list[Request]) -> None:
        """A value that the database refuses must cost its own child only: the others of its micro-batch go through."""
        while work.lines:
            line = work.lines[0]
            try:
                await self._thread.call(ledger.trip, Work(lines=[line]), self._known)
            except (DataError, IntegrityError, ValueError, TypeError) as error:
                logger.error("A log line of task %s could not be stored: %s", line.task_id, error)
            del work.lines[0]
        answer = Answer()
        for outcome in work.outcomes:
            try:
                part = await self._thread.call(ledger.trip, Work(outcomes=[outcome]), self._known)
            except (DataError, IntegrityError, ValueError, TypeError) as error:
                logger.error("The outcome of child %s could not be stored: %s", outcome.assignment.child_id, error)
                refused = Outcome(
                    outcome.assignment,
                    messages.FAILED,
                    code="unexpected",
                    error=str(error),
                    data={"detail": str(error)[:300]},
                )
                try:
                    part = await self._thread.call(ledger.trip, Work(outcomes=[refused]), self._known)
                except (DataError, IntegrityError) as error:  # counters that lie, say: the sweep has to mend them first
                    logger.error(
                        "Child %s stays running: not even its failure could be stored: %s",
                        outcome.assignment.child_id,
                        error,
                    )
                    continue
            answer.late += part.late
        self._deliver(work, requests, answer)

    def _deliver(self, work: Work, requests: list[Request], answer: Answer) -> None:
        for late in answer.late:
            logger.warning("The result of child %s came too late and was dropped", late.assignment.child_id)
        for queue, tag in answer.served.items():
            self._served[queue] = max(tag, self._served.get(queue, 0))
        if answer.readied:
            self.hear()
        self._again_s = min(POLL_S, *answer.retry_s.values()) if answer.retry_s else POLL_S
        now = time.monotonic()
        for request in requests:
            lane = request.hold.lane_id
            if request.outcomes:
                settled = {outcome.assignment.lease for outcome in request.outcomes}
                self.running[lane] = [one for one in self.running.get(lane, ()) if one.lease not in settled]
                request.outcomes = []
            batch = answer.taken.get(lane, []) if request.most else []
            if batch and request.answer.cancelled():
                self._orphaned += [Outcome(assignment, messages.HANDED_BACK, burns=False) for assignment in batch]
                self._wanted.set()
            elif request.answer.cancelled():
                continue
            elif batch:
                self.running[lane] = self.running.get(lane, []) + batch
                request.answer.set_result(batch)
            elif self._stopping or not request.most or lane in answer.refused:
                request.answer.set_result([])
            elif now - request.since > settings.SHEAF_LINGER_S < answer.retry_s.get(request.hold.queue, math.inf):
                request.answer.set_result([])
            else:
                self._waiting.append(request)
