"""Sharing a set with colleagues: the owner adds them by name, as readers or reviewers, and takes them out again."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.db import transaction

from tasks.errors import Refused
from tasks.members import Invited, Member, Role
from tasks.models import Task

#: Names a set can be shared with. A limit, so that nobody fills the table by trying names.
MOST = 200


@transaction.atomic
def share(task: Task, username: str, role: str, by) -> None:
    """Let a person in, or change their role. Does the same, in words and rows, for a name that nobody has.

    Raises Refused: is_owner, no_such_role, no_name, shared_with_many; and Task.DoesNotExist when ``by``, its owner, has
    deleted it meanwhile: nobody is let into what goes.
    """
    if role not in Role.values:
        raise Refused("no_such_role")
    name = username.replace("\x00", "").strip()
    if not name or len(name) > 150:
        raise Refused("no_name")
    if name == by.get_username():
        raise Refused("is_owner")
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk, owner=by)
    if task.invited.exclude(name=name).count() >= MOST:
        raise Refused("shared_with_many", limit=MOST)
    people = get_user_model().objects.filter(is_active=True)
    person = people.filter(**{people.model.USERNAME_FIELD: name}).first()
    member = None
    if person is not None:
        member, _created = Member.objects.update_or_create(task=task, user=person, defaults={"role": role, "by": by})
        Invited.objects.filter(member=member).exclude(name=name).delete()  # the account's name has changed since
    Invited.objects.update_or_create(task=task, name=name, defaults={"role": role, "member": member})


def unshare(task: Task, invited_id: int) -> bool:
    """Take a name out. No page opens for its person any more, and a live view ends with its next check."""
    with transaction.atomic():
        invited = Invited.objects.filter(task=task, pk=invited_id).first()
        if invited is None:
            return False
        Member.objects.filter(pk=invited.member_id).delete()
        Invited.objects.filter(pk=invited.pk).delete()
        return True


def leave(task: Task, user_id: int) -> bool:
    """A member takes itself out, and its name off the owner's list."""
    return bool(Member.objects.filter(task=task, user=user_id).delete()[0])


def may_review(user, task: Task) -> bool:
    """Whether the owner lets this person judge values, mark papers, write notes and decide pairs."""
    return Member.objects.filter(task=task, user=user.pk, role=Role.REVIEWER).exists()
