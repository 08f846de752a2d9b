"""One thread of a process that talks to the database: one connection, one call at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections

#: A process that is frozen in the middle of a transaction holds what it locked: until the server ends its session, and
#: who waits for it meanwhile asks again, so that its lanes are renewed in between.
IMPATIENT = "SET idle_in_transaction_session_timeout = '4s'; SET lock_timeout = '3s'"
#: For the thread that runs the code of Kinds as well, which may think for a while between two statements.
PATIENT = "SET idle_in_transaction_session_timeout = '15s'"
#: In a transaction that locks nothing of the engine's.
UNHURRIED = "SET LOCAL idle_in_transaction_session_timeout = '10min'"


#: What is cancelled may have ended, and begun its next statement, meanwhile: asked again until it has returned.
CANCEL_AGAIN_S = 0.1


class DatabaseThread:
    """Runs blocking ORM code for coroutines. After a database error the connection is closed if it is broken, so
    that the next call connects anew. ``settings``: SQL that each new connection begins with."""

    def __init__(self, name: str, settings: str = ""):
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._settings, self._configured = settings, None
        self._running: tuple[Callable, Any] | None = None  # the function, and the connection it has
        self._running_lock = threading.Lock()

    async def call(self, function: Callable, *args: Any, **kwargs: Any) -> Any:
        """The function's result. Cancelling the awaiting coroutine does not stop the function."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._run, function, args, kwargs)

    async def interrupt(self, function: Callable) -> None:
        """If this function runs now, have the server cancel its statement, and the next, until it has returned: it
        sees an OperationalError. Nobody waits for housekeeping to stop."""
        while await asyncio.to_thread(self._cancel, function):  # noqa: ASYNC110  it ends in another thread
            await asyncio.sleep(CANCEL_AGAIN_S)

    def _cancel(self, function: Callable) -> bool:
        with self._running_lock:  # what comes after it is not to be hit
            if self._running is None or self._running[0] is not function:
                return False
            if (wrapped := self._running[1].connection) is not None:
                try:
                    wrapped.cancel_safe(timeout=1)
                except psycopg.Error:
                    pass  # the connection is gone, or the server is: the statement fails by itself
            return True

    def _run(self, function, args, kwargs):
        with self._running_lock:
            self._running = function, connections[DEFAULT_DB_ALIAS]
        try:
            if self._settings and (connection.connection is None or connection.connection is not self._configured):
                with connection.cursor() as cursor:
                    cursor.execute(self._settings)
                self._configured = connection.connection
            return function(*args, **kwargs)
        except Error:
            connection.close_if_unusable_or_obsolete()
            raise
        finally:
            with self._running_lock:
                self._running = None

    def close(self) -> None:
        """Ends the thread and its connection after what is under way."""
        self._executor.submit(connection.close)
        self._executor.shutdown(wait=True)
