"""The results of a set: the table on the page, and the files people take away."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tasks.kinds.literature import flow, records, streams
from tasks.kinds.literature.exports import csv, json
from tasks.kinds.literature.exports.table import COLUMNS, as_text
from tasks.kinds.literature.views.access import with_set
from tasks.models import Task

PAGE = 50
#: Columns of the file that make no sense on the page (it links the paper; the status is told by the list above).
_HIDDEN = {"status", "error_code", "error", "abstract", "keywords"}


@never_cache
@require_GET
@with_set
def table(request: HttpRequest, task: Task) -> HttpResponse:
    """The papers that succeeded, by fields: a page of the table as a fragment."""
    papers = flow.papers_of(task).filter(outcome="succeeded").select_related("subtask").order_by("position")
    page = Paginator(papers, PAGE).get_page(request.GET.get("page"))
    columns = [(name, words, read) for name, words, read in COLUMNS if name not in _HIDDEN]
    rows = []
    for paper in page:
        record = records.record(paper)
        rows.append({"paper": paper, "cells": [(name, as_text(read(record))) for name, _words, read in columns[1:]]})
    names = [(name, words) for name, words, _read in columns]
    return render(request, "literature/_table.html", {"task": task, "page": page, "columns": names, "rows": rows})


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
