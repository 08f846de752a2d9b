"""Workers in the admin: who lives, since when it was last heard of, and what each runs now."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from tasks.admin import display
from tasks.admin.reach import ReadOnly
from tasks.models import Lane, SubTask, Worker
from tasks.states import ChildState

#: Children named in one row of the list.
SHOWN = 8


def state(worker) -> tuple[str, str]:
    """(name, words): alive, stopping, or silent for longer than a lane may be."""
    if worker.seen_at < timezone.now() - timedelta(seconds=settings.SHEAF_LANE_STALE_S):
        return "silent", _("silent")
    return ("stopping", _("stopping")) if worker.stopping else ("alive", _("alive"))


def children_of(workers) -> dict:
    """{worker's token: [running children]} for all workers of a page in two queries."""
    lanes = dict(
        Lane.objects.filter(worker__in=[w.token for w in workers], job_id__isnull=False).values_list("pk", "worker")
    )
    running = SubTask.objects.filter(state=ChildState.RUNNING, lane__in=list(lanes)).only(
        "key", "lane_id", "started_at", "queue"
    )
    found: dict = {}
    for child in running.order_by("started_at"):
        found.setdefault(lanes[child.lane_id], []).append(child)
    return found


class _WithChildren(ChangeList):
    def get_results(self, request):
        super().get_results(request)
        running = children_of(self.result_list)
        for worker in self.result_list:
            worker.children = running.get(worker.token, [])


@admin.register(Worker)
class WorkerAdmin(ReadOnly):
    list_display = ["name_", "state_", "heartbeat_", "places_", "runs_", "queues_", "started_at"]
    list_filter = ["host"]
    ordering = ["host", "pid"]
    sortable_by = ()
    fields = ["host", "pid", "state_", "heartbeat_", "places_", "runs_", "queues_", "started_at", "seen_at", "token"]

    def get_changelist(self, request, **kwargs):
        return _WithChildren

    def get_object(self, request, object_id, from_field=None):
        worker = super().get_object(request, object_id, from_field)
        if worker is not None:
            worker.children = children_of([worker]).get(worker.token, [])
        return worker

    @admin.display(description=_("worker"))
    def name_(self, worker):
        return str(worker)

    @admin.display(description=_("state"))
    def state_(self, worker):
        return display.badge(*state(worker))

    @admin.display(description=_("last heard of"))
    def heartbeat_(self, worker):
        return display.age(worker.seen_at)

    @admin.display(description=_("places in use"))
    def places_(self, worker):
        """A lane may hold several short children, one of which runs: it is one place."""
        return f"{len({child.lane_id for child in worker.children})} / {worker.concurrency}"

    @admin.display(description=_("runs now"))
    def runs_(self, worker):
        rows = ((display.link(child), child.queue, display.age(child.started_at)) for child in worker.children[:SHOWN])
        more = len(worker.children) - SHOWN
        listed = format_html_join("", "<p>{} · {} · {}</p>", rows) or "–"
        return format_html("{}<p>+ {}</p>", listed, more) if more > 0 else listed

    @admin.display(description=_("queues"))
    def queues_(self, worker):
        return ", ".join(worker.queues) or _("all")
