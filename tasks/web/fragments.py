"""Pieces of pages that belong to no request: rendered once, for everybody who looks at the same."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string


def rendered(template: str, context: dict, query: QueryDict) -> str:
    """The HTML of a fragment for an address with this query. Its forms carry no token: the page adds its own."""
    request = HttpRequest()
    request.GET, request.user = query, AnonymousUser()
    return render_to_string(template, {**context, "csrf_token": "NOTPROVIDED"}, request=request)
