"""Whether the database has the tables of this code: asked by a worker before it takes anything."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def lacking() -> list[str]:
    """Migrations of our own apps that the database has not had, as "tasks.0001_initial"; empty when all is well.

    Names on the disk against names in the table: Django's own plan loads every migration of every app first, which a
    worker that is started again and again need not pay.
    """
    applied = set(MigrationRecorder(connection).applied_migrations())
    due = []
    for app in apps.get_app_configs():
        if app.name.split(".")[0] == "tasks":
            names = {module.name for module in iter_modules([str(Path(app.path) / "migrations")])}
            due += [f"{app.label}.{name}" for name in sorted(names) if (app.label, name) not in applied]
    return due
