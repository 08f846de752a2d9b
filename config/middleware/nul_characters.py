"""Refuses addresses and cookies with a NUL in them: PostgreSQL takes none in a text, and no page of ours makes one.

It stands before everything that asks the database (sessions, filters, searches), so none of those has to think of it.
Texts of forms are another matter: people paste NULs without knowing, and the verbs leave those out.
"""

from __future__ import annotations

from django.core.exceptions import BadRequest

from config.middleware.refusing import refusing


def _check(request) -> None:
    # A cookie in quotes may hold any character by its octal number: Django has decoded it
    decoded = (request.path, *request.COOKIES.values())
    if "%00" in request.META["QUERY_STRING"] or any("\x00" in text for text in decoded):
        raise BadRequest("a NUL character")


refused = refusing(_check)
