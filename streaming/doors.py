"""What the HTTP doors of the live view have in common: who may come in, and reading numbers from the address."""

from __future__ import annotations

from functools import wraps

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import JsonResponse
from django.views.decorators.http import require_safe

from streaming import access
from streaming.messages import Close
from streaming.reader import ReadError

_STATUS = {Close.NO_SESSION: 401, Close.NOT_ALLOWED: 404}


class WrongNumber(ValueError):
    """A number of the address is missing, not a number or out of bounds."""


def number(request, name: str, default: int, *, low: int = 0, high: int = 2**53) -> int:
    given = request.GET.get(name, "")
    try:
        value = int(given) if given else default
    except ValueError:
        raise WrongNumber(name) from None
    if not low <= value <= high:
        raise WrongNumber(name)
    return value


def for_watchers(view):
    """Only for who may see the Task (None: the board).

    401 without a session, 404 for a Task of others, 400 and 503 with a code."""

    @require_safe
    @wraps(view)
    async def guarded(request, task_id: int | None = None, **kwargs):
        try:
            code = await access.refusal(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""), task_id)
            if code:
                return JsonResponse({"code": int(code)}, status=_STATUS[code])
            response = await view(request, task_id, **kwargs)
        except WrongNumber as error:
            return JsonResponse({"code": int(Close.MALFORMED), "field": str(error)}, status=400)
        except (TimeoutError, DatabaseError, *ReadError):
            return JsonResponse({"code": int(Close.TRY_LATER)}, status=503)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return guarded
