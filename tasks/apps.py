"""The engine as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TasksConfig(AppConfig):
    name = "tasks"
    verbose_name = _("Batches")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        from tasks import checks  # noqa: F401 - importing registers them
