"""The states of a batch and of a child, and which may follow which.

Task::

    draft ─▶ expanding ─▶ running ─▶ finalizing ─▶ completed | cancelled | failed
                 │           │  ▲         ▲              │
                 └──────▶ cancelling ─────┘              │
                             ▲                           │
                             └── running ◀── retry ──────┘

SubTask::

    pending ─▶ running ─▶ succeeded | failed | cancelled
       ▲          │                      │
       └──────────┴── hand back, retry ──┘
"""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class TaskState(TextChoices):
    DRAFT = "draft", _("draft")
    EXPANDING = "expanding", _("expanding")
    RUNNING = "running", _("running")
    CANCELLING = "cancelling", _("cancelling")
    FINALIZING = "finalizing", _("finalizing")
    COMPLETED = "completed", _("completed")
    CANCELLED = "cancelled", _("cancelled")
    FAILED = "failed", _("failed")


class ChildState(TextChoices):
    PENDING = "pending", _("pending")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


TERMINAL = (TaskState.COMPLETED, TaskState.CANCELLED, TaskState.FAILED)
#: Tasks whose children may be handed out.
OPEN = (TaskState.EXPANDING, TaskState.RUNNING)
#: Tasks on which the engine still has work to do.
ACTIVE = (*OPEN, TaskState.CANCELLING, TaskState.FINALIZING)

TASK_TRANSITIONS = [
    (TaskState.DRAFT, TaskState.EXPANDING),
    (TaskState.DRAFT, TaskState.CANCELLED),
    (TaskState.EXPANDING, TaskState.RUNNING),
    (TaskState.EXPANDING, TaskState.CANCELLING),
    (TaskState.RUNNING, TaskState.CANCELLING),
    (TaskState.RUNNING, TaskState.FINALIZING),
    (TaskState.CANCELLING, TaskState.FINALIZING),
    (TaskState.FINALIZING, TaskState.COMPLETED),
    (TaskState.FINALIZING, TaskState.CANCELLED),
    (TaskState.FINALIZING, TaskState.FAILED),
    (TaskState.COMPLETED, TaskState.RUNNING),
    (TaskState.CANCELLED, TaskState.RUNNING),
    (TaskState.FAILED, TaskState.RUNNING),
    (TaskState.FAILED, TaskState.FINALIZING),
]


class Priority:
    """How fast a Task's virtual time runs: the smaller the step, the larger its share of a queue."""

    URGENT, NORMAL, BACKGROUND = 1, 4, 16
    choices = [(URGENT, _("urgent")), (NORMAL, _("normal")), (BACKGROUND, _("background"))]


class Level:
    """Severity of a log line; the numbers are those of Python's logging."""

    DEBUG, INFO, WARNING, ERROR = 10, 20, 30, 40
    choices = [(DEBUG, _("debug")), (INFO, _("info")), (WARNING, _("warning")), (ERROR, _("error"))]
