"""The staff's pages as a Django app. It stands before Django's own admin, whose templates it overrides."""

from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "tasks.admin"
    label = "staff"

    def ready(self):
        """Register what staff see; each module registers its own models."""
        from tasks.admin import batch, child, finding, jobs, log, queue, worker  # noqa: F401
