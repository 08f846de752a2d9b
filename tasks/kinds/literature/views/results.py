"""The results of a set: the table on the page, and the files people take away."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tasks.kinds.literature import grid, streams
from tasks.kinds.literature.exports import bibtex, csv, json, markdown, ris, selection, xlsx
from tasks.kinds.literature.views.access import with_set
from tasks.kinds.literature.wanted import columns
from tasks.models import Task


@never_cache
@require_GET
@with_set
def table(request: HttpRequest, task: Task) -> HttpResponse:
    """The papers that succeeded, by fields: a page of the table as a fragment."""
    context = {
        "task": task,
        "results": grid.results(task, request.GET, request.user),
        "template": columns.version_of(task),
    }
    return render(request, "literature/_table.html", context)


def filename(task: Task, ending: str) -> str:
    """The set's title as a file's name."""
    return f"{slugify(task.title, allow_unicode=True)[:80] or 'set'}-{task.pk}.{ending}"


def _export(ending: str, content_type: str, make: Callable[[Task, QueryDict], Iterator[bytes]], words: str):
    """A view that sends ``make(task, query)``, piece by piece, in the reader's language."""

    @require_GET
    @with_set
    def view(request: HttpRequest, task: Task) -> StreamingHttpResponse:
        query, language = request.GET, get_language()

        def pieces() -> Iterator[bytes]:
            made = make(task, query)
            while True:
                # The language is the thread's, and the pieces are made on others' as long as the answer lasts.
                with override(language):
                    piece = next(made, None)
                if piece is None:
                    return
                yield piece

        tail = "-verified" if query.get("verified") == "1" else ""
        name = filename(task, ending).replace(f".{ending}", f"{tail}.{ending}")
        return streams.attachment(pieces, filename=name, content_type=content_type)

    view.__doc__ = words
    return view


def _texts(pieces: Callable[..., Iterator[str]]) -> Callable[[Task, QueryDict], Iterator[bytes]]:
    return lambda task, query: (piece.encode(errors="replace") for piece in pieces(selection.each_record(task, query)))


export_csv = _export(
    "csv", "text/csv; charset=utf-8", _texts(csv.lines), "Every paper given, one line each, with what became of it."
)
export_json = _export(
    "json", "application/json", _texts(json.pieces), "Every paper's whole record with its fields, pages and quotes."
)
export_ris = _export("ris", ris.CONTENT_TYPE, _texts(ris.pieces), "The papers that were read, as RIS.")
export_bibtex = _export("bib", bibtex.CONTENT_TYPE, _texts(bibtex.pieces), "The papers that were read, as BibTeX.")
export_xlsx = _export(
    "xlsx",
    xlsx.CONTENT_TYPE,
    lambda task, query: xlsx.blocks(selection.each_record(task, query)),
    "The workbook: values, provenance, failures, dictionary.",
)
export_markdown = _export(
    "zip",
    markdown.CONTENT_TYPE,
    lambda task, query: markdown.blocks(
        selection.chosen(task, query).iterator(chunk_size=selection.CHUNK), title=task.title
    ),
    "The text of each paper as Markdown, in a zip.",
)
