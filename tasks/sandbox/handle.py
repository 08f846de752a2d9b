"""One child process of ``tasks.sandbox.isolate``, seen from the worker.

Starts it with an environment without secrets, asks it one thing at a time, kills
it by the clock, and says afterwards what it died of.
"""

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from tasks.sandbox import child as child_side

# What a library needs to find its files and speak the right language; all else,
# DATABASE_URL and SECRET_KEY first, stays behind.
ENVIRONMENT_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH")
# glibc reserves 64 MiB of address space for each thread's arena, which RLIMIT_AS counts.
ENVIRONMENT_SET = {"MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1"}

START_TIMEOUT_S = 60.0
REAP_PATIENCE_S = 5.0
# The share of its cap that a child had when it died for want of memory. A library that gives up by itself (PDFium
# says nothing, it aborts) asked for a buffer twice as large beside the one it filled: a third and more, measured 68 %.
# What dies of a pointer that it did not get has come nearer.
STARVED = {signal.SIGABRT: 1 / 3, signal.SIGTRAP: 1 / 3, signal.SIGILL: 1 / 3, signal.SIGSEGV: 0.8, signal.SIGBUS: 0.8}
STDERR_KEPT = 2048
STDERR_SAYS_MEMORY = (b"memory allocation", b"bad_alloc", b"Out of memory", b"MemoryError")


class IsolateError(Exception):
    """The child could not give an answer.

    ``code`` is "timeout", "out_of_memory" or "crashed"; ``detail`` says how, in English,
    with the end of what the child wrote to stderr.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}" if self.detail else self.code


class Child:
    """One process, seen from the worker."""

    def __init__(self, process: subprocess.Popen[bytes], sock: socket.socket, stderr: int) -> None:
        self.process = process
        self.memory_mib = 0
        self.ready = False
        self.calls = 0
        self.killed_for: str | None = None  # set once, by the first who kills
        self.peak_mib = 0.0
        self.fresh_rss = 0
        self._socket = sock
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter
        self._tail: deque[int] = deque(maxlen=STDERR_KEPT)
        self._stderr = stderr
        os.set_blocking(stderr, False)
        asyncio.get_running_loop().add_reader(stderr, self._hear_stderr)

    @classmethod
    def spawn(cls) -> "Child":
        """Start a process; it is of use after ``greet``."""
        ours, theirs = socket.socketpair()
        stderr, stderr_theirs = os.pipe()
        kept = {name: os.environ[name] for name in ENVIRONMENT_KEPT if name in os.environ}
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", child_side.__file__],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=stderr_theirs,
                env=kept | ENVIRONMENT_SET,
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            os.close(stderr)
            raise
        finally:
            theirs.close()
            os.close(stderr_theirs)
        return cls(process, ours, stderr)

    async def greet(self, hello: dict[str, Any]) -> None:
        """Send what a child needs to know, wait until it has imported its modules.

        IsolateError("crashed") with its last words when it can't.
        """
        self.memory_mib = hello["memory_mib"]
        self._reader, self._writer = await asyncio.open_connection(sock=self._socket)
        try:
            kind, _ = await self.ask(hello, START_TIMEOUT_S, max_reply=0)
        except IsolateError as error:
            raise IsolateError("crashed", f"a child that did not start: {error}") from None
        if kind != child_side.READY:
            raise IsolateError("crashed", "a child that did not say it was ready")
        self.fresh_rss = self.rss()
        self.ready = True

    async def ask(self, order: dict[str, Any], timeout_s: float, *, max_reply: int) -> tuple[bytes, bytes]:
        """Send one order, return the reply's kind and payload; IsolateError if none comes.

        The clock is a timer that kills, not one that interrupts this coroutine: the
        child is dead in time even when nobody gets to run here.
        """
        self._tail.clear()
        clock = asyncio.get_running_loop().call_later(timeout_s, self.kill, "timeout")
        try:
            body = pickle.dumps(order)
            self._writer.write(child_side.LENGTH.pack(len(body)))
            self._writer.write(body)
            await self._writer.drain()
            head = await self._reader.readexactly(child_side.REPLY_HEAD.size)
            kind, length = child_side.REPLY_HEAD.unpack(head)
            if length > max(max_reply, STDERR_KEPT):
                raise IsolateError("crashed", f"an answer of {length} bytes")
            return kind, await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.reap()
            raise self.obituary(timeout_s) from None
        finally:
            clock.cancel()

    def kill(self, reason: str) -> None:
        """SIGKILL the child and whatever it started. At once, safe to repeat."""
        if self.process.returncode is None:  # not reaped, so its number is still its own
            self.killed_for = self.killed_for or reason
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return

    async def reap(self) -> None:
        """Wait for the end, kill what is left of the group, close both ends.

        A child that only hung up gets 0.2 s to end by itself, so that its own exit code
        or signal is what we report. One that the kernel can't end (a dead network disk)
        is left alone after some seconds.
        """
        began = time.monotonic()
        pause = 0.001
        while self.process.returncode is None:
            # Look without reaping: as long as it is a zombie its group can be killed safely.
            ended = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # noqa: ASYNC222
            waited = time.monotonic() - began
            if ended or waited > 0.2:
                self.kill("gone")
            if ended:
                _, status, used = os.wait4(self.process.pid, 0)  # noqa: ASYNC222 - a zombie by now
                self.process.returncode = os.waitstatus_to_exitcode(status)
                # At least our own peak, which the kernel carries over fork and exec: a crash looks like a want of
                # memory to a process that itself once had such a share of its children's cap; ours have a tenth.
                self.peak_mib = used.ru_maxrss / 1024
            elif waited > REAP_PATIENCE_S:
                break
            else:
                await asyncio.sleep(pause)
                pause = min(pause * 2, 0.05)
        self._hear_stderr()
        self._close_stderr()
        self._socket.close() if not hasattr(self, "_writer") else self._writer.transport.abort()

    def _hear_stderr(self) -> None:
        if self._stderr < 0:
            return
        try:
            heard = os.read(self._stderr, 65536)
        except BlockingIOError:
            return
        self._tail.extend(heard)
        if not heard:
            self._close_stderr()

    def _close_stderr(self) -> None:
        if self._stderr >= 0:
            asyncio.get_running_loop().remove_reader(self._stderr)
            os.close(self._stderr)
            self._stderr = -1

    def obituary(self, timeout_s: float) -> IsolateError:
        """Why a reaped child died, in the three codes that people see."""
        code, said = self.process.returncode, bytes(self._tail)
        if self.killed_for == "timeout" or code == -signal.SIGXCPU:
            return IsolateError("timeout", f"no answer within {timeout_s:g} s")
        if self.killed_for == "closed":
            return IsolateError("crashed", "the pool was closed during the call")
        if code is None:
            return IsolateError("crashed", "a child that the kernel can't end")
        how = f"exit code {code}" if code >= 0 else f"signal {-code} ({_signal_name(-code)})"
        detail = f"{how}, peak {self.peak_mib:.0f} MiB"
        if said.strip():
            detail += "; stderr: " + said.decode(errors="replace").strip()
        starved = code < 0 and -code in STARVED and self.peak_mib > STARVED[-code] * self.memory_mib
        if starved or any(phrase in said for phrase in STDERR_SAYS_MEMORY):
            return IsolateError("out_of_memory", detail)
        return IsolateError("crashed", detail)

    def rss(self) -> int:
        """Resident bytes now; 0 where /proc can't say."""
        try:
            pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        except (OSError, IndexError):
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def alive(self) -> bool:
        """Whether an idle child is still there to be used."""
        if self.killed_for or self._reader.at_eof():
            return False
        return not os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unnamed"
