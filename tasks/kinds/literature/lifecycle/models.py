"""Rows about events in the life of a set after its start."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from tasks import sentences
from tasks.models import Task


class Replacement(models.Model):
    """A file of a paper that was replaced, and why it could not be read. Its bytes are not kept."""

    paper = models.ForeignKey("literature.Paper", models.CASCADE, related_name="replacements")
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField()
    #: Why it failed or was refused: a code of the catalogue with the values of its sentence.
    reason = models.CharField(max_length=64)
    reason_data = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"{self.filename} of {self.paper_id}"

    @property
    def message(self):
        return sentences.sentence(self.reason, self.reason_data)


class Deletion(models.Model):
    """A set that its owner has deleted: hidden at once; the sweep deletes its rows."""

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="deletion")
    at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return f"deletion of {self.task_id}"
