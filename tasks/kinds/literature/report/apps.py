"""The report as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReportConfig(AppConfig):
    name = "tasks.kinds.literature.report"
    label = "literature_report"
    verbose_name = _("Reports of literature sets")
    default_auto_field = "django.db.models.BigAutoField"
