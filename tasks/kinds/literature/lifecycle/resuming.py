"""Reads the rest of a cancelled set: papers that were cancelled, that failed, and that never became children."""

from __future__ import annotations

from django.db import transaction

from tasks import fanout
from tasks.errors import Refused
from tasks.kinds.base import NewChild
from tasks.kinds.literature.models import Intake, Paper


@transaction.atomic
def read_the_rest(task, by) -> bool:
    """Open the next run with every paper that has not succeeded. Raises Refused: nothing_left, not_ended.

    A set may be cancelled while its children are still being made; the papers after that point have none.
    """
    never = Paper.objects.filter(task=task, state=Intake.ACCEPTED, subtask__state__isnull=True).order_by("position")
    children = [
        NewChild(paper.key, {"paper": paper.pk, "sha256": paper.sha256, "size": paper.size})
        for paper in never.only("key", "sha256", "size")
    ]
    try:
        fanout.run_the_rest(task, by)
    except Refused as refused:
        if refused.code != "nothing_left" or not children:
            raise
    if children:
        fanout.extend(task, children, by)
    return True
