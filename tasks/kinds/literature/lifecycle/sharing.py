"""Sharing a set with colleagues: the owner adds them by name, as readers or reviewers, and takes them out again."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.db import transaction

from tasks.errors import Refused
from tasks.members import Member, Role
from tasks.models import Task


@transaction.atomic
def share(task: Task, username: str, role: str, by) -> Member:
    """Let a person in, or change their role. Raises Refused: no_such_person, is_owner, no_such_role, and
    Task.DoesNotExist when ``by``, its owner, has deleted it meanwhile: nobody is let into what goes."""
    if role not in Role.values:
        raise Refused("no_such_role")
    people = get_user_model().objects.filter(is_active=True)
    person = people.filter(**{people.model.USERNAME_FIELD: username.replace("\x00", "").strip()}).first()
    if person is None:
        raise Refused("no_such_person", name=username.replace("\x00", "").strip()[:150])
    if person.pk == task.owner_id:
        raise Refused("is_owner")
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk, owner=by)
    member, _created = Member.objects.update_or_create(task=task, user=person, defaults={"role": role, "by": by})
    return member


def unshare(task: Task, user_id: int) -> bool:
    """Take a person out: no page opens for them any more, and a live view ends with its next check."""
    return bool(Member.objects.filter(task=task, user=user_id).delete()[0])


def may_review(user, task: Task) -> bool:
    """Whether the owner lets this person judge values, mark papers, write notes and decide pairs."""
    return Member.objects.filter(task=task, user=user.pk, role=Role.REVIEWER).exists()
