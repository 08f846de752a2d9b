"""Batches in the admin: how far each is, what it waits for, why children failed, and the verbs as buttons."""

from __future__ import annotations

from collections import Counter

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_protect

from tasks import sentences
from tasks.admin import display, verbs
from tasks.admin.filters import HasFailures, KindOfBatch, StateOfBatch
from tasks.admin.reach import CAP, ReadOnly
from tasks.kinds.base import kind_named
from tasks.models import SubTask, Task
from tasks.observe import waiting
from tasks.states import ChildState, Priority


def failures(task) -> list[tuple[str, int, str]]:
    """Failed children by reason, most frequent first: (code, number, sentence with one child's values).

    Looks at ``CAP`` of them at most.
    """
    if not task.failed:
        return []
    failed = SubTask.objects.filter(task=task, state=ChildState.FAILED).order_by("position")
    # Grouped here: as a subquery in SQL, the planner prefers to read the whole table of children.
    numbers, one = Counter(), {}
    for code, pk in failed.values_list("error_code", "pk")[:CAP]:
        numbers[code] += 1
        one.setdefault(code, pk)
    values = dict(SubTask.objects.filter(pk__in=one.values()).values_list("error_code", "error_data"))
    return [(code, n, sentences.sentence(code, values.get(code))) for code, n in numbers.most_common()]


class _WithReasons(ChangeList):
    """Puts on each batch of the page why it stands still, in three queries for all."""

    def get_results(self, request):
        super().get_results(request)
        reasons = waiting.brief(list(self.result_list))
        for task in self.result_list:
            task.reasons = reasons.get(task.pk, [])


@admin.register(Task)
class TaskAdmin(ReadOnly):
    list_display = ["title_", "state_", "progress_", "held_up_", "owned_", "kind_", "created_"]
    list_display_links = ["title_"]
    list_filter = [StateOfBatch, "paused", HasFailures, "priority", KindOfBatch]
    list_select_related = ["owner"]
    search_fields = ["=id", "title", "owner__username"]
    search_help_text = _("Number, title or owner")
    sortable_by = ["created_at"]
    date_hierarchy = "created_at"
    actions = verbs.ACTIONS
    actions_selection_counter = True
    fieldsets = [
        (None, {"fields": ["title", "state_", "progress_", "waiting_", "kind_", "owner_", "priority", "error_"]}),
        (_("Children and log"), {"fields": ["children_", "failures_", "log_"]}),
        (_("Times"), {"fields": ["created_at", "started_at", "cancelled_at", "finished_at", "updated_at"]}),
        (
            _("Details"),
            {"fields": ["generation", "sealed", "expected", "finalize_attempts", "params_"], "classes": ["collapse"]},
        ),
    ]

    def get_changelist(self, request, **kwargs):
        return _WithReasons

    def has_operate_permission(self, request):
        return request.user.has_perm("tasks.operate_task")

    def get_urls(self):
        """Each verb has an address below its batch; it comes before the stock ones, which take any text."""
        view = self.admin_site.admin_view(self.verb_view)
        return [path("<int:pk>/do/<slug:name>/", view, name="tasks_task_do"), *super().get_urls()]

    @method_decorator(csrf_protect)
    def verb_view(self, request, pk, name):
        """GET asks, POST does. A verb that ``asks`` wants its answer even when it is posted straight away."""
        verb, task = verbs.VERBS.get(name), self.get_object(request, str(pk))
        if verb is None or task is None:
            raise Http404
        if not self.has_operate_permission(request) or not self.has_view_permission(request, task):
            raise PermissionDenied
        codes = request.POST.getlist("code") if name == "retry_failed" else []
        if request.method != "POST" or (verb.asks and request.POST.get("confirmed") != "yes"):
            return verbs.confirmation(self, request, verb, [task], [("confirmed", "yes")])
        verbs.carry_out(self, request, verb, [task], **({"codes": codes} if codes else {}))
        return HttpResponseRedirect(reverse("admin:tasks_task_change", args=[pk]))

    def change_view(self, request, object_id, form_url="", extra_context=None):
        task = self.get_object(request, object_id)
        buttons, reasons, page = [], [], None
        if task is not None and self.has_operate_permission(request):
            buttons = [verb for verb in verbs.VERBS.values() if verb.fits(task)]
            if verbs.VERBS["retry_failed"] in buttons:
                reasons = failures(task)
        if task is not None and (kind := kind_named(task.kind)):
            page = kind.url(task)
        extra = {"buttons": buttons, "retry_reasons": reasons, "page_of_owner": page, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, extra)

    @admin.display(description=_("batch"), ordering="-id")
    def title_(self, task):
        return display.named(task, 120)

    @admin.display(description=_("state"))
    def state_(self, task):
        state = display.badge(task.state, task.get_state_display())
        if task.paused:
            state = format_html("{} {}", state, display.badge("paused", _("paused")))
        if task.priority != Priority.NORMAL:
            state = format_html("{} <span>({})</span>", state, task.get_priority_display())
        return state

    @admin.display(description=_("progress"))
    def progress_(self, task):
        return display.progress(task)

    @admin.display(description=_("waiting for"))
    def waiting_(self, task):
        reasons = waiting.reasons(task)
        if not reasons:
            return "–"
        return format_html(
            '<ul class="sheaf-reasons">{}</ul>', format_html_join("", "<li>{}</li>", ((r.sentence,) for r in reasons))
        )

    @admin.display(description=_("stands still because"))
    def held_up_(self, task):
        """The first reason: its page has them all."""
        return task.reasons[0].sentence if task.reasons else "–"

    @admin.display(description=_("owner"))
    def owned_(self, task):
        """Leads to all batches of that person."""
        return display.list_link("task", task.owner, owner__id__exact=task.owner_id) if task.owner_id else "–"

    @admin.display(description=_("created"), ordering="created_at")
    def created_(self, task):
        return date_format(timezone.localtime(task.created_at), "SHORT_DATETIME_FORMAT")

    @admin.display(description=_("kind"))
    def kind_(self, task):
        kind = kind_named(task.kind)
        return kind.title if kind and kind.title else task.kind

    @admin.display(description=_("owner"))
    def owner_(self, task):
        return display.link(task.owner) if task.owner_id else "–"

    @admin.display(description=_("error"))
    def error_(self, task):
        if not task.error_code:
            return "–"
        return f"{sentences.sentence(task.error_code, {'detail': task.error})} [{task.error_code}]"

    @admin.display(description=_("children"))
    def children_(self, task):
        """Counts by state as links into the list of children. The counters say how many: only what runs is counted."""
        links = [("", _("all"), task.total)]
        links += [
            (state, ChildState(state).label, getattr(task, state)) for state in ("failed", "succeeded", "cancelled")
        ]
        running = SubTask.objects.filter(task=task, state=ChildState.RUNNING).count()  # as many as lanes, at most
        links += [("running", ChildState.RUNNING.label, running)]
        links += [("pending", ChildState.PENDING.label, max(0, task.total - task.settled - running))]
        rows = []
        for state, words, number in links:
            lookups = {"task__id__exact": task.pk, **({"state": state} if state else {})}
            rows.append((display.list_link("subtask", f"{words} ({display.number(number)})", **lookups),))
        return format_html_join(" · ", "{}", rows)

    @admin.display(description=_("why they failed"))
    def failures_(self, task):
        rows = ((display.number(n), words, code) for code, n, words in failures(task))
        return format_html_join("", "<p>{} × {} <code>{}</code></p>", rows) or "–"

    @admin.display(description=_("log"))
    def log_(self, task):
        words = _("%(n)s lines") % {"n": display.number(task.log_seq)}
        graver = display.list_link("logline", _("warnings and errors"), task__id__exact=task.pk, level=30)
        return format_html("{} · {}", display.list_link("logline", words, task__id__exact=task.pk), graver)

    @admin.display(description=_("parameters"))
    def params_(self, task):
        return display.pretty(task.params)
