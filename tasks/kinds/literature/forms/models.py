"""A Template names the fields wanted; each change of it is a new version, so that a set keeps the one it began with."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Template(models.Model):
    """``shared``: colleagues may use it, and see it; only its owner changes it. ``retired``: offered no more."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="templates")
    name = models.CharField(_("name"), max_length=120)
    shared = models.BooleanField(_("shared"), default=False)
    retired = models.BooleanField(default=False)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        ordering = ["name", "id"]
        indexes = [models.Index(fields=["owner"], name="template_owner")]

    def __str__(self):
        return self.name

    @property
    def latest(self) -> TemplateVersion | None:
        return self.versions.order_by("-number").first()


class TemplateVersion(models.Model):
    """One state of a template. ``fields`` is a list of wanted.fields.Field as dicts, checked when it was made."""

    template = models.ForeignKey(Template, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    fields = models.JSONField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["template", "-number"]
        constraints = [models.UniqueConstraint(fields=["template", "number"], name="template_version_once")]

    def __str__(self):
        return f"{self.template} {self.number}"


class ViewChoice(models.Model):
    """The columns that a person looks at: in sets without a template, or in those with that one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    template = models.ForeignKey(Template, models.CASCADE, null=True, related_name="+")
    columns = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "template"], name="view_choice_once"),
            # PostgreSQL 14 takes every null for another
            models.UniqueConstraint(fields=["user"], condition=Q(template=None), name="view_choice_plain_once"),
        ]

    def __str__(self):
        return f"columns of {self.user_id}"
