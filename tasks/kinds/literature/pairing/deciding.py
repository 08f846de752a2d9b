"""Decides a pair: joined, kept apart, or open again. One conditional update under the lock of the set's row."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from tasks.kinds.literature.models import Pair
from tasks.kinds.literature.pairing.finding import settle
from tasks.kinds.literature.pairing.models import Decision
from tasks.models import Task


@transaction.atomic
def decide(pair: Pair, decision: str, by) -> bool:
    """Set the decision of a pair; False if it has it already. Raises ValueError for an unknown decision."""
    wanted = Decision(decision)
    task = Task.objects.select_for_update(no_key=True).get(pk=pair.task_id)
    changed = Pair.objects.filter(pk=pair.pk).exclude(decision=wanted).update(decision=wanted, by=by, at=Now())
    if changed:
        settle(task)
    return bool(changed)
