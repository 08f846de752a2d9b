"""Takes back what was given to a draft: one paper, a whole list or archive, the draft itself.

What was a duplicate of something that goes takes its place, and bytes that nobody refers to any more go with it.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q

from tasks.errors import Refused
from tasks.files.unused import forget_unused
from tasks.kinds.literature.intake.registering import free_key, locked_draft
from tasks.kinds.literature.models import Intake, Paper, Source
from tasks.models import Task


def remove(paper: Paper) -> None:
    """Take a file, or a record of a list, off the receipt. Raises Refused("not_draft")."""
    _take_back(paper.task_id, Paper.objects.filter(pk=paper.pk), None)


def remove_source(source: Source) -> None:
    """Take an archive or a list off the receipt with everything that came in it. Raises Refused("not_draft")."""
    within = Q(source=source) | Q(source__parent=source)
    _take_back(source.task_id, Paper.objects.filter(within, task_id=source.task_id), source)


def discard(task_id: int) -> bool:
    """Delete a draft with its papers and the bytes that no other set has; False if it has started."""
    try:
        with transaction.atomic():
            locked_draft(task_id)
            addresses = _addresses(Paper.objects.filter(task_id=task_id), Source.objects.filter(task_id=task_id))
            Task.objects.get(pk=task_id).delete()
    except Refused:
        return False
    forget_unused(addresses)
    return True


def _take_back(task_id: int, papers, source: Source | None) -> None:
    with transaction.atomic():
        locked_draft(task_id)
        sources = Source.objects.filter(Q(pk=source.pk) | Q(parent=source)) if source else Source.objects.none()
        addresses = _addresses(papers, sources)
        going = set(papers.values_list("pk", flat=True))
        heirs = _heirs(task_id, going)
        accepted = papers.filter(state=Intake.ACCEPTED).count()
        papers.delete()
        if source:
            source.delete()
        for heir in heirs:
            heir.key = free_key(task_id, heir.path)
            heir.save()
        Task.objects.filter(pk=task_id).update(expected=F("expected") - accepted + len(heirs))
    forget_unused(addresses)


def _heirs(task_id: int, going: set[int]) -> list[Paper]:
    """Of each paper that goes, its first duplicate that stays; the other duplicates follow it. Not saved yet."""
    heirs: dict[int, Paper] = {}
    left = Paper.objects.filter(task_id=task_id, duplicate_of__in=going).exclude(pk__in=going).order_by("position")
    for paper in left:
        first = heirs.setdefault(paper.duplicate_of_id, paper)
        if paper is first:
            continue
        data = {"number": first.position, "file": first.path}
        Paper.objects.filter(pk=paper.pk).update(duplicate_of=first, reason_data=data)
    for heir in heirs.values():
        heir.state, heir.reason, heir.reason_data, heir.duplicate_of = Intake.ACCEPTED, "", {}, None
    return list(heirs.values())


def _addresses(papers, sources) -> list[str]:
    found = set(papers.exclude(sha256="").values_list("sha256", flat=True))
    return sorted(found | set(sources.values_list("sha256", flat=True)))
