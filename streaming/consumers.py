"""The websockets ``/ws/tasks/<id>/?after=N`` and ``/ws/board/``.

One coroutine and one small object for each, no task while it is quiet.

Two things run for a socket: its receive loop, which never waits for anything slow, so that a disconnect is noticed at
once; and, only while there is something to send, a drain. ASGI servers differ in what ``send`` does with a slow
client (daphne returns at once and buffers without bound), so the client confirms what it has received and we stop
when too much is under way. Lines that it is too slow for stay in the ring or the database.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs

from django.conf import settings
from django.db import Error as DatabaseError

from streaming import access, messages, shown
from streaming.board import Board, BoardSubscription
from streaming.hub import Hub
from streaming.messages import Close
from streaming.reader import ReadError
from streaming.rounds import Rounds
from streaming.shown import Looker
from streaming.subscription import Subscription

log = logging.getLogger(__name__)

#: Under way to one client at most: messages, characters.
WINDOW_FRAMES, WINDOW_CHARS = 64, 512 * 1024
#: A client may say so much in RATE_S seconds, confirmations apart.
RATE_MESSAGES, RATE_S = 60, 5.0


def cursor(query_string: bytes) -> tuple[int, int | None]:
    """``after`` and ``at`` of an address; without them, the last lines only. ValueError for nonsense."""
    given = parse_qs(query_string.decode("latin1"))
    after, at = (int(given[name][0]) if name in given else None for name in ("after", "at"))
    if max(abs(after or 0), abs(at or 0)) >= 2**53:
        raise ValueError("no such line")
    return -500 if after is None else after, at


def task_socket(scope, receive, send) -> Awaitable[None]:
    """The ASGI application of one Task's websocket. No coroutine of its own, which would keep ``scope`` for hours."""
    task_id, query = scope["url_route"]["kwargs"]["task_id"], scope["query_string"]

    def subscribe(wake: Callable[[], None]) -> Subscription:
        after, at = cursor(query)
        return Subscription(Hub.here(), task_id, after, wake, at)

    return _serve(scope, receive, send, task_id, subscribe)


def board_socket(scope, receive, send) -> Awaitable[None]:
    """The ASGI application of one websocket of the staff's board."""
    return _serve(scope, receive, send, None, lambda wake: BoardSubscription(Board.here(), wake))


async def _serve(scope, receive, send, task_id: int | None, subscribe) -> None:
    await receive()  # websocket.connect
    headers = access.headers_of(scope)
    if not access.same_origin(headers):
        await send({"type": "websocket.close"})  # before accepting: HTTP 403
        return
    await send({"type": "websocket.accept"})
    session_key = access.session_key_of(headers)
    try:
        cursor(scope["query_string"])
        code = await access.refusal(session_key, task_id)
    except ValueError:
        code = Close.MALFORMED
    except (TimeoutError, DatabaseError):
        code = Close.TRY_LATER
    if code:
        await send({"type": "websocket.send", "text": messages.bye(code)})
        await send({"type": "websocket.close", "code": int(code)})
        return
    socket = TaskSocket(send, session_key, task_id, subscribe)
    del scope, headers, subscribe  # a socket lives for hours: keep nothing of its request
    try:
        await socket.listen(receive)
    finally:
        socket.leave()


class TaskSocket:
    __slots__ = (
        "_closed",
        "_drain",
        "_looker",
        "_looking",
        "_received",
        "_send",
        "_sent",
        "_sent_chars",
        "_spoke",
        "asked_at",
        "heard_at",
        "said_at",
        "session_key",
        "subscription",
        "task_id",
    )

    def __init__(self, send, session_key: str, task_id: int | None, subscribe):
        self._send, self.session_key, self.task_id = send, session_key, task_id
        self._closed = False
        self._drain: asyncio.Task | None = None
        self._looker: Looker | None = None
        self._looking: asyncio.Task | None = None
        self._sent: deque[int] = deque()  # characters of each message that is not confirmed yet
        self._sent_chars = self._received = 0
        self._spoke: deque[float] = deque(maxlen=RATE_MESSAGES)
        self.said_at = self.heard_at = self.asked_at = time.monotonic()
        self.subscription = subscribe(self.wake)
        Rounds.here().add(self)
        self.wake()

    def leave(self) -> None:
        self._closed = True
        self.subscription.leave()
        self._look_away()
        Rounds.here().drop(self)
        if self._drain:
            self._drain.cancel()

    # --- in ---

    async def listen(self, receive) -> None:
        """Until the client has gone. After we have closed, what it still says is dropped."""
        while (message := await receive())["type"] != "websocket.disconnect":
            if not self._closed and (code := self._hear(message.get("text") or "")):
                await self.close(code)

    def _hear(self, text: str) -> Close | None:
        if len(text) > messages.MAX_INBOUND_CHARS:
            return Close.TOO_LARGE
        try:
            kind, number = messages.parse(text)
        except (ValueError, RecursionError):
            return Close.MALFORMED
        if kind == "show":
            return Close.TOO_OFTEN if self._speaks_too_often() else self._show(number)
        # what confirms something new is as often as we send, which in a fast log is often
        if (kind == "hello" or number <= self._received) and self._speaks_too_often():
            return Close.TOO_OFTEN
        if kind == "hello":
            self.subscription.restart(number)
        elif not self._confirm(number):
            return Close.MALFORMED
        self.wake()
        return None

    def _show(self, wish: messages.Wish | None) -> None:
        self._look_away()
        if wish is not None and self.task_id is not None:
            self._looking = asyncio.ensure_future(self._look(wish))

    def _look_away(self) -> None:
        if self._looking:
            self._looking.cancel()
        if self._looker:
            self._looker.leave()
        self._looking = self._looker = None

    async def _look(self, wish: messages.Wish) -> None:
        try:
            self._looker = await shown.look(self.session_key, self.task_id, wish, self.wake)
        except (TimeoutError, DatabaseError) as error:  # the page asks by itself when nothing comes
            log.info("live view: a page's parts can't be shown now (%s)", error or type(error).__name__)
        except Exception:  # a Kind's own
            log.exception("live view: the parts of batch %s can't be shown", self.task_id)
        self.wake()

    def _speaks_too_often(self) -> bool:
        now = time.monotonic()
        too_often = len(self._spoke) == RATE_MESSAGES and now - self._spoke[0] < RATE_S
        self._spoke.append(now)
        return too_often

    def _confirm(self, frames: int) -> bool:
        """The client has received so many messages in all; False if it can't have."""
        if not 0 <= frames - self._received <= len(self._sent):
            return False
        while self._received < frames:
            self._sent_chars -= self._sent.popleft()
            self._received += 1
        self.heard_at = time.monotonic()
        return True

    # --- out ---

    def wake(self) -> None:
        """There may be news: drain, unless a drain is at it already (it looks again before it ends)."""
        if self._drain is None and not self._closed:
            self._drain = asyncio.ensure_future(self._send_pending())

    async def _send_pending(self) -> None:
        try:
            while self._has_room and (text := await self._next()) is not None:
                await self._say(text)
            if self.subscription.close_code:
                await self.close(self.subscription.close_code)
        except ReadError as error:
            log.info("live view: old lines can't be read now (%s)", error or type(error).__name__)
            asyncio.get_running_loop().call_later(1, self.wake)
        finally:
            self._drain = None

    async def _next(self) -> str | None:
        text = await self.subscription.next()
        if text is None and self._looker and not self.subscription.close_code:
            return self._looker.next()
        return text

    @property
    def _has_room(self) -> bool:
        return not self._closed and len(self._sent) < WINDOW_FRAMES and self._sent_chars < WINDOW_CHARS

    async def _say(self, text: str) -> None:
        if not self._sent:
            self.heard_at = time.monotonic()  # the wait for a confirmation begins now
        self._sent.append(len(text))
        self._sent_chars += len(text)
        self.said_at = time.monotonic()
        await self._send({"type": "websocket.send", "text": text})

    async def close(self, code: Close) -> None:
        if not self._closed:
            self._closed = True
            await self._send({"type": "websocket.send", "text": messages.bye(code)})
            await self._send({"type": "websocket.close", "code": int(code)})

    # --- what the rounds ask for ---

    async def ping(self) -> None:
        await self._say(self.subscription.ping())

    @property
    def is_mute(self) -> bool:
        """Something was sent, and nothing confirmed for too long."""
        return bool(self._sent) and time.monotonic() - self.heard_at > settings.SHEAF_LIVE_ACK_S
