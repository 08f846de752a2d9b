"""The processes that make one machine a whole Sheaf: a web process and workers, as `up` and `demo` run them."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
import uuid
from collections.abc import Mapping

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.management import call_command
from django.db import Error, OperationalError, connection
from django.utils.translation import gettext as _

from config.machine.supervisor import Program, Supervisor

log = logging.getLogger(__name__)

TOKEN = "SHEAF_WORKER_TOKEN"  # names one worker process: its lanes can be freed when it is known to be dead
STOP_MARGIN_S = 5.0  # beyond what a worker grants its children, to write down that it stopped
BACKLOG = 1024  # connections that wait to be accepted
_MIGRATION_LOCK = 0x5EAF  # any number will do, as long as nobody else takes it


class CannotStart(Exception):
    """Its text tells a person what is in the way and what to do next."""


def endpoint(host: str, port: int) -> str:
    """Where daphne listens, in its words. Its own default lets 50 connections wait to be accepted; when a thousand live
    views come back at once, the rest would try again for seconds. The system's ``somaxconn`` has the last word."""
    interface = host.strip("[]").replace(":", r"\:")
    return f"tcp:port={port}:interface={interface}:backlog={BACKLOG}"


def web(host: str, port: int) -> Program:
    """The web process. No HTTP timeout (event streams stay open); a dead websocket peer is found within 50 s."""
    command = [
        sys.executable,
        "-m",
        "daphne",
        "--endpoint",
        endpoint(host, port),
        "-v",
        "0",
        "--no-server-name",
        "--ping-interval",
        "20",
        "--ping-timeout",
        "30",
        "--application-close-timeout",
        "5",
        *(["--proxy-headers"] if settings.SHEAF_HTTPS else []),
        "config.asgi:application",
    ]
    return Program("web", command, lambda: {"SHEAF_PROCESS_NAME": "sheaf web"})


def worker(number: int, concurrency: int | None = None) -> Program:
    """Worker `number` (from 1). Each start gets a token of its own."""
    command = [sys.executable, "manage.py", "worker"]
    if concurrency is not None:
        command += ["--concurrency", str(concurrency)]

    def environment() -> dict[str, str]:
        return {TOKEN: str(uuid.uuid4()), "SHEAF_PROCESS_NAME": f"sheaf worker {number}"}

    return Program(f"worker {number}", command, environment, _release)


async def _release(environment: Mapping[str, str]) -> None:
    """Free a dead worker's lanes at once. Without a database the sweep does it later: only a delay."""
    from tasks.queueing import lanes

    def release() -> None:
        try:
            lanes.release(environment[TOKEN])
        except Error as error:
            log.warning("lanes of a dead worker wait for the sweep: %s", error)
        finally:
            connection.close()

    await sync_to_async(release, thread_sensitive=False)()


def require_port(host: str, port: int) -> None:
    """Raise CannotStart if nobody could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CannotStart(
                    _("Port %(port)d is in use: stop what listens there, or choose another with --port %(next)d.")
                    % {"port": port, "next": port + 1 if port < 65535 else 8000}
                ) from None
            raise CannotStart(
                _("Can't listen on %(host)s port %(port)d: %(why)s. Choose another with --host and --port.")
                % {"host": host, "port": port, "why": error.strerror or error}
            ) from None


def migrate() -> None:
    """Apply the migrations; several machines starting at once take turns. CannotStart without a database."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise CannotStart(_("The database can't be reached, check DATABASE_URL: %s") % str(error).strip()) from None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATION_LOCK])
        try:
            call_command("migrate", verbosity=0, interactive=False)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATION_LOCK])
    connection.close()


def supervisor(programs: list[Program], echo) -> Supervisor:
    """A supervisor with the project's own folder and patience."""
    return Supervisor(
        programs, stop_s=settings.SHEAF_STOP_S + STOP_MARGIN_S, echo=echo, cwd=os.fspath(settings.BASE_DIR)
    )
