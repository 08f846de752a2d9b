"""The row of a set's report: what was expected at its start, and what was counted at its end."""

from django.db import models
from django.db.models.functions import Now

from tasks.models import Task


class Account(models.Model):
    """``numbers`` as report.numbers counts them (empty until the end), ``estimate`` as report.estimate.Estimate."""

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="account")
    #: The generation that ``numbers`` were counted in; 0 before the set has ended once.
    generation = models.PositiveIntegerField(default=0)
    numbers = models.JSONField(default=dict)
    #: ``numbers`` with what people said since, as report.judged counts them; {} until they are first needed.
    judged = models.JSONField(default=dict)
    #: Null when the set was started before there were estimates.
    estimate = models.JSONField(null=True)
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return f"account of {self.task_id}"
