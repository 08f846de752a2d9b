"""Looks for items of a set that are one work, once its papers have been read."""

from __future__ import annotations

from django.db import transaction

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.models import Intake, Pair, Paper
from tasks.kinds.literature.pairing.models import Decision
from tasks.kinds.literature.references import possible_duplicates
from tasks.kinds.literature.references.matching import SAME
from tasks.models import Task

_ASKED = ("title", "authors", "year", "journal", "doi", "pmid", "pmcid")
_OF_A_RECORD = [f"subtask__result__parse__{name}" for name in _ASKED]


def look(task: Task) -> None:
    """Write the set's Pairs down, and join each reference to its paper. What people decided stays as it is.

    May run again (a later generation, a lost worker): a pair that is known is not made twice.
    """
    items = list(_items(task))
    pairs: list[Pair] = []
    same: dict[int, list[Pair]] = {}  # of each record of a list: what it surely is
    for match in possible_duplicates([known for _paper, known in items]):
        left, right = sorted((items[match.left][0], items[match.right][0]), key=_rank)
        pair = Pair(task=task, left=left, right=right, reason=match.reason, score=match.score, decision=Decision.OPEN)
        pairs.append(pair)
        if match.kind == SAME and right.state == Intake.LISTED:
            same.setdefault(right.pk, []).append(pair)
    # The rule joins by itself only a record to what it stands for, and to one: two papers never become one through it.
    for candidates in same.values():
        min(
            candidates, key=lambda pair: (pair.left.state == Intake.LISTED, -pair.score, pair.left.position)
        ).decision = Decision.JOINED
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).only("pk").get(pk=task.pk)  # a person may decide just now
        Pair.objects.bulk_create(pairs, ignore_conflicts=True, batch_size=1000)
        settle(task)


def settle(task: Task) -> None:
    """Point every joined item at the one that stands for it; what is in no joined pair any more stands for itself.

    Of items that are joined in a chain, the one with a full text stands for all, else the earliest.
    """
    joined = Pair.objects.filter(task=task, decision=Decision.JOINED).values_list("left_id", "right_id")
    groups: dict[int, set[int]] = {}
    for left, right in joined:
        group = groups.get(left, {left}) | groups.get(right, {right})
        groups.update(dict.fromkeys(group, group))
    papers = {paper.pk: paper for paper in Paper.objects.filter(pk__in=groups)}
    into: dict[int, int | None] = {}
    for group in groups.values():
        first = min((papers[pk] for pk in group), key=_rank).pk
        into.update({pk: first if pk != first else None for pk in group})
    changed = []
    for paper in Paper.objects.filter(task=task, merged_into__isnull=False).only("merged_into"):
        if paper.pk not in into:
            changed.append(Paper(pk=paper.pk, merged_into=None))
    changed += [Paper(pk=pk, merged_into_id=target) for pk, target in into.items()]
    Paper.objects.bulk_update(changed, ["merged_into"], batch_size=500)


def _items(task: Task):
    """(paper, what is known of it) of all that was read or is in a list."""
    papers = outcomes.papers_of(task).filter(state__in=[Intake.ACCEPTED, Intake.LISTED]).order_by("position")
    rows = papers.values("pk", "position", "state", "listed", "subtask__state", *_OF_A_RECORD)
    for row in rows.iterator(chunk_size=1000):
        paper = Paper(pk=row["pk"], position=row["position"], state=row["state"])
        if row["state"] == Intake.LISTED:
            yield paper, {name: row["listed"].get(name) for name in _ASKED}
        elif row["subtask__state"] == "succeeded":
            yield paper, {name: row[f"subtask__result__parse__{name}"] for name in _ASKED}


def _rank(paper: Paper) -> tuple[bool, int]:
    return paper.state == Intake.LISTED, paper.position
