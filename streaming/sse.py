"""The same stream as server-sent events, ``/tasks/<id>/events``: for curl, and where websockets are blocked.

Each event is one message of ``messages``; its id is the last line, so ``Last-Event-ID`` goes on where it broke off.
``?after=N`` does the same for clients without that header, ``?until=end`` closes the stream when the Task has ended.

Nothing is ever confirmed here, and daphne buffers without bound for who does not read: so a stream ends by itself
after some megabytes or minutes. EventSource then comes back by its own account, with its Last-Event-ID.
"""

from __future__ import annotations

import asyncio
import time

from django.conf import settings
from django.http import StreamingHttpResponse

from streaming import access, messages
from streaming.deadline import signalled
from streaming.doors import WrongNumber, for_watchers, number
from streaming.hub import Hub
from streaming.reader import ReadError
from streaming.subscription import Subscription

MOST_CHARS = 2 * 1024 * 1024
MOST_SECONDS = 15 * 60
RETRY_MS = 1000


@for_watchers
async def events(request, task_id: int) -> StreamingHttpResponse:
    last = request.headers.get("Last-Event-ID", "")
    if last and not (last.isdecimal() and len(last) <= 16 and int(last) <= 2**53):
        raise WrongNumber("Last-Event-ID")
    after = int(last) if last else number(request, "after", -500, low=-(2**53))

    at = None if last else number(request, "at", 0) or None

    def subscribe(wake):
        return Subscription(Hub.here(), task_id, after, wake, at)

    return answer(request, task_id, subscribe, until_end=request.GET.get("until") == "end")


def answer(request, task_id: int | None, subscribe, *, until_end: bool = False) -> StreamingHttpResponse:
    """An event stream of what ``subscribe(wake)`` brings; ``task_id`` says whose permission is asked again."""
    session_key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    stream = _stream(session_key, task_id, subscribe, until_end=until_end)
    return StreamingHttpResponse(
        stream,
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"},
    )


def _event(text: str, last: int) -> str:
    return f"id: {last}\ndata: {text}\n\n" if last >= 0 else f"data: {text}\n\n"


async def _stream(session_key: str, task_id: int | None, subscribe, *, until_end: bool):
    news = asyncio.Event()
    subscription = subscribe(news.set)
    begun = asked_at = time.monotonic()
    chars = 0
    try:
        yield f"retry: {RETRY_MS}\n\n"
        while chars < MOST_CHARS and time.monotonic() - begun < MOST_SECONDS:
            news.clear()
            try:
                while chars < MOST_CHARS and (text := await subscription.next()) is not None:
                    chars += len(text)
                    yield _event(text, subscription.after)
                    if until_end and text.startswith('{"type":"eof"'):
                        return
            except ReadError:
                yield _event(subscription.ping(), subscription.after)
            if subscription.close_code:
                yield _event(messages.bye(subscription.close_code), subscription.after)
                return
            if chars >= MOST_CHARS:
                return
            if not await signalled(news, settings.SHEAF_LIVE_PING_S):
                yield ": still here\n\n" + _event(subscription.ping(), subscription.after)
            if time.monotonic() - asked_at > settings.SHEAF_LIVE_RECHECK_S:
                asked_at = time.monotonic()
                if code := await access.refusal(session_key, task_id):
                    yield _event(messages.bye(code), subscription.after)
                    return
    finally:
        subscription.leave()
