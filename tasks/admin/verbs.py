"""What staff may do to batches: cancel, pause, resume, retry what failed, run the rest, finalize again.

One door for the buttons of a batch's page and for the actions of the list. Each verb is carried out in a transaction
of its own together with its entry in the log of who did what; the verb itself writes the line in the batch's log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks import fanout, sentences
from tasks.errors import Refused
from tasks.states import OPEN, TERMINAL, TaskState

#: From this many on, an action asks first.
ASK_FROM = 10
#: One action is one request: more than this has to be narrowed down.
MOST = 500


@dataclass(frozen=True)
class Verb:
    """``fits(task)`` only decides which buttons are shown; whether it may be done is the verb's own business."""

    name: str
    words: str
    done: str
    call: Callable
    fits: Callable
    asks: bool = False
    warning: str = ""


VERBS = {
    verb.name: verb
    for verb in (
        Verb(
            "pause",
            gettext_lazy("Pause"),
            gettext_lazy("Paused"),
            lambda task, by: fanout.pause(task, by),
            lambda task: task.state in OPEN and not task.paused,
        ),
        Verb(
            "resume",
            gettext_lazy("Resume"),
            gettext_lazy("Resumed"),
            lambda task, by: fanout.resume(task, by),
            lambda task: task.state in OPEN and task.paused,
        ),
        Verb(
            "retry_failed",
            gettext_lazy("Retry what failed"),
            gettext_lazy("Retried what failed"),
            lambda task, by, **more: fanout.retry_failed(task, by, **more),
            lambda task: task.state in TERMINAL and task.failed > 0,
        ),
        Verb(
            "run_the_rest",
            gettext_lazy("Run the rest"),
            gettext_lazy("Ran the rest"),
            lambda task, by: fanout.run_the_rest(task, by),
            lambda task: task.state in TERMINAL and task.cancelled > 0,
        ),
        Verb(
            "finalize_again",
            gettext_lazy("Finalize again"),
            gettext_lazy("Finalized again"),
            lambda task, by: fanout.finalize_again(task, by),
            lambda task: task.state == TaskState.FAILED,
        ),
        Verb(
            "cancel",
            gettext_lazy("Cancel"),
            gettext_lazy("Cancelled"),
            lambda task, by: fanout.cancel(task, by),
            lambda task: task.state in (*OPEN, TaskState.DRAFT),
            asks=True,
            warning=gettext_lazy(
                "What has not begun will not begin, and what runs is stopped. Results that exist are kept. "
                "This can't be undone."
            ),
        ),
    )
}


def carry_out(model_admin, request, verb: Verb, tasks, **more) -> None:
    """Do ``verb`` to each of ``tasks`` and tell the person what came of it, refusals grouped by reason."""
    done, refused = 0, Counter()
    for task in tasks:
        try:
            with transaction.atomic():
                if not verb.call(task, request.user, **more):  # the verb saw that there is nothing to do
                    refused[_("It has ended, or this was done already.")] += 1
                    continue
                note = str(verb.done) + (f" ({', '.join(more['codes'])})" if more.get("codes") else "")
                model_admin.log_change(request, task, note)
        except Refused as refusal:
            refused[sentences.sentence(refusal.code, refusal.data)] += 1
        else:
            done += 1
    if done:
        words = ngettext("%(verb)s: %(n)s batch.", "%(verb)s: %(n)s batches.", done) % {"verb": verb.done, "n": done}
        model_admin.message_user(request, words, messages.SUCCESS)
    for reason, n in refused.items():
        words = ngettext("Not done for %(n)s batch: %(reason)s", "Not done for %(n)s batches: %(reason)s", n)
        model_admin.message_user(request, words % {"n": n, "reason": reason}, messages.WARNING)


def confirmation(model_admin, request, verb: Verb, tasks, hidden) -> TemplateResponse:
    """The page that asks. ``hidden`` are the (name, value) pairs that carry the question's answer back."""
    title = ngettext("%(verb)s %(n)s batch?", "%(verb)s %(n)s batches?", len(tasks)) % {
        "verb": verb.words,
        "n": len(tasks),
    }
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": title,
        "verb": verb,
        "shown": tasks[:20],
        "more": max(0, len(tasks) - 20),
        "unsettled": sum(task.total - task.settled for task in tasks),
        "hidden": hidden,
        "media": model_admin.media,
    }
    return TemplateResponse(request, "admin/tasks/task/confirm.html", context)


def _as_action(verb: Verb):
    def act(model_admin, request, queryset):
        tasks = list(queryset.order_by("-pk")[: MOST + 1])
        if len(tasks) > MOST:
            words = _("That is more than %(most)s batches. Narrow the list down with a filter first.") % {"most": MOST}
            model_admin.message_user(request, words, messages.ERROR)
            return None
        if (verb.asks or len(tasks) >= ASK_FROM) and request.POST.get("confirmed") != "yes":
            hidden = [("action", verb.name), ("confirmed", "yes")]
            hidden += [(ACTION_CHECKBOX_NAME, task.pk) for task in tasks]
            return confirmation(model_admin, request, verb, tasks, hidden)
        carry_out(model_admin, request, verb, tasks)
        return None

    act.__name__ = verb.name
    return admin.action(act, permissions=["operate"], description=capfirst(verb.words))


ACTIONS = [_as_action(verb) for verb in VERBS.values()]
