"""A middleware out of a check: a request that it refuses is answered before anything is asked of the database."""

from __future__ import annotations

from collections.abc import Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.utils.decorators import sync_and_async_middleware


def refusing(check: Callable[[HttpRequest], None]):
    """A middleware that calls ``check`` with each request; the BadRequest it raises is a 400."""

    @sync_and_async_middleware
    def refused(get_response):
        if iscoroutinefunction(get_response):

            async def middleware(request):
                check(request)
                return await get_response(request)
        else:

            def middleware(request):
                check(request)
                return get_response(request)

        return middleware

    return refused
