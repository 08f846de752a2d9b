"""The rows of a literature set beside the engine's: the papers given, their files in chunks, the report.

A set is a Task of kind "literature". Every file given to it is one Paper, whatever became of it at the door:

    given --> accepted   (becomes a child when the set starts; ends as succeeded, failed or cancelled)
          --> duplicate  (the same bytes as another paper of the set)
          --> refused    (not a PDF, empty, too large: with the reason)
"""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.models import SubTask, Task


class Intake(models.TextChoices):
    ACCEPTED = "accepted", _("accepted")
    DUPLICATE = "duplicate", _("duplicate")
    REFUSED = "refused", _("refused")


class Paper(models.Model):
    """One file as it was given."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="papers", verbose_name=_("batch"))
    #: 1 for the first file given; never used twice in a set.
    position = models.PositiveIntegerField(_("number"))
    filename = models.CharField(_("file"), max_length=255)
    folder = models.CharField(_("folder"), max_length=500, blank=True)
    #: Names the child of this paper: unique in the set, and what a person reads in the log.
    key = models.CharField(max_length=200, null=True, editable=False)  # noqa: DJ001  null = no child
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField(_("bytes"))
    state = models.CharField(_("state"), max_length=9, choices=Intake.choices)
    reason = models.CharField(_("reason"), max_length=64, blank=True)
    reason_data = models.JSONField(default=dict, blank=True)
    duplicate_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, verbose_name=_("duplicate of"))
    uploaded_at = models.DateTimeField(_("uploaded"), db_default=Now(), editable=False)

    #: The child, found by (batch, key): children are inserted by the engine, which knows nothing of papers.
    subtask = models.ForeignObject(
        SubTask,
        models.DO_NOTHING,
        from_fields=["task", "key"],
        to_fields=["task", "key"],
        null=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("paper")
        verbose_name_plural = _("papers")
        ordering = ["task", "position"]
        constraints = [
            models.UniqueConstraint(fields=["task", "position"], name="paper_numbered"),
            models.UniqueConstraint(fields=["task", "key"], name="paper_keyed"),
            models.UniqueConstraint(
                fields=["task", "sha256"], condition=Q(state=Intake.ACCEPTED), name="paper_accepted_once"
            ),
            models.CheckConstraint(
                condition=Q(state=Intake.ACCEPTED, key__isnull=False, sha256__gt="", reason="")
                | (~Q(state=Intake.ACCEPTED) & Q(key__isnull=True) & ~Q(reason="")),
                name="paper_has_key_or_reason",
            ),
        ]
        indexes = [models.Index(fields=["sha256"], name="paper_content")]

    def __str__(self):
        return self.path

    @property
    def path(self):
        """Folder and file name as given."""
        return f"{self.folder}/{self.filename}" if self.folder else self.filename

    @property
    def message(self):
        """Why the door did not accept it, in the reader's language; empty when it did."""
        return sentences.sentence(self.reason, self.reason_data) if self.reason else ""


class StoredFile(models.Model):
    """A file of PostgresStorage; its bytes are in the chunks."""

    name = models.CharField(primary_key=True, max_length=200)
    size = models.BigIntegerField()
    stored_at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return self.name


class Chunk(models.Model):
    """At most ``storage.CHUNK`` bytes of a stored file; ``number`` counts from 0."""

    file = models.ForeignKey(StoredFile, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="chunk_once")]

    def __str__(self):
        return f"{self.file_id}[{self.number}]"


class Report(models.Model):
    """The numbers of a set when its last paper had ended; written again by each generation."""

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="report")
    generation = models.PositiveIntegerField()
    given = models.PositiveIntegerField(_("given"))
    duplicate = models.PositiveIntegerField(_("duplicates"))
    refused = models.PositiveIntegerField(_("refused"))
    succeeded = models.PositiveIntegerField(_("succeeded"))
    failed = models.PositiveIntegerField(_("failed"))
    cancelled = models.PositiveIntegerField(_("cancelled"))
    #: {error code: papers} and {field: papers that have it}
    failures = models.JSONField(default=dict)
    completeness = models.JSONField(default=dict)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(given=F("duplicate") + F("refused") + F("succeeded") + F("failed") + F("cancelled")),
                name="report_nothing_lost",
            )
        ]

    def __str__(self):
        return f"report of {self.task_id}"
