"""Who wants to be told of a batch's end, and what was told: once a (batch, generation, channel)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.kinds.notify import sealing
from tasks.models import Task


class Channel(models.TextChoices):
    MAIL = "mail", _("E-mail")
    WEBHOOK = "webhook", _("Webhook")


class Wish(models.Model):
    """One address a batch and channel."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="wishes")
    channel = models.CharField(max_length=7, choices=Channel.choices)
    #: An e-mail address, or the webhook's URL.
    address = models.CharField(max_length=500)
    #: Of a webhook: the secret that signs what is sent, encrypted; shown to a person once.
    sealed = models.CharField(max_length=300, blank=True)
    #: Language of the letter.
    language = models.CharField(max_length=20)
    #: https://host: where the page of the batch is, for the link.
    origin = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "channel"], name="wish_once")]

    def __str__(self):
        return f"{self.channel} about {self.task_id}"

    @property
    def secret(self):
        """Raises sealing.SealBroken."""
        return sealing.unseal(self.sealed) if self.sealed else ""


class Notice(models.Model):
    """One telling. ``id`` goes with every try of it, so that who receives it twice can tell."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    about = models.ForeignKey(Task, models.CASCADE, related_name="notices")
    generation = models.PositiveIntegerField()
    channel = models.CharField(max_length=7, choices=Channel.choices)
    #: The batch that carries it out.
    task = models.OneToOneField(Task, models.SET_NULL, null=True, related_name="notice")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["about", "generation", "channel"], name="notice_once")]

    def __str__(self):
        return str(self.id)
