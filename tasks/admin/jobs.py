"""procrastinate's jobs in the admin, read-only and behind a permission.

Its own page lets everybody who may view jobs retry, cancel and abort them. Here a job is machinery: a lane that is
retried by hand would run twice, a finalize that is aborted would never come. Staff act on batches and queues instead.
"""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _
from procrastinate.contrib.django import admin as stock
from procrastinate.contrib.django.models import ProcrastinateJob

from tasks.admin import display
from tasks.admin.reach import ReadOnly

# Importing the stock page registers it; only then can it be replaced, whoever comes first.
if isinstance(admin.site.get_model_admin(ProcrastinateJob), stock.ProcrastinateJobAdmin):
    admin.site.unregister(ProcrastinateJob)


@admin.register(ProcrastinateJob)
class JobAdmin(ReadOnly):
    list_display = ["id", "task_name", "status", "queue_name", "lock", "attempts", "scheduled_at"]
    list_filter = ["status"]
    search_fields = ["=id", "=lock", "=task_name"]
    search_help_text = _("Number, lock or name of the job")
    ordering = ["-id"]
    sortable_by = ()
    actions = None
    fields = [
        "id",
        "task_name",
        "status",
        "queue_name",
        "lock",
        "queueing_lock",
        "priority",
        "attempts",
        "scheduled_at",
        "args_",
    ]

    @admin.display(description=_("arguments"))
    def args_(self, job):
        return display.pretty(job.args)
