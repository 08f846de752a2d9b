"""``manage.py restore FILE``: the database as it was when the file was made by ``manage.py backup``."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from config.machine import dump
from tasks.models import Worker


class Command(BaseCommand):
    help = "Bring back what `backup` saved. Web and workers must be stopped."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--replace", action="store_true", help="drop what the database holds now")

    def handle(self, *, file, replace, **options):
        database = connection.settings_dict
        if not file.is_file():
            raise CommandError(f"{file} is not there.")
        if not dump.is_empty(database):
            if not replace:
                raise CommandError("The database is not empty. With --replace all that it holds now is dropped first.")
            self._refuse_while_workers_live()
        connection.close()
        try:
            dump.load(database, file)
        except dump.CannotDump as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            _("Restored. Now: manage.py migrate, then start web and workers; batches go on by themselves.")
        )

    def _refuse_while_workers_live(self):
        if Worker._meta.db_table not in connection.introspection.table_names():
            return
        since = timezone.now() - timedelta(seconds=settings.SHEAF_LANE_STALE_S)
        living = Worker.objects.filter(seen_at__gt=since).order_by("host", "pid").values_list("host", "pid")
        if living:
            names = ", ".join(f"{host}:{pid}" for host, pid in living)
            raise CommandError(f"Workers live ({names}): stop web and workers first.")
