"""The live log in the admin: newest first, in the reader's language, found through its batch or child."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.admin import display
from tasks.admin.filters import LeastLevel
from tasks.admin.reach import ReadOnly, of_one_batch
from tasks.models import LogLine
from tasks.states import Level

_NAMES = {Level.DEBUG: "debug", Level.INFO: "info", Level.WARNING: "warning", Level.ERROR: "error"}


@admin.register(LogLine)
class LogLineAdmin(ReadOnly):
    list_display = ["at", "level_", "words_", "child_", "task_", "seq"]
    list_display_links = ["at"]
    list_filter = [LeastLevel]
    list_select_related = ["task", "subtask"]
    list_per_page = 100
    sortable_by = ()
    fields = ["at", "level_", "words_", "task_", "child_", "attempt", "seq", "code", "data_"]

    def get_queryset(self, request):
        return (
            super().get_queryset(request).defer("task__params", "subtask__input", "subtask__result", "subtask__error")
        )

    def get_list_display(self, request):
        """Within one batch its name in each row would say nothing."""
        return [name for name in self.list_display if name != "task_" or not of_one_batch(request)]

    def get_ordering(self, request):
        return ["-seq"] if "task__id__exact" in request.GET else ["-pk"]

    @admin.display(description=_("level"))
    def level_(self, line):
        return display.badge(_NAMES.get(line.level, "info"), line.get_level_display())

    @admin.display(description=_("text"))
    def words_(self, line):
        return sentences.sentence(line.code, display.flat(line.data)) if line.code else line.text

    @admin.display(description=_("child"))
    def child_(self, line):
        # The child's row may be gone: no constraint ties it to its lines.
        try:
            return display.link(line.subtask) if line.subtask_id and line.subtask else "–"
        except LogLine.subtask.RelatedObjectDoesNotExist:
            return line.subtask_id

    @admin.display(description=_("batch"))
    def task_(self, line):
        return display.link(line.task, display.named(line.task))

    @admin.display(description=_("values"))
    def data_(self, line):
        return display.pretty(line.data)
