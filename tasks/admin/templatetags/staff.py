"""Tags of the staff's pages."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from tasks.admin import display
from tasks.admin.overview import overview

register = template.Library()


@register.simple_tag(takes_context=True)
def staff_overview(context):
    return overview(context["user"])


@register.simple_tag
def progress(task):
    return display.progress(task)


@register.simple_tag
def queue_badge(name):
    words = {"paused": _("stopped by staff"), "closed": _("runs"), "open": _("breaker open"), "half_open": _("probing")}
    return display.badge(name, words[name])
