"""The Kinds that tell: one for mail, one for webhooks, each a batch with one child on a queue of its own."""

from __future__ import annotations

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _

from tasks.kinds.base import Kind, NewChild, QueueDefault, Stage
from tasks.kinds.notify.hook import call_hook
from tasks.kinds.notify.post import send_mail
from tasks.kinds.notify.sentences import MAIL, WEBHOOK


class _Tells(Kind):
    """``params``: notice, body. The addresses and the secret stay in their own row: params are for staff to read."""

    max_attempts = 12  # with the engine's back-off, about half an hour

    def expand(self, task):
        yield NewChild(key=self.name, input={"notice": task.params["notice"], "body": task.params["body"]})

    def url(self, task):
        try:
            return reverse("literature:report", args=[task.params["body"]["data"]["id"]])
        except (NoReverseMatch, KeyError):
            return None


class WebhookKind(_Tells):
    name = "webhook"
    title = _("Webhook")
    queues = (QueueDefault("webhook", limit=4, deadline_s=20),)
    stages = (Stage("call", queue="webhook", run=call_hook),)
    sentences = WEBHOOK


class MailKind(_Tells):
    name = "mail"
    title = _("E-mail")
    queues = (QueueDefault("mail", limit=2, deadline_s=40),)
    stages = (Stage("send", queue="mail", run=send_mail),)
    sentences = MAIL
