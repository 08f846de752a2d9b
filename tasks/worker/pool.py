"""The lanes of one worker process, and what keeps them honest: renewal, cancelled batches, the order to stop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from functools import partial

from django.conf import settings

from tasks.kinds.base import kind_named, registered
from tasks.outbound import calls
from tasks.queueing import claim, lanes, messages
from tasks.queueing.messages import Assignment, Hold, Outcome
from tasks.sandbox.isolate import Isolate
from tasks.threads import IMPATIENT, PATIENT, UNAVAILABLE, DatabaseThread
from tasks.worker import attempts, heartbeat, pace, prefetch
from tasks.worker.desk import Desk

logger = logging.getLogger(__name__)

DUE_AGAIN_S = 0.02  # what is due this moment is looked at again after this
FRESH = 0.75  # of the time after which an unrenewed lane is given up


class Crew:
    """``queues``: the names this process serves; ``concurrency``: how many lanes at once."""

    def __init__(self, token: str, queues: list[str], concurrency: int):
        self.token, self.queues, self.concurrency = token, queues, concurrency
        self.desk_thread, self.db = (
            DatabaseThread("desk", f"{claim.PLANNER}; {IMPATIENT}"),
            DatabaseThread("orm", PATIENT),
        )
        known = {kind.name: kind.known_stages(queues) for kind in registered()}
        self.desk = Desk(self.desk_thread, {name: stages for name, stages in known.items() if stages})
        modules = tuple(dict.fromkeys(module for kind in registered() for module in kind.isolated))
        self.isolates = Isolate(size=max(1, concurrency), memory_mib=settings.SHEAF_ISOLATE_MIB, modules=modules)
        self.stopping = False
        self._attempts: dict[int, tuple[asyncio.Task, Assignment]] = {}
        self._reasons: dict[int, str] = {}
        self._lost: set[int] = set()
        self._renewed: dict[int, float] = {}
        self._others_wait = False
        self._pace = pace.Pace()

    # --- one lane ---

    async def run_lane(self, queue: str, host: str, slot: int, job_id: int) -> None:
        """Until there is no work, the lane is lost, the place is wanted by another, or the process stops."""
        begun = time.monotonic()
        hold = await self.desk_thread.call(lanes.begin, queue, host, slot, job_id, self.token)
        if hold is None:
            return
        self.desk.holds[hold.lane_id], self._renewed[hold.lane_id] = hold, begun
        hand_on, following = False, prefetch.Ahead(self.desk, hold, self._pace)
        try:
            outcomes = []
            while not hand_on and (batch := await following.next(outcomes, self._pace.batch(queue))):
                outcomes = await self._run_batch(hold, batch, following)
                if hold.lane_id in self._lost:
                    following.give_back()
                    return
                hand_on = self.stopping or (self._others_wait and time.monotonic() - begun > settings.SHEAF_YIELD_S)
            if hand_on:
                await self.desk.settle(hold, outcomes)
            await following.close()
        finally:
            self.desk.holds.pop(hold.lane_id, None)
            self._renewed.pop(hold.lane_id, None)
            if hold.lane_id in self._lost:
                self._lost.discard(hold.lane_id)
            else:
                await self._end(hold, hand_on)

    async def _end(self, hold: Hold, hand_on: bool) -> None:
        while True:
            try:
                return await self.desk_thread.call(lanes.end, hold, hand_on=hand_on)
            except UNAVAILABLE as error:
                logger.warning("Lane %s/%s can't end yet: %s", hold.queue, hold.slot, str(error).strip())
                if self.stopping:
                    return  # the worker's farewell frees its lanes, or the sweep does
                await asyncio.sleep(settings.SHEAF_CANCEL_POLL_S)

    async def _run_batch(self, hold: Hold, batch: list[Assignment], following: prefetch.Ahead) -> list[Outcome]:
        """One after the other: a lane is one place. As soon as one turns out not to be short, what has ended is told
        and what has not begun goes back, its attempt not counted: neither waits for it. A child that lost its worker
        before runs alone: should it be what kills workers, nobody shares the blame.
        """
        if suspect := next((assignment for assignment in batch if assignment.lost), None):
            if others := [assignment for assignment in batch if assignment is not suspect]:
                await self.desk.settle(hold, [Outcome(other, messages.HANDED_BACK, burns=False) for other in others])
            batch = [suspect]
        left, outcomes, told = deque(batch), [], []
        begun, begun_n, in_trouble = time.monotonic(), 0, False

        def hand_back() -> None:
            outcomes.extend(Outcome(rest, messages.HANDED_BACK, burns=False) for rest in left)
            left.clear()

        def tell() -> None:
            hand_back()
            if outcomes:
                told.append(asyncio.ensure_future(self.desk.settle(hold, outcomes.copy())))
                outcomes.clear()

        timer = asyncio.get_running_loop().call_later(pace.BATCH_S, tell)
        try:
            while left:
                if self.stopping or in_trouble or hold.lane_id in self._lost:
                    hand_back()
                    break
                begun_n += 1
                running = left.popleft()
                if not left:
                    following.watch(running)
                if outcome := await self._run(hold, running):
                    outcomes.append(outcome)
                    in_trouble = outcome.trouble is not None
        finally:
            timer.cancel()
        await asyncio.gather(*told)
        self._pace.note(hold.queue, (time.monotonic() - begun) / max(1, begun_n))
        return outcomes

    async def _run(self, hold: Hold, assignment: Assignment) -> Outcome | None:
        fresh = partial(self.is_fresh, hold.lane_id)
        running = attempts.Running(assignment, assignment.params, self.desk.log, self.db, self.isolates, fresh)
        work = asyncio.ensure_future(attempts.run(kind_named(assignment.kind), assignment, running))
        self._attempts[hold.lane_id] = work, assignment
        try:
            return await work
        except asyncio.CancelledError:
            reason = self._reasons.pop(hold.lane_id, None)
            if reason is None:  # it is the lane itself that was cancelled
                work.cancel()
                raise
            return attempts.stopped(assignment, reason)
        finally:
            del self._attempts[hold.lane_id]
            self._reasons.pop(hold.lane_id, None)  # it may have ended by itself the moment it was to be stopped

    def interrupt(self, lane_id: int, reason: str) -> None:
        if lane_id in self._attempts and lane_id not in self._reasons:
            self._reasons[lane_id] = reason
            self._attempts[lane_id][0].cancel()

    def is_fresh(self, lane_id: int) -> bool:
        """Whether the lane was renewed so lately that a call which begins now ends before anybody may take it over."""
        renewed = self._renewed.get(lane_id)
        return renewed is not None and time.monotonic() - renewed < FRESH * settings.SHEAF_LANE_STALE_S

    # --- all lanes ---

    async def keep(self) -> None:
        """Renew, notice cancelled batches, promote what has become due. Until cancelled."""
        due = 0.0
        while True:
            renew, pause_s = time.monotonic() >= due, settings.SHEAF_CANCEL_POLL_S
            if renew:
                due = time.monotonic() + settings.SHEAF_LANE_RENEW_S
            try:
                next_due_s = await self._beat(renew)
                if next_due_s is not None:
                    pause_s = min(pause_s, max(DUE_AGAIN_S, next_due_s))
            except UNAVAILABLE as error:
                logger.warning("Lanes could not be renewed: %s", str(error).strip())
                due = 0.0
            await asyncio.sleep(pause_s)

    async def _beat(self, renew: bool) -> float | None:
        """Returns the seconds until something becomes due, if anything waits for its time."""
        holds, began = list(self.desk.holds.values()), time.monotonic()
        running = {assignment.task_id for _, assignment in self._attempts.values()}
        full = len(holds) >= self.concurrency
        # On the desk's thread: the other one may be busy for long with a Kind's own code (expand, complete, attempt.db)
        seen = await self.desk_thread.call(
            heartbeat.beat, self, holds if renew else [], running, self.queues if full else []
        )
        self._others_wait = seen.others_wait
        if seen.promoted:
            self.desk.hear()
        for hold in holds if renew else []:
            if hold.lane_id in seen.lost:
                logger.warning("Lane %s/%s is ours no more", hold.queue, hold.slot)
                self._lost.add(hold.lane_id)
                self.desk.running.pop(hold.lane_id, None)
                self.interrupt(hold.lane_id, attempts.STOPPED_LOST)
            elif hold.lane_id in self._renewed:
                self._renewed[hold.lane_id] = began
        for lane_id, (_, assignment) in list(self._attempts.items()):
            if assignment.task_id in seen.cancelled:
                self.interrupt(lane_id, attempts.STOPPED_CANCELLED)
        return seen.next_due_s

    async def stop(self) -> None:
        """Take nothing more; what runs may end within ``SHEAF_STOP_S``, then it is handed back, attempt unchanged."""
        self.stopping = True
        self.desk.stop()
        until = time.monotonic() + settings.SHEAF_STOP_S
        while self.desk.holds and time.monotonic() < until:  # noqa: ASYNC110  lanes end in many places
            await asyncio.sleep(0.02)
        for lane_id in list(self._attempts):
            self.interrupt(lane_id, attempts.STOPPED_BY_WORKER)
        while self.desk.holds and time.monotonic() < until + max(2, settings.SHEAF_STOP_S / 2):  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        await calls.close()
        await self.isolates.aclose()
        self.desk_thread.close()
        self.db.close()
