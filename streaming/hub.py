"""What a process knows about each watched Task: its latest row and a ring of lines, encoded once for all sockets.

One loop reads for everybody: a notice (or the clock) makes a Task due, one query fetches the rows of all that are
due, a second one their new lines. Subscriptions hold a place in the stream and pull; the hub only wakes them.

A notice may be up to 50 ms early (``tasks.triggers`` throttles at the source), so each is followed by another look
100 ms later, and every watched Task is looked at each ``SHEAF_LIVE_POLL_S`` whether anybody said something or not.
"""

from __future__ import annotations

import asyncio
import logging
import time
from bisect import bisect_right
from collections.abc import Callable
from weakref import WeakKeyDictionary

from django.conf import settings

from streaming import messages
from streaming.deadline import signalled, within
from streaming.listener import Listener
from streaming.messages import Frame
from streaming.pages import Pages
from streaming.reader import Reader, ReadError

log = logging.getLogger(__name__)

TRAIL_S = 0.1
#: Two looks at the same Task are at least this far apart; more when telling everybody takes long.
PACE_S, SLOWEST_PACE_S = 0.04, 0.5
#: So many lines are read when the first watcher comes, so that a crowd that reconnects needs no query of its own.
TAIL_LINES = 1000
#: More new lines than this at once are not kept in the ring; who wants them pages through the database.
MOST_AT_ONCE = 5000
LINGER_S = 15


class Watched:
    """One Task with at least one subscription (or that had one a moment ago)."""

    def __init__(self, task_id: int):
        self.id = task_id
        self.task = None
        self.task_text = ""
        self.head = 0  # every line up to here was read
        self.start = 0  # the ring holds start < seq <= head
        self.ring: list[Frame] = []
        self.size = 0
        self.subscriptions: set = set()
        self.loaded = asyncio.Event()
        self.close_code: messages.Close | None = None
        self.before = 0  # where the read that is under way begins
        self.due = 0.0  # monotonic; inf = nothing to do
        self.noticed_at = 0.0
        self.read_at = 0.0
        self.pace = PACE_S
        self.empty_since = time.monotonic()

    def frame_after(self, seq: int) -> Frame | None:
        """The first frame with news for somebody who has everything up to ``seq``; None: fell off the ring."""
        if seq < self.start:
            return None
        return self.ring[bisect_right(self.ring, seq, key=lambda frame: frame.last)]

    def restart_ring(self, at: int) -> None:
        self.ring, self.size, self.start, self.head = [], 0, at, at

    def time_of_head(self) -> int | None:
        """When the last line that we have was said; None: we have none, or it was deleted."""
        return self.ring[-1].time_of(self.head) if self.ring else None

    def go_on(self, log_seq: int, lines: list[tuple[int, str]]) -> None:
        """Take what was read after ``before``; where we have that line, it was read too, and has to be the same."""
        known = self.time_of_head()
        if known is not None and lines and lines[0][0] == self.before:
            again, *lines = lines
            if Frame(self.before - 1, self.before, [again[0]], [again[1]]).time_of(self.before) != known:
                self.close_code = messages.Close.RESTARTED
                self.restart_ring(log_seq)
                return
        self.append(messages.frames(self.before, log_seq, lines))

    def append(self, frames: list[Frame]) -> None:
        self.ring += frames
        self.size += sum(len(frame.text) for frame in frames)
        self.head = frames[-1].last
        most = settings.SHEAF_LIVE_RING_KIB * 1024
        dropped = 0
        while self.size > most and dropped < len(self.ring) - 1:
            self.size -= len(self.ring[dropped].text)
            self.start = self.ring[dropped].last
            dropped += 1
        if dropped:
            del self.ring[:dropped]

    def wake(self) -> None:
        for subscription in list(self.subscriptions):
            subscription.wake()


class Hub:
    """One per event loop: ``Hub.here()``. Starts with the first watcher and stays."""

    _of_loop: WeakKeyDictionary = WeakKeyDictionary()

    @classmethod
    def here(cls) -> Hub:
        loop = asyncio.get_running_loop()
        hub = cls._of_loop.get(loop)
        if hub is None:
            hub = cls._of_loop[loop] = cls()
        return hub

    @classmethod
    def everywhere(cls) -> list[Hub]:
        """The hubs of this process; none until somebody watches."""
        return list(cls._of_loop.values())

    def __init__(self):
        self.reader = Reader(settings.SHEAF_LIVE_CONNECTIONS)
        #: For searches and old pages: however slow, they keep nobody from seeing what is new.
        self.archive = Reader(settings.SHEAF_LIVE_CONNECTIONS)
        self.pages = Pages(self.reader)
        self.watched: dict[int, Watched] = {}
        self.stale = False
        self.reads = 0  # queries for lines, for tests and benches
        self.listener = Listener(self.reader, self.notice, self.catch_up)
        self._news = asyncio.Event()
        self._jobs: list[asyncio.Task] = []
        self._hear_all: set[Callable[[], None]] = set()

    def join(self, task_id: int, subscription) -> Watched:
        """Call ``subscription.wake()`` whenever there may be news; the first come when it is ``loaded``."""
        self._start()
        watched = self.watched.get(task_id)
        if watched is None or watched.close_code:
            watched = self.watched[task_id] = Watched(task_id)
            self._news.set()
        watched.subscriptions.add(subscription)
        return watched

    def leave(self, watched: Watched, subscription) -> None:
        watched.subscriptions.discard(subscription)
        watched.empty_since = time.monotonic()

    def listen_to_all(self, hear: Callable[[], None]) -> None:
        """Call ``hear()`` when any Task has changed, watched or not, until ``listen_no_more``."""
        self._start()
        self._hear_all.add(hear)

    def listen_no_more(self, hear: Callable[[], None]) -> None:
        self._hear_all.discard(hear)

    def notice(self, task_id: int) -> None:
        for hear in self._hear_all:
            hear()
        watched = self.watched.get(task_id)
        if watched is not None:
            watched.noticed_at = time.monotonic()
            watched.due = min(watched.due, max(watched.noticed_at, watched.read_at + watched.pace))
            self._news.set()

    def catch_up(self) -> None:
        for hear in self._hear_all:
            hear()
        for task_id in self.watched:
            self.notice(task_id)

    def _start(self) -> None:
        if not self._jobs:
            self._jobs = [asyncio.create_task(self.listener.run()), asyncio.create_task(self._run())]

    async def close(self) -> None:
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        self._jobs = []
        await self.reader.close()
        await self.archive.close()

    async def _run(self) -> None:
        poll_at = 0.0
        while True:
            now = time.monotonic()
            soonest = min((watched.due for watched in self.watched.values()), default=float("inf"))
            wait = max(0.0, min(soonest, poll_at) - now)
            if wait:
                await signalled(self._news, wait)
            self._news.clear()
            try:
                now = time.monotonic()
                if now >= poll_at:
                    poll_at = now + settings.SHEAF_LIVE_POLL_S / (3 if self.listener.state != "listening" else 1)
                    await self._poll()
                due = [watched for watched in self.watched.values() if watched.due <= time.monotonic()]
                if due:
                    await self._look(due)
                self._say_stale(False)
            except ReadError as error:
                if not self.stale:
                    log.warning("live view: the database can't be read (%s)", error or type(error).__name__)
                self._say_stale(True)
                await asyncio.sleep(0.3)
                await self._mend()

    async def _mend(self) -> None:
        try:
            await within(5, self.reader.mend())
            await within(5, self.archive.mend())
        except ReadError:
            pass  # still away: the next look says so

    def _say_stale(self, stale: bool) -> None:
        if stale != self.stale:
            self.stale = stale
            for watched in self.watched.values():
                watched.wake()

    async def _poll(self) -> None:
        """Forget what nobody watches any more, and see which of the others have changed unnoticed."""
        now = time.monotonic()
        for watched in list(self.watched.values()):
            if not watched.subscriptions and now - watched.empty_since > LINGER_S:
                del self.watched[watched.id]
        living = [watched for watched in self.watched.values() if watched.task and not watched.close_code]
        known = {watched.id: watched.task.version for watched in living}
        if known:
            versions = await self.reader.versions(known)
            for id, version in known.items():
                if id in self.watched and versions.get(id) != version:
                    self.watched[id].due = 0.0

    async def _look(self, due: list[Watched]) -> None:
        """Read what is new in the Tasks that are due, and wake who watches them."""
        begun = time.monotonic()
        found = await self.reader.tasks([watched.id for watched in due])
        wanted = []
        for watched in due:
            row = found.get(watched.id)
            if row is not None:
                watched.before = self._line_up(watched, row[0].log_seq)
                if row[0].log_seq > watched.before:
                    # the last one that we have is read again: is it still the same?
                    known = watched.time_of_head() is not None
                    wanted.append((watched.id, watched.before - known, row[0].log_seq))
        # after the rows: every line up to a log_seq that was seen is committed, hence seen too
        self.reads += bool(wanted)
        lines = await self.reader.lines(wanted) if wanted else {}
        for watched in due:
            if watched.id not in found:
                watched.close_code = messages.Close.GONE
            else:
                task, now = found[watched.id]
                if watched.id in lines:
                    watched.go_on(task.log_seq, lines[watched.id])
                watched.task, watched.task_text = task, messages.encode(messages.task_fields(task, now))
            watched.read_at = begun
            if watched.noticed_at >= begun:  # while we were reading
                watched.due = begun + watched.pace
            else:
                trail = watched.noticed_at + TRAIL_S
                watched.due = trail if trail > begun else float("inf")
            watched.loaded.set()
            watched.wake()
        await asyncio.sleep(0)  # the sockets that were woken send now
        spent = time.monotonic() - begun
        for watched in due:
            watched.pace = min(max(PACE_S, 2 * spent), SLOWEST_PACE_S)

    def _line_up(self, watched: Watched, log_seq: int) -> int:
        """The line after which to read; the ring begins anew where it can't simply go on."""
        if watched.task is None or log_seq - watched.head > MOST_AT_ONCE:
            watched.restart_ring(max(0, log_seq - TAIL_LINES))
        elif log_seq < watched.head:
            watched.close_code = messages.Close.RESTARTED
            watched.restart_ring(log_seq)
        return watched.head
