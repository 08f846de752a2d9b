"""How far the review of a set is, and which paper is the next: for a person who has 120 of them before her."""

from __future__ import annotations

from django.db.models import Count, Q

from tasks.kinds.literature import outcomes


def of(task) -> dict:
    """{reviewed, readable}: papers that have values, and how many of them are marked."""
    papers = outcomes.papers_of(task).filter(outcome__in=outcomes.WITH_VALUES).order_by()
    return papers.aggregate(readable=Count("pk"), reviewed=Count("pk", filter=Q(review__isnull=False)))


def next_open(task, paper=None) -> int | None:
    """Id of the next paper in the set's order that is not reviewed; behind the last, or of none, the first."""
    papers = outcomes.papers_of(task).filter(outcome__in=outcomes.WITH_VALUES, review=None).order_by("position")
    if paper is None:
        return papers.values_list("pk", flat=True).first()
    others = papers.exclude(pk=paper.pk).values_list("pk", flat=True)
    return others.filter(position__gt=paper.position).first() or others.first()


def neighbours(task, paper) -> dict:
    """{earlier, later}: ids beside this paper, among those with values; beside one without, among those without."""
    with_values = Q(outcome__in=outcomes.WITH_VALUES)
    papers = outcomes.papers_of(task).filter(with_values if paper.outcome in outcomes.WITH_VALUES else ~with_values)
    ids = papers.values_list("pk", flat=True)
    return {
        "earlier": ids.filter(position__lt=paper.position).order_by("-position").first(),
        "later": ids.filter(position__gt=paper.position).order_by("position").first(),
    }
