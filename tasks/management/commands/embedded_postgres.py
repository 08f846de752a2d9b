"""Looks after the embedded PostgreSQL by hand: status, start, stop, restart, url."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.machine import embedded_postgres


class Command(BaseCommand):
    help = "Status, start, stop, restart or address of the embedded PostgreSQL server."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("action", choices=["status", "start", "stop", "restart", "url"])
        parser.add_argument("--immediate", action="store_true", help="stop as a crash would (recovery at next start)")

    def handle(self, *, action, immediate, **options):
        if not settings.SHEAF_EMBEDDED_POSTGRES:
            raise CommandError("DATABASE_URL is set: that server is used, there is no embedded one.")
        data = settings.SHEAF_POSTGRES_DIR
        if action == "start":
            embedded_postgres.start(data, stays=True)
        elif action == "stop":
            embedded_postgres.stop(data, immediate=immediate)
        elif action == "restart":
            embedded_postgres.restart(data, immediate=immediate)
        elif action == "url":
            self.stdout.write(settings.DATABASE_URL or embedded_postgres.url(data))
            return
        running = embedded_postgres.is_running(data)
        self.stdout.write(f"{'running' if running else 'stopped'} ({data})")
