"""Giving to a draft set: the upload page and its door, one file a request; the receipt, and taking things back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from tasks.errors import Refused
from tasks.files import store
from tasks.kinds.literature import streams
from tasks.kinds.literature.exports import csv
from tasks.kinds.literature.forms import editing
from tasks.kinds.literature.intake import entry, receipt, undoing
from tasks.kinds.literature.intake.receipt import paper_json, receipt_json, source_json
from tasks.kinds.literature.models import Intake, Paper, Source, TemplateVersion
from tasks.kinds.literature.web.access import operating, with_set
from tasks.kinds.literature.web.results import filename
from tasks.models import Task
from tasks.states import TaskState
from tasks.web.access import may_operate, refusal, wants_json


@never_cache
@require_GET
@with_set
def upload_page(request: HttpRequest, task: Task) -> HttpResponse:
    """The drop zone and the receipt, while the set is a draft; afterwards the set's own page."""
    if task.state != TaskState.DRAFT or not may_operate(request.user, task):
        return redirect("literature:set", task.pk)
    given = receipt_json(task)
    if wants_json(request):
        return JsonResponse(given)
    limits = {
        "max_mib": settings.SHEAF_MAX_FILE_MIB,
        "archive_mib": settings.SHEAF_MAX_ARCHIVE_MIB,
        "max_files": settings.SHEAF_MAX_SET_FILES,
    }
    context = {"template": TemplateVersion.of(task), "templates": editing.usable(request.user)}
    return render(request, "literature/upload.html", {**context, "task": task, "given": given, "limits": limits})


@never_cache
@require_GET
@with_set
def have(request: HttpRequest, task: Task) -> JsonResponse:
    """Whether the set has these bytes already: an upload that broke off goes on where it was."""
    sha256 = request.GET.get("sha256", "").lower()
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        return refusal("no_file", status=400)
    paper = task.papers.filter(sha256=sha256, state=Intake.ACCEPTED).select_related("duplicate_of").first()
    source = task.sources.filter(sha256=sha256, done=True).first()
    return JsonResponse(
        {
            "have": paper is not None or source is not None,
            "paper": paper and paper_json(paper),
            "source": source and source_json(source),
        }
    )


@require_POST
@operating
def files(request: HttpRequest, task: Task) -> JsonResponse:
    """Take one file. 201 with its Paper whatever became of it, or with the Source of all that was in it; 413 if it is
    too large, 409 if the set has started.

    A file over the limit need not be sent: its ``filename`` and ``size`` put it on the receipt.
    """
    folder = request.POST.get("folder", "")
    given = request.FILES.get("file")
    try:
        if given is not None:
            taken = entry.receive(task.pk, given, filename=given.name, folder=folder)
        else:
            name, size = request.POST["filename"], int(request.POST["size"])
            taken = entry.declare_too_large(task.pk, filename=name, folder=folder, size=size)
    except (KeyError, ValueError):
        return refusal("no_file", status=400)
    except Refused as refused:
        return refusal(refused.code, refused.data)
    return _taken(taken)


def _taken(taken: Paper | Source) -> JsonResponse:
    if isinstance(taken, Source):
        return JsonResponse({"source": source_json(taken)}, status=201)
    if taken.reason == "too_large":
        return refusal("too_large", taken.reason_data, status=413, paper=paper_json(taken))
    return JsonResponse({"paper": paper_json(taken)}, status=201)


@require_POST
@operating
def paste(request: HttpRequest, task: Task) -> HttpResponse:
    """Take ``text``: DOIs and PubMed numbers, or a list of references in any format."""
    taken = entry.paste(task.pk, request.POST.get("text", ""))
    return _taken(taken) if wants_json(request) else redirect("literature:upload", task.pk)


@require_POST
@operating
def remove(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """Take a file off the receipt again, before the start. Answers with the receipt as it is now."""
    paper = get_object_or_404(Paper.objects.select_related("task"), task=task, pk=paper_id)
    return _without(request, task, lambda: undoing.remove(paper))


@require_POST
@operating
def remove_source(request: HttpRequest, task: Task, source_id: int) -> HttpResponse:
    """Take an archive or a list off the receipt with all that came in it. Answers with the receipt as it is now."""
    source = get_object_or_404(Source, task=task, pk=source_id)
    return _without(request, task, lambda: undoing.remove_source(source))


def _without(request: HttpRequest, task: Task, undo: Callable[[], None]) -> HttpResponse:
    try:
        undo()
    except Refused as refused:
        return refusal(refused.code, refused.data)
    return JsonResponse(receipt_json(task)) if wants_json(request) else redirect("literature:upload", task.pk)


@require_GET
@with_set
def receipt_file(request: HttpRequest, task: Task) -> StreamingHttpResponse:
    """The receipt as CSV, in the reader's language: a line for everything given, and for each repair of a list."""
    language = get_language()

    def pieces() -> Iterator[bytes]:
        made = csv.plain_lines(receipt.rows(task))
        while True:
            with override(language):  # the language is the thread's, and the pieces are made on several
                line = next(made, None)
            if line is None:
                return
            yield line.encode(errors="replace")

    return streams.attachment(pieces, filename=filename(task, "receipt.csv"), content_type="text/csv; charset=utf-8")


@require_GET
@with_set
def source_file(request: HttpRequest, task: Task, source_id: int) -> HttpResponse:
    """A reference list as it was given; archives are not kept, only what was in them."""
    source = get_object_or_404(Source, task=task, pk=source_id)
    if not store.is_kept(source.sha256):
        raise Http404
    return streams.attachment(
        lambda: store.blocks(source.sha256), filename=source.filename, content_type="application/octet-stream"
    )
