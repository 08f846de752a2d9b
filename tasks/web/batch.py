"""The plain page of a batch, and the verbs that its owner may apply to it: parse, call a verb, render."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from tasks import fanout, sentences
from tasks.errors import Refused
from tasks.kinds.base import kind_named
from tasks.models import Task
from tasks.observe import waiting
from tasks.web import children as of_batch
from tasks.web.access import may_operate, refusal, signed_in, wants_json

#: {verb: (what it does, the sentence when it changed nothing)}
_VERBS: dict[str, tuple[Callable, str]] = {
    "start": (lambda task, by, codes: fanout.start(task, by), "not_draft"),
    "pause": (lambda task, by, codes: fanout.pause(task, by), "has_ended"),
    "resume": (lambda task, by, codes: fanout.resume(task, by), "has_ended"),
    "cancel": (lambda task, by, codes: fanout.cancel(task, by), "has_ended"),
    "retry": (lambda task, by, codes: fanout.retry_failed(task, by, codes or None), "not_ended"),
    "rest": (lambda task, by, codes: fanout.run_the_rest(task, by), "not_ended"),
    "finalize": (lambda task, by, codes: fanout.finalize_again(task, by), "not_failed"),
}


def _watched(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Hand the view the batch, if this person may see it; one that she may not does not exist for her.

    A batch whose Kind has a page of its own has its own rules there: people are led to it, and this door has no verb.
    """

    @signed_in
    @functools.wraps(view)
    def checked(request: HttpRequest, task_id: int, *args, **kwargs) -> HttpResponse:
        found = Task.objects.visible_to(request.user).select_related("owner")
        task = get_object_or_404(found, pk=task_id)
        kind = kind_named(task.kind)
        own = kind.url(task) if kind else None
        if own in (None, reverse("batch:page", args=[task.pk])):
            return view(request, task, *args, **kwargs)
        if view.__name__ == "page":
            return redirect(own)
        raise Http404

    return checked


@never_cache
@require_GET
@_watched
def page(request: HttpRequest, task: Task) -> HttpResponse:
    """Live view, counts, reasons, children; programs get JSON."""
    if wants_json(request):
        return JsonResponse(_json(task))
    context = {**head_of(task, may_operate(request.user, task)), "listing": of_batch.listed(task, request.GET)}
    return render(request, "web/batch.html", {**context, "kind_words": _kind_words(task)})


@never_cache
@require_GET
@_watched
def head(request: HttpRequest, task: Task) -> HttpResponse:
    """The head of the page alone: fetched again when the batch has changed."""
    return render(request, "web/_batch_head.html", head_of(task, may_operate(request.user, task)))


@never_cache
@require_GET
@_watched
def children(request: HttpRequest, task: Task) -> HttpResponse:
    """The list of children alone."""
    return render(request, "web/_batch_children.html", {"task": task, "listing": of_batch.listed(task, request.GET)})


@require_POST
@_watched
def do(request: HttpRequest, task: Task, name: str) -> HttpResponse:
    """A verb: start, pause, resume, cancel, retry (of these ``code``s), rest (what was cancelled too), finalize."""
    if name not in _VERBS:
        raise Http404
    if not may_operate(request.user, task):
        raise PermissionDenied
    verb, otherwise = _VERBS[name]
    try:
        changed = verb(task, request.user, request.POST.getlist("code"))
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code, refused.data)
        messages.error(request, sentences.sentence(refused.code, refused.data))
        return redirect("batch:page", task.pk)
    except Task.DoesNotExist as error:
        raise Http404 from error  # deleted in another tab between our look and the verb
    if wants_json(request):
        task.refresh_from_db()
        return JsonResponse({"done": bool(changed), **_json(task)})
    if not changed:
        messages.info(request, sentences.sentence(otherwise))
    return redirect("batch:page", task.pk)


def head_of(task: Task, operator: bool) -> dict:
    """What the head of the page shows, to those who may operate the batch or not."""
    return {
        "task": task,
        "operator": operator,
        "counts": of_batch.counts(task),
        "reasons": of_batch.reasons(task),
        "waits": _waits(task),
        "error": sentences.sentence(task.error_code, {"detail": task.error}) if task.error_code else "",
    }


def _waits(task: Task) -> list[str]:
    """Why nothing of it begins, without the numbers of other people's batches: those are for staff, in the admin."""
    turn = {"waiting_limit": "waiting_turn"}
    return [sentences.sentence(turn.get(one.code, one.code), one.data) for one in waiting.reasons(task)]


def _kind_words(task: Task) -> str:
    kind = kind_named(task.kind)
    return str(kind.title) if kind and kind.title else task.kind


def _json(task: Task) -> dict:
    numbers = ("total", "succeeded", "failed", "cancelled", "expected", "generation", "version", "percent")
    plain = {name: getattr(task, name) for name in numbers}
    return {
        "id": task.pk,
        "kind": task.kind,
        "title": task.title,
        "state": task.state,
        "paused": task.paused,
        **plain,
        "failures": {reason["code"]: reason["number"] for reason in of_batch.reasons(task)},
    }
