"""Pairs as pages show them: those to decide, those decided, and those of one paper."""

from __future__ import annotations

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from tasks import sentences
from tasks.kinds.literature import record
from tasks.kinds.literature.models import Pair, Paper
from tasks.kinds.literature.pairing.models import Decision

SHOWN = 100
_SIDES = ("left", "right")
_NAMED_BY = ("title", "doi", "pmid")


def open_pairs(task):
    """The pairs that wait for a decision, without those whose items became one through other pairs."""
    one, other = Coalesce("left__merged_into", "left"), Coalesce("right__merged_into", "right")
    found = Pair.objects.filter(task=task, decision=Decision.OPEN).annotate(one=one, other=other)
    return found.exclude(one=F("other")).order_by("-score", "left__position")


def of_set(task) -> dict:
    """What the set page shows: at most SHOWN open and SHOWN decided pairs, and how many there are of each."""
    waiting, decided = open_pairs(task), Pair.objects.filter(task=task).exclude(decision=Decision.OPEN)
    return {
        "open": [shown(pair) for pair in _first(waiting)],
        "open_count": waiting.count(),
        "decided": [shown(pair) for pair in _first(decided.order_by("-at", "-pk"))],
        "decided_count": decided.count(),
    }


def of_paper(paper: Paper) -> list[dict]:
    """The pairs of a paper, SHOWN at most: where a whole volume shares one DOI, its first paper is in very many."""
    found = Pair.objects.filter(Q(left=paper) | Q(right=paper)).order_by("pk")
    return [shown(pair) for pair in _first(found)]


def shown(pair: Pair) -> dict:
    """A pair with the words that a page shows for it."""
    return {
        "pair": pair,
        "left": pair.left,
        "right": pair.right,
        "left_words": _title(pair, "left"),
        "right_words": _title(pair, "right"),
        "reason": sentences.sentence(pair.reason),
    }


def _first(pairs) -> list[Pair]:
    """The first SHOWN pairs, with what names each paper and without the rest of its record.

    Ids are fetched first. In one query the database would take the titles out of every record before the limit applies.
    """
    numbers = list(pairs.values_list("pk", flat=True)[:SHOWN])
    named = {f"{side}_{name}": record.stored(name, f"{side}__subtask") for side in _SIDES for name in _NAMED_BY}
    found = Pair.objects.filter(pk__in=numbers).select_related("by", "left", "right").annotate(**named).in_bulk()
    return [found[number] for number in numbers if number in found]


def _title(pair: Pair, side: str) -> str:
    paper: Paper = getattr(pair, side)
    read = (getattr(pair, f"{side}_{name}") for name in _NAMED_BY)
    listed = ((paper.listed or {}).get(name) for name in _NAMED_BY)
    return next(filter(None, (*read, *listed)), paper.path)
