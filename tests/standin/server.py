"""``python -m tests.standin.server PORT CONTROL_PORT``: an HTTP service that misbehaves on request, and counts.

``GET /call?do=SCENARIO&ms=N``: answers after N ms as SCENARIO says (see ``answers``), unless the weather rules.
A call counts as in flight until it is answered, until the caller disconnects, or until it has lasted ``COUNTED_S``,
whichever comes first: after that time every caller's deadline is over.

``POST /control/weather`` {"do", "ms", ...} or {}; ``/control/mark`` begins a new phase; ``/control/limit`` {"limit"}:
from now on a call that begins while that many are in flight is counted as ``over``; ``/control/deaf`` {"s"}: refuse
connections that long; ``GET /control/stats``.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from urllib.parse import parse_qsl, urlsplit

from tests.standin import answers

COUNTED_S = 5.0


class Count:
    """Of one phase. Times are ``time.monotonic`` of this process."""

    def __init__(self, in_flight: int = 0):
        self.calls = self.answered = self.over = 0
        self.max_in_flight = in_flight
        self.first = self.last = None
        self.busy_s = 0.0
        self.keys: dict[str, int] = {}
        self.began: list[float] = []


class Service:
    def __init__(self):
        self.in_flight = 0
        self.limit: int | None = None
        self.weather: dict = {}
        self.phase = Count()
        self.ever = Count()
        self._changed = time.monotonic()
        self._listener: asyncio.Server | None = None
        self._idle: set[asyncio.StreamWriter] = set()

    async def listen(self, port: int) -> None:
        self._port = port
        self._listener = await asyncio.start_server(self.serve, "127.0.0.1", port, backlog=1024)

    # --- calls ---

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer) and self._listener.is_serving():
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the caller left, which is its right
        finally:
            writer.close()

    async def _one(self, reader, writer) -> bool:
        """One request; whether the connection stays open."""
        self._idle.add(writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        finally:
            self._idle.discard(writer)
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        url = urlsplit(target)
        if url.path.startswith("/control/"):
            said = self.control(url.path.removeprefix("/control/"), json.loads(body or b"{}"))
            writer.write(answers.response(200, json.dumps(said).encode(), {"content-type": "application/json"}))
            await writer.drain()
            return True
        order = {"path": url.path, "method": method, **dict(parse_qsl(url.query)), **self.weather}
        return await self._counted(order, headers, reader, writer)

    async def _counted(self, order, headers, reader, writer) -> bool:
        """Behave as ordered while watching for the caller to leave."""
        self._begin(headers.get("x-key", ""))
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self._end()

        too_long = asyncio.get_running_loop().call_later(COUNTED_S, end)
        behaving = asyncio.ensure_future(answers.behave(order, headers, writer, end))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait([behaving, leaving], return_when=asyncio.FIRST_COMPLETED)
            return behaving.done() and behaving.result() and not leaving.done()
        finally:
            end()
            too_long.cancel()
            for one in (behaving, leaving):
                one.cancel()
            await asyncio.gather(behaving, leaving, return_exceptions=True)

    def _begin(self, key: str) -> None:
        for count in (self.phase, self.ever):
            if self.limit is not None and self.in_flight >= self.limit:
                count.over += 1
            count.calls += 1
            count.keys[key] = count.keys.get(key, 0) + 1
        self._move(+1)
        now = time.monotonic()
        self.phase.first = self.phase.first or now
        self.phase.began.append(now)

    def _end(self) -> None:
        self._move(-1)
        self.phase.answered += 1
        self.phase.last = time.monotonic()

    def _move(self, by: int) -> None:
        now = time.monotonic()
        self.phase.busy_s += self.in_flight * (now - self._changed)
        self._changed = now
        self.in_flight += by
        for count in (self.phase, self.ever):
            count.max_in_flight = max(count.max_in_flight, self.in_flight)

    # --- control ---

    def control(self, word: str, given: dict) -> dict:
        match word:
            case "weather":
                self.weather = given
            case "mark":
                self.phase, self._changed = Count(self.in_flight), time.monotonic()
            case "limit":
                self.limit = given["limit"]
            case "deaf":
                self._listener.close()
                for writer in self._idle:
                    writer.close()
                asyncio.get_running_loop().call_later(
                    given["s"], lambda: asyncio.ensure_future(self.listen(self._port))
                )
        return self.stats()

    def stats(self) -> dict:
        phase = self.phase
        return {
            "in_flight": self.in_flight,
            "max_in_flight": phase.max_in_flight,
            "max_ever": self.ever.max_in_flight,
            "calls": phase.calls,
            "calls_ever": self.ever.calls,
            "answered": phase.answered,
            "over": phase.over,
            "over_ever": self.ever.over,
            "busy_s": round(phase.busy_s, 4),
            "elapsed_s": round(phase.last - phase.first, 4) if phase.first and phase.last else None,
            "began": [round(at - phase.began[0], 4) for at in phase.began[:5000]],
            "most_for_one_key": max(phase.keys.values(), default=0),
        }


async def main(port: int, control_port: int) -> None:
    service = Service()
    await service.listen(port)
    # a way in that is open while the service plays deaf
    await asyncio.start_server(service.serve, "127.0.0.1", control_port)
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
