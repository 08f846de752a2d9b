"""One thread of a process that talks to the database: one connection, one call at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import Error, connection

#: A process that is frozen in the middle of a transaction holds what it locked: until the server ends its session, and
#: who waits for it meanwhile asks again, so that its lanes are renewed in between.
IMPATIENT = "SET idle_in_transaction_session_timeout = '4s'; SET lock_timeout = '3s'"
#: For the thread that runs the code of Kinds as well, which may think for a while between two statements.
PATIENT = "SET idle_in_transaction_session_timeout = '15s'"
#: In a transaction that locks nothing of the engine's.
UNHURRIED = "SET LOCAL idle_in_transaction_session_timeout = '10min'"


class DatabaseThread:
    """Runs blocking ORM code for coroutines. After a database error the connection is closed if it is broken, so
    that the next call connects anew. ``settings``: SQL that each new connection begins with."""

    def __init__(self, name: str, settings: str = ""):
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._settings, self._configured = settings, None

    async def call(self, function: Callable, *args: Any, **kwargs: Any) -> Any:
        """The function's result. Cancelling the awaiting coroutine does not stop the function."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._run, function, args, kwargs)

    def _run(self, function, args, kwargs):
        try:
            if self._settings and (connection.connection is None or connection.connection is not self._configured):
                with connection.cursor() as cursor:
                    cursor.execute(self._settings)
                self._configured = connection.connection
            return function(*args, **kwargs)
        except Error:
            connection.close_if_unusable_or_obsolete()
            raise

    def close(self) -> None:
        """Ends the thread and its connection after what is under way."""
        self._executor.submit(connection.close)
        self._executor.shutdown(wait=True)
