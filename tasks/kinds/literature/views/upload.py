"""Giving papers to a draft set: the upload page and its door, one file a request."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from tasks.errors import Refused
from tasks.kinds.literature import flow, intake
from tasks.kinds.literature.models import Intake, Paper
from tasks.kinds.literature.views.access import may_operate, operating, refusal, wants_json, with_set
from tasks.models import Task
from tasks.states import TaskState


def paper_json(paper: Paper) -> dict:
    """A paper as the upload page and programs see it."""
    first = paper.duplicate_of
    return {
        "id": paper.pk,
        "number": paper.position,
        "filename": paper.filename,
        "folder": paper.folder,
        "size": paper.size,
        "sha256": paper.sha256,
        "state": paper.state,
        "reason": paper.reason,
        "message": paper.message,
        "duplicate_of": first and {"id": first.pk, "number": first.position, "filename": first.filename},
        "remove_url": reverse("literature:remove", args=[paper.task_id, paper.pk]),
    }


@never_cache
@require_GET
@with_set
def upload_page(request: HttpRequest, task: Task) -> HttpResponse:
    """The drop zone and the receipt, while the set is a draft; afterwards the set's own page."""
    if task.state != TaskState.DRAFT or not may_operate(request.user, task):
        return redirect("literature:set", task.pk)
    papers = [paper_json(paper) for paper in task.papers.select_related("duplicate_of").order_by("position")]
    if wants_json(request):
        return JsonResponse({"papers": papers, "counts": flow.counts(task)})
    limits = {"max_mib": settings.SHEAF_MAX_FILE_MIB, "max_files": settings.SHEAF_MAX_SET_FILES}
    return render(request, "literature/upload.html", {"task": task, "papers": papers, "limits": limits})


@never_cache
@require_GET
@with_set
def have(request: HttpRequest, task: Task) -> JsonResponse:
    """Whether the set has these bytes already: an upload that broke off goes on where it was."""
    sha256 = request.GET.get("sha256", "").lower()
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        return refusal("no_file", status=400)
    paper = task.papers.filter(sha256=sha256, state=Intake.ACCEPTED).select_related("duplicate_of").first()
    return JsonResponse({"have": paper is not None, "paper": paper and paper_json(paper)})


@require_POST
@operating
def files(request: HttpRequest, task: Task) -> JsonResponse:
    """Take one file. 201 with its Paper whatever became of it; 413 if it is too large, 409 if the set has started.

    A file over the limit need not be sent: its ``filename`` and ``size`` put it on the receipt.
    """
    folder = request.POST.get("folder", "")
    given = request.FILES.get("file")
    try:
        if given is not None:
            paper = intake.receive(task.pk, given, filename=given.name, folder=folder)
        else:
            name, size = request.POST["filename"], int(request.POST["size"])
            paper = intake.declare_too_large(task.pk, filename=name, folder=folder, size=size)
    except (KeyError, ValueError):
        return refusal("no_file", status=400)
    except Refused as refused:
        return refusal(refused.code, refused.data)
    if paper.reason == "too_large":
        return refusal("too_large", paper.reason_data, status=413, paper=paper_json(paper))
    return JsonResponse({"paper": paper_json(paper)}, status=201)


@require_POST
@operating
def remove(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """Take a file off the receipt again, before the start. Answers with the receipt as it is now."""
    paper = get_object_or_404(Paper.objects.select_related("task"), task=task, pk=paper_id)
    try:
        intake.remove(paper)
    except Refused as refused:
        return refusal(refused.code, refused.data)
    if not wants_json(request):
        return redirect("literature:upload", task.pk)
    papers = task.papers.select_related("duplicate_of").order_by("position")
    return JsonResponse({"papers": [paper_json(paper) for paper in papers]})
