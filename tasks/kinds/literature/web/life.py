"""A set after its start: a better file for a paper, a duplicate read all the same, the deletion of the set."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tasks import sentences
from tasks.errors import Refused
from tasks.kinds.literature.intake.receipt import paper_json, receipt_json
from tasks.kinds.literature.lifecycle import deleting, reading_again, replacing
from tasks.kinds.literature.web.access import operating, paper_of, with_set
from tasks.models import Task
from tasks.states import TaskState
from tasks.web.access import refusal, wants_json


@require_POST
@operating
def replace(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """Let ``file`` take the place of a paper that failed or was refused, and read it."""
    paper = paper_of(task, paper_id)
    file = request.FILES.get("file")
    try:
        if file is None:
            raise Refused("no_file")
        replacing.replace(paper, file, file.name, request.user)
    except Refused as refused:
        return _refused(request, task, paper_id, refused)
    if wants_json(request):
        return JsonResponse({"done": True, "paper": paper_json(paper_of(task, paper_id))})
    messages.success(request, _("The new file has taken the place of “%(old)s”.") % {"old": paper.filename})
    return _to_paper(task, paper_id)


@require_POST
@operating
def read_all_the_same(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """Read a file that is byte for byte another one of the set. Of a draft, programs get the receipt as it is now."""
    paper = paper_of(task, paper_id)
    try:
        reading_again.read_all_the_same(paper, request.user)
    except Refused as refused:
        return _refused(request, task, paper_id, refused)
    if wants_json(request):
        return JsonResponse(receipt_json(task) if task.state == TaskState.DRAFT else {"done": True})
    if task.state == TaskState.DRAFT:
        return redirect("literature:upload", task.pk)
    return _to_paper(task, paper_id)


def _refused(request: HttpRequest, task: Task, paper_id: int, refused: Refused) -> HttpResponse:
    if wants_json(request):
        return refusal(refused.code, refused.data)
    messages.error(request, sentences.sentence(refused.code, refused.data))
    return _to_paper(task, paper_id)


def _to_paper(task: Task, paper_id: int) -> HttpResponse:
    return redirect(reverse("literature:paper", args=[task.pk, paper_id]))


@never_cache
@with_set
def delete(request: HttpRequest, task: Task) -> HttpResponse:
    """GET says what goes, POST lets it go: for the owner alone. 409 for a draft, which is discarded instead."""
    if task.owner_id != request.user.pk:
        raise PermissionDenied
    if request.method == "GET":
        if task.state == TaskState.DRAFT:
            return redirect("literature:upload", task.pk)
        return render(request, "literature/delete.html", {"task": task, "loss": deleting.loss(task)})
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "POST"])
    try:
        deleting.delete(task, request.user)
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code, refused.data)
        messages.error(request, sentences.sentence(refused.code, refused.data))
        return redirect("literature:set", task.pk)
    if wants_json(request):
        return JsonResponse({"done": True})
    messages.success(request, _("The set “%(title)s” is deleted.") % {"title": task.title})
    return redirect("literature:list")
