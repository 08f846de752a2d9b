"""Queues and their lanes in the admin: the knobs of the fleet, turned while it runs."""

from __future__ import annotations

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tasks.admin import display
from tasks.admin.reach import ReadOnly
from tasks.models import Lane, Queue, SubTask
from tasks.observe import backlog
from tasks.queueing import limits, wake
from tasks.states import ChildState

_KNOBS = ["limit", "deadline_s", "rate_per_minute", "paused"]


class _WithLoad(ChangeList):
    """Puts on each queue of the page what runs in it and what waits, in two queries for all."""

    def get_results(self, request):
        super().get_results(request)
        running, waits = backlog.running(), backlog.depths()
        for queue in self.result_list:
            queue.now_running, queue.now_waiting = running.get(queue.name, 0), waits.get(queue.name, 0)


class _AsSeen(forms.ModelForm):
    """A row of the list carries the values that the person saw. Only what differs from them was edited: else a list
    that was open for an hour would put back the limit that a colleague has raised meanwhile."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True


@admin.register(Queue)
class QueueAdmin(admin.ModelAdmin):
    """A queue is edited live: what is saved here holds for the next child that is handed out, on every machine."""

    list_display = [
        "name",
        "limit",
        "rate_per_minute",
        "paused",
        "running_",
        "waiting_",
        "breaker_",
    ]
    list_editable = ["limit", "rate_per_minute", "paused"]
    sortable_by = ["name"]
    actions = ["reset_breaker"]
    fieldsets = [
        (None, {"fields": ["name", *_KNOBS, "per_host"]}),
        (_("Now"), {"fields": ["breaker_", "runs_", "lanes_"]}),
    ]

    def get_changelist(self, request, **kwargs):
        return _WithLoad

    def get_changelist_form(self, request, **kwargs):
        return super().get_changelist_form(request, **{"form": _AsSeen, **kwargs})

    def change_view(self, request, object_id, form_url="", extra_context=None):
        queue = self.get_object(request, object_id)
        shut = queue is not None and queue.breaker != "closed" and self.has_operate_permission(request)
        extra = {"closes_breaker": shut, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, extra)

    def get_readonly_fields(self, request, obj=None):
        """The name is what children and Kinds call it, and where its limit holds decides the names of its lanes."""
        shown = ["breaker_", "runs_", "lanes_"]
        return [*shown, "name", "per_host"] if obj else shown

    def has_delete_permission(self, request, obj=None):
        return False

    def has_operate_permission(self, request):
        return request.user.has_perm("tasks.change_queue")

    def save_model(self, request, obj, form, change):
        """Write what was edited and nothing else: the breaker and the virtual time move while a form is open."""
        if not change:
            super().save_model(request, obj, form, change)
        elif form.changed_data:
            obj.save(update_fields=[name for name in form.changed_data if name in _KNOBS])
        wake.after_commit(obj.name)

    @admin.action(permissions=["operate"], description=_("Close the breaker: try the service again"))
    def reset_breaker(self, request, queryset):
        for queue in queryset:
            limits.reset_breaker(queue.name, request.user)
            self.log_change(request, queue, gettext("Breaker closed"))
        n = len(queryset)
        words = ngettext("The breaker of %(n)s queue is closed.", "The breakers of %(n)s queues are closed.", n)
        self.message_user(request, words % {"n": n}, messages.SUCCESS)

    @admin.display(description=_("running"))
    def running_(self, queue):
        words = gettext("%(n)s of %(limit)s") % {"n": queue.now_running, "limit": queue.limit}
        if queue.per_host:
            words = gettext("%(n)s of %(limit)s per machine") % {"n": queue.now_running, "limit": queue.limit}
        return display.list_link("subtask", words, state="running", queue=queue.name)

    @admin.display(description=_("waiting"))
    def waiting_(self, queue):
        return backlog.words(queue.now_waiting)

    @admin.display(description=_("breaker"))
    def breaker_(self, queue):
        state = display.badge(queue.breaker, queue.get_breaker_display())
        if queue.breaker == "closed":
            return state
        until = gettext("until a person closes it")
        if queue.breaker_until:
            until = gettext("until %(time)s") % {"time": display.moment(queue.breaker_until)}
        return format_html("{} {}. {}", state, until, queue.breaker_reason)

    @admin.display(description=_("runs now"))
    def runs_(self, queue):
        running = SubTask.objects.filter(queue=queue.name, state=ChildState.RUNNING).only("key", "started_at")[:100]
        rows = ((display.link(child), display.age(child.started_at)) for child in running)
        return format_html_join("", "<p>{} ({})</p>", rows) or "–"

    @admin.display(description=_("lanes"))
    def lanes_(self, queue):
        return display.list_link("lane", _("lanes of this queue"), queue__name__exact=queue.name)


@admin.register(Lane)
class LaneAdmin(ReadOnly):
    list_display = ["lane_", "queue", "host", "slot", "worker_", "seen_", "run"]
    list_filter = ["queue"]
    list_select_related = ["queue"]
    ordering = ["queue", "host", "slot"]
    sortable_by = ()
    fields = ["queue", "host", "slot", "run", "job_id", "worker", "seen_at"]

    @admin.display(description=_("lane"))
    def lane_(self, lane):
        return lane.lock

    @admin.display(description=_("worker"))
    def worker_(self, lane):
        return (
            format_html('<a href="{}">{}</a>', display.list_url("worker"), str(lane.worker)[:8])
            if lane.job_id and lane.worker
            else "–"
        )

    @admin.display(description=_("last seen"))
    def seen_(self, lane):
        return display.age(lane.seen_at)
