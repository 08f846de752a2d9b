"""Finds the items of a set that are one work, once its papers have been read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db import transaction

from tasks.kinds.literature.fields import IDENTIFYING
from tasks.kinds.literature.models import Intake, Pair, Paper
from tasks.kinds.literature.pairing.models import Decision
from tasks.kinds.literature.references import possible_duplicates
from tasks.kinds.literature.references.matching import SAME
from tasks.models import Task


def look(task: Task, read: Iterable[tuple[Paper, dict]]) -> None:
    """Write the set's Pairs down, and join each reference to its paper. What people decided stays as it is.

    ``read``: each paper that was read (``pk``, ``position``, ``state``) with its values of ``fields.IDENTIFYING``. May
    run again (a later generation, a lost worker): a pair that is known is not made twice.
    """
    items = sorted([*read, *_listed(task)], key=lambda item: item[0].position)
    pairs: list[Pair] = []
    same: dict[int, list[Pair]] = {}  # by the id of a listed reference: the items that it certainly is
    for match in possible_duplicates([known for _paper, known in items]):
        left, right = sorted((items[match.left][0], items[match.right][0]), key=_rank)
        pair = Pair(task=task, left=left, right=right, reason=match.reason, score=match.score, decision=Decision.OPEN)
        pairs.append(pair)
        if match.kind == SAME and right.state == Intake.LISTED:
            same.setdefault(right.pk, []).append(pair)
    # Only a listed reference is joined without asking, and to one item: two papers never become one by rule.
    for candidates in same.values():
        min(
            candidates, key=lambda pair: (pair.left.state == Intake.LISTED, -pair.score, pair.left.position)
        ).decision = Decision.JOINED
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).only("pk").get(pk=task.pk)  # a person may decide at the same time
        Pair.objects.bulk_create(pairs, ignore_conflicts=True, batch_size=1000)
        settle(task)


def settle(task: Task) -> None:
    """Point every joined item at the one that stands for it; an item in no joined pair stands for itself.

    Of a chain of joined items, the one with a full text stands for all, else the earliest.
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


def _listed(task: Task) -> Iterator[tuple[Paper, dict]]:
    """The references without a file, with what their list says of them."""
    rows = Paper.objects.filter(task=task, state=Intake.LISTED).values_list("pk", "position", "listed")
    for pk, position, said in rows.iterator(chunk_size=1000):
        known = {name: said.get(name) for name in IDENTIFYING}
        yield Paper(pk=pk, position=position, state=Intake.LISTED), known


def _rank(paper: Paper) -> tuple[bool, int]:
    return paper.state == Intake.LISTED, paper.position
