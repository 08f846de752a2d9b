"""The results of a set: the table on the page, and the files people take away."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tasks.kinds.literature import flow, listing, records, streams
from tasks.kinds.literature.exports import csv, json
from tasks.kinds.literature.views.access import with_set
from tasks.models import Task


@never_cache
@require_GET
@with_set
def table(request: HttpRequest, task: Task) -> HttpResponse:
    """The papers that succeeded, by fields: a page of the table as a fragment."""
    return render(request, "literature/_table.html", {"task": task, "results": listing.results(task, request.GET)})


def _filename(task: Task, ending: str) -> str:
    return f"{slugify(task.title, allow_unicode=True)[:80] or 'set'}-{task.pk}.{ending}"


def _outcomes(request: HttpRequest) -> list[str]:
    return [name for name in request.GET.getlist("outcome") if name in flow.OUTCOMES]


@require_GET
@with_set
def export_csv(request: HttpRequest, task: Task) -> StreamingHttpResponse:
    """Every paper given, one line each, with what became of it."""
    chosen = _outcomes(request)

    def lines() -> Iterator[bytes]:
        return (line.encode() for line in csv.lines(records.records(task, chosen)))

    return streams.attachment(lines, filename=_filename(task, "csv"), content_type="text/csv; charset=utf-8")


@require_GET
@with_set
def export_json(request: HttpRequest, task: Task) -> StreamingHttpResponse:
    """Every paper's whole record with its fields, pages and quotes."""
    chosen = _outcomes(request)

    def pieces() -> Iterator[bytes]:
        return (piece.encode() for piece in json.pieces(records.records(task, chosen)))

    return streams.attachment(pieces, filename=_filename(task, "json"), content_type="application/json")
