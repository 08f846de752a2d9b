"""Children in the admin: read-only, found through their batch, cheap among millions."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import Q
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.admin import display
from tasks.admin.filters import QueueOfChild, StateOfChild
from tasks.admin.reach import WINDOW, ReadOnly, latest, of_one_batch
from tasks.models import SubTask, Task
from tasks.states import ChildState

#: In a batch up to this size a search looks inside the keys; in a larger one it wants the whole key.
SEARCHED_INSIDE = 50_000


@admin.register(SubTask)
class SubTaskAdmin(ReadOnly):
    list_display = ["key_", "task_", "state_", "stage", "queue", "attempt", "why_", "took_"]
    list_display_links = ["key_"]
    list_filter = [StateOfChild, QueueOfChild]
    list_select_related = ["task"]
    search_fields = ["key"]
    search_help_text = _("Key of the child, or #number")
    sortable_by = ()
    fieldsets = [
        (None, {"fields": ["key", "task_", "state_", "why_", "error", "log_"]}),
        (
            _("Where it is"),
            {"fields": ["stage", "queue", "lane", "attempt", "lost", "generation", "position", "available_at"]},
        ),
        (_("Times"), {"fields": ["created_at", "started_at", "finished_at"]}),
        (_("Input and result"), {"fields": ["input_", "result_"]}),
    ]

    def get_queryset(self, request):
        """The lists show no input or result, and one result may be as large as a page."""
        children = super().get_queryset(request)
        if not request.resolver_match.url_name.endswith("changelist"):
            return children
        return children.defer("input", "result", "error", "task__params")

    def get_list_display(self, request):
        """Within one batch its name in each row would say nothing."""
        return [name for name in self.list_display if name != "task_" or not of_one_batch(request)]

    def get_ordering(self, request):
        """Within a batch, the order of the index (task, state, position); over all, the newest first."""
        return ["state", "position"] if of_one_batch(request) else ["-pk"]

    def get_search_results(self, request, queryset, search_term):
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith("#") and term[1:].isdecimal() and len(term) < 20:
            return queryset.filter(pk=int(term[1:])), False
        task_id = request.GET.get("task__id__exact", "")
        if not task_id.isdecimal() or len(task_id) >= 20:
            return latest(queryset.filter(key=term)), False
        size = Task.objects.filter(pk=task_id).values_list("total", flat=True).first() or 0
        return queryset.filter(Q(key__icontains=term) if size <= SEARCHED_INSIDE else Q(key=term)), False

    def changelist_view(self, request, extra_context=None):
        asked = {name: request.GET[name] for name in ("state", "queue", "q") if request.GET.get(name)}
        if asked and asked != {"state": ChildState.RUNNING} and not of_one_batch(request):
            words = gettext(
                "Without a batch, this looks at the newest %(n)s children only. Open a batch to see all of its own."
            )
            messages.info(request, words % {"n": display.number(WINDOW)})
        return super().changelist_view(request, extra_context)

    @admin.display(description=_("key"))
    def key_(self, child):
        return child.key

    @admin.display(description=_("batch"))
    def task_(self, child):
        return display.link(child.task, display.named(child.task))

    @admin.display(description=_("state"))
    def state_(self, child):
        return display.badge(child.state, child.get_state_display())

    @admin.display(description=_("reason"))
    def why_(self, child):
        return sentences.sentence(child.error_code, child.error_data) if child.error_code else "–"

    @admin.display(description=_("took"))
    def took_(self, child):
        if child.started_at is None:
            return "–"
        if child.finished_at is None:
            return display.age(child.started_at) if child.state == "running" else "–"
        return display.duration((child.finished_at - child.started_at).total_seconds())

    @admin.display(description=_("log"))
    def log_(self, child):
        own = display.list_link("logline", _("lines of this child"), subtask__id__exact=child.pk)
        return format_html(
            "{} · {}", own, display.list_link("logline", _("of the whole batch"), task__id__exact=child.task_id)
        )

    @admin.display(description=_("input"))
    def input_(self, child):
        return display.pretty(child.input)

    @admin.display(description=_("result"))
    def result_(self, child):
        return display.pretty(child.result)
