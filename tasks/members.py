"""With whom an owner shares a batch: who else may see it, and who of them may judge what is in it.

The rule "who may see a batch" is ``Task.objects.visible_to``; the live view asks the same of many people at once
(``streaming.people``). Imported by ``tasks.models``, where Django looks for it.
"""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    READER = "reader", _("reader")
    REVIEWER = "reviewer", _("reviewer")


class Invited(models.Model):
    """A name that the owner has typed. Owners see these names and nothing else, so that sharing does not tell which
    user names exist: a name without an account is listed like any other."""

    task = models.ForeignKey("tasks.Task", models.CASCADE, related_name="invited", verbose_name=_("batch"))
    name = models.CharField(_("name"), max_length=150)
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)
    #: Null: nobody has this name.
    member = models.OneToOneField("tasks.Member", models.CASCADE, null=True, related_name="invited")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "name"], name="invited_once")]

    def __str__(self):
        return f"{self.name}: {self.role} of {self.task_id}"


class Member(models.Model):
    """One person beside the owner: a reader looks and exports, a reviewer also judges values, marks and remarks."""

    task = models.ForeignKey("tasks.Task", models.CASCADE, related_name="members", verbose_name=_("batch"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("person"))
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [models.UniqueConstraint(fields=["user", "task"], name="member_once")]

    def __str__(self):
        return f"{self.role} of {self.task_id}"
