"""Pairs as pages show them: those to decide, those decided, those of one paper."""

from __future__ import annotations

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from tasks import sentences
from tasks.kinds.literature import records
from tasks.kinds.literature.models import Pair, Paper
from tasks.kinds.literature.pairing.rows import Decision

SHOWN = 100


def open_pairs(task):
    """The pairs that wait for a person. Two that are one item by other ways are no question any more."""
    one, other = Coalesce("left__merged_into", "left"), Coalesce("right__merged_into", "right")
    found = Pair.objects.filter(task=task, decision=Decision.OPEN).annotate(one=one, other=other)
    return found.exclude(one=F("other")).order_by("-score", "left__position")


def of_set(task) -> dict:
    """What the set page shows: at most SHOWN of each, and how many there are."""
    waiting, decided = open_pairs(task), Pair.objects.filter(task=task).exclude(decision=Decision.OPEN)
    return {
        "open": [shown(pair) for pair in _with_papers(waiting)[:SHOWN]],
        "open_count": waiting.count(),
        "decided": [shown(pair) for pair in _with_papers(decided.order_by("-at", "-pk"))[:SHOWN]],
        "decided_count": decided.count(),
    }


def of_paper(paper: Paper) -> list[dict]:
    """The pairs that a paper is in."""
    return [shown(pair) for pair in _with_papers(Pair.objects.filter(Q(left=paper) | Q(right=paper)).order_by("pk"))]


def shown(pair: Pair) -> dict:
    """A pair in words."""
    return {
        "pair": pair,
        "left": pair.left,
        "right": pair.right,
        "left_words": _title(pair.left),
        "right_words": _title(pair.right),
        "reason": sentences.sentence(pair.reason),
    }


def _with_papers(pairs):
    return pairs.select_related("by", "left__subtask", "right__subtask")


def _title(paper: Paper) -> str:
    known = records.parsed(paper) or paper.listed or {}
    return known.get("title") or known.get("doi") or known.get("pmid") or paper.path
