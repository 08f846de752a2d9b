"""What the set page lists: the papers by outcome, and the results as a table; a page of each at a time."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import F, JSONField, Q, Value
from django.db.models.functions import NullIf
from django.utils.translation import gettext_lazy as _

from tasks.kinds.literature import flow, records
from tasks.kinds.literature.exports.table import COLUMNS, as_text
from tasks.kinds.literature.models import Report

PAGE = 50
#: Columns that the page can sort by, and what they are sorted by.
SORTED_BY = {
    "file": "filename",
    "title": "subtask__result__parse__title",
    "year": "subtask__result__parse__year",
    "journal": "subtask__result__parse__journal",
    "doi": "subtask__result__parse__doi",
    "pages": "subtask__result__parse__pages",
}
#: Columns of the file that make no sense on the page (it links the paper; the list of papers tells the status).
_HIDDEN = {"status", "error_code", "error", "abstract", "keywords"}


def papers(task, query) -> dict:
    """The papers with outcome and reason, trouble first.

    Filters of ``query``: ``state`` (an outcome), ``code`` (an error code), ``q`` (part of the path), ``page``.
    """
    found = flow.papers_of(task).select_related("subtask", "duplicate_of").order_by("rank", "position")
    state, code = query.get("state", ""), query.get("code", "").replace("\x00", "")
    words = query.get("q", "").replace("\x00", "").strip()
    if state in flow.OUTCOMES:
        found = found.filter(outcome=state)
    else:
        state = ""
    if code:
        found = found.filter(Q(reason=code) | Q(outcome="failed", subtask__error_code=code))
    if words:
        found = found.filter(Q(filename__icontains=words) | Q(folder__icontains=words))
    page = Paginator(found, PAGE).get_page(query.get("page"))
    rows = []
    for paper in page:
        error_code, error = records.error_of(paper)
        parsed = records.parsed(paper)
        rows.append(
            {
                "paper": paper,
                "outcome": paper.outcome,
                "code": error_code,
                "error": error,
                "title": parsed.get("title"),
                "doi": parsed.get("doi"),
                "year": parsed.get("year"),
            }
        )
    state_words = flow.OUTCOMES.get(state, "")
    return {"page": page, "rows": rows, "state": state, "state_words": state_words, "code": code, "words": words}


def results(task, query) -> dict:
    """The papers that succeeded, by fields. ``query``: ``rows`` is the page, ``sort`` a column ("-year": downwards)."""
    found = flow.papers_of(task).filter(outcome="succeeded").select_related("subtask")
    sort = query.get("sort", "")
    name = sort.removeprefix("-")
    if name in SORTED_BY:
        value = F(SORTED_BY[name])
        if name != "file":  # a field that was not found is JSON's null, which is not SQL's: it belongs to the end
            value = NullIf(value, Value(None, output_field=JSONField()))
        found = found.order_by(
            value.desc(nulls_last=True) if sort.startswith("-") else value.asc(nulls_last=True), "position"
        )
    else:
        sort, found = "", found.order_by("position")
    page = Paginator(found, PAGE).get_page(query.get("rows"))
    columns = [(name, words, read) for name, words, read in COLUMNS if name not in _HIDDEN]
    rows = []
    for paper in page:
        record = records.record(paper)
        rows.append({"paper": paper, "cells": [(name, as_text(read(record))) for name, _words, read in columns[1:]]})
    return {
        "page": page,
        "columns": [_head(name, words, sort) for name, words, _read in columns],
        "rows": rows,
        "completeness": _completeness(task),
    }


def _head(name: str, words: object, sort: str) -> dict:
    """A column's head: ``next`` is the order that a press on it asks for, None where it can't be sorted."""
    ordered = {name: "ascending", f"-{name}": "descending"}.get(sort, "")
    following = None
    if name in SORTED_BY:
        following = f"-{name}" if sort == name else name
    return {"name": name, "words": words, "ordered": ordered, "next": following}


def _completeness(task) -> list[dict]:
    """Of a set that has ended: in how many of the papers read each field was found."""
    report = Report.objects.filter(task=task, generation=task.generation).first() if task.is_terminal else None
    if report is None or not report.succeeded:
        return []
    words = {name: said for name, said, _read in COLUMNS} | {"sections": _("Sections")}
    return [
        {"words": words.get(name, name), "number": number, "all": report.succeeded}
        for name, number in ((name, report.completeness.get(name, 0)) for name in flow.COUNTED)
    ]
