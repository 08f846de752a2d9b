"""A Pair: two items of a set that are, or may be, one work, why, and what was decided.

    open --> joined --> open      right.merged_into = left: one item, both origins kept
         --> apart  --> open      never asked about again

Without a person only a listed reference is joined: to its paper, or to the same reference in another list. Then "by" is
null.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Decision(models.TextChoices):
    OPEN = "open", _("to decide")
    JOINED = "joined", _("joined")
    APART = "apart", _("kept apart")


class Pair(models.Model):
    """``left`` stands for both when they are joined: the one with a full text, else the earlier."""

    task = models.ForeignKey("tasks.Task", models.CASCADE, related_name="pairs")
    left = models.ForeignKey("literature.Paper", models.CASCADE, related_name="pairs_left")
    right = models.ForeignKey("literature.Paper", models.CASCADE, related_name="pairs_right")
    #: A code of the catalogue: same_doi, preprint, doi_version, ...
    reason = models.CharField(max_length=64)
    score = models.FloatField()
    decision = models.CharField(max_length=6, choices=Decision.choices, default=Decision.OPEN)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["left", "right"], name="pair_once")]
        indexes = [models.Index(fields=["task", "decision"], name="pair_listed")]

    def __str__(self):
        return f"{self.left_id} ~ {self.right_id}: {self.reason}"
