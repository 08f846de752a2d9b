"""``{% load literature %}``: the state of a set and the outcome of a paper, each as icon and words."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.kinds.literature import outcomes
from tasks.states import TaskState
from tasks.web.templatetags.web import icon, state_in

register = template.Library()


def words(task) -> str:
    """The state of a set as a person says it."""
    if task.state == TaskState.COMPLETED:
        if task.failed:
            return ngettext("Finished, %(n)s paper failed", "Finished, %(n)s papers failed", task.failed) % {
                "n": task.failed
            }
        return _("Finished")
    if task.paused:
        return _("Paused")
    return {
        TaskState.DRAFT: _("Draft"),
        TaskState.EXPANDING: _("Starting"),
        TaskState.RUNNING: _("Reading"),
        TaskState.CANCELLING: _("Being cancelled"),
        TaskState.FINALIZING: _("Closing"),
        TaskState.CANCELLED: _("Cancelled"),
        TaskState.FAILED: _("Not closed"),
    }[task.state]


@register.simple_tag
def state_of(task):
    """A set's state: icon and words."""
    return state_in(task, words(task))


@register.simple_tag
def outcome_of(name: str):
    """A paper's outcome: icon and word."""
    return format_html('<span class="state {}">{} <span>{}</span></span>', name, icon(name), outcomes.OUTCOMES[name])
