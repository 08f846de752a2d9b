"""What the set page lists: the papers by outcome, and the results as a table; a page of each at a time."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Q

from tasks.kinds.literature import flow, records
from tasks.kinds.literature.exports.table import COLUMNS, as_text

PAGE = 50
#: Columns of the file that make no sense on the page (it links the paper; the list above tells the status).
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
    """The papers that succeeded, by fields; ``rows`` of ``query`` is the page."""
    found = flow.papers_of(task).filter(outcome="succeeded").select_related("subtask").order_by("position")
    page = Paginator(found, PAGE).get_page(query.get("rows"))
    columns = [(name, words, read) for name, words, read in COLUMNS if name not in _HIDDEN]
    rows = []
    for paper in page:
        record = records.record(paper)
        rows.append({"paper": paper, "cells": [(name, as_text(read(record))) for name, _words, read in columns[1:]]})
    return {"page": page, "columns": [(name, words) for name, words, _read in columns], "rows": rows}
