"""``{% load web %}``: what every page may use, whatever the Kind: icons, the state of a batch in words."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.translation import gettext as _

from tasks.kinds import base
from tasks.states import TaskState

register = template.Library()

#: States that wear the icon of another name.
_ICONS = {
    "expanding": "running",
    "finalizing": "running",
    "cancelling": "cancelled",
    "completed": "succeeded",
    "accepted": "succeeded",
    "paused": "pause",
    "partly": "unverified",
}


@register.simple_tag
def icon(name: str, turning: bool = False):
    """An icon of web/icons.svg by its own name or that of a state. Decoration: the word stands beside it."""
    name = _ICONS.get(name, name)
    turn = " spin" if turning or name == "running" else ""
    return format_html(
        '<svg class="icon{}" aria-hidden="true"><use href="{}#{}"></use></svg>', turn, static("web/icons.svg"), name
    )


def look(task) -> str:
    """The name of a batch's icon and colour: its state, but a pause shows, and so do failures."""
    if task.paused:
        return "paused"
    return "partly" if task.state == TaskState.COMPLETED and task.failed else task.state


def state_in(task, words: str):
    """The state of ``task`` as icon and the given words."""
    name = look(task)
    return format_html('<span class="state {}">{} <span>{}</span></span>', name, icon(name), words)


@register.simple_tag
def batch_state_of(task):
    """The state of a batch of any Kind: icon and the engine's own word."""
    return state_in(task, _("Paused") if task.paused else task.get_state_display())


@register.simple_tag(takes_context=True)
def navigation(context) -> list[dict]:
    """The Kinds' entries for this person: words, url, and whether the page is below it."""
    request = context["request"]
    return [
        {"words": entry.words, "url": entry.url, "current": entry.leads_to(request.path)}
        for entry in base.navigation(request.user)
    ]


@register.simple_tag
def about() -> list[str]:
    """What the installed Kinds are for, a sentence each."""
    return [str(kind.about) for kind in base.registered() if kind.about]
