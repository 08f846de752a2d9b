"""The rows of a literature set beside the engine's: the papers given and the report. Their bytes are in tasks.files.

A set is a Task of kind "literature". Everything given to it is one Paper, whatever became of it at the door:

    given --> accepted   (a file: becomes a child when the set starts; ends as succeeded, failed or cancelled)
          --> listed     (a record of a reference list: no file to read, an item all the same)
          --> duplicate  (the same bytes as another paper of the set)
          --> refused    (no paper, empty, too large, a record that can't be read: with the reason)

An archive or a reference list is a Source; what it holds are Papers of its own. Two papers that turn out to be one
work are a Pair (pairing/models.py), and the one that gives way is ``merged_into`` the other. What people say about
values is in review/models.py, the forms that they fill in forms/models.py.
"""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.models import SubTask, Task


class Intake(models.TextChoices):
    ACCEPTED = "accepted", _("accepted")
    LISTED = "listed", _("listed")
    DUPLICATE = "duplicate", _("duplicate")
    REFUSED = "refused", _("refused")


class Source(models.Model):
    """An archive or a reference list as it was given: several Papers came out of one file."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="sources", verbose_name=_("batch"))
    #: The archive that it came in, if it did.
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="inner")
    filename = models.CharField(_("file"), max_length=255)
    folder = models.CharField(_("folder"), max_length=500, blank=True)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField(_("bytes"))
    #: A value of references.Format.
    format = models.CharField(_("format"), max_length=16)
    #: False while it is being unpacked: an upload that broke off is unpacked again from its start.
    done = models.BooleanField(default=False)
    #: What systems leave in archives (__MACOSX, Thumbs.db): counted, not on the receipt.
    ignored = models.PositiveIntegerField(default=0)
    #: Repairs and warnings: [{line, code, text, severity, detail}], as references.Problem.
    problems = models.JSONField(default=list)
    uploaded_at = models.DateTimeField(_("uploaded"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        constraints = [
            models.UniqueConstraint(fields=["task", "sha256", "folder", "filename"], name="source_once"),
        ]
        indexes = [models.Index(fields=["sha256"], name="source_content")]

    def __str__(self):
        return self.path

    @property
    def path(self):
        """Folder and file name as given."""
        return f"{self.folder}/{self.filename}" if self.folder else self.filename


class Paper(models.Model):
    """One file as it was given, or one record of a list."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="papers", verbose_name=_("batch"))
    #: 1 for the first file given; never used twice in a set.
    position = models.PositiveIntegerField(_("number"))
    filename = models.CharField(_("file"), max_length=255)
    folder = models.CharField(_("folder"), max_length=500, blank=True)
    #: Names the child of this paper: unique in the set, and what a person reads in the log.
    key = models.CharField(max_length=200, null=True, editable=False)  # noqa: DJ001  null = no child
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.BigIntegerField(_("bytes"))
    #: Of a PDF: how many pages it says it has, for the estimate; null when it says nothing.
    pages_claimed = models.PositiveIntegerField(null=True, editable=False)
    #: A value of references.Format: what the file is by its content; of a record, what its list is.
    format = models.CharField(_("format"), max_length=16, default="pdf")
    source = models.ForeignKey(
        Source, models.CASCADE, null=True, blank=True, related_name="papers", verbose_name=_("came in")
    )
    #: Where a record stands in its list, from 1.
    line = models.PositiveIntegerField(_("line"), null=True, blank=True)
    #: What the list says of it: the fields of references.Record, without its raw text.
    listed = models.JSONField(null=True, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=Intake.choices)
    reason = models.CharField(_("reason"), max_length=64, blank=True)
    reason_data = models.JSONField(default=dict, blank=True)
    duplicate_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, verbose_name=_("duplicate of"))
    #: A person wants it read though the set has the same bytes already.
    all_the_same = models.BooleanField(default=False)
    #: The same work as this one, which stands for both (see Pair).
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="merged")
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
                fields=["task", "sha256"],
                condition=Q(state=Intake.ACCEPTED, all_the_same=False),
                name="paper_accepted_once",
            ),
            models.CheckConstraint(
                condition=Q(state=Intake.ACCEPTED, key__isnull=False, sha256__gt="", reason="")
                | Q(state=Intake.LISTED, key__isnull=True, listed__isnull=False, reason="")
                | (Q(state__in=[Intake.DUPLICATE, Intake.REFUSED], key__isnull=True) & ~Q(reason="")),
                name="paper_has_key_or_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["sha256"], name="paper_content"),
            models.Index(fields=["source", "state"], name="paper_of_source"),
        ]

    def __str__(self):
        return self.path

    @property
    def path(self):
        """Folder and file name as given; a record of a list is named by its line."""
        path = f"{self.folder}/{self.filename}" if self.folder else self.filename
        return f"{path}:{self.line}" if self.line else path

    @property
    def message(self):
        """Why the door did not accept it, in the reader's language; empty when it did."""
        return sentences.sentence(self.reason, self.reason_data) if self.reason else ""


class Report(models.Model):
    """What became of the papers of a set, counted when the last one had ended; written again by each generation."""

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="report")
    generation = models.PositiveIntegerField()
    given = models.PositiveIntegerField(_("given"))
    duplicate = models.PositiveIntegerField(_("duplicates"))
    refused = models.PositiveIntegerField(_("refused"))
    #: Records of lists without a full text, and what was joined to another item as the same work.
    listed = models.PositiveIntegerField(_("no full text"), default=0)
    merged = models.PositiveIntegerField(_("joined"), default=0)
    succeeded = models.PositiveIntegerField(_("succeeded"))
    failed = models.PositiveIntegerField(_("failed"))
    cancelled = models.PositiveIntegerField(_("cancelled"))
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    given=F("duplicate")
                    + F("refused")
                    + F("listed")
                    + F("merged")
                    + F("succeeded")
                    + F("failed")
                    + F("cancelled")
                ),
                name="report_nothing_lost",
            )
        ]

    def __str__(self):
        return f"report of {self.task_id}"


from tasks.kinds.literature.forms.models import Template, TemplateVersion, ViewChoice  # noqa: E402, F401
from tasks.kinds.literature.lifecycle.models import Deletion, Replacement  # noqa: E402, F401  Django finds models here
from tasks.kinds.literature.pairing.models import Pair  # noqa: E402, F401
from tasks.kinds.literature.review.models import Note, Review, Verdict  # noqa: E402, F401
