"""Runs everything on one machine: the database (if embedded), migrations, the web process and the workers."""

from __future__ import annotations

import asyncio
import sys

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _

from config.machine import programs


class Command(BaseCommand):
    help = "Run web and workers on this machine until Ctrl-C or SIGTERM."

    def add_arguments(self, parser):
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2, help="number of worker processes")
        parser.add_argument("--concurrency", type=int, help="children at once in each worker (default: its own choice)")

    def handle(self, *, host, port, workers, concurrency, **options):
        try:
            programs.require_port(host, port)
            programs.migrate()
        except programs.CannotStart as error:
            raise CommandError(str(error), returncode=2) from None
        self.stdout.write(_("Sheaf is at http://%(host)s:%(port)d/ - Ctrl-C stops it.") % {"host": host, "port": port})
        nobody = not get_user_model().objects.exists()
        connection.close()  # the supervisor lives for days and asks nothing more
        if nobody:
            self.stdout.write(_("Nobody has an account yet: “make admin” in another window makes the first one."))
        house = programs.supervisor(
            [programs.web(host, port), *(programs.worker(n, concurrency) for n in range(1, workers + 1))],
            self._print,
        )
        sys.exit(asyncio.run(house.run()))

    def _print(self, name: str, line: str) -> None:
        """With its name before it, except where the line is an object that says itself whose it is."""
        self.stdout.write(line if settings.SHEAF_LOG_FORMAT == "json" else f"{name:<9}| {line}")
        self.stdout.flush()
