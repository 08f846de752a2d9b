"""The files as a Django app of their own."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FilesConfig(AppConfig):
    name = "tasks.files"
    label = "files"
    verbose_name = _("Files")
    default_auto_field = "django.db.models.BigAutoField"
