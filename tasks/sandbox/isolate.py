"""Runs untrusted parsing in child processes that can be killed.

A PDF library that loops for ever, eats the memory or crashes takes its child with
it and nothing else. A pool keeps at most ``size`` warm children; each is started
from scratch (never forked off a process with threads), capped in memory, files
and time, and speaks over a socket. ``isolated_child`` is its end of the wire,
``isolated_process`` ours, ``isolated_raise`` brings its exceptions back.

What this is not: a sandbox. A child runs as the same user and can read what that
user can read. It has no secrets in its environment and no database connection.

    idle --call--> running --answer--> idle
                      |                  |  too old, grown, died
                      |  time is up, cancelled, out of memory, crashed
                      v                  v
                    killed -----------> reaped
"""

import asyncio
import json
import os
import sys
from types import TracebackType
from typing import Any

from tasks.sandbox import child as child_side
from tasks.sandbox.handle import Child, IsolateError
from tasks.sandbox.raising import rebuild

__all__ = ["Isolate", "IsolateError"]


class Isolate:
    """A pool of at most ``size`` warm children, used from one event loop.

    ``memory_mib`` caps each child's address space (RLIMIT_AS; the interpreter and
    pypdfium2 take about 150 of it). ``modules`` are imported before the first call,
    and exceptions defined in them (or below them) come back by type. A file that a child
    writes ends at ``max_file_mib``.

    Make and use it on the thread whose end means the end of the worker: the kernel
    ties a child's life to the thread that started it.
    """

    def __init__(
        self,
        *,
        size: int,
        memory_mib: int,
        modules: tuple[str, ...],
        max_reply_mib: int = 64,
        max_file_mib: int = 64,
        max_calls: int = 200,
        max_growth_mib: int | None = None,
    ) -> None:
        self.memory_mib = memory_mib
        self.modules = modules
        self.max_reply = max_reply_mib * 2**20
        self.max_file_mib = max_file_mib
        self.max_calls = max_calls
        self.max_growth = (max_growth_mib or memory_mib // 4) * 2**20
        self._places = asyncio.Semaphore(size)  # first come, first served
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._burials: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    async def call(self, function: str, *args: Any, timeout_s: float, **kwargs: Any) -> Any:
        """Run ``package.module:name`` in a child and return its value.

        The value is bytes, or JSON (a tuple comes back as a list). ``timeout_s`` is wall
        clock from the moment a child takes the call; waiting for a place is not counted.
        Raises what the function raised, when its type is the pool's or Python's own and
        its contents are JSON; else IsolateError. Cancelling kills the child at once.
        """
        self._check_usable()
        async with self._places:
            self._check_usable()
            child = self._take()
            self._busy.add(child)
            reusable = False
            try:
                if not child.ready:
                    await child.greet(self._hello())
                order = {"function": function, "args": args, "kwargs": kwargs, "cpu_s": timeout_s}
                kind, payload = await child.ask(order, timeout_s, max_reply=self.max_reply)
                child.calls += 1
                reusable = kind != child_side.NO_MEMORY and not self._worn(child)
                return self._open(kind, payload)
            finally:
                self._busy.discard(child)
                if reusable and not self._closed:
                    self._idle.append(child)
                else:
                    self._bury(child)

    async def aclose(self) -> None:
        """Kill every child, the busy ones too (their callers get "crashed"), and reap them."""
        self._closed = True
        for child in self._busy:
            child.kill("closed")
        while self._idle:
            self._bury(self._idle.pop())
        while self._busy or self._burials:
            await asyncio.wait(self._burials, timeout=0.05) if self._burials else None
            await asyncio.sleep(0.001)

    async def __aenter__(self) -> "Isolate":
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _tb: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _check_usable(self) -> None:
        if self._closed:
            raise RuntimeError("this Isolate is closed")
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if self._loop is not loop:
            raise RuntimeError("an Isolate belongs to the event loop that used it first")

    def _take(self) -> Child:
        """The warmest child that still lives, else a new one."""
        while self._idle:
            child = self._idle.pop()
            if child.alive():
                return child
            self._bury(child)
        return Child.spawn()

    def _hello(self) -> dict[str, Any]:
        return {
            "parent_pid": os.getpid(),
            "sys_path": [path or os.getcwd() for path in sys.path],
            "modules": self.modules,
            "memory_mib": self.memory_mib,
            "max_reply": self.max_reply,
            "max_file_mib": self.max_file_mib,
        }

    def _worn(self, child: Child) -> bool:
        grown = child.rss() - child.fresh_rss > self.max_growth
        return child.killed_for is not None or grown or child.calls >= self.max_calls

    def _bury(self, child: Child) -> None:
        """Kill now, reap in the background: whoever was cancelled doesn't wait for it."""
        child.kill("done")
        burial = asyncio.get_running_loop().create_task(child.reap())
        self._burials.add(burial)
        burial.add_done_callback(self._burials.discard)

    def _open(self, kind: bytes, payload: bytes) -> Any:
        if kind == child_side.BYTES:
            return payload
        if kind == child_side.NO_MEMORY:
            raise IsolateError("out_of_memory", f"more than {self.memory_mib} MiB of address space")
        if kind == child_side.UNSENDABLE:
            raise IsolateError("crashed", payload.decode(errors="replace"))
        try:
            answer = json.loads(payload)
        except (ValueError, RecursionError) as error:
            raise IsolateError("crashed", f"an answer that is not JSON: {error}") from None
        if kind == child_side.VALUE:
            return answer
        raise rebuild(answer, self.modules) or IsolateError("crashed", _summary(answer))


def _summary(answer: Any) -> str:
    known = answer if isinstance(answer, dict) else {}
    return f"{known.get('type', '?')}: {known.get('text', '')}"[:2000]
