"""The front door: where "/" leads a person, and the list of batches for whom no Kind has a page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tasks.kinds import base
from tasks.models import Task
from tasks.web.pages import Pages

PAGE = 30


@require_safe
def door(request: HttpRequest) -> HttpResponse:
    """To the first entry of the navigation; without one, to the person's batches."""
    entries = base.navigation(request.user)
    return redirect(entries[0].url if entries else "batch:list")


@never_cache
@require_safe
@login_required
def batches(request: HttpRequest) -> HttpResponse:
    """The person's own batches of every Kind, the newest first."""
    found = Task.objects.filter(owner=request.user).order_by("-pk")
    return render(request, "web/batches.html", {"page": Pages(found, PAGE).get_page(request.GET.get("page"))})
