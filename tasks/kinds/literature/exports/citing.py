"""Citation keys that stay: a paper's key is the same in an export of a few papers as in one of the whole set.

Keys are given in the order of the set to all that it holds, from what is needed for them alone (title, authors, year,
DOI as the record has them), so that not every whole record is read for a handful of entries.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Prefetch

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.exports.bibtex import Keys
from tasks.kinds.literature.exports.plain import is_reference
from tasks.kinds.literature.models import Verdict
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.table.search import WITH_VALUES

_NAMES = ("title", "authors", "year", "doi")
_CHUNK = 500


def keys_of(task) -> dict[int, str]:
    """{id of a paper: key} of every paper of the set that is a reference."""
    keys = Keys()
    return {pk: keys.key(record) for pk, record in _records(task) if is_reference(record)}


def _records(task) -> Iterator[tuple[int, dict]]:
    judged = Verdict.objects.filter(current=True, nth=0, name__in=_NAMES)
    parts = {f"read_{name}": F(f"subtask__result__parse__{name}") for name in _NAMES}
    papers = (
        outcomes.papers_of(task)
        .filter(outcome__in=WITH_VALUES)
        .annotate(**parts)
        .prefetch_related(Prefetch("verdicts", judged, to_attr="standing"))
        .order_by("position")
    )
    for paper in papers.iterator(chunk_size=_CHUNK):
        found = {name: getattr(paper, f"read_{name}") for name in _NAMES}
        if paper.outcome == "listed":
            found = {name: (paper.listed or {}).get(name) for name in _NAMES}
        record = {**found, "authors": found["authors"] or [], "fields": [], "status": paper.outcome}
        yield paper.pk, effect.applied(record, _unsigned(effect.standing(paper)))


def _unsigned(verdicts: list) -> list:
    """Who judged does not matter here, and asking for it would be a query for each."""
    for verdict in verdicts:
        verdict.by = None
    return verdicts
