from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tasks", "0012_ways")]

    operations = [
        AddIndexConcurrently(
            "subtask",
            models.Index(
                fields=["task"],
                condition=Q(later_state__isnull=False, state__in=["failed", "cancelled"]),
                name="child_to_recall",
            ),
        )
    ]
