"""One thread of a process that talks to the database: one connection, one call at a time."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import psycopg
from django.db import (
    DEFAULT_DB_ALIAS,
    Error,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    connections,
)
from procrastinate.contrib.django.utils import connector_params
from psycopg.pq import TransactionStatus

logger = logging.getLogger(__name__)

ACTIVE = TransactionStatus.ACTIVE
#: What is raised while the database is away; the same call may go well later.
UNAVAILABLE = (OperationalError, InterfaceError, InternalError)
#: A process that is frozen in the middle of a transaction holds what it locked: until the server ends its session, and
#: who waits for it meanwhile asks again, so that its lanes are renewed in between.
IMPATIENT = "SET idle_in_transaction_session_timeout = '4s'; SET lock_timeout = '3s'"
#: For the thread that runs the code of Kinds as well, which may think for a while between two statements.
PATIENT = "SET idle_in_transaction_session_timeout = '15s'"
#: In a transaction that locks nothing of the engine's.
UNHURRIED = "SET LOCAL idle_in_transaction_session_timeout = '10min'"


#: What is cancelled may have ended, and begun its next statement, meanwhile: asked again until it has returned.
CANCEL_AGAIN_S = 0.1


#: A server that has just sent its answer is not silent yet.
ANSWERED_S = 2.0

_IS_SERVED = """
SELECT state = 'active' OR state_change > clock_timestamp() - make_interval(secs => %s)
  FROM pg_stat_activity WHERE pid = %s
"""


@dataclass
class Running:
    """What the thread does: a function, with the connection (Django's wrapper) it has, since when."""

    function: Callable
    wrapper: Any
    since: float = field(default_factory=time.monotonic)


class DatabaseThread:
    """Runs blocking ORM code for coroutines. After a database error the connection is closed if it is broken, so
    that the next call connects anew. ``settings``: SQL that each new connection begins with."""

    def __init__(self, name: str, settings: str = ""):
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._settings, self._configured = settings, None
        self._backend_pid = 0
        self._running: Running | None = None
        self._lock = threading.Lock()  # of _running, and against closing a connection that another thread looks at

    async def call(self, function: Callable, *args: Any, **kwargs: Any) -> Any:
        """The function's result. Cancelling the awaiting coroutine does not stop the function."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._run, function, args, kwargs)

    async def interrupt(self, function: Callable) -> None:
        """If this function runs now, have the server cancel its statement, and the next, until it has returned: it
        sees an OperationalError. Nobody waits for housekeeping to stop."""
        while await asyncio.to_thread(self._cancel, function):  # noqa: ASYNC110  it ends in another thread
            await asyncio.sleep(CANCEL_AGAIN_S)

    def _cancel(self, function: Callable) -> bool:
        with self._lock:  # what comes after it is not to be hit
            if self._running is None or self._running.function is not function:
                return False
            if (wire := self._running.wrapper.connection) is not None:
                try:
                    wire.cancel_safe(timeout=1)
                except psycopg.Error:
                    pass  # the connection is gone, or the server is: the statement fails by itself
            return True

    async def keep_line(self, silent_s: float) -> None:
        """Until cancelled: hang up when the other end has vanished without a word (a machine that lost its power, a
        firewall that forgot us). The kernel notices what nobody acknowledges; that nobody answers, only we can.
        A statement that waits for ``silent_s`` is asked for over another connection, since it may just be long.
        """
        while True:
            await asyncio.sleep(silent_s / 4)
            running = self._running
            if running is None or time.monotonic() - running.since < silent_s or not self._waits(running):
                continue
            if not await _is_served(self._backend_pid, silent_s) and self._hang_up(running):
                logger.warning("The database has not answered for %.0f s: connecting anew", silent_s)

    def _waits(self, running: Running) -> bool:
        with self._lock:
            wire = running.wrapper.connection
            return running is self._running and wire is not None and wire.pgconn.transaction_status == ACTIVE

    def _hang_up(self, running: Running) -> bool:
        """Have the thread's read end as if the peer had closed: it sees an OperationalError."""
        with self._lock:
            wire = running.wrapper.connection
            if running is not self._running or wire is None or wire.closed:
                return False
            with socket.socket(fileno=os.dup(wire.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
            return True

    def _run(self, function, args, kwargs):
        with self._lock:
            self._running = Running(function, connections[DEFAULT_DB_ALIAS])
        try:
            if connection.connection is None or connection.connection is not self._configured:
                with connection.cursor() as cursor:
                    if self._settings:
                        cursor.execute(self._settings)
                    cursor.execute("SELECT pg_backend_pid()")  # a pooler would tell the client another
                    self._backend_pid = cursor.fetchone()[0]
                self._configured = connection.connection
            return function(*args, **kwargs)
        except Error:
            with self._lock:
                connection.close_if_unusable_or_obsolete()
            raise
        finally:
            with self._lock:
                self._running = None

    def close(self) -> None:
        """Ends the thread and its connection after what is under way."""
        self._executor.submit(lambda: connection.close())  # named in that thread, it is that thread's
        self._executor.shutdown(wait=True)


async def _is_served(backend_pid: int, patience_s: float) -> bool:
    """Whether the server works for this session, or did a moment ago, as it says itself over another connection."""
    try:
        async with asyncio.timeout(patience_s):
            async with await psycopg.AsyncConnection.connect(**connector_params("default"), autocommit=True) as asking:
                answer = await asking.execute(_IS_SERVED, [ANSWERED_S, backend_pid])
                return bool((await answer.fetchone() or [False])[0])
    except (psycopg.Error, TimeoutError):
        return False
