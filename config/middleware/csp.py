"""Sends the Content-Security-Policy: everything from our own origin, nothing inline, no frames around us."""

from __future__ import annotations

from asgiref.sync import iscoroutinefunction
from django.utils.decorators import sync_and_async_middleware

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)


@sync_and_async_middleware
def content_security_policy(get_response):
    """Add the policy to every response that has none; works in both worlds so that ASGI requests switch no thread."""
    if iscoroutinefunction(get_response):

        async def middleware(request):
            response = await get_response(request)
            response.headers.setdefault("Content-Security-Policy", POLICY)
            return response
    else:

        def middleware(request):
            response = get_response(request)
            response.headers.setdefault("Content-Security-Policy", POLICY)
            return response

    return middleware
