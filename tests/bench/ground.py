"""What every bench stands on: the embedded server (or DATABASE_URL) with a database of the bench's own, emptied.

fsync and synchronous_commit stay on.
"""

from __future__ import annotations

import os

say = print


def prepare(*kinds: str) -> None:
    """Set the environment, start the server, make the bench's database anew, set Django up."""
    os.environ.setdefault("SHEAF_VAR", f"/var/tmp/sheaf-bench-{os.getuid()}")
    os.environ["SHEAF_KINDS"] = ",".join(kinds)
    os.environ.setdefault("SHEAF_LOG_LEVEL", "WARNING")
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from config.machine import embedded_postgres

    embedded_postgres.use()
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone()[0] == "on", "a bench without durable commits measures nothing"
    empty()


def empty() -> None:
    """Throw away every batch and job."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "TRUNCATE tasks_task, tasks_queue, tasks_worker, procrastinate_jobs, procrastinate_workers CASCADE"
        )


def batch(kind: str, **params):
    """Start a batch; the Task."""
    from tasks import fanout

    task = fanout.create(kind, title="bench", params=params)
    fanout.start(task)
    return task


def ended(task) -> bool:
    task.refresh_from_db()
    return task.is_terminal


def empty_batches() -> None:
    """Throw away the batches alone; workers and queues stay."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE tasks_task CASCADE")
