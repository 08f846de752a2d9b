"""A time limit that holds even where cancelling would take long.

``asyncio.wait_for`` waits until the cancelled coroutine has ended; psycopg then asks the server to cancel the query
over a new connection, which on a dead network takes another ten seconds. Nobody here can wait for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


async def within(seconds: float, work: Coroutine) -> Any:
    """The result of ``work``, or TimeoutError after ``seconds``; it then ends by itself in the background."""
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        _let_go(task)
        raise
    if not done:
        _let_go(task)
        raise TimeoutError(f"no answer within {seconds:g} s")
    return task.result()


async def signalled(event: asyncio.Event, seconds: float) -> bool:
    """Whether ``event`` is set, waiting for it at most ``seconds``.

    Not ``wait_for``: in Python 3.11 and before it swallows a cancellation that comes in the same moment as the event.
    """
    if event.is_set():
        return True
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({waiting}, timeout=seconds)
    finally:
        waiting.cancel()
    return event.is_set()


_ending: set[asyncio.Task] = set()


def _let_go(task: asyncio.Task) -> None:
    task.cancel()
    _ending.add(task)  # the loop itself keeps weak references only
    task.add_done_callback(_ended)


def _ended(task: asyncio.Task) -> None:
    _ending.discard(task)
    if not task.cancelled():
        task.exception()  # seen: nobody is left who could be told
