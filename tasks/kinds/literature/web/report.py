"""The report of a set as a page, a workbook, a document; and the estimate before the start."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tasks.kinds.literature import streams
from tasks.kinds.literature.report import chart, content, docx_file, estimate, xlsx_file
from tasks.kinds.literature.web.access import with_set
from tasks.kinds.literature.web.results import filename
from tasks.kinds.notify import wishes
from tasks.models import Task
from tasks.web.access import wants_json


@never_cache
@require_GET
@with_set
def report_page(request: HttpRequest, task: Task) -> HttpResponse:
    """The report of the last finished run; before the first end a page that says so."""
    made = content.of(task)
    if wants_json(request):
        return _json(made)
    if made is None:
        return render(request, "literature/report_none.html", {"task": task})
    years, *others = made.distributions
    context = {
        "task": task,
        "report": made,
        "older": made.generation != task.generation,
        "years": years,
        "years_chart": chart.columns(years.bars, years.title) if years.bars else "",
        "others": [(part, _drawn(part)) for part in others],
        "completeness": [
            (one, chart.bar(one.number / made.read, one.proven / made.read) if made.read else "")
            for one in made.completeness
        ],
        "notices": wishes.sent_for(task),
    }
    return render(request, "literature/report.html", context)


def _drawn(part: content.Distribution) -> list[tuple]:
    """(words, papers, bar) of the groups that have a paper."""
    return [(words, number, chart.bar(number / part.most, number / part.most)) for words, number in part.bars if number]


def _json(made: content.Content | None) -> JsonResponse:
    if made is None:
        return JsonResponse({"code": "not_ended"}, status=404)
    return JsonResponse(
        {
            "generation": made.generation,
            "given": made.given,
            "flow": {name: number for name, _words, number in made.flow},
            "completeness": [
                {
                    "field": one.words,
                    "papers": one.number,
                    "verified": one.proven,
                    "confirmed": one.confirmed,
                    "corrected": one.corrected,
                }
                for one in made.completeness
            ],
            "distributions": {
                part.name: {"papers": dict(part.bars), "without": part.without} for part in made.distributions
            },
            "failures": {reason.code: reason.number for reason in made.reasons},
        }
    )


def _whole(task: Task) -> content.Content:
    made = content.of(task, papers_a_reason=None)
    if made is None:
        raise Http404
    return made


@require_GET
@with_set
def report_xlsx(request: HttpRequest, task: Task) -> HttpResponse:
    """The report as a workbook with charts."""
    made = b"".join(xlsx_file.blocks(_whole(task)))
    return streams.attachment(
        lambda: iter([made]), filename=filename(task, "report.xlsx"), content_type=xlsx_file.CONTENT_TYPE
    )


@require_GET
@with_set
def report_docx(request: HttpRequest, task: Task) -> HttpResponse:
    """The report as a document."""
    made = docx_file.made(_whole(task))
    return streams.attachment(
        lambda: iter([made]), filename=filename(task, "report.docx"), content_type=docx_file.CONTENT_TYPE
    )


@never_cache
@require_GET
@with_set
def estimate_of(request: HttpRequest, task: Task) -> JsonResponse:
    """What the papers given so far will take: numbers, and the sentences for people."""
    found = estimate.of(task)
    return JsonResponse(
        {
            "papers": found.papers,
            "pages": found.pages,
            "minutes": found.minutes,
            "places": found.places,
            "workers": found.workers,
            "cost": found.cost,
            "sentences": found.sentences(),
        }
    )
