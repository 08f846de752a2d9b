"""Reads a duplicate on request: a file with the same bytes as another one of the set."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from tasks import fanout
from tasks.errors import Refused
from tasks.kinds.base import NewChild
from tasks.kinds.literature.intake.registering import free_key, must_fit
from tasks.kinds.literature.models import Intake, Paper
from tasks.models import Task
from tasks.states import TaskState


@transaction.atomic
def read_all_the_same(paper: Paper, by) -> None:
    """Accept a duplicate. In a draft it starts with the others, else it is read at once.

    Raises Refused: not_duplicate, file_gone (the other file was replaced meanwhile), set_full, set_too_large, and
    not_ended between two runs.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=paper.task_id)
    first = Paper.objects.filter(task=task, sha256=paper.sha256, state=Intake.ACCEPTED)
    if not Paper.objects.filter(pk=paper.pk, state=Intake.DUPLICATE).exists():
        raise Refused("not_duplicate")
    if not first.exists():
        raise Refused("file_gone")
    must_fit(task.pk, paper.size)
    key = free_key(task.pk, paper.path)
    Paper.objects.filter(pk=paper.pk).update(
        state=Intake.ACCEPTED, key=key, reason="", reason_data={}, duplicate_of=None, all_the_same=True
    )
    if task.state == TaskState.DRAFT:
        Task.objects.filter(pk=task.pk).update(expected=Coalesce(F("expected"), 0) + 1)
    else:
        child = NewChild(key, {"paper": paper.pk, "sha256": paper.sha256, "size": paper.size})
        fanout.extend(task, [child], by)
