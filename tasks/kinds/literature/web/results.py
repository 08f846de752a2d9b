"""The results of a set: the table on the page, and the files people take away."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from tasks.kinds.literature import streams
from tasks.kinds.literature.exports import bibtex, citing, csv, json, layout, ris, selection, text_archive, xlsx
from tasks.kinds.literature.models import TemplateVersion
from tasks.kinds.literature.table import grid
from tasks.kinds.literature.web.access import with_set
from tasks.models import Task
from tasks.web.access import wants_json


@never_cache
@require_GET
@with_set
def table(request: HttpRequest, task: Task) -> HttpResponse:
    """The papers that have values, by fields: a page of the table as a fragment; as JSON the ids of all that match."""
    if wants_json(request):
        return JsonResponse({"papers": grid.matching_ids(task, request.GET)})
    context = {
        "task": task,
        "results": grid.results(task, request.GET, request.user),
        "template": TemplateVersion.of(task),
    }
    return render(request, "literature/_table.html", context)


def filename(task: Task, ending: str) -> str:
    """The set's title as a file's name."""
    return f"{slugify(task.title, allow_unicode=True)[:80] or 'set'}-{task.pk}.{ending}"


def _export(ending: str, content_type: str, make: Callable[[Task, QueryDict], Iterator[bytes]], words: str):
    """A view that sends ``make(task, query)``, piece by piece, in the reader's language.

    A POST asks the same as a GET: ten thousand ids of a selection fit no address.
    """

    @require_http_methods(["GET", "POST"])
    @with_set
    def view(request: HttpRequest, task: Task) -> StreamingHttpResponse:
        query, language = request.GET.copy(), get_language()
        query.update(request.POST)

        def pieces() -> Iterator[bytes]:
            with override(language):
                made = make(task, query)
            while True:
                # The language is the thread's, and the pieces are made on others' as long as the answer lasts.
                with override(language):
                    piece = next(made, None)
                if piece is None:
                    return
                yield piece

        tail = "-selection" if selection.narrows(query) else ""
        tail += "-verified" if query.get("verified") == "1" else ""
        name = filename(task, ending).replace(f".{ending}", f"{tail}.{ending}")
        return streams.attachment(pieces, filename=name, content_type=content_type)

    view.__doc__ = words
    return view


def _texts(pieces: Callable[..., Iterator[str]]) -> Callable[[Task, QueryDict], Iterator[bytes]]:
    return lambda task, query: _encoded(pieces(selection.each_record(task, query)))


def _encoded(texts: Iterator[str]) -> Iterator[bytes]:
    return (text.encode(errors="replace") for text in texts)


def _csv(task: Task, query: QueryDict) -> Iterator[bytes]:
    return _encoded(csv.lines(selection.each_record(task, query), layout.of(task)))


def _xlsx(task: Task, query: QueryDict) -> Iterator[bytes]:
    return xlsx.blocks(selection.each_record(task, query), layout.of(task))


def _bibtex(task: Task, query: QueryDict) -> Iterator[bytes]:
    """With the keys of the whole set, so that an export of a few papers fits a text that cites them already."""
    if not selection.narrows(query) and query.get("verified") != "1":
        return _encoded(bibtex.pieces(selection.each_record(task, query)))
    known = citing.keys_of(task)
    pairs, again = itertools.tee(selection.papers_and_records(task, query))
    keys = (known.get(paper.pk, "") for paper, _record in again)
    return _encoded(bibtex.pieces((record for _paper, record in pairs), keys))


export_csv = _export(
    "csv", "text/csv; charset=utf-8", _csv, "Every paper given, one line each, with what became of it."
)
export_json = _export(
    "json", "application/json", _texts(json.pieces), "Every paper's whole record with its fields, pages and quotes."
)
export_ris = _export("ris", ris.CONTENT_TYPE, _texts(ris.pieces), "The papers that were read, as RIS.")
export_bibtex = _export("bib", bibtex.CONTENT_TYPE, _bibtex, "The papers that were read, as BibTeX.")
export_xlsx = _export(
    "xlsx",
    xlsx.CONTENT_TYPE,
    _xlsx,
    "The workbook: values, provenance, failures, dictionary.",
)
export_markdown = _export(
    "zip",
    text_archive.CONTENT_TYPE,
    lambda task, query: text_archive.blocks(
        selection.chosen(task, query).iterator(chunk_size=selection.CHUNK), title=task.title
    ),
    "The text of each paper as Markdown, in a zip.",
)
