"""The connections under ``outbound.calls``: to checked addresses only, and nothing is sent once the caller may not.

A name is resolved once and the connection goes to the address that was checked, so a name that changes its
address in between (DNS rebinding) reaches nothing. Before every write the caller is asked again: a process that was
frozen for longer than its lane lives must not send the request it was about to send when it was frozen.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Collection
from contextvars import ContextVar

import httpcore
import httpx

from tasks.outbound.special_addresses import is_public

#: Raises when the call of this context may not go on.
may_send: ContextVar[Callable[[], None]] = ContextVar("may_send")

IDLE_S = 4  # shorter than the 5 s after which common servers close an idle connection: we never reuse a dying one


class AddressRefused(Exception):
    """The host has a private address and is not one that the operator listed."""


async def checked_addresses(host: str, port: int, private: Collection[str]) -> list[str]:
    """The addresses of ``host``. Raises AddressRefused when one of them is private and the host is not in ``private``
    (as ``host`` or ``host:port``), OSError when the name does not exist."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(address[0] for *_, address in found))
    if not {host.lower(), f"{host.lower()}:{port}"} & set(private) and not all(map(is_public, addresses)):
        raise AddressRefused(host)
    return addresses


class _Stream(httpcore.AsyncNetworkStream):
    """A connection that asks ``may_send`` before each write."""

    def __init__(self, inner: httpcore.AsyncNetworkStream):
        self._inner = inner

    async def read(self, max_bytes, timeout=None):
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer, timeout=None):
        may_send.get()()
        await self._inner.write(buffer, timeout)

    async def aclose(self):
        await self._inner.aclose()

    async def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        return _Stream(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info):
        return self._inner.get_extra_info(info)


class _Backend(httpcore.AsyncNetworkBackend):
    def __init__(self, private: Collection[str]):
        self._private = private
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        may_send.get()()
        try:
            async with asyncio.timeout(timeout):
                addresses = await checked_addresses(host, port, self._private)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(f"no address of {host} within {timeout} s") from error
        except OSError as error:
            raise httpcore.ConnectError(f"{host} has no address") from error
        for address in addresses:
            try:
                return _Stream(await self._inner.connect_tcp(address, port, timeout, local_address, socket_options))
            except httpcore.ConnectError:
                if address == addresses[-1]:
                    raise

    async def sleep(self, seconds):
        await asyncio.sleep(seconds)


class _Body(httpx.AsyncByteStream):
    def __init__(self, parts):
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._parts:
            yield part

    async def aclose(self) -> None:
        await self._parts.aclose()


class Transport(httpx.AsyncBaseTransport):
    """Keeps connections alive between calls. Its errors are httpcore's own, and AddressRefused.

    How many are open at once is for the queues' limits to say, so the pool has none of its own.
    """

    def __init__(self, private: Collection[str]):
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            max_connections=sys.maxsize,
            max_keepalive_connections=64,
            keepalive_expiry=IDLE_S,
            network_backend=_Backend(private),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            status_code=answer.status, headers=answer.headers, stream=_Body(answer.stream), extensions=answer.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()
