"""Template tags: icons, the state of a set in words, the outcome of a paper in words."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.kinds.literature import flow
from tasks.states import TaskState

register = template.Library()

_ICONS = {
    "expanding": "running", "finalizing": "running", "cancelling": "cancelled", "completed": "succeeded",
    "accepted": "succeeded", "paused": "pause",
    "partly": "unverified",
}  # fmt: skip


@register.simple_tag
def icon(name: str, turning: bool = False):
    """An icon of sheaf/icons.svg by its own name or that of a state. Decoration: the word stands beside it."""
    name = _ICONS.get(name, name)
    address = static("sheaf/icons.svg")
    turn = " spin" if turning or name == "running" else ""
    return format_html('<svg class="icon{}" aria-hidden="true"><use href="{}#{}"></use></svg>', turn, address, name)


def look(task) -> str:
    """The name of the icon and colour of a set: its state, but a pause shows, and so do failures."""
    if task.paused:
        return "paused"
    return "partly" if task.state == TaskState.COMPLETED and task.failed else task.state


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
    name = look(task)
    return format_html('<span class="state {}">{} <span>{}</span></span>', name, icon(name), words(task))


@register.simple_tag
def batch_state_of(task):
    """The state of a batch of any Kind: icon and the engine's own word."""
    name = look(task)
    said = _("Paused") if task.paused else task.get_state_display()
    return format_html('<span class="state {}">{} <span>{}</span></span>', name, icon(name), said)


@register.simple_tag
def outcome_of(name: str):
    """A paper's outcome: icon and word."""
    return format_html('<span class="state {}">{} <span>{}</span></span>', name, icon(name), flow.OUTCOMES[name])


@register.filter
def outcome_word(name: str):
    return flow.OUTCOMES.get(name, name)
