"""The list of a set's papers, one page at a time, trouble first."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Q

from tasks.kinds.literature import outcomes, record

PAGE = 50


def papers(task, query) -> dict:
    """One page of the papers, each with its outcome and the reason for it.

    Filters of ``query``: ``state`` (an outcome), ``code`` (an error code), ``q`` (part of the path), ``page``.
    """
    found = (
        outcomes.papers_of(task).select_related("subtask", "duplicate_of", "merged_into").order_by("rank", "position")
    )
    state, code = query.get("state", ""), query.get("code", "").replace("\x00", "")
    words = query.get("q", "").replace("\x00", "").strip()
    if state in outcomes.OUTCOMES:
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
        error_code, error = outcomes.error_of(paper)
        known = record.read(paper) or paper.listed or {}
        rows.append(
            {
                "paper": paper,
                "outcome": paper.outcome,
                "code": error_code,
                "error": error,
                "title": known.get("title"),
                "doi": known.get("doi"),
                "year": known.get("year"),
            }
        )
    state_words = outcomes.OUTCOMES.get(state, "")
    return {"page": page, "rows": rows, "state": state, "state_words": state_words, "code": code, "words": words}
