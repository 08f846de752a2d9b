"""Two questions of an orchestrator: does the process live (`/healthz`), may it get visitors (`/readyz`)?

A part with a state of its own (the listener, say) registers a probe: a function without arguments that returns None
when all is well, else a short code. `/readyz` answers 503 with the codes of those that are not.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

Probe = Callable[[], "str | None"]
_probes: dict[str, Probe] = {}
_watches: dict[str, Probe] = {}
_migrated = False


def register(name: str, probe: Probe, *, fatal: bool = True) -> None:
    """Ask `probe` at each `/readyz`; the same name again replaces it. Not `fatal`: said, but still 200."""
    (_probes if fatal else _watches)[name] = probe


def _database() -> str | None:
    """Reachable, and every migration of this code applied (once true, that stays true for this process)."""
    global _migrated
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _migrated:
            executor = MigrationExecutor(connection)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                return "not_migrated"
            _migrated = True
    except OperationalError:
        return "unreachable"
    return None


register("database", _database)


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as long as the process answers: asks nobody else, so that a database outage restarts no web process."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 and {"ready": true}, or 503 with what is wrong, by name; "degraded" is slower or poorer, but works."""
    wrong = {name: code for name, probe in _probes.items() if (code := probe()) is not None}
    degraded = {name: code for name, probe in _watches.items() if (code := probe()) is not None}
    answer = {"ready": not wrong, "wrong": wrong, "degraded": degraded}
    return JsonResponse(answer, status=503 if wrong else 200)
