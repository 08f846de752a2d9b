"""The verbs: ask to be told, take it back, tell (once a generation), and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tasks import fanout, sentences
from tasks.kinds.base import kind_named
from tasks.kinds.notify import addresses, letter, sealing, signing
from tasks.kinds.notify.models import Channel, Notice, Wish
from tasks.models import Task

_CLEAN = {Channel.MAIL: addresses.mailbox, Channel.WEBHOOK: lambda text, by: addresses.hook(text)}


def offered() -> list[str]:
    """The channels whose Kinds this installation knows."""
    return [channel for channel in Channel.values if kind_named(channel) is not None]


@transaction.atomic
def ask(task: Task, channel: str, address: str, *, by, origin: str) -> tuple[Wish, str]:
    """Tell ``address`` when the batch ends. Returns the wish, and a new webhook's secret to be shown this once
    (empty when there is none to show). The same address again keeps its secret. Raises Refused."""
    address = _CLEAN[Channel(channel)](address, by)
    known = Wish.objects.select_for_update().filter(task=task, channel=channel).first()
    keeps = known is not None and known.address == address
    secret = "" if channel != Channel.WEBHOOK or keeps else signing.new_secret()
    values = {"address": address, "by": by, "origin": origin[:300], "language": get_language() or "en"}
    if not keeps:
        values["sealed"] = sealing.seal(secret) if secret else ""
    wish, _created = Wish.objects.update_or_create(task=task, channel=channel, defaults=values)
    return wish, secret


@transaction.atomic
def renew_secret(task: Task) -> str:
    """Another secret for the batch's webhook, shown this once; empty when there is no webhook."""
    secret = signing.new_secret()
    asked = Wish.objects.filter(task=task, channel=Channel.WEBHOOK)
    return secret if asked.update(sealed=sealing.seal(secret)) else ""


def take_back(task: Task, channel: str) -> bool:
    return bool(Wish.objects.filter(task=task, channel=channel).delete()[0])


@transaction.atomic
def tell(task: Task, path: str) -> list[Notice]:
    """Start a telling for every wish: a closing step that runs twice tells once. ``path``: of the page to read."""
    made = []
    for wish in Wish.objects.filter(task=task).order_by("channel"):
        notice, is_new = Notice.objects.get_or_create(about=task, generation=task.generation, channel=wish.channel)
        if is_new:
            body = letter.payload(task, wish.origin.rstrip("/") + path)
            params = {"notice": str(notice.pk), "body": body}
            title = f"{Channel(wish.channel).label}: {task.title}"[:300]
            notice.task = fanout.create(wish.channel, wish.by, title, params, expected=1)
            notice.save(update_fields=["task"])
            fanout.start(notice.task, wish.by)
            made.append(notice)
    return made


@dataclass(frozen=True)
class Sent:
    """A notice as its people see it; ``look`` names an icon."""

    channel: str
    look: str
    words: str


def sent_for(task: Task) -> list[Sent]:
    """What became of the notices of the batch's latest run."""
    found = []
    for notice in (
        Notice.objects.filter(about=task, generation=task.generation).select_related("task").order_by("channel")
    ):
        child = notice.task.children.first() if notice.task else None
        who = Channel(notice.channel).label
        if child is not None and child.state == "succeeded":
            look, words = "succeeded", _("%(who)s: delivered") % {"who": who}
        elif child is not None and child.state in ("failed", "cancelled"):
            reason = sentences.sentence(child.error_code, {"detail": child.error, **child.error_data})
            look, words = "failed", f"{who}: {reason}"
        else:
            look, words = "running", _("%(who)s: on its way") % {"who": who}
        found.append(Sent(notice.channel, look, words))
    return found
