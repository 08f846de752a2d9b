"""Keeps a handful of processes running on one machine: starts, restarts, and stops them together.

    waiting --start--> running --dies by itself--> waiting (back-off doubles, forgotten after a good run)
                          |
                          '--stop: SIGTERM, then after `stop_s` SIGKILL of its whole group--> stopped

Children run in sessions of their own: Ctrl-C in the terminal reaches the supervisor alone, which then stops them in
peace. They hold the reading end of a pipe (`config.machine.lifeline`), so they end too if the supervisor is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from config.machine import lifeline

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 10.0
GOOD_RUN_S = 30.0  # a child that lived this long starts again with the shortest pause
HOPELESS_STARTS = 5  # so many deaths before the first good run: it can't work, give up and say so


class Echo(Protocol):
    """Gets each line that a child prints, without its end of line."""

    def __call__(self, name: str, line: str) -> None: ...


@dataclass(frozen=True)
class Program:
    """What to run. `environment` is asked anew for each start; `reaped` is told after a bad end
    (what it raises ends the supervisor) which environment that process had."""

    name: str
    command: Sequence[str]
    environment: Callable[[], Mapping[str, str]] = dict
    reaped: Callable[[Mapping[str, str]], Awaitable[None]] | None = None


@dataclass
class Running:
    """One program's present process, and how its past ones fared."""

    program: Program
    process: asyncio.subprocess.Process | None = None
    starts: int = 0
    last_lines: list[str] = field(default_factory=list)


class Supervisor:
    """Runs `programs` until told to stop; see `run` for how it ends."""

    def __init__(self, programs: Sequence[Program], *, stop_s: float, echo: Echo, cwd: str | os.PathLike):
        self.running = [Running(program) for program in programs]
        self.hopeless: str | None = None  # the program that could not be kept running
        self._stop_s = stop_s
        self._echo = echo
        self._cwd = cwd
        self._stopping = asyncio.Event()
        self._read_end = self._write_end = -1

    @property
    def is_stopping(self) -> bool:
        """Whether the end has been asked for, by `stop`, a signal or a hopeless program."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Ask for the end; `run` returns when every child is gone."""
        self._stopping.set()

    async def run(self) -> int:
        """Supervise until `stop`, SIGTERM or SIGINT; 0 then, 1 if a program could not be kept running.

        A second signal doesn't kill faster: children hand their work back, and that takes at most `stop_s`.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop)
        self._read_end, self._write_end = os.pipe()
        keeping = [asyncio.create_task(self._keep(one)) for one in self.running]
        try:
            await asyncio.gather(*keeping)
        finally:  # also when one of them raised (its program isn't there, say): the others are stopped in peace
            self.stop()
            await asyncio.gather(*keeping, return_exceptions=True)
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)
            os.close(self._read_end)
            os.close(self._write_end)
        return 1 if self.hopeless else 0

    async def _keep(self, one: Running) -> None:
        """Start `one` again and again, until the stop."""
        failures, proven = 0, False
        while not self._stopping.is_set():
            began = time.monotonic()
            await self._run_once(one)
            if self._stopping.is_set():
                return
            good = time.monotonic() - began >= GOOD_RUN_S
            proven, failures = proven or good, 1 if good else failures + 1
            # What worked before will work again, when the database is back, say: that one is never given up
            if failures >= HOPELESS_STARTS and not proven:
                self.hopeless = one.program.name
                log.error("%s died %d times in a row, stopping: %s", one.program.name, failures, one.last_lines[-1:])
                self.stop()
                return
            pause_s = min(FIRST_PAUSE_S * 2 ** (failures - 1), LONGEST_PAUSE_S)
            log.warning("%s ended (%s), starts again in %.2g s", one.program.name, one.process.returncode, pause_s)
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause_s)

    async def _run_once(self, one: Running) -> None:
        """One life of a child: from its start until it is gone with all that it started in its group."""
        extra = dict(one.program.environment())
        # A pipe of our own: asyncio's PIPE would let `wait` return only when all who inherited it are gone too
        said, saying = os.pipe()
        try:
            one.process = process = await asyncio.create_subprocess_exec(
                *one.program.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=saying,
                stderr=saying,
                cwd=self._cwd,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **extra, lifeline.VARIABLE: str(self._read_end)},
                pass_fds=[self._read_end],
                start_new_session=True,
            )
        finally:
            os.close(saying)
        one.starts += 1
        reading = asyncio.create_task(self._relay(one, said))
        ended = asyncio.create_task(process.wait())
        told = asyncio.create_task(self._stopping.wait())
        await asyncio.wait([ended, told], return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            _signal_group(process.pid, signal.SIGTERM, whole=False)
            await asyncio.wait([ended], timeout=self._stop_s)
            if not ended.done():
                log.warning("%s did not stop within %.3g s and is killed", one.program.name, self._stop_s)
        told.cancel()
        _signal_group(process.pid, signal.SIGKILL, whole=True)
        await ended
        # A grandchild that left the group may hold the pipe open: don't wait for its end of file
        await asyncio.wait([reading], timeout=1)
        reading.cancel()
        if one.program.reaped is not None and process.returncode != 0:
            await one.program.reaped(extra)

    async def _relay(self, one: Running, said: int) -> None:
        """Hand the child's output on, line by line, whatever bytes it writes; closes `said`."""
        stream = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(said, "rb", 0)
        )
        rest = b""
        try:
            while block := await stream.read(65536):
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    self._hand_on(one, line)
                if len(rest) > 65536:
                    self._hand_on(one, rest)
                    rest = b""
            if rest:
                self._hand_on(one, rest)
        finally:
            transport.close()

    def _hand_on(self, one: Running, line: bytes) -> None:
        words = line.decode(errors="replace").rstrip("\r")
        one.last_lines = [*one.last_lines[-19:], words]
        self._echo(one.program.name, words)


def _signal_group(pid: int, number: int, *, whole: bool) -> None:
    """Signal a child, or it and all of its group; gone already is fine."""
    with contextlib.suppress(ProcessLookupError):
        (os.killpg if whole else os.kill)(pid, number)
