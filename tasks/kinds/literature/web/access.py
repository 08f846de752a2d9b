"""Who may open which set; what holds for batches of every Kind is in ``tasks.web.access``.

A set that a person may not see does not exist for them: 404, by every door.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tasks import sentences
from tasks.errors import Refused
from tasks.files.storage_down import StorageDown
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.lifecycle import sharing
from tasks.models import Task
from tasks.web import access as web
from tasks.web.access import may_operate, refusal, wants_json

logger = logging.getLogger(__name__)


def part_of_set(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The view answers scripts with a piece of the set's page; who opens its address as a page is sent to the whole."""

    @functools.wraps(view)
    def checked(request: HttpRequest, set_id: int, *args, **kwargs) -> HttpResponse:
        if "application/xhtml+xml" in request.headers.get("Accept", ""):  # as browsers ask when they go somewhere
            query = request.META.get("QUERY_STRING", "")
            return redirect(reverse("literature:set", args=[set_id]) + (f"?{query}" if query else ""))
        return view(request, set_id, *args, **kwargs)

    return checked


def sets_of(user):
    """The literature sets this person may see. One that its owner deleted is gone for staff too, not half there."""
    return Task.objects.visible_to(user).filter(kind=Literature.name, deletion=None)


def may_review(user, task: Task) -> bool:
    """Whether this person may judge values, mark papers, write notes, decide pairs: who may operate, and reviewers."""
    return may_operate(user, task) or sharing.may_review(user, task)


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """``tasks.web.access.signed_in``, with an answer for when the papers' storage is away."""

    @web.signed_in
    @functools.wraps(view)
    def checked(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except StorageDown as down:
            return _away(request, down)

    return checked


def _away(request: HttpRequest, down: StorageDown) -> HttpResponse:
    """503: the papers' storage can't be reached. Nothing was lost, and trying again is right."""
    logger.error("The papers' storage: %s: %s", down.code, down.message)
    if wants_json(request):
        answer: HttpResponse = refusal(down.code, down.data, status=503)
    else:
        said = {"title": _("Storage not reached"), "words": sentences.sentence(down.code, down.data)}
        answer = render(request, "literature/trouble.html", said, status=503)
    answer["Retry-After"] = "30"
    return answer


def with_set(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the view the set behind ``set_id`` as its second argument, if this person may see it."""

    @signed_in
    @functools.wraps(view)
    def checked(request: HttpRequest, set_id: int, *args, **kwargs) -> HttpResponse:
        sets = sets_of(request.user)
        task = get_object_or_404(sets.select_related("owner"), pk=set_id)
        try:
            return view(request, task, *args, **kwargs)
        except (ObjectDoesNotExist, IntegrityError) as error:
            if sets.filter(pk=set_id).exists():
                raise
            raise Http404 from error  # gone in another tab between our look and the verb

    return checked


def operating(view: Callable[..., HttpResponse], may=may_operate) -> Callable[..., HttpResponse]:
    """``with_set``, for those who may also change it. Refused becomes 409 for programs; pages show the sentence."""

    @with_set
    @functools.wraps(view)
    def checked(request: HttpRequest, task: Task, *args, **kwargs) -> HttpResponse:
        if not may(request.user, task):
            raise PermissionDenied
        try:
            return view(request, task, *args, **kwargs)
        except Refused as refused:
            if wants_json(request):
                return refusal(refused.code, refused.data)
            messages.error(request, sentences.sentence(refused.code, refused.data))
            return redirect("literature:set", task.pk)

    return checked


def reviewing(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """``operating``, for reviewers too."""
    return operating(view, may=may_review)


def paper_of(task: Task, paper_id: int):
    """One paper of the set, with its child and its ``outcome``."""
    from tasks.kinds.literature import outcomes

    paper = outcomes.items_of(task).select_related("duplicate_of", "merged_into", "source").filter(pk=paper_id).first()
    if paper is None:
        raise Http404
    return paper
