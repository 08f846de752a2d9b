"""What a person is told while the database can't be reached: 503 and "come again", not "something went wrong".

It is the handler of all faults (`handler500`), not a middleware: the session is read, and saved, outside of every view.
The page is a file without a word from the database: not even who asks is known.
"""

from __future__ import annotations

import sys

import psycopg
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.views.defaults import server_error

from tasks import sentences

RETRY_AFTER_S = 5
# Connections broken or refused, a server that stops, starts or has no place left. All else is a fault of ours.
_AWAY = ("08", "57P01", "57P02", "57P03", "53300")


def is_away(error: BaseException | None) -> bool:
    """Whether it was the connection that failed, and not what was asked over it."""
    if isinstance(error, InterfaceError):  # the connection was found closed
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    code = cause.sqlstate if isinstance(cause, psycopg.Error) else None
    return code is None or code.startswith(_AWAY)


def answer(request: HttpRequest) -> HttpResponse:
    """503 with Retry-After when the database is away, Django's own 500 for every other fault."""
    if not is_away(sys.exc_info()[1]):
        return server_error(request)
    if request.accepts("text/html"):
        away = HttpResponse(render_to_string("503.html"), status=503)
    else:
        said = sentences.sentence("database_away")
        away = JsonResponse({"code": "database_away", "message": said}, status=503)
    away.headers["Retry-After"] = str(RETRY_AFTER_S)
    add_never_cache_headers(away)
    return away
