"""The rows of the engine: a batch (Task), its children (SubTask), queues with their lanes, the log.

Counters, numbers and states are moved by the database alone (``F()`` expressions, triggers, conditional
updates); the constraints below are the last word on what may ever be stored.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks import triggers
from tasks.members import Invited, Member  # noqa: F401  Django finds models here
from tasks.states import ACTIVE, OPEN, TERMINAL, ChildState, Level, Priority, TaskState

__all__ = ["Finding", "Lane", "LogLine", "Member", "Queue", "Share", "SubTask", "Task", "Worker"]


class TaskQuerySet(models.QuerySet):
    def visible_to(self, user):
        """The Tasks this person may see: one's own, those shared with them, and all for staff who may view Tasks."""
        if not (user.is_authenticated and user.is_active):
            return self.none()
        if user.is_staff and user.has_perm("tasks.view_task"):
            return self
        own, shared = Task.objects.filter(owner=user), Member.objects.filter(user=user)
        return self.filter(pk__in=own.order_by().values("pk").union(shared.values("task")))


class Task(models.Model):
    """One batch. "Completed with 3 failures" is read off the counters, so state and counters cannot disagree."""

    kind = models.CharField(_("kind"), max_length=64)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="batches", verbose_name=_("owner")
    )
    title = models.CharField(_("title"), max_length=300)
    params = models.JSONField(_("parameters"), default=dict, blank=True)
    priority = models.PositiveSmallIntegerField(_("priority"), choices=Priority.choices, default=Priority.NORMAL)

    state = models.CharField(_("state"), max_length=12, choices=TaskState.choices, default=TaskState.DRAFT)
    paused = models.BooleanField(_("paused"), default=False)
    #: No child will be added any more; only a sealed Task can close.
    sealed = models.BooleanField(_("sealed"), default=False)
    #: The stages of this batch as [[stage, queue], ...], fixed at its start: a deploy that adds, moves or removes
    #: stages changes new batches only. Empty (batches older than routes): the stages of the Kind as it is now.
    route = models.JSONField(default=list, db_default=Value([], models.JSONField()), editable=False)
    #: The batch is stopped when so many of its children have failed; null = never.
    max_failed = models.PositiveIntegerField(_("stops at failures"), null=True)
    #: The batch whose closing step made this one, with the run and the key that it gave.
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, related_name="followers", db_index=False, verbose_name=_("follows")
    )
    follows_generation = models.PositiveIntegerField(null=True, editable=False)
    follows_key = models.CharField(max_length=200, default="", db_default="", editable=False)
    #: Children promised at submission, for an honest percentage while they are still being inserted.
    expected = models.PositiveIntegerField(_("expected children"), null=True)
    total = models.PositiveIntegerField(_("children"), default=0)
    succeeded = models.PositiveIntegerField(_("succeeded"), default=0)
    failed = models.PositiveIntegerField(_("failed"), default=0)
    cancelled = models.PositiveIntegerField(_("cancelled"), default=0)
    #: 1 for the first run; "retry failed" opens the next.
    generation = models.PositiveIntegerField(_("generation"), default=1)
    #: What a retry still has to move back: {"codes": [error], "states": [state]}, {} = all that failed, null = nothing.
    reopening = models.JSONField(_("reopening"), null=True)
    #: Starts of the step under way, expanding or finalizing; the step gives up after a few.
    finalize_attempts = models.PositiveSmallIntegerField(_("attempts to finalize"), default=0)
    error_code = models.CharField(_("error code"), max_length=64, blank=True)
    error = models.TextField(_("error"), blank=True)

    log_seq = models.BigIntegerField(_("log lines"), default=0)
    version = models.BigIntegerField(default=1, editable=False)
    notified_at = models.DateTimeField(db_default=Now(), editable=False)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    updated_at = models.DateTimeField(_("changed"), db_default=Now(), editable=False)
    started_at = models.DateTimeField(_("started"), null=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancel asked"), null=True, editable=False)

    objects = TaskQuerySet.as_manager()

    class Meta:
        verbose_name = _("batch")
        verbose_name_plural = _("batches")
        ordering = ["-id"]
        permissions = [("operate_task", _("Can pause, resume, cancel and retry any batch"))]
        indexes = [
            models.Index(fields=["owner", "-id"], name="task_owner"),
            models.Index(fields=["id"], condition=Q(state__in=ACTIVE), name="task_active"),
            models.Index(fields=["created_at"], name="task_created"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(succeeded__gte=0, failed__gte=0, cancelled__gte=0)
                & Q(total__gte=F("succeeded") + F("failed") + F("cancelled")),
                name="task_counters_fit",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[*TERMINAL, TaskState.FINALIZING])
                | Q(total=F("succeeded") + F("failed") + F("cancelled")),
                name="task_ends_whole",
            ),
            models.UniqueConstraint(
                fields=["follows", "follows_generation", "kind", "follows_key"],
                condition=Q(follows__isnull=False),
                name="task_follows_once",
            ),
        ]
        triggers = [
            triggers.touch,
            triggers.announce,
            triggers.announce_new,
            triggers.legal_moves,
            triggers.unfinished_stays,
        ]

    def __str__(self):
        return self.title or f"{self.kind} {self.pk}"

    @property
    def settled(self):
        return self.succeeded + self.failed + self.cancelled

    @property
    def percent(self):
        """Whole percent of the expected children that have ended; 100 only when the batch has."""
        if self.state in TERMINAL:
            return 100
        due = max(self.expected or 0, self.total)
        return min(99, 100 * self.settled // due) if due else 0

    @property
    def is_open(self):
        return self.state in OPEN

    @property
    def is_terminal(self):
        return self.state in TERMINAL


class Queue(models.Model):
    """A service or a resource with one limit for the whole fleet (for every machine of it, if per_host)."""

    name = models.CharField(_("name"), max_length=60, primary_key=True)
    limit = models.PositiveIntegerField(
        _("limit"), default=1, help_text=_("Children that may run at once; 0 stops the queue.")
    )
    per_host = models.BooleanField(
        _("per machine"), default=False, help_text=_("The limit holds on each machine, not for the fleet.")
    )
    deadline_s = models.PositiveSmallIntegerField(
        _("deadline in seconds"), default=80, help_text=_("Total time one call may take, 90 at most.")
    )
    rate_per_minute = models.PositiveIntegerField(_("calls per minute"), null=True, blank=True)
    paused = models.BooleanField(_("paused"), default=False)
    #: The tag that is being served: newcomers start here.
    vtime = models.BigIntegerField(default=0, editable=False)
    #: GCRA: when the next call would be on time, on the database's clock.
    next_call_at = models.DateTimeField(null=True, blank=True, editable=False)
    #: Attempts that ended in another one, ever; for the metrics.
    retries = models.PositiveBigIntegerField(default=0, editable=False)
    breaker = models.CharField(
        _("breaker"),
        max_length=9,
        default="closed",
        choices=[("closed", _("closed")), ("open", _("open")), ("half_open", _("probing"))],
    )
    breaker_failures = models.PositiveIntegerField(default=0, editable=False)
    #: Null while open = stays open until a person resets it.
    breaker_until = models.DateTimeField(_("open until"), null=True, blank=True, editable=False)
    breaker_reason = models.CharField(_("reason"), max_length=300, blank=True, editable=False)

    class Meta:
        verbose_name = _("queue")
        verbose_name_plural = _("queues")
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(deadline_s__gte=1, deadline_s__lte=90), name="queue_deadline_90"),
        ]

    def __str__(self):
        return self.name


class Lane(models.Model):
    """One place in a queue's limit. ``run`` grows with each job that holds it: an old run takes nothing."""

    queue = models.ForeignKey(Queue, models.CASCADE, related_name="lanes", verbose_name=_("queue"))
    host = models.CharField(_("machine"), max_length=120, default="", blank=True)
    slot = models.PositiveIntegerField(_("slot"))
    run = models.BigIntegerField(default=0)
    #: The procrastinate job that holds the lane; null when it ended in order.
    job_id = models.BigIntegerField(null=True)
    worker = models.UUIDField(_("worker"), null=True)
    seen_at = models.DateTimeField(_("last seen"), null=True)

    class Meta:
        verbose_name = _("lane")
        verbose_name_plural = _("lanes")
        constraints = [models.UniqueConstraint(fields=["queue", "host", "slot"], name="lane_once")]

    def __str__(self):
        return self.lock

    @property
    def lock(self):
        return f"{self.queue_id}@{self.host}/{self.slot}" if self.host else f"{self.queue_id}/{self.slot}"


class SubTask(models.Model):
    """One child. ``lease`` is the fence: given anew at each take, and asked for at each settle."""

    #: No index of its own: three below begin with it, and a fourth would tempt the planner (docs/adr).
    task = models.ForeignKey(Task, models.CASCADE, related_name="children", db_index=False, verbose_name=_("batch"))
    position = models.BigIntegerField(_("position"))
    key = models.CharField(_("key"), max_length=200)
    stage = models.CharField(_("stage"), max_length=40)
    queue = models.CharField(_("queue"), max_length=60)
    state = models.CharField(_("state"), max_length=10, choices=ChildState.choices, default=ChildState.PENDING)
    generation = models.PositiveIntegerField(_("generation"), default=1)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=0)
    #: Runs that ended with their worker; at three the child fails as worker_lost.
    lost = models.PositiveSmallIntegerField(_("lost"), default=0)
    lease = models.BigIntegerField(null=True, editable=False)
    lane = models.ForeignKey(Lane, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, editable=False)
    lane_run = models.BigIntegerField(null=True, editable=False)
    #: Null = may be taken now; otherwise not before this time.
    available_at = models.DateTimeField(_("not before"), null=True)
    #: What the stage that asked to be called again later (``kinds.base.Later``) wants to be told then, how often it
    #: has asked, and since when. The first two begin anew with each stage.
    later_state = models.JSONField(null=True, editable=False)
    asked = models.IntegerField(
        _("asked"), default=0, db_default=0, editable=False
    )  # a CHECK would read the whole table
    asked_since = models.DateTimeField(_("asked since"), null=True, editable=False)
    input = models.JSONField(_("input"), default=dict)
    #: {stage name: what the stage returned}
    result = models.JSONField(_("result"), default=dict)
    error_code = models.CharField(_("error code"), max_length=64, blank=True)
    error = models.TextField(_("error"), blank=True)
    #: Values for the sentence of ``error_code``.
    error_data = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    started_at = models.DateTimeField(_("started"), null=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, editable=False)

    class Meta:
        verbose_name = _("child")
        verbose_name_plural = _("children")
        indexes = [
            models.Index(
                fields=["task", "queue", "position"],
                condition=Q(state=ChildState.PENDING, available_at__isnull=True),
                name="child_ready",
            ),
            models.Index(
                fields=["available_at"],
                condition=Q(state=ChildState.PENDING, available_at__isnull=False),
                name="child_due",
            ),
            models.Index(fields=["lane", "queue"], condition=Q(state=ChildState.RUNNING), name="child_in_lane"),
            models.Index(fields=["task", "state", "position"], name="child_listed"),
            # Ended children whose work at a service nobody waits for any more.
            models.Index(
                fields=["task"],
                condition=Q(later_state__isnull=False, state__in=[ChildState.FAILED, ChildState.CANCELLED]),
                name="child_to_recall",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["task", "key"], name="child_once"),
            models.CheckConstraint(
                condition=~Q(state=ChildState.RUNNING) | Q(lease__isnull=False, lane__isnull=False),
                name="child_runs_leased",
            ),
        ]
        triggers = [triggers.forget]

    def __str__(self):
        return self.key


class Share(models.Model):
    """What one Task has waiting in one queue, and where it stands in the queue's virtual time.

    A child's tag is ``base + position * step``; children are handed out in order of tag, so a small Task behind
    a large one is served at once, and pausing or resuming touches one row, not every child.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="shares")
    queue = models.CharField(max_length=60)
    base = models.BigIntegerField(default=0)
    step = models.PositiveSmallIntegerField(default=Priority.NORMAL)
    #: Lower bound of the next tag, kept up lazily.
    next_tag = models.BigIntegerField(default=0)
    #: May have children that are ready.
    ready = models.BooleanField(default=True)
    #: Its Task is paused, cancelling or over.
    held = models.BooleanField(default=False)
    #: Grows whenever children become ready: "nothing left" may only be written by who saw the latest.
    epoch = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "queue"], name="share_once")]
        indexes = [
            models.Index(fields=["queue", "next_tag"], condition=Q(ready=True, held=False), name="share_open"),
        ]

    def __str__(self):
        return f"{self.task_id} in {self.queue}"


class LogLine(models.Model):
    """One line of a Task's log. ``seq`` has no gaps and its order is the order of commits."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="log", verbose_name=_("batch"), db_index=False)
    seq = models.BigIntegerField()
    subtask = models.ForeignKey(
        SubTask, models.SET_NULL, null=True, db_constraint=False, db_index=False, verbose_name=_("child")
    )
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=0)
    level = models.PositiveSmallIntegerField(_("level"), choices=Level.choices, default=Level.INFO)
    #: Names a sentence of the catalogue (tasks/sentences.py); ``data`` holds its values. Empty = free text.
    code = models.CharField(_("code"), max_length=64, blank=True)
    text = models.TextField(_("text"), blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"), db_default=Now())

    class Meta:
        verbose_name = _("log line")
        verbose_name_plural = _("log lines")
        constraints = [models.UniqueConstraint(fields=["task", "seq"], name="line_once")]
        indexes = [models.Index(fields=["subtask"], condition=Q(subtask__isnull=False), name="line_of_child")]

    def __str__(self):
        return f"{self.task_id}:{self.seq}"


class Worker(models.Model):
    """A worker process that says it lives."""

    token = models.UUIDField(primary_key=True)
    host = models.CharField(_("machine"), max_length=120)
    pid = models.PositiveIntegerField(_("process"))
    queues = models.JSONField(_("queues"), default=list)
    concurrency = models.PositiveIntegerField(_("places"))
    stopping = models.BooleanField(_("stopping"), default=False)
    started_at = models.DateTimeField(_("started"), db_default=Now())
    seen_at = models.DateTimeField(_("last seen"), db_default=Now())

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self):
        return f"{self.host}:{self.pid}"


class Finding(models.Model):
    """Something the sweep found out of order and healed. A drift stays red until a person has seen it."""

    code = models.CharField(_("code"), max_length=40)
    task = models.ForeignKey(Task, models.SET_NULL, null=True, verbose_name=_("batch"))
    data = models.JSONField(default=dict)
    at = models.DateTimeField(_("at"), db_default=Now())
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name=_("seen by")
    )

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        ordering = ["-id"]

    def __str__(self):
        return self.code
