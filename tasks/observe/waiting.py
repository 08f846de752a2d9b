"""What a batch is waiting for, as reasons with a code, for the admin and for the page of its owner.

Read at the moment of asking, from rows alone. Each query is bounded: a batch's Shares (one for each queue it has work
in), the running children of those queues (as many as lanes), and at most ``SAMPLE`` of its own waiting children.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil

from django.conf import settings
from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from django.utils.formats import date_format

from tasks import sentences
from tasks.models import Queue, Share, SubTask, Task, Worker
from tasks.states import OPEN, TERMINAL, ChildState, TaskState

#: Waiting children looked at for the time of the next retry.
SAMPLE = 1_000
#: Other batches named when a limit is reached.
NAMED = 5


@dataclass(frozen=True)
class Reason:
    """``code`` names a sentence of the catalogue; ``data`` its values, JSON-able (``tasks`` lists batch numbers)."""

    code: str
    data: dict = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        return sentences.sentence(self.code, self.data)


_OF_STATE = {
    TaskState.DRAFT: "waiting_start",
    TaskState.CANCELLING: "waiting_cancel",
    TaskState.FINALIZING: "waiting_finalize",
}


def reasons(task: Task) -> list[Reason]:
    """Why nothing more of ``task`` begins now; empty when it has ended, or when nothing holds it up."""
    if task.state in TERMINAL:
        return []
    if code := _OF_STATE.get(task.state):
        return [
            Reason(
                code, {"attempts": task.finalize_attempts, "running": _running(task)} if code != "waiting_start" else {}
            )
        ]
    found = [Reason("waiting_pause", {"running": _running(task)})] if task.paused else []
    if task.state == TaskState.EXPANDING or not task.sealed:
        found.append(Reason("waiting_expand", {"total": task.total}))
    ready = _queues_with_ready_children(task)
    for name in ready:
        found += _of_queue(task, name)
    if not ready and task.settled < task.total:
        found += _of_time(task)
    return found


def _running(task) -> int:
    return SubTask.objects.filter(task=task, state=ChildState.RUNNING).count()


def _ready(task):
    return SubTask.objects.filter(task=task, state=ChildState.PENDING, available_at__isnull=True)


def _queues_with_ready_children(task) -> list[str]:
    """A Share says "may have"; whether it has is asked of the index of ready children."""
    names = Share.objects.filter(task=task, ready=True).order_by("queue").values_list("queue", flat=True)
    return [name for name in names if _ready(task).filter(queue=name).exists()]


def _clock(moment) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def brief(tasks: list[Task]) -> dict[int, list[Reason]]:
    """{number: reasons} for a list of batches, in three queries however many they are.

    Says which queues hand out nothing; not who has the places, how long a retry waits, or whether a Share that "may
    have" ready children has any: ``reasons`` does, for one batch. A pause is said by the batch's own row.
    """
    found: dict[int, list[Reason]] = {}
    names: dict[int, list[str]] = {}
    shares = Share.objects.filter(task__in=[t.pk for t in tasks if t.state in OPEN], ready=True)
    for task_id, name in shares.order_by("queue").values_list("task_id", "queue"):
        names.setdefault(task_id, []).append(name)
    queues = {queue.name: queue for queue in Queue.objects.all()} if names else {}
    served = list(_living().filter(stopping=False).values_list("queues", flat=True)) if names else []
    for task in tasks:
        if task.state in TERMINAL or task.paused:
            continue
        found[task.pk] = [Reason("waiting_start")] if task.state == TaskState.DRAFT else []
        for name in names.get(task.pk, ()):
            if name not in queues:
                found[task.pk].append(Reason("waiting_no_queue", {"queue": name}))
                continue
            found[task.pk] += _stopped(queues[name])
            if not any(not serves or name in serves for serves in served):
                found[task.pk].append(Reason("waiting_no_worker", {"queue": name}))
    return found


def _of_queue(task, name) -> list[Reason]:
    queue = Queue.objects.filter(name=name).first()
    if queue is None:
        return [Reason("waiting_no_queue", {"queue": name})]
    found = _stopped(queue)
    if not listeners(name):
        found.append(Reason("waiting_no_worker", {"queue": name}))
    return found or _of_limit(task, queue)


def _stopped(queue) -> list[Reason]:
    """Why a queue hands out nothing now, by its own row."""
    name, now, found = queue.name, timezone.now(), []
    if queue.paused:
        found.append(Reason("waiting_queue_paused", {"queue": name}))
    elif queue.limit == 0:
        found.append(Reason("waiting_limit_zero", {"queue": name}))
    if queue.breaker == "open" and queue.breaker_until is None:
        found.append(Reason("waiting_breaker_person", {"queue": name, "reason": queue.breaker_reason}))
    elif queue.breaker != "closed":
        until = _clock(queue.breaker_until) if queue.breaker_until else ""
        found.append(Reason("waiting_breaker", {"queue": name, "until": until, "reason": queue.breaker_reason}))
    if queue.next_call_at and queue.next_call_at > now:
        # Moved on by our own rate, or by a service that answered with Retry-After.
        seconds = ceil((queue.next_call_at - now).total_seconds())
        if queue.rate_per_minute is None:
            found.append(Reason("waiting_retry_after", {"queue": name, "seconds": seconds}))
        else:
            found.append(Reason("waiting_rate", {"queue": name, "rate": queue.rate_per_minute, "seconds": seconds}))
    return found


def _living():
    return Worker.objects.filter(seen_at__gt=timezone.now() - timedelta(seconds=settings.SHEAF_LANE_STALE_S))


def _machines() -> set[str]:
    """Where workers live: a limit per machine counts on each."""
    return set(_living().values_list("host", flat=True))


def listeners(queue: str) -> int:
    """Workers that live and serve this queue."""
    served = _living().filter(stopping=False).values_list("queues", flat=True)
    return sum(1 for queues in served if not queues or queue in queues)


def _of_limit(task, queue) -> list[Reason]:
    """Every place is taken: by whom? A place is a lane; it may hold several short children, one of which runs."""
    held = (
        SubTask.objects.filter(queue=queue.name, state=ChildState.RUNNING).values_list("task_id", "lane_id").distinct()
    )
    lanes: dict[int, set[int]] = {}
    for task_id, lane_id in held.order_by():
        lanes.setdefault(task_id, set()).add(lane_id)
    places = queue.limit * (max(1, len(_machines())) if queue.per_host else 1)
    if len(set().union(*lanes.values())) < places:
        return []
    data = {"queue": queue.name, "limit": places, "own": len(lanes.pop(task.pk, ()))}
    if not lanes:
        return [Reason("waiting_limit_own", data)]
    others = sorted(lanes, key=lambda task_id: (-len(lanes[task_id]), task_id))[:NAMED]
    return [Reason("waiting_limit", {**data, "tasks": others, "batches": ", ".join(f"#{pk}" for pk in others)})]


def _of_time(task) -> list[Reason]:
    """Children that wait for their time: their stage asked to be called again later, or they are tried again."""
    waiting = SubTask.objects.filter(task=task, state=ChildState.PENDING, available_at__isnull=False)
    looked_at = waiting.order_by("position").values("available_at", "asked", "error_code")[:SAMPLE]
    found = []
    for code, those in (
        ("waiting_later", Q(error_code="", asked__gt=0)),
        ("waiting_retry", ~Q(error_code="", asked__gt=0)),
    ):
        seen = looked_at.aggregate(
            due=Min("available_at", filter=those),
            n=Count("available_at", filter=those),
            asked=Max("asked", filter=those),
        )
        if seen["n"]:
            data = {"n": seen["n"], "until": _clock(seen["due"])}
            found.append(Reason(code, {**data, "asked": seen["asked"]} if code == "waiting_later" else data))
    return found
