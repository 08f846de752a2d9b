"""Two questions of an orchestrator: does the process live (`/healthz`), may it get visitors (`/readyz`)?

Both are answered by a middleware that stands before all others, so that no session, no redirect to https and no list
of allowed hosts (an orchestrator asks by address) gets in the way.

A part with a state of its own (the listener, say) registers a probe: a function without arguments that returns None
when all is well, else a short code. `/readyz` answers 503 with the codes of those that are not.
"""

from __future__ import annotations

from collections.abc import Callable

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpResponse, JsonResponse
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import sync_and_async_middleware

from config.machine import embedded_postgres

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
        stopped = settings.SHEAF_EMBEDDED_POSTGRES and not embedded_postgres.is_running(settings.SHEAF_POSTGRES_DIR)
        return "embedded_stopped" if stopped else "unreachable"
    return None


register("database", _database)


def healthz() -> HttpResponse:
    """200 and the version while the process answers. Asks nobody else: a database outage restarts no web process."""
    return HttpResponse(f"ok {settings.VERSION}\n", content_type="text/plain")


def readyz() -> JsonResponse:
    """200 and {"ready": true}, or 503 with what is wrong, by name; "degraded" is slower or poorer, but works."""
    wrong = {name: code for name, probe in _probes.items() if (code := probe()) is not None}
    degraded = {name: code for name, probe in _watches.items() if (code := probe()) is not None}
    answer = {"ready": not wrong, "wrong": wrong, "degraded": degraded}
    return JsonResponse(answer, status=503 if wrong else 200)


_ANSWERS = {"/healthz": healthz, "/readyz": readyz}


@sync_and_async_middleware
def answers(get_response):
    """Answer the two questions; hand everything else on."""

    def answer(path: str) -> HttpResponse:
        response = _ANSWERS[path]()
        add_never_cache_headers(response)
        return response

    if iscoroutinefunction(get_response):

        async def middleware(request):
            if request.path_info not in _ANSWERS:
                return await get_response(request)
            return await sync_to_async(answer)(request.path_info)
    else:

        def middleware(request):
            return answer(request.path_info) if request.path_info in _ANSWERS else get_response(request)

    return middleware
