"""Reviewing: verdicts on values, the mark "reviewed", notes, pairs, the password of a paper, the columns one sees."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST

from tasks import fanout, sentences
from tasks.errors import Refused
from tasks.kinds.literature.fields import as_text
from tasks.kinds.literature.forms.questions import questions_of
from tasks.kinds.literature.intake import unlocking
from tasks.kinds.literature.models import Pair, TemplateVersion
from tasks.kinds.literature.pairing import deciding
from tasks.kinds.literature.review import effect, judging, progress
from tasks.kinds.literature.review.models import Act
from tasks.kinds.literature.table import view
from tasks.kinds.literature.web.access import operating, paper_of, reviewing, with_set
from tasks.models import Task
from tasks.web.access import refusal, wants_json, whole


def _whole(text: str) -> int:
    """A number of the form; nonsense finds nothing."""
    if (number := whole(text)) is None:
        raise Http404
    return number


def _back(task: Task, paper_id: int, anchor: str = "") -> HttpResponse:
    return redirect(reverse("literature:paper", args=[task.pk, paper_id]) + anchor)


def _said(
    request: HttpRequest, done: Callable[[], object], back: Callable[[], HttpResponse], answer=None
) -> HttpResponse:
    """Do it; a refusal is 409 for programs and a message for people."""
    try:
        result = done()
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code, refused.data, **_theirs(refused))
        messages.error(request, sentences.sentence(refused.code, refused.data))
        return back()
    if wants_json(request):
        return JsonResponse(answer(result) if answer else {"done": bool(result)})
    return back()


def _theirs(refused: Refused) -> dict:
    if not isinstance(refused, judging.Overtaken):
        return {}
    return {"current": _verdict(refused.verdict) if refused.verdict else None}


def _verdict(verdict) -> dict:
    return {
        "id": verdict.pk,
        "name": verdict.name,
        "nth": verdict.nth,
        "act": verdict.act,
        "value": verdict.value,
        "words": as_text(effect.as_field(verdict.name, verdict.value)),
        "machine_value": verdict.machine_value,
        **effect.signed(verdict),
    }


@require_POST
@reviewing
def judge(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """A verdict: ``name``, ``nth``, ``act`` (confirmed, corrected, withdrawn), ``value`` as typed, ``seen``."""
    paper = paper_of(task, paper_id)
    name, act = request.POST.get("name", "").replace("\x00", "")[:64], request.POST.get("act", "")
    nth, seen = _whole(request.POST.get("nth", "0")), _whole(request.POST.get("seen", "0"))
    if not name or act not in Act.values or nth > 999:
        raise Http404
    text = request.POST.get("value", "")
    wanted = next((field for field in questions_of(TemplateVersion.of(task)) if field.key == name), None)
    return _said(
        request,
        lambda: judging.judge(paper, name, nth, act, text, request.user, seen=seen, question=wanted),
        lambda: _back(task, paper_id, f"#v-{name}-{nth}"),
        lambda verdict: {"verdict": _verdict(verdict)},
    )


@require_POST
@reviewing
def mark(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """``reviewed=1`` marks the paper as reviewed, ``0`` takes the mark off; ``next=1`` goes on to one that is open."""
    paper = paper_of(task, paper_id)
    reviewed = request.POST.get("reviewed") == "1"
    if request.POST.get("next") != "1":
        return _said(request, lambda: judging.mark(paper, reviewed, request.user), lambda: _back(task, paper_id))
    done = judging.mark(paper, reviewed, request.user)
    following = progress.next_open(task, paper)
    url = reverse("literature:paper", args=[task.pk, following or paper_id])
    if following is None:
        messages.info(request, _("Every paper of the set that has values is reviewed."))
    return JsonResponse({"done": done, "next": url}) if wants_json(request) else redirect(url)


@require_POST
@reviewing
def note(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """Add ``text`` as a note, or with ``remove`` take back a note of one's own."""
    paper = paper_of(task, paper_id)
    if remove := request.POST.get("remove"):
        return _said(
            request,
            lambda: judging.unnote(paper, _whole(remove), request.user),
            lambda: _back(task, paper_id, "#notes"),
        )
    text = request.POST.get("text", "")
    return _said(request, lambda: judging.note(paper, text, request.user), lambda: _back(task, paper_id, "#notes"))


@require_POST
@reviewing
def decide(request: HttpRequest, task: Task, pair_id: int) -> HttpResponse:
    """``decision`` on a pair: joined, apart, or open again."""
    pair = get_object_or_404(Pair, task=task, pk=pair_id)
    back = whole(request.POST.get("paper", ""))
    try:
        changed = deciding.decide(pair, request.POST.get("decision", ""), request.user)
    except ValueError:
        raise Http404 from None
    if wants_json(request):
        return JsonResponse({"done": changed})
    if back is not None:
        return _back(task, back, "#pairs")
    return redirect(reverse("literature:set", args=[task.pk]) + "#pairs")


@sensitive_post_parameters("password")
@require_POST
@operating
@sensitive_variables("password")
def unlock(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """Open a paper with its password, once; when the set has ended the paper is read at once."""
    paper = paper_of(task, paper_id)
    password = request.POST.get("password", "")
    return _said(request, lambda: _opened(request, task, paper, password), lambda: _back(task, paper_id))


@sensitive_variables("password")
def _opened(request: HttpRequest, task: Task, paper, password: str) -> bool:
    unlocking.unlock(paper, password)
    try:
        fanout.retry_failed(task, request.user, [unlocking.UNLOCKED])
    except Refused as refused:
        if refused.code != "not_ended":
            raise
        messages.info(request, _("The paper is open. It is read with “Retry these” when the set has ended."))
    return True


@require_POST
@with_set
def choose_columns(request: HttpRequest, task: Task) -> HttpResponse:
    """Keep the columns (``column``, repeated) that this person wants to see."""
    view.choose(request.user, task, request.POST.getlist("column"))
    if wants_json(request):
        return JsonResponse({"done": True})
    return redirect(reverse("literature:set", args=[task.pk]) + "#results")
