"""One reader's place in a Task's stream, whatever carries it: websocket, event stream or long poll.

It holds a cursor (the last line that was handed over), no queue: what a slow reader has not taken yet exists once,
in the hub's ring or in the database.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from streaming import messages
from streaming.hub import Hub
from tasks.states import TERMINAL

#: Further behind than this, the rest is a gap that the reader fetches when somebody looks at it.
MOST_REPLAYED = 5000


class Subscription:
    """``after``: the last line that the reader has; negative: begin with that many of the last lines. ``at``: when that
    line was said, if the reader knows."""

    __slots__ = ("_at", "_eof", "_hub", "_joined_at", "_stale", "_version", "_wake", "after", "close_code", "watched")

    def __init__(self, hub: Hub, task_id: int, after: int, wake: Callable[[], None], at: int | None = None):
        self._hub, self._wake, self._at = hub, wake, at
        self.close_code: messages.Close | None = None  # set once there is nothing more to come
        self._stale = False
        self.watched = hub.join(task_id, self)
        self.restart(after)

    def wake(self) -> None:
        self._wake()

    def leave(self) -> None:
        self._hub.leave(self.watched, self)

    def restart(self, after: int | None = None, version: int = -1) -> None:
        """Go on after another line, if one is given, and with the snapshot, unless the reader knows this version."""
        self._version, self._eof = version, -1
        self._joined_at = time.monotonic()
        if after is not None:
            self.after = after
            if after > self.watched.head:  # another process was faster, or the log is not what it was
                self._hub.notice(self.watched.id)

    async def next(self) -> str | None:
        """The next encoded message; None: up to date. Lines come before the state that they explain.

        Raises ReadError where older lines can't be read now; the next call goes on at the same line.
        """
        watched = self.watched
        await watched.loaded.wait()
        self.close_code = watched.close_code
        if self.close_code:
            return None
        if self.after < 0:
            self.after = max(0, watched.head + self.after)
        if self._at is not None and await self._has_another_line(watched):
            self.close_code = messages.Close.RESTARTED
            return None
        if self._version < 0:
            self._version = watched.task.version
            return watched.task_text
        if self.after < watched.head:
            return await self._lines(watched)
        if self.after > watched.head and watched.read_at > self._joined_at:
            self.close_code = messages.Close.RESTARTED
            return None
        if self._version != watched.task.version:
            self._version = watched.task.version
            return watched.task_text
        if watched.task.state in TERMINAL and self._eof != watched.head:
            self._eof = watched.head
            return messages.eof(watched.head)
        if self._stale != self._hub.stale:
            self._stale = self._hub.stale
            return self.ping()
        return None

    async def _has_another_line(self, watched) -> bool:
        """Whether the reader's last line is not ours of that number. Looked at once, where it costs no read of its own:
        what is beyond reach is a gap anyway."""
        other = False
        if 0 < self.after <= watched.head and watched.start - self.after <= MOST_REPLAYED:
            frame = watched.frame_after(self.after - 1)
            if frame is None:
                frame = await self._hub.pages.frame_after(watched.id, self.after - 1, watched.head)
            other = frame.time_of(self.after) not in (None, self._at)
        self._at = None
        return other

    async def _lines(self, watched) -> str:
        frame = watched.frame_after(self.after)
        if frame is None and watched.start - self.after > MOST_REPLAYED:
            first, self.after = self.after + 1, watched.start
            return messages.gap(first, self.after)
        if frame is None:
            frame = await self._hub.pages.frame_after(watched.id, self.after, watched.head)
        text, self.after = frame.text_after(self.after), frame.last
        return text

    def ping(self) -> str:
        return messages.ping(round(time.time() * 1000), self._hub.stale)
