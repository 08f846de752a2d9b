"""The papers of a set: the list with its filters, one paper in full, its pages as pictures, its file."""

from __future__ import annotations

import os

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tasks.files import store
from tasks.kinds.literature import record, streams
from tasks.kinds.literature.lifecycle.replacing import may_be_replaced
from tasks.kinds.literature.models import TemplateVersion
from tasks.kinds.literature.pairing import listing as pairs
from tasks.kinds.literature.review import history, progress
from tasks.kinds.literature.table import listing
from tasks.kinds.literature.web import detail
from tasks.kinds.literature.web.access import may_review, paper_of, with_set
from tasks.kinds.literature.web.picture import picture
from tasks.models import Task
from tasks.sandbox.isolate import IsolateError
from tasks.web.access import may_operate, wants_json

_DRAW_S = 20
_CONTENT_TYPES = {"pdf": "application/pdf"}  # everything else goes out as bytes that no browser opens by itself


@never_cache
@require_GET
@with_set
def paper_list(request: HttpRequest, task: Task) -> HttpResponse:
    """The papers with outcome and reason, trouble first: a fragment of the set page, or JSON."""
    found = listing.papers(task, request.GET)
    if not wants_json(request):
        return render(request, "literature/_papers.html", {"task": task, "listing": found})
    listed = [
        {
            "id": row["paper"].pk,
            "number": row["paper"].position,
            "file": row["paper"].path,
            "state": row["outcome"],
            "error_code": row["code"] or None,
            "error": row["error"] or None,
            "title": row["title"],
            "doi": row["doi"],
            "year": row["year"],
        }
        for row in found["rows"]
    ]
    pages = found["page"].paginator
    return JsonResponse({"papers": listed, "pages": pages.num_pages, "count": pages.count})


@never_cache
@require_GET
@with_set
def paper_page(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """One paper: every value with its page, its quote and whether the quote was found there; sections; references."""
    paper = paper_of(task, paper_id)
    if wants_json(request):
        return JsonResponse(record.effective(paper))
    version = TemplateVersion.of(task)
    found = detail.of(paper, request.GET, version)
    history.put_beside(found.get("fields", []) + found.get("missing", []), paper)
    context = {
        "task": task,
        "paper": paper,
        "operator": may_review(request.user, task),
        "owns": may_operate(request.user, task),
        "replaceable": may_be_replaced(paper),
        "pairs": pairs.of_paper(paper),
        "version": version,
        **progress.neighbours(task, paper),
        **progress.of(task),
        "next_open": progress.next_open(task, paper),
        **found,
    }
    return render(request, "literature/paper.html", context)


@require_GET
@with_set
def page_picture(request: HttpRequest, task: Task, paper_id: int, number: int) -> HttpResponse:
    """PNG of a page; ``box=x0,y0,x1,y1`` (points from the top left) marks a place. 422 if it can't be drawn."""
    paper = paper_of(task, paper_id)
    if not paper.sha256 or paper.format != "pdf" or paper.outcome not in ("succeeded", "merged"):
        raise Http404
    try:
        box = [float(part) for part in request.GET["box"].split(",")] if request.GET.get("box") else None
    except ValueError:
        raise Http404 from None
    if box is not None and (
        len(box) != 4 or not all(abs(value) < 1e5 for value in box) or box[0] > box[2] or box[1] > box[3]
    ):
        raise Http404
    # Of the numbers, not of what was sent: that may hold a line end, which no header takes
    etag = f'"{paper.sha256[:32]}-{number}-{",".join(f"{value:g}" for value in box or [])}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304)
    try:
        path = store.write_out(paper.sha256)
    except FileNotFoundError:
        raise Http404 from None
    try:
        png = async_to_sync(picture)(path, number, box, timeout_s=_DRAW_S, memory_mib=settings.SHEAF_ISOLATE_MIB)
    except IndexError:
        raise Http404 from None
    except IsolateError as error:
        return HttpResponse(error.code, status=422, content_type="text/plain")
    finally:
        os.unlink(path)
    response = HttpResponse(png, content_type="image/png")
    # Same bytes, same picture; "private" keeps it out of shared caches, which know nothing of permissions.
    response["Cache-Control"], response["ETag"] = "private, max-age=86400", etag
    return response


@require_GET
@with_set
def paper_file(request: HttpRequest, task: Task, paper_id: int) -> HttpResponse:
    """The file as it was given, as a download: never shown within our own origin."""
    paper = paper_of(task, paper_id)
    sha256 = paper.sha256
    try:
        size = store.size(sha256) if sha256 else None
    except FileNotFoundError:
        size = None
    if size is None:
        raise Http404
    response = streams.attachment(
        lambda: store.blocks(sha256),
        filename=paper.filename,
        content_type=_CONTENT_TYPES.get(paper.format, "application/octet-stream"),
    )
    response["Content-Length"] = str(size)
    return response
