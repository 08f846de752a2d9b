"""System checks: what would go wrong later is said at ``manage.py check``, with an id and what to do about it.

===========  ========  =============================================================================
tasks.E001   code      a Kind can't be loaded, or two have one name
tasks.E002   code      a Kind's stage names a queue that no Kind describes
tasks.E003   code      a queue's deadline is over 90 s
tasks.E004   database  the server is too old
tasks.W001   database  a stage's queue has no row
tasks.W002   database  the limits of the queues exceed the places of the living workers
tasks.W003   database  the processes may need more connections than the server gives
tasks.W004   database  a pooler stands between us and PostgreSQL
tasks.W005   code      DEBUG on a site that others can reach
tasks.W006   database  batches under way are of a Kind that is not known here
tasks.I001   database  the queues could not be looked at
===========  ========  =============================================================================

Those marked "database" run with ``manage.py check --database default`` and before a migration. The texts are in the
language of the installation (SHEAF_LANGUAGE).
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.models import Count
from django.db.utils import DatabaseError, NotSupportedError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.kinds.base import WrongKinds, registered

#: Open connections of one process at most; docs/operations.md says what each is for.
CONNECTIONS_OF_WORKER = 4
#: One listens, and each request that is being answered holds one; live views' own come on top (SHEAF_LIVE_CONNECTIONS).
CONNECTIONS_OF_WEB = 9
LONGEST_DEADLINE_S = 90
_LOCAL = {"localhost", "127.0.0.1", "[::1]", "::1", "testserver"}


@checks.register("tasks")
def kinds_load(app_configs=None, **kwargs):
    try:
        kinds = registered()
    except WrongKinds as error:
        hint = _("SHEAF_KINDS lists dotted paths of Kind classes, separated by commas, and each has a name of its own.")
        return [checks.Error(str(error), hint=hint, id="tasks.E001")]
    described = {queue.name for kind in kinds for queue in kind.queues}
    found = []
    for kind in kinds:
        for stage in kind.stages:
            if stage.queue not in described:
                words = _("Stage “%(stage)s” of “%(kind)s” uses “%(queue)s”, a queue that nothing describes.")
                found.append(
                    checks.Error(
                        words % {"stage": stage.name, "kind": kind.name, "queue": stage.queue},
                        hint=_("Add QueueDefault(“%(queue)s”, …) to its queues.") % {"queue": stage.queue},
                        id="tasks.E002",
                    )
                )
        for queue in kind.queues:
            if not 1 <= queue.deadline_s <= LONGEST_DEADLINE_S:
                words = _("Queue “%(queue)s” of “%(kind)s” has a deadline of %(deadline)s s.")
                hint = _("It must be from 1 to %(most)s s: with longer calls, a hung peer would hold its place.")
                found.append(
                    checks.Error(
                        words % {"queue": queue.name, "kind": kind.name, "deadline": queue.deadline_s},
                        hint=hint % {"most": LONGEST_DEADLINE_S},
                        id="tasks.E003",
                    )
                )
    return found


@checks.register("tasks")
def debug_is_private(app_configs=None, **kwargs):
    public = sorted(set(settings.ALLOWED_HOSTS) - _LOCAL)
    if settings.DEBUG and (public or settings.SHEAF_HTTPS):
        words = _("DEBUG is on, and the site answers to %(where)s.") % {"where": ", ".join(public) or "https"}
        hint = _("Unset DEBUG: its error pages show settings and data to everybody.")
        return [checks.Warning(words, hint=hint, id="tasks.W005")]
    return []


@checks.register(checks.Tags.database)
def database_fits(app_configs=None, databases=None, **kwargs):
    if not databases or "default" not in databases:
        return []
    connection = connections["default"]
    try:
        if "tasks_queue" not in connection.introspection.table_names():
            return []  # not migrated yet
        return [
            *_queues_have_rows(),
            *_batches_have_kinds(),
            *_limits_have_places(),
            *_connections_suffice(connection),
            *_no_pooler(connection),
        ]
    except NotSupportedError as error:
        hint = _("Upgrade the server (pg_upgrade, or pg_dump and pg_restore), or let DATABASE_URL name another.")
        return [checks.Error(str(error), hint=hint, id="tasks.E004")]
    except DatabaseError as error:
        # Before a migration the tables may be those of an older version: then there is nothing to compare.
        connection.close()
        words = _("Queues were not checked: %(why)s") % {"why": str(error).strip()}
        hint = _("See that the server can be reached, and run `manage.py migrate`.")
        return [checks.Info(words, hint=hint, id="tasks.I001")]


def _known():
    """The Kinds, or none where SHEAF_KINDS is wrong: tasks.E001 says so."""
    try:
        return registered()
    except WrongKinds:
        return []


def _queues_have_rows():
    from tasks.models import Queue

    rows = set(Queue.objects.values_list("name", flat=True))
    used = {stage.queue for kind in _known() for stage in kind.stages}
    hint = _("A worker adds the missing queues when it starts; or add it in the admin.")
    return [
        checks.Warning(
            _("Queue “%(queue)s” has no row, so nothing runs in it.") % {"queue": name}, hint=hint, id="tasks.W001"
        )
        for name in sorted(used - rows)
    ]


def _batches_have_kinds():
    """After a Kind was taken out of SHEAF_KINDS its batches wait for ever, and nothing else would say why."""
    from tasks.models import Task
    from tasks.states import ACTIVE

    known = {kind.name for kind in _known()}
    active = Task.objects.filter(state__in=ACTIVE).exclude(kind__in=known).order_by()
    found = []
    for kind, n in active.values_list("kind").annotate(n=Count("pk")).order_by("kind") if known else ():
        words = ngettext(
            "%(n)s batch under way is of the kind “%(kind)s”, which is not known here: it waits.",
            "%(n)s batches under way are of the kind “%(kind)s”, which is not known here: they wait.",
            n,
        )
        hint = _("Add its Kind to SHEAF_KINDS on every machine that runs workers, or cancel them in the admin.")
        found.append(checks.Warning(words % {"n": n, "kind": kind}, hint=hint, id="tasks.W006"))
    return found


def _living():
    from tasks.models import Worker

    return Worker.objects.filter(seen_at__gt=timezone.now() - timedelta(seconds=settings.SHEAF_LANE_STALE_S))


def _limits_have_places():
    """A limit that no number of idle workers could reach is a knob that does nothing. Silent while no worker lives."""
    from tasks.models import Queue

    workers = list(_living())
    if not workers:
        return []
    found = []
    for queue in Queue.objects.all():
        places: dict[str, int] = {}
        for worker in workers:
            if not worker.queues or queue.name in worker.queues:
                machine = worker.host if queue.per_host else ""
                places[machine] = places.get(machine, 0) + worker.concurrency
        most = max(places.values(), default=0)
        if queue.limit > most:
            words = _("Queue “%(queue)s” may run %(limit)s at once, but its workers have %(places)s places.")
            found.append(
                checks.Warning(
                    words % {"queue": queue.name, "limit": queue.limit, "places": most},
                    hint=_("Start more workers, raise --concurrency, or lower the limit in the admin."),
                    id="tasks.W002",
                )
            )
    return found


def connections_needed(workers: int, webs: int = 1) -> int:
    """Connections that so many processes may hold at once."""
    return workers * CONNECTIONS_OF_WORKER + webs * (CONNECTIONS_OF_WEB + settings.SHEAF_LIVE_CONNECTIONS)


def _connections_suffice(connection):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"
        )
        given = cursor.fetchone()[0]
    needed = connections_needed(max(1, _living().count()))
    if needed <= given:
        return []
    words = _("The workers that live and one web process may need %(needed)s connections; the server gives %(given)s.")
    hint = _("Raise max_connections, or run fewer workers with a higher --concurrency each.")
    return [checks.Warning(words % {"needed": needed, "given": given}, hint=hint, id="tasks.W003")]


def behind_pooler(connection) -> bool:
    """A pooler answers the connection with a process number of its own making; PostgreSQL's own is another."""
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0] != connection.connection.info.backend_pid


def _no_pooler(connection):
    if not behind_pooler(connection):
        return []
    hint = _(
        "LISTEN and locks need a session of their own: let DATABASE_URL name the server itself, or use session pooling."
    )
    return [checks.Warning(_("A pooler stands between Sheaf and PostgreSQL."), hint=hint, id="tasks.W004")]
