"""The row of a set's report: what was expected at the start, what it came to at the end."""

from django.db import models
from django.db.models.functions import Now

from tasks.models import Task


class Account(models.Model):
    """``numbers`` as report.numbers counts them (empty until the end), ``estimate`` as report.estimate.Estimate."""

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="account")
    #: Of ``numbers``; 0 before the first end.
    generation = models.PositiveIntegerField(default=0)
    numbers = models.JSONField(default=dict)
    #: ``numbers`` with what people said since, as report.judged counts them; {} before anybody asked.
    judged = models.JSONField(default=dict)
    #: Null when the set was started before there were estimates.
    estimate = models.JSONField(null=True)
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return f"account of {self.task_id}"
