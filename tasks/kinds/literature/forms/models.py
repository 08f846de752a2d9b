"""Data extraction forms, "templates" to users. Each change makes a new version, so a set keeps the one it uses."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Template(models.Model):
    """``shared``: colleagues may see and use it; only its owner may change it. ``retired``: no longer offered."""

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
    """One state of a template. ``fields`` is a list of questions.Question as dicts, checked when it was made."""

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

    @classmethod
    def of(cls, task) -> TemplateVersion | None:
        """The version that a set was made with; None for a set without a template."""
        known = (task.params or {}).get("template")
        return cls.objects.select_related("template").filter(pk=known).first() if known else None


class ViewChoice(models.Model):
    """The columns that a person chose to see: in sets with that template, or in those without one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    template = models.ForeignKey(Template, models.CASCADE, null=True, related_name="+")
    columns = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "template"], name="view_choice_once"),
            # PostgreSQL 14 has no NULLS NOT DISTINCT, so each null counts as another value
            models.UniqueConstraint(fields=["user"], condition=Q(template=None), name="view_choice_plain_once"),
        ]

    def __str__(self):
        return f"columns of {self.user_id}"
