"""Defers control jobs (expand, finalize, sweep up) in the transaction that makes them necessary.

They are named, not imported: the verbs know that a job exists, the jobs know the verbs. ``lock`` keeps two runs of
the same job apart, ``queueing_lock`` keeps one waiting at the most; a conflict is what we want, not an error.
"""

from django.db import connection
from psycopg.types.json import Jsonb

QUEUE = "control"
EXPAND, FINALIZE, SWEEP_UP = "tasks.jobs.expand", "tasks.jobs.finalize", "tasks.jobs.sweep_up"

_DEFER = """
INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""


def _defer(job: str, name: str, **args) -> None:
    lock = f"{name}/{'/'.join(str(value) for value in args.values())}"
    with connection.cursor() as cursor:
        cursor.execute(_DEFER, [QUEUE, job, lock, lock, Jsonb(args)])


def defer_expand(task_id: int) -> None:
    """The Manager: insert the children."""
    _defer(EXPAND, "expand", task_id=task_id)


def defer_finalize(task_id: int, generation: int) -> None:
    """The closing step of one generation."""
    _defer(FINALIZE, "finalize", task_id=task_id, generation=generation)


def defer_sweep_up(task_id: int) -> None:
    """What cancel and retry leave for later: moving the children, in chunks."""
    _defer(SWEEP_UP, "sweep_up", task_id=task_id)
