"""How far the review of a set is, and which paper comes next."""

from __future__ import annotations

from django.db.models import Count, Q

from tasks.kinds.literature import outcomes


def of(task) -> dict:
    """{readable: papers that have values, reviewed: how many of them are marked}."""
    papers = outcomes.papers_of(task).filter(outcome__in=outcomes.WITH_VALUES).order_by()
    return papers.aggregate(readable=Count("pk"), reviewed=Count("pk", filter=Q(review__isnull=False)))


def next_open(task, paper=None) -> int | None:
    """Id of the next paper after ``paper`` that is not reviewed, else of the first one; None when all are."""
    papers = outcomes.papers_of(task).filter(outcome__in=outcomes.WITH_VALUES, review=None).order_by("position")
    if paper is None:
        return papers.values_list("pk", flat=True).first()
    others = papers.exclude(pk=paper.pk).values_list("pk", flat=True)
    return others.filter(position__gt=paper.position).first() or others.first()


def neighbours(task, paper) -> dict:
    """{earlier, later}: ids of the papers beside this one, among those that have values as it has (or have none)."""
    with_values = Q(outcome__in=outcomes.WITH_VALUES)
    papers = outcomes.papers_of(task).filter(with_values if paper.outcome in outcomes.WITH_VALUES else ~with_values)
    ids = papers.values_list("pk", flat=True)
    return {
        "earlier": ids.filter(position__lt=paper.position).order_by("-position").first(),
        "later": ids.filter(position__gt=paper.position).order_by("position").first(),
    }
