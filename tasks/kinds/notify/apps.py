"""Notifications as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotifyConfig(AppConfig):
    name = "tasks.kinds.notify"
    label = "notify"
    verbose_name = _("Notifications")
    default_auto_field = "django.db.models.BigAutoField"
