"""The staff's first page: is anything wrong now? Findings nobody has seen, queues that stand still, silent workers."""

from __future__ import annotations

from django.conf import settings

from tasks.admin import worker as workers
from tasks.admin.reach import CAP
from tasks.models import Finding, Queue, Task, Worker
from tasks.observe import backlog
from tasks.states import ACTIVE


def overview(user) -> dict:
    """What this person may see: {"version", "findings", "queues", "workers", "active", "more"}. Each but the version is
    absent without the right."""
    shown = {"version": settings.VERSION}
    if user.has_perm("tasks.view_finding"):
        shown["findings"] = Finding.objects.filter(seen_by__isnull=True).order_by().values("pk")[:CAP].count()
    if user.has_perm("tasks.view_queue"):
        running, waits = backlog.running(), backlog.depths()
        shown["queues"] = [
            (queue, running.get(queue.name, 0), backlog.words(waits.get(queue.name, 0)), _trouble(queue))
            for queue in Queue.objects.all()
        ]
    if user.has_perm("tasks.view_worker"):
        names = [workers.state(worker)[0] for worker in Worker.objects.all()]
        shown["workers"] = {name: names.count(name) for name in ("alive", "stopping", "silent")}
    if user.has_perm("tasks.view_task"):
        active = Task.objects.filter(state__in=ACTIVE)
        shown["active"] = list(active.order_by("-pk")[:5])
        shown["more"] = max(0, active.order_by().values("pk")[: CAP + 1].count() - 5)
    return shown


def _trouble(queue) -> str:
    """The badge of a queue: its breaker, unless staff themselves have stopped it."""
    return "paused" if queue.paused or queue.limit == 0 else queue.breaker
