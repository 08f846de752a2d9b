"""How the stand-in answers: each scenario of a call, by the name that asks for it."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
from collections.abc import Callable

HUGE = 64 * 1024 * 1024
_WORDS = {200: "OK", 302: "Found", 403: "Forbidden", 404: "Not Found", 429: "Too Many", 500: "Broken", 503: "Busy"}


def response(status: int, body: bytes = b"", headers: dict | None = None, length: int | None = None) -> bytes:
    given = {"content-length": len(body) if length is None else length, **(headers or {})}
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"HTTP/1.1 {status} {_WORDS.get(status, 'Status')}\r\n{lines}\r\n".encode() + body


async def behave(order: dict, headers: dict, writer: asyncio.StreamWriter, ends: Callable[[], None]) -> bool:
    """Answer; whether the connection stays open. ``ends`` is called just before the last byte leaves."""
    await asyncio.sleep(float(order.get("ms", 0)) / 1000)
    do = order.get("do", "ok")
    as_json = {"content-type": "application/json"}
    html = {"content-type": "text/html"}

    async def say(*parts, **words) -> bool:
        ends()
        writer.write(response(*parts, **words))
        await writer.drain()
        return True

    match do:
        case "ok":
            return await say(200, json.dumps({"ok": True, "method": order["method"]}).encode(), as_json)
        case "echo":  # as a careless service does
            return await say(int(order.get("status", 200)), json.dumps({"headers": headers}).encode(), as_json)
        case "hang":
            await asyncio.sleep(3600)
        case "drip":
            writer.write(response(200, b"", as_json, length=100_000))
            for _ in range(100_000):
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(float(order.get("every_s", 1)))
        case "drip_headers":
            writer.write(b"HTTP/1.1 200 OK\r\n")
            for n in range(100_000):
                writer.write(f"x-{n}: y\r\n".encode())
                await writer.drain()
                await asyncio.sleep(float(order.get("every_s", 1)))
        case "503" | "429" | "500" | "502" | "504" | "401" | "402" | "403" | "404" | "400" | "422" | "408":
            pause = {"retry-after": order["retry_after"]} if "retry_after" in order else {}
            return await say(int(do), json.dumps({"error": {"code": order.get("code", do)}}).encode(), as_json | pause)
        case "html":
            return await say(200, b"<html><title>Sign in</title></html>", html)
        case "badjson":
            return await say(200, b'{"ok": tr', as_json)
        case "reset":
            writer.write(response(200, b"half of it", as_json, length=1000))
            await writer.drain()
            ends()
            linger = struct.pack("ii", 1, 0)  # close with RST
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        case "short":
            ends()
            writer.write(response(200, b"half of it", as_json, length=1000))
            await writer.drain()
            return False
        case "redirect":
            return await say(302, b"", {"location": order["to"]})
        case "huge":
            writer.write(response(200, b"", as_json, length=HUGE))
            for _ in range(HUGE // 65536):
                writer.write(b" " * 65536)
                await writer.drain()
            ends()
            return True
        case "bomb":
            body = gzip.compress(b" " * HUGE)
            return await say(200, body, as_json | {"content-encoding": "gzip"})
        case "gzip":
            return await say(200, gzip.compress(b'{"ok": true}'), as_json | {"content-encoding": "gzip"})
        case "brotli":
            return await say(200, b"....", as_json | {"content-encoding": "br"})
        case "empty":
            return await say(204)
        case _:
            return await say(400, f"no scenario {do}".encode())
    return False
