"""What the sweep found out of order and healed. Red until somebody says that they have seen it."""

from __future__ import annotations

from django.contrib import admin, messages
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.admin import display
from tasks.admin.filters import Unseen
from tasks.admin.reach import ReadOnly
from tasks.models import Finding


@admin.register(Finding)
class FindingAdmin(ReadOnly):
    list_display = ["at", "seen_", "words_", "task_", "code"]
    list_filter = [Unseen, "code"]
    list_select_related = ["task", "seen_by"]
    sortable_by = ()
    actions = ["mark_seen"]
    fields = ["at", "seen_", "words_", "task_", "code", "data_"]

    def has_operate_permission(self, request):
        return request.user.has_perm("tasks.operate_task")

    @admin.action(permissions=["operate"], description=_("Mark as seen"))
    def mark_seen(self, request, queryset):
        """Who saw it first stays: a second "seen" changes nothing."""
        seen = list(queryset.filter(seen_by__isnull=True)[:1000])
        for finding in seen:
            if Finding.objects.filter(pk=finding.pk, seen_by__isnull=True).update(seen_by=request.user):
                self.log_change(request, finding, gettext("Seen"))
        words = ngettext("%(n)s finding marked as seen.", "%(n)s findings marked as seen.", len(seen))
        self.message_user(request, words % {"n": len(seen)}, messages.SUCCESS)

    @admin.display(description=_("seen"))
    def seen_(self, finding):
        if finding.seen_by_id is None:
            return display.badge("unseen", _("not seen yet"))
        return display.badge("seen", finding.seen_by)

    @admin.display(description=_("what was found"))
    def words_(self, finding):
        return sentences.sentence(finding.code, display.flat(finding.data))

    @admin.display(description=_("batch"))
    def task_(self, finding):
        return display.link(finding.task, display.named(finding.task)) if finding.task_id else "–"

    @admin.display(description=_("values"))
    def data_(self, finding):
        return display.pretty(finding.data)
