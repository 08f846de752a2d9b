"""The only door to the network: every call of a stage to a service goes through ``call``.

One total deadline covers connecting, TLS, sending, headers and body, however slowly they drip. The decoded
answer's size is capped. No call begins for a lane that may be somebody else's by now. What goes wrong is said in the
engine's words:

======================================================  ==========================================================
refused, no address, no connection in time, 503, 429    ServiceDown, burns no attempt, obeys Retry-After
deadline, reset, other 5xx, 408, unreadable answers     ServiceDown, burns an attempt
401, 402, 403, quota spent                              ServiceDown until a person resets the queue's breaker
other 4xx, answer too large, address not allowed        Permanent
======================================================  ==========================================================

Keys never leave the request: errors name the host and the path, and what a service says is searched for our headers.
"""

from __future__ import annotations

import asyncio
import json as json_module
import math
import time
import weakref
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import httpcore
import httpx
from django.conf import settings

from tasks.errors import ChildError, LaneStale, Permanent, ServiceDown
from tasks.outbound.wire import AddressRefused, Transport, may_send

MAX_DEADLINE_S = 90.0
CONNECT_S = 10.0  # a peer that accepts nothing for this long is down, and no attempt was begun
MAX_REDIRECTS = 3
MAX_BYTES = 32 * 1024 * 1024
SHOWN = 200  # characters of a service's own words in an error
CLOSED_DOOR = frozenset({401, 402, 403})
MARGIN_S = 0.25  # the call ends this much before its child's own deadline, so that it is the service that is blamed
BROKEN = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, httpx.RemoteProtocolError)


class Caller(Protocol):
    """What ``call`` needs of a running attempt (``tasks.kinds.base.Attempt``)."""

    def seconds_left(self) -> float: ...

    def is_fresh(self) -> bool: ...

    def heard(self) -> None:
        """The service answered: it is alive, whatever becomes of the child."""


@dataclass(frozen=True)
class Reply:
    """An answer that the caller asked to see: 2xx, or a status in ``also``."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    where: str

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """ServiceDown("service_garbled") when it is no JSON: truncated, or a login page in its place."""
        try:
            return json_module.loads(self.body)
        except ValueError:
            kind = self.headers.get("content-type", "no type")[:80]
            raise _garbled(f"{self.where}: JSON was expected, {kind} came", self.where) from None


async def call(
    attempt: Caller,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    params: Any = None,
    json: Any = None,
    data: Mapping[str, Any] | None = None,
    content: bytes | None = None,
    files: Any = None,
    also: Collection[int] = (),
    max_bytes: int = MAX_BYTES,
    deadline_s: float = MAX_DEADLINE_S,
    redirects: int = MAX_REDIRECTS,
) -> Reply:
    """One request and its whole answer. ``params``, ``json``, ``data``, ``content`` and ``files`` as in httpx.

    ``also``: statuses beside 2xx that the caller wants to read itself. ``max_bytes``: of the decoded body.
    ``redirects``: how many are followed; with 0 a redirect is an answer like any other 3xx.
    Raises ServiceDown, Permanent (see the module's table) and LaneStale; cancelling it closes the connection.
    """
    client = _client()
    left = attempt.seconds_left()
    left = min(deadline_s, left - min(MARGIN_S, 0.05 * left), MAX_DEADLINE_S)
    until = time.monotonic() + left
    try:
        request = client.build_request(
            method, url, headers=headers, params=params, json=json, data=data, content=content, files=files
        )
    except httpx.InvalidURL:
        raise Permanent("address_refused", "the address of the service is no URL", where="") from None
    request.extensions["timeout"] = {"connect": min(CONNECT_S, max(left, 0.001))}
    where = _where(request.url)

    def may_go_on() -> None:
        if not attempt.is_fresh():
            raise LaneStale(f"{where}: not called, the lane was not renewed for too long")
        if time.monotonic() >= until:
            raise TimeoutError

    token = may_send.set(may_go_on)
    try:
        may_go_on()
        async with asyncio.timeout(left):
            reply = await _exchange(client, request, where, max_bytes, redirects)
    except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
        raise ServiceDown("service_down", f"{where}: no connection ({_reason(error)})", where=where) from None
    except TimeoutError:
        message = f"{where}: not answered in full within {left:.3g} s"
        raise ServiceDown("service_slow", message, burns=True, where=where, limit_s=round(left)) from None
    except (*BROKEN, zlib.error) as error:
        raise _garbled(f"{where}: the connection broke ({type(error).__name__})", where) from None
    except AddressRefused:
        message = f"{where} has a private address: an operator must list it in SHEAF_SERVICES_PRIVATE"
        raise Permanent("address_refused", message, where=where) from None
    except httpcore.UnsupportedProtocol:
        raise Permanent("address_refused", f"{where}: neither http nor https", where=where) from None
    finally:
        may_send.reset(token)
    if (trouble := _trouble(reply, also, _secrets(headers, request))) is None or isinstance(trouble, Permanent):
        attempt.heard()
    if trouble:
        raise trouble
    return reply


async def _exchange(
    client: httpx.AsyncClient, request: httpx.Request, where: str, max_bytes: int, redirects: int
) -> Reply:
    """Send, follow redirects that stay with the same host, read the body up to its cap."""
    for _hop in range(redirects + 1):
        response = await client.send(request, stream=True, follow_redirects=False)
        try:
            if not (redirects and response.has_redirect_location):
                body = await _body(response, where, max_bytes)
                return Reply(response.status_code, response.headers, body, where)
            following = response.next_request
        finally:
            await response.aclose()
        if following is None or not _same_host(request.url, following.url):
            raise _garbled(f"{where}: it sends us elsewhere ({response.status_code})", where)
        following.extensions = request.extensions
        request = following
    raise _garbled(f"{where}: redirected more than {redirects} times", where)


def _same_host(one: httpx.URL, other: httpx.URL) -> bool:
    """Same host and port; from http to https of the same name is fine, the way back is not."""
    upgraded = one.scheme == "http" and other.scheme == "https" and one.port is None and other.port is None
    return one.host == other.host and (upgraded or (one.scheme == other.scheme and one.port == other.port))


async def _body(response: httpx.Response, where: str, max_bytes: int) -> bytes:
    """The decoded body. It is inflated no further than the cap, so a small bomb stays small."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip", "deflate", ""):
        raise _garbled(f"{where}: encoded as {coding[:40]}, which we did not ask for", where)
    inflate = zlib.decompressobj(wbits=47) if coding in ("gzip", "deflate") else None
    body = bytearray()
    async for part in response.aiter_raw():
        body += inflate.decompress(part, max_bytes + 1 - len(body)) if inflate else part
        if len(body) > max_bytes:
            raise Permanent(
                "answer_too_large", f"{where}: more than {max_bytes} bytes", limit_mib=math.ceil(max_bytes / 2**20)
            )
    if inflate and body and not inflate.eof:
        raise _garbled(f"{where}: the compressed body is cut off", where)
    return bytes(body)


def _trouble(reply: Reply, also: Collection[int], secrets: list[str]) -> ChildError | None:
    """What a status means; None for those that the caller reads itself."""
    status = reply.status
    if 200 <= status < 300 or status in also:
        return None
    said = reply.text[: 10 * SHOWN]
    for secret in secrets:
        said = said.replace(secret, "…")
    message = f"{reply.where}: {status} {' '.join(said.split())[:SHOWN]}".rstrip()
    known = {"where": reply.where, "status": status}
    if status in CLOSED_DOOR or (status == 429 and "insufficient_quota" in reply.text):
        return ServiceDown("service_refused", message, until_reset=True, **known)
    if status in (429, 503):
        return ServiceDown("service_down", message, retry_after_s=retry_after_s(reply.headers), **known)
    if status >= 500 or status == 408:
        return ServiceDown("service_failed", message, burns=True, **known)
    return Permanent("service_rejected", message, **known)


def _garbled(message: str, where: str) -> ServiceDown:
    return ServiceDown("service_garbled", message, burns=True, where=where)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header (a number or a date); None without a usable one."""
    given = headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        try:
            date = parsedate_to_datetime(given)
        except ValueError:
            return None
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (date - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _where(url: httpx.URL) -> str:
    """Host and path: what stands before (a password) and behind (a token) is left out."""
    port = f":{url.port}" if url.port else ""
    return f"{url.host}{port}{url.path}"[:SHOWN]


def _secrets(headers: Mapping[str, str] | None, request: httpx.Request) -> list[str]:
    """What a service may echo and nobody else may read: the values of the caller's headers and of the query."""
    given = [*(headers or {}).values(), *request.url.params.values()]
    return [part for value in given for part in (value, value.rpartition(" ")[2]) if len(part) >= 8]


def _reason(error: Exception) -> str:
    cause = error.__cause__ or error.__context__ or error
    return type(cause).__name__


_clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = weakref.WeakKeyDictionary()


def _client() -> httpx.AsyncClient:
    """The client of this event loop: connections stay open between calls."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        private = frozenset(host.lower() for host in settings.SHEAF_SERVICES_PRIVATE)
        _clients[loop] = httpx.AsyncClient(
            transport=Transport(private),
            trust_env=False,  # neither a proxy nor a .netrc that nobody told us about
            timeout=None,  # the deadline is ours
            headers={"accept-encoding": "gzip", "user-agent": "sheaf"},
        )
    return _clients[loop]


async def close() -> None:
    """Close this event loop's connections."""
    if client := _clients.pop(asyncio.get_running_loop(), None):
        await client.aclose()
