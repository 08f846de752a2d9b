"""The one LISTEN connection of a process: tells the hub which Task changed.

::

    off ─first watcher─▶ connecting ─LISTEN, then catch up─▶ proving ─own notice arrives─▶ listening
                             ▲                                  └─it does not─▶ polling (a pooler is in between)
                             └───────── lost, or silent at a heartbeat ◀──────────────────────┘

- Autocommit: an open transaction would hold back both notices and VACUUM.
- LISTEN first, then catch up: what changes in between is told or read, never lost.
- A heartbeat on the same connection, with its own time limit, finds a connection that was dropped silently. It asks
  whether the session still listens, which also unmasks a pooler that handed us another session.
- PgBouncer in transaction mode accepts LISTEN and never delivers: so a notice of our own, sent over another
  connection, has to arrive before we trust the rest. Until then, and when it does not, the hub polls faster.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Callable

import psycopg
from django.conf import settings

from streaming.deadline import within
from streaming.reader import Reader, ReadError, connection_options
from tasks.triggers import CHANNEL

log = logging.getLogger(__name__)

PROOF_LIMIT_S = 3
#: While polling, LISTEN is tried anew this often: the pooler may be gone.
RETRY_POOLER_S = 60
_STILL_LISTENING = "SELECT 1 FROM pg_listening_channels() AS c WHERE c = %s"


class PoolerInBetween(Exception):
    """LISTEN was accepted, but notices do not arrive."""


class Listener:
    """``on_task(id)`` for each notice, ``on_catch_up()`` after each (re)connect. ``state`` is one of the diagram's."""

    def __init__(self, reader: Reader, on_task: Callable[[int], None], on_catch_up: Callable[[], None]):
        self.state = "off"
        self.backend_pid: int | None = None
        self._reader, self._on_task, self._on_catch_up = reader, on_task, on_catch_up
        self._proof: str | None = None
        self._proven = asyncio.Event()

    async def run(self) -> None:
        """Listen until cancelled."""
        failures = 0
        while True:
            self.state = "connecting" if self.state != "polling" else "polling"
            try:
                await self._listen()
            except PoolerInBetween as error:
                if self.state != "polling":
                    log.warning("live view: %s; polling instead. Web processes want a direct connection.", error)
                self.state = "polling"
                pause = RETRY_POOLER_S
            except ReadError as error:
                failures = 0 if self._proven.is_set() else failures + 1
                self.state = "polling" if self.state == "polling" else "connecting"
                # jitter: after a restart of the database all processes come at once
                pause = min(0.1 * 2**failures, 5) * random.uniform(0.5, 1.5)
                why = error or type(error).__name__
                log.warning("live view: the LISTEN connection was lost (%s); again in %.1f s", why, pause)
            await asyncio.sleep(pause)

    async def _listen(self) -> None:
        limit = settings.SHEAF_LIVE_HEARTBEAT_S
        self._proven.clear()
        connection = await within(max(limit, 5), psycopg.AsyncConnection.connect(**connection_options()))
        proving = None
        try:
            await within(limit, connection.execute(f"LISTEN {CHANNEL}"))
            self.backend_pid = connection.info.backend_pid
            self._on_catch_up()
            if self.state != "polling":
                self.state = "proving"
            proving = asyncio.create_task(self._prove())
            while True:
                async for notice in connection.notifies(timeout=limit if self._proven.is_set() else 0.2):
                    self._heard(notice.payload)
                if self._proven.is_set():
                    answer = await within(limit, connection.execute(_STILL_LISTENING, [CHANNEL]))
                    if not await answer.fetchone():
                        raise PoolerInBetween("the session that was listening is no longer ours")
                elif proving.done():
                    proving.result()
                    raise PoolerInBetween("notices do not arrive, a transaction pooler is in between")
        finally:
            self.backend_pid = None
            if proving:
                proving.cancel()
                await asyncio.gather(proving, return_exceptions=True)
            await connection.close()  # says goodbye and waits for nothing

    async def _prove(self) -> None:
        """Send a notice to ourselves over another connection; returns when it has arrived or ought to have."""
        self._proof = f"proof:{secrets.token_hex(8)}"
        await self._reader.rows("SELECT pg_notify(%s, %s)::text", [CHANNEL, self._proof])
        try:
            await within(PROOF_LIMIT_S, self._proven.wait())
        except TimeoutError:
            return  # _listen sees that nothing was proven
        if self.state == "polling":
            log.warning("live view: notices arrive again, no more polling")
        self.state = "listening"

    def _heard(self, payload: str) -> None:
        if payload == self._proof:
            self._proven.set()
        elif payload == "*":
            self._on_catch_up()
        else:
            task, _, _version = payload.partition(":")
            if task.isdigit():
                self._on_task(int(task))
