"""Sentences of Django's own staff pages that its Chinese lacks. They are named here, so that our catalogue has them."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("Model name"),
    _("Add link"),
    _("Change or view list link"),
    _("After you’ve created a user, you’ll be able to edit more user options."),
)
