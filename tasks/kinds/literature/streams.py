"""Sends a long answer piece by piece, under ASGI, from code that is synchronous.

Django gathers a synchronous iterator into one list before an ASGI server may send any of it; an asynchronous one it
sends as it comes. The pieces are made on the request's own database thread.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import quote

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

_GATHER = 64 * 1024  # small pieces travel together


async def _one_by_one(make: Callable[[], Iterator[bytes]]) -> AsyncIterator[bytes]:
    pieces = make()

    def some() -> bytes:
        gathered = bytearray()
        for piece in pieces:
            gathered += piece
            if len(gathered) >= _GATHER:
                break
        return bytes(gathered)

    while block := await sync_to_async(some)():
        yield block


def attachment(make: Callable[[], Iterator[bytes]], *, filename: str, content_type: str) -> StreamingHttpResponse:
    """A download of what ``make()`` yields, under a name of any script (RFC 6266, RFC 8187)."""
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%' else "_" for c in filename)
    response = StreamingHttpResponse(_one_by_one(make), content_type=content_type)
    response["Content-Disposition"] = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
