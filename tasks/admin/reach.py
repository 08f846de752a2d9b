"""Bounds on what one page of the admin may ask of the database, however many rows there are.

- ``CappedPaginator`` counts to a limit and stops; a COUNT(*) over millions of rows takes seconds.
- ``latest`` narrows a filter that no index serves to the newest rows, found by the primary key.
- ``Bounded`` puts a time limit on all queries of a list; what takes longer ends in a sentence, not in a stuck page.
"""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest, ValidationError
from django.core.paginator import Paginator
from django.db import OperationalError, connection, transaction
from django.http import HttpResponseRedirect
from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from psycopg.errors import QueryCanceled

#: Rows that can be paged through; beyond, a filter finds them sooner than leafing does.
CAP = 5_000
#: Rows that a filter without an index of its own looks at.
WINDOW = 100_000
TIMEOUT_MS = 4_000


class CappedPaginator(Paginator):
    """Counts at most ``CAP + 1`` rows: "more than 5,000" is all that a person needs to know."""

    @cached_property
    def count(self):
        if self.object_list.query.is_empty():
            return 0
        # Ordering and joins of the page are dead weight while counting.
        return self.object_list.order_by().select_related(None).values("pk")[: CAP + 1].count()

    @property
    def is_capped(self):
        return self.count > CAP

    @property
    def most(self):
        """Rows that can be paged through, as people read it."""
        return number_format(CAP, use_l10n=True, force_grouping=True)


def latest(queryset):
    """Of ``queryset``, what lies among the newest ``WINDOW`` rows of its table."""
    newest = queryset.model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
    return queryset.filter(pk__gt=newest - WINDOW) if newest else queryset


class Bounded(admin.ModelAdmin):
    """A list of a table that may be huge: capped count, no counts of facets, a time limit, no delete, no add."""

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 200

    def has_add_permission(self, request):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

    def changelist_view(self, request, extra_context=None):
        for chosen in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                self.opts.pk.run_validators(self.opts.pk.to_python(chosen))
            except ValidationError as error:
                raise BadRequest("no row has this number") from error
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(TIMEOUT_MS)])
                response = super().changelist_view(request, extra_context)
                if hasattr(response, "render"):
                    response.render()  # the list is read while it is rendered, so that belongs under the limit too
                return response
        except OperationalError as error:
            if not isinstance(error.__cause__, QueryCanceled) or not request.GET:
                raise
        messages.warning(
            request, _("That search took too long and was stopped. Choose one batch first, or search for less.")
        )
        return HttpResponseRedirect(request.path)


class ReadOnly(Bounded):
    """Rows that only the engine writes."""

    def has_change_permission(self, request, obj=None):
        return False


def of_one_batch(request) -> bool:
    """Whether the list in front of the person is already narrowed to one batch (or child), which an index serves."""
    return any(name in request.GET for name in ("task__id__exact", "task", "task_id", "subtask__id__exact"))
