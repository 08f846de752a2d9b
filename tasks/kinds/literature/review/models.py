"""The rows of a review. A Verdict is never changed; a newer one replaces it, and all of them are the history."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Act(models.TextChoices):
    CONFIRMED = "confirmed", _("confirmed")
    CORRECTED = "corrected", _("corrected")
    #: The verdict before this one no longer counts; the machine's value stands again.
    WITHDRAWN = "withdrawn", _("taken back")


class Verdict(models.Model):
    """What one person said about one value: the ``nth`` (from 0) of that ``name`` in the paper's record."""

    paper = models.ForeignKey("literature.Paper", models.CASCADE, related_name="verdicts")
    name = models.CharField(max_length=64)
    nth = models.PositiveSmallIntegerField(default=0)
    act = models.CharField(max_length=9, choices=Act.choices)
    #: The value that counts from now on; null when a person found that the paper has none.
    value = models.JSONField(null=True)
    #: What the machine had said at that time.
    machine_value = models.JSONField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())
    #: Whether it is the latest verdict on its value. At most one is, which a constraint ensures.
    current = models.BooleanField(default=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["paper", "name", "nth"], condition=Q(current=True), name="verdict_current"),
        ]

    def __str__(self):
        return f"{self.name}[{self.nth}] {self.act}"


class Review(models.Model):
    """A paper was reviewed as a whole. Removing the mark deletes the row."""

    paper = models.OneToOneField("literature.Paper", models.CASCADE, related_name="review")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return f"review of {self.paper_id}"


class Note(models.Model):
    """A remark on a paper, for colleagues."""

    paper = models.ForeignKey("literature.Paper", models.CASCADE, related_name="notes")
    text = models.TextField(_("note"), max_length=4000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]

    def __str__(self):
        return self.text[:40]
