"""Literature as a Django app: papers, their storage, their pages."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LiteratureConfig(AppConfig):
    name = "tasks.kinds.literature"
    label = "literature"
    verbose_name = _("Literature")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self):
        """Load the Kinds, so that every process knows their sentences before it shows one, and say whose bytes stay."""
        from tasks.files import unused
        from tasks.kinds import base

        base.registered()
        for model in ("literature.Paper", "literature.Source"):
            unused.refers(model)
