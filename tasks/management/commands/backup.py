"""``manage.py backup FILE``: the whole database in one file, while everything runs."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _

from config.machine import dump


class Command(BaseCommand):
    help = "Save the whole database to one file, while everything runs."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *, file, **options):
        if file.exists():
            raise CommandError(f"{file} exists already: give another name, or remove it.")
        try:
            size = dump.save(connection.settings_dict, file)
        except dump.CannotDump as error:
            raise CommandError(str(error)) from None
        self.stdout.write(_("%(file)s: %(mib).1f MiB.") % {"file": file, "mib": size / 2**20})
        if not settings.STORAGES["papers"]["BACKEND"].endswith(".PostgresStorage"):
            self.stdout.write(_("Papers are not in it: back up the folder or the bucket of SHEAF_STORAGE as well."))
        self.stdout.write(_("Keep SECRET_KEY (or %s) with it.") % (settings.SHEAF_VAR / "secret-key"))
