"""Which papers an export holds: the whole set, those that a list's filter shows, or those that a person marked.

``papers`` (ids, repeated or separated by commas), ``outcome`` (repeated) or ``state``, ``code`` (a reason) and ``q``
(part of the path) narrow it down; a paper has to match all that are given. ``table=1`` takes the rows of the results
table in their order, with its ``only``, ``has``, ``col`` and ``sort``. A value that is no id and no outcome matches
nothing, so a mistyped address never exports more than was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.exports import layout
from tasks.kinds.literature.exports.verified import only_verified
from tasks.kinds.literature.forms.questions import questions_of
from tasks.kinds.literature.models import Paper, TemplateVersion
from tasks.kinds.literature.record import effective
from tasks.kinds.literature.table import search, view

CHUNK = 25  # papers in memory at once; a record may be some 100 KB


def chosen(task, query) -> QuerySet[Paper]:
    """The papers that ``query`` (a QueryDict) asks for, with outcome and child, in the order of giving."""
    found = _of_table(task, query) if query.get("table") == "1" else outcomes.items_of(task).order_by("position")
    if "papers" in query:
        ids = [int(one) for one in _words(query, "papers") if one.isdecimal() and len(one) < 19]
        found = found.filter(pk__in=ids)
    if became := _words(query, "outcome") + _words(query, "state"):
        found = found.filter(outcome__in=became)
    if codes := _words(query, "code"):
        found = found.filter(Q(reason__in=codes) | Q(outcome="failed", subtask__error_code__in=codes))
    for words in query.getlist("q"):
        if words := words.replace("\x00", "").strip():
            found = found.filter(Q(filename__icontains=words) | Q(folder__icontains=words))
    return found


def narrows(query) -> bool:
    """Whether ``query`` may ask for less than the set."""
    return any(query.get(name) for name in ("table", "outcome", "state", "code", "q")) or "papers" in query


def _of_table(task, query) -> QuerySet[Paper]:
    known = {column.name: column for column in view.of(task)}
    return search.rows(task, search.asked(query, known), known)


def papers_and_records(task, query) -> Iterator[tuple[Paper, dict]]:
    """Each paper with its record; with ``verified=1`` only what was found again on its page."""
    strict = query.get("verified") == "1"
    questions = questions_of(TemplateVersion.of(task))
    for paper in chosen(task, query).iterator(chunk_size=CHUNK):
        record = effective(paper)
        record = only_verified(record) if strict else record
        yield paper, layout.with_answers(record, questions) if questions else record


def each_record(task, query) -> Iterator[dict]:
    """The records alone."""
    return (record for _paper, record in papers_and_records(task, query))


def _words(query, name: str) -> list[str]:
    parts = (part.replace("\x00", "").strip() for given in query.getlist(name) for part in given.split(","))
    return [part for part in parts if part]
