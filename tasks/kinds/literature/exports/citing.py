"""Stable citation keys: a paper has the same key in an export of a few papers as in one of the whole set.

Keys are made for all papers of the set in its order. Only the values that a key is made of (title, authors, year, DOI)
are read, not the whole records.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Prefetch

from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.exports.bibtex import Keys
from tasks.kinds.literature.exports.plain import is_reference
from tasks.kinds.literature.models import Verdict
from tasks.kinds.literature.review import effect

_NAMES = ("title", "authors", "year", "doi")
_CHUNK = 500


def keys_of(task) -> dict[int, str]:
    """{id of a paper: key} of every paper of the set that is a reference."""
    keys = Keys()
    return {pk: keys.key(found) for pk, found in _records(task) if is_reference(found)}


def _records(task) -> Iterator[tuple[int, dict]]:
    judged = Verdict.objects.filter(current=True, nth=0, name__in=_NAMES)
    parts = {f"read_{name}": record.stored(name) for name in _NAMES}
    papers = (
        outcomes.papers_of(task)
        .filter(outcome__in=outcomes.WITH_VALUES)
        .annotate(**parts)
        .prefetch_related(Prefetch("verdicts", judged, to_attr="standing"))
        .order_by("position")
    )
    for paper in papers.iterator(chunk_size=_CHUNK):
        found = {name: getattr(paper, f"read_{name}") for name in _NAMES}
        if paper.outcome == "listed":
            found = {name: (paper.listed or {}).get(name) for name in _NAMES}
        found |= {"authors": found["authors"] or [], "fields": [], "status": paper.outcome}
        yield paper.pk, effect.applied(found, _unsigned(effect.standing(paper)))


def _unsigned(verdicts: list) -> list:
    """The verdicts without their authors, which a key does not need and which would take a query each."""
    for verdict in verdicts:
        verdict.by = None
    return verdicts
