"""System checks: what would go wrong later is said at ``manage.py check``, with an id and what to do about it.

=======  =======  =============================================================================
tasks.E001  code      a Kind can't be loaded, or two have one name
tasks.E002  code      a Kind's stage names a queue that no Kind describes
tasks.E003  code      a queue's deadline is over 90 s
tasks.W001  database  a stage's queue has no row
tasks.W002  database  the limits of the queues exceed the places of the living workers
tasks.W003  database  the processes may need more connections than the server gives
tasks.W004  database  a pooler stands between us and PostgreSQL
tasks.W005  code      DEBUG on a site that others can reach
=======  =======  =============================================================================

Those marked "database" run with ``manage.py check --database default`` and before a migration.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.utils import DatabaseError
from django.utils import timezone

#: Open connections of one process at most; docs/operations.md says what each is for.
CONNECTIONS_OF_WORKER = 4
#: One listens, and each request that is being answered holds one; live views' own come on top (SHEAF_LIVE_CONNECTIONS).
CONNECTIONS_OF_WEB = 9
LONGEST_DEADLINE_S = 90
_LOCAL = {"localhost", "127.0.0.1", "[::1]", "::1", "testserver"}


def _kinds():
    from tasks.kinds.base import registered

    return registered()


@checks.register("tasks")
def kinds_load(app_configs=None, **kwargs):
    try:
        kinds = _kinds()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        hint = "SHEAF_KINDS lists dotted paths of Kind classes, and each Kind has a name of its own."
        return [checks.Error(f"The batch features can't be loaded: {error}", hint=hint, id="tasks.E001")]
    described = {queue.name for kind in kinds for queue in kind.queues}
    found = []
    for kind in kinds:
        for stage in kind.stages:
            if stage.queue not in described:
                found.append(
                    checks.Error(
                        f"Stage {stage.name!r} of {kind.name!r} uses {stage.queue!r}, a queue that nothing describes.",
                        hint=f"Add QueueDefault({stage.queue!r}, ...) to its queues.",
                        id="tasks.E002",
                    )
                )
        for queue in kind.queues:
            if not 1 <= queue.deadline_s <= LONGEST_DEADLINE_S:
                found.append(
                    checks.Error(
                        f"Queue {queue.name!r} of kind {kind.name!r} has a deadline of {queue.deadline_s} s.",
                        hint=f"A call may take {LONGEST_DEADLINE_S} s at most, or a hung peer holds its place.",
                        id="tasks.E003",
                    )
                )
    return found


@checks.register("tasks")
def debug_is_private(app_configs=None, **kwargs):
    public = sorted(set(settings.ALLOWED_HOSTS) - _LOCAL)
    if settings.DEBUG and (public or settings.SHEAF_HTTPS):
        where = ", ".join(public) or "https"
        hint = "Unset DEBUG: its error pages show settings and data to everybody."
        return [checks.Warning(f"DEBUG is on, and the site answers to {where}.", hint=hint, id="tasks.W005")]
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
            *_limits_have_places(),
            *_connections_suffice(connection),
            *_no_pooler(connection),
        ]
    except DatabaseError as error:
        # Before a migration the tables may be those of an older version: then there is nothing to compare.
        connection.close()
        return [checks.Info(f"Queues were not checked: {error}", hint="Is it up, and migrated?", id="tasks.I001")]


def _queues_have_rows():
    from tasks.models import Queue

    rows = set(Queue.objects.values_list("name", flat=True))
    try:
        used = {stage.queue for kind in _kinds() for stage in kind.stages}
    except (ImportError, AttributeError, TypeError, ValueError):
        return []  # said by tasks.E001
    hint = "A worker adds the missing queues when it starts; or add it in the admin."
    return [
        checks.Warning(f"Queue {name!r} has no row, so nothing runs in it.", hint=hint, id="tasks.W001")
        for name in sorted(used - rows)
    ]


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
            found.append(
                checks.Warning(
                    f"Queue {queue.name!r} may run {queue.limit} at once, but its workers have {most} places.",
                    hint="Start more workers, raise --concurrency, or lower the limit in the admin.",
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
    return [
        checks.Warning(
            f"The workers that live and one web process may need {needed} connections; the server gives {given}.",
            hint="Raise max_connections, or run fewer workers with a higher --concurrency each.",
            id="tasks.W003",
        )
    ]


def behind_pooler(connection) -> bool:
    """A pooler answers the connection with a process number of its own making; PostgreSQL's own is another."""
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0] != connection.connection.info.backend_pid


def _no_pooler(connection):
    if not behind_pooler(connection):
        return []
    return [
        checks.Warning(
            "A pooler stands between Sheaf and PostgreSQL.",
            hint="LISTEN and locks need a session of their own: let DATABASE_URL name the server itself, "
            "or use session pooling.",
            id="tasks.W004",
        )
    ]
