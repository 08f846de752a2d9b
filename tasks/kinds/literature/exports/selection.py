"""Which papers an export holds: the whole set, those that a list's filter shows, or those a person marked.

``papers`` (ids, by commas or repeated), ``outcome`` (repeated) or ``state``, ``code`` (a reason) and ``q`` (part of the
path) narrow it down; all that are given must hold. What is no id and no outcome matches nothing, so that a wrong
address never gives more than was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from tasks.kinds.literature import flow, records
from tasks.kinds.literature.exports.verified import only_verified
from tasks.kinds.literature.models import Paper

CHUNK = 25  # papers in memory at once; a record may be some 100 KB


def chosen(task, query) -> QuerySet[Paper]:
    """The papers that ``query`` (a QueryDict) asks for, with outcome and child, in the order of giving."""
    found = flow.items_of(task).order_by("position")
    if ids := _words(query, "papers"):
        found = found.filter(pk__in=[int(one) for one in ids if one.isdecimal() and len(one) < 19])
    if outcomes := _words(query, "outcome") + _words(query, "state"):
        found = found.filter(outcome__in=outcomes)
    if codes := _words(query, "code"):
        found = found.filter(Q(reason__in=codes) | Q(outcome="failed", subtask__error_code__in=codes))
    for words in query.getlist("q"):
        if words := words.replace("\x00", "").strip():
            found = found.filter(Q(filename__icontains=words) | Q(folder__icontains=words))
    return found


def each_record(task, query) -> Iterator[dict]:
    """Their records; with ``verified=1`` only what was found again on its page."""
    strict = query.get("verified") == "1"
    for paper in chosen(task, query).iterator(chunk_size=CHUNK):
        record = records.record(paper)
        yield only_verified(record) if strict else record


def _words(query, name: str) -> list[str]:
    parts = (part.replace("\x00", "").strip() for given in query.getlist(name) for part in given.split(","))
    return [part for part in parts if part]
