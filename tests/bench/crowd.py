"""Hundreds of websocket clients in one loop at little cost: no library, no JSON, just enough of RFC 6455 to count.

Each client proves that its lines are complete: a ``lines`` message must begin where the last one ended.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import struct
import time

SPAN = re.compile(rb'^\{"type":"lines","after":(\d+),"last":(\d+),')
_GAP = re.compile(rb'^\{"type":"gap","from":(\d+),"to":(\d+)\}')
_STAMP = re.compile(rb"@(\d+\.\d+)@")


class Tally:
    """What a crowd has seen together. ``latencies``: seconds from before the commit to the socket, oldest and newest
    line of each message."""

    def __init__(self):
        self.lines = self.frames = self.lost = self.duplicated = self.reordered = self.gaps = 0
        self.latencies: list[float] = []


class Client(asyncio.Protocol):
    """One websocket. ``after``: the last line that it has; keep it for the next connection."""

    def __init__(self, tally: Tally, path: str, port: int, cookie: str, *, after: int = 0, acks: bool = True):
        self.tally, self.after, self.acks = tally, after, acks
        self._request = (path.format(after=after), port, cookie)
        self._buffer = bytearray()
        self._open = False
        self._frames = self._acked = self._chars = 0
        self._fragments: list[bytes] = []
        self.opened: asyncio.Future = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future = asyncio.get_running_loop().create_future()
        self.close_code = 0
        self.missed: list[tuple[int, int]] = []  # gaps that were announced, to be fetched
        self.transport = None

    @classmethod
    async def connect(cls, tally: Tally, path: str, port: int, cookie: str, **options) -> Client:
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(lambda: cls(tally, path, port, cookie, **options), "127.0.0.1", port)
        await client.opened
        return client

    def connection_made(self, transport):
        self.transport = transport
        path, port, cookie = self._request
        transport.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode()
        )

    def connection_lost(self, error):
        for future in (self.opened, self.closed):
            if not future.done():
                future.set_exception(ConnectionError("lost")) if future is self.opened else future.set_result(None)

    def data_received(self, data):
        self._buffer += data
        if not self._open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self._buffer.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(bytes(self._buffer[:40]).decode()))
                self.transport.close()
                return
            del self._buffer[: end + 4]
            self._open = True
            self.opened.set_result(None)
        while (message := self._take()) is not None:
            self._hear(message)

    def _take(self) -> bytes | None:
        """The next whole text message, or None; pings are answered and closing is noted on the way."""
        while True:
            buffer = self._buffer
            if len(buffer) < 2:
                return None
            length, begin = buffer[1] & 127, 2
            if length == 126:
                if len(buffer) < 4:
                    return None
                length, begin = struct.unpack_from(">H", buffer, 2)[0], 4
            elif length == 127:
                if len(buffer) < 10:
                    return None
                length, begin = struct.unpack_from(">Q", buffer, 2)[0], 10
            if len(buffer) < begin + length:
                return None
            payload, kind, final = bytes(buffer[begin : begin + length]), buffer[0] & 15, buffer[0] & 128
            del buffer[: begin + length]
            if kind == 9:
                self._send(payload, 10)
            elif kind == 8:
                self.close_code = struct.unpack(">H", payload[:2])[0] if payload else 0
                self.transport.close()
                return None
            elif kind in (0, 1):
                self._fragments.append(payload)
                if final:
                    message, self._fragments = b"".join(self._fragments), []
                    return message

    def _send(self, payload: bytes, kind: int = 1) -> None:
        if not self.transport.is_closing():
            length = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack(">BH", 0xFE, len(payload))
            self.transport.write(bytes([0x80 | kind]) + length + b"\0\0\0\0" + payload)  # a mask of zeros is a mask

    def _hear(self, message: bytes) -> None:
        now, tally = time.time(), self.tally
        self._frames += 1
        self._chars += len(message)
        if span := SPAN.match(message):
            after, last = int(span[1]), int(span[2])
            tally.frames += 1
            if after > self.after:
                tally.lost += after - self.after
            elif after < self.after:
                tally.duplicated += min(last, self.after) - after
                tally.reordered += last < self.after
            numbers = [int(number) for number in re.findall(rb'\{"seq":(\d+),', message)]
            if numbers != list(range(after + 1, last + 1)):
                tally.lost += last - after - len(set(numbers))
                tally.reordered += numbers != sorted(numbers)
            tally.lines += len(numbers)
            self.after = last
            for begin in {0, max(0, len(message) - 250)}:
                if stamp := _STAMP.search(message, begin):
                    tally.latencies.append(now - float(stamp[1]))
        elif gap := _GAP.match(message):
            tally.gaps += 1
            self.missed.append((int(gap[1]), int(gap[2])))
            self.after = int(gap[2])
        if self.acks and (self._frames - self._acked >= 16 or self._chars >= 65536):
            self.acknowledge()

    def acknowledge(self) -> None:
        if self._frames > self._acked:
            self._acked, self._chars = self._frames, 0
            self._send(b'{"type":"ack","frames":%d}' % self._frames)

    @property
    def messages(self) -> int:
        return self._frames

    def drop(self) -> None:
        """As a cable that is pulled: no goodbye."""
        self.transport.abort()

    def freeze(self) -> None:
        self.transport.pause_reading()

    def thaw(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()


async def acknowledging(clients: list[Client]) -> None:
    """What is due within two seconds of a message, for all clients; run as a task."""
    while True:
        await asyncio.sleep(1.5)
        for client in list(clients):
            client.acknowledge()


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
