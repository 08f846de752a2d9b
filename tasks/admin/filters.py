"""Filters of lists that may be huge. Where no index serves a choice, it looks at the newest rows only (``reach``)."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from tasks.admin.reach import latest, of_one_batch
from tasks.kinds.base import registered
from tasks.models import Queue
from tasks.states import ACTIVE, ChildState, Level, TaskState


class StateOfBatch(admin.SimpleListFilter):
    """One state, or all that are under way: what staff look at in the morning."""

    title, parameter_name = _("state"), "state"

    def lookups(self, request, model_admin):
        return [("active", _("under way")), *TaskState.choices]

    def queryset(self, request, queryset):
        if self.value() is None:
            return queryset
        return queryset.filter(state__in=ACTIVE if self.value() == "active" else [self.value()])


class KindOfBatch(admin.SimpleListFilter):
    """The Kinds that this process knows: to ask the rows which there are would read the whole table."""

    title, parameter_name = _("kind"), "kind"

    def lookups(self, request, model_admin):
        return [(kind.name, kind.title or kind.name) for kind in registered()]

    def queryset(self, request, queryset):
        return queryset if self.value() is None else queryset.filter(kind=self.value())


class HasFailures(admin.SimpleListFilter):
    title, parameter_name = _("failures"), "failures"

    def lookups(self, request, model_admin):
        return [("yes", _("with failures")), ("no", _("without failures"))]

    def queryset(self, request, queryset):
        if self.value() is None:
            return queryset
        return queryset.filter(failed__gt=0) if self.value() == "yes" else queryset.filter(failed=0)


class _Narrow(admin.SimpleListFilter):
    """Equality on one field. ``served`` are values that an index of their own finds in the whole table."""

    field = ""
    served: tuple = ()

    def queryset(self, request, queryset):
        if self.value() is None:
            return queryset
        found = queryset.filter(**{self.field: self.value()})
        return found if of_one_batch(request) or self.value() in self.served else latest(found)


class StateOfChild(_Narrow):
    title, parameter_name, field = _("state"), "state", "state"
    served = (ChildState.RUNNING,)

    def lookups(self, request, model_admin):
        return ChildState.choices


class QueueOfChild(_Narrow):
    title, parameter_name, field = _("queue"), "queue", "queue"

    def lookups(self, request, model_admin):
        return [(name, name) for name in Queue.objects.values_list("name", flat=True)]


class LeastLevel(_Narrow):
    """This level and all that are graver."""

    title, parameter_name, field = _("level"), "level", "level__gte"

    def lookups(self, request, model_admin):
        return [(str(level), _("%(level)s or graver") % {"level": words}) for level, words in Level.choices]

    def queryset(self, request, queryset):
        if self.value() not in {level for level, _words in self.lookup_choices}:
            return queryset
        return super().queryset(request, queryset)


class Unseen(admin.SimpleListFilter):
    title, parameter_name = _("seen"), "seen"

    def lookups(self, request, model_admin):
        return [("no", _("not seen yet")), ("yes", _("seen"))]

    def queryset(self, request, queryset):
        if self.value() is None:
            return queryset
        return queryset.filter(seen_by__isnull=self.value() == "no")
