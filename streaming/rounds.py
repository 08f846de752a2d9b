"""Once a second, a look at every websocket of the process: pings, the mute ones, permissions that may be gone.

One loop for all, because a timer for each of thousands of quiet sockets would cost more than the sockets.
"""

from __future__ import annotations

import asyncio
import logging
import time
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import Error as DatabaseError

from streaming import access
from streaming.messages import Close

log = logging.getLogger(__name__)

#: Questions about permissions that are asked together.
TOGETHER = 100


class Rounds:
    """One per event loop: ``Rounds.here()``. Runs while there are sockets."""

    _of_loop: WeakKeyDictionary = WeakKeyDictionary()

    @classmethod
    def here(cls) -> Rounds:
        loop = asyncio.get_running_loop()
        rounds = cls._of_loop.get(loop)
        if rounds is None:
            rounds = cls._of_loop[loop] = cls()
        return rounds

    def __init__(self):
        self.sockets: set = set()
        self._job: asyncio.Task | None = None
        self._checking: set[asyncio.Task] = set()

    def add(self, socket) -> None:
        self.sockets.add(socket)
        if self._job is None:
            self._job = asyncio.create_task(self._run())

    def drop(self, socket) -> None:
        self.sockets.discard(socket)

    async def _run(self) -> None:
        shortest = min(settings.SHEAF_LIVE_PING_S, settings.SHEAF_LIVE_ACK_S, settings.SHEAF_LIVE_RECHECK_S)
        pause = min(1.0, shortest / 4)
        try:
            while self.sockets:
                await asyncio.sleep(pause)
                await self._go_round()
        finally:
            self._job = None

    async def _go_round(self) -> None:
        now = time.monotonic()
        due: dict[tuple[str, int | None], list] = {}
        for count, socket in enumerate(list(self.sockets)):
            if socket.is_mute:
                await socket.close(Close.TOO_SLOW)
            elif now - socket.said_at > settings.SHEAF_LIVE_PING_S:
                await socket.ping()
            if now - socket.asked_at > settings.SHEAF_LIVE_RECHECK_S:
                socket.asked_at = now
                due.setdefault((socket.session_key, socket.task_id), []).append(socket)
            if count % 100 == 99:
                await asyncio.sleep(0)
        if due:
            check = asyncio.create_task(self._check(due))
            self._checking.add(check)
            check.add_done_callback(self._checking.discard)

    async def _check(self, due: dict[tuple[str, int | None], list]) -> None:
        """Ask again who may still watch, some at a time: this never hurries, and never stands in the way."""
        asked = list(due)
        for begin in range(0, len(asked), TOGETHER):
            some = asked[begin : begin + TOGETHER]
            answers = await asyncio.gather(*(access.refusal(*one) for one in some), return_exceptions=True)
            for question, code in zip(some, answers, strict=True):
                if isinstance(code, DatabaseError | asyncio.TimeoutError):
                    log.info("live view: permissions can't be checked now (%s)", code)
                    continue  # nothing can be read now either; the next round asks again
                if isinstance(code, BaseException):
                    raise code
                if code:
                    for socket in due[question]:
                        await socket.close(code)
