"""Writes lines into a Task's log.

The lines of one statement take their numbers from the Task's own row (``log_seq = log_seq + n``): the row's lock
makes the order of numbers the order of commits, without gaps, so a reader can prove that it missed nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone

from django.db import connection, transaction
from django.db.models import F

from tasks.models import Task
from tasks.states import Level

MAX_TEXT = 64 * 1024
#: An escaped NUL, but not an escaped backslash that stands before the letters u0000.
_NUL = re.compile(r"((?<!\\)(?:\\\\)*)\\u0000")

_INSERT = """
INSERT INTO tasks_logline (task_id, seq, subtask_id, attempt, level, code, text, data, at)
SELECT %s, %s + n, subtask, attempt, level, code, text, data, at
  FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::text[], %s::text[], %s::jsonb[], %s::timestamptz[])
       WITH ORDINALITY AS l(subtask, attempt, level, code, text, data, at, n)
"""


@dataclass
class Line:
    """One line before it has its number. ``at`` is the writer's clock, UTC."""

    task_id: int
    text: str = ""
    code: str = ""
    level: int = Level.INFO
    data: dict = field(default_factory=dict)
    subtask_id: int | None = None
    attempt: int = 0
    at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))


def storable(text: str) -> str:
    """Text as PostgreSQL can keep it: NUL and lone surrogates become U+FFFD, a monster line is cut and says so."""
    text = text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… (+{len(text) - MAX_TEXT})"


def storable_json(value) -> str:
    """JSON as PostgreSQL can keep it. ValueError for what JSON cannot say (NaN), TypeError for foreign objects."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _NUL.sub("\\1\ufffd", text.encode("utf-8", "replace").decode())


def insert(task_id: int, before: int, lines: list[Line]) -> None:
    """Store lines as ``before + 1 ...``. The caller holds the Task's row, from which it took the numbers."""
    with connection.cursor() as cursor:
        cursor.execute(
            _INSERT,
            [
                task_id,
                before,
                [line.subtask_id for line in lines],
                [line.attempt for line in lines],
                [line.level for line in lines],
                [line.code for line in lines],
                [storable(line.text) for line in lines],
                [storable_json(line.data) for line in lines],
                [line.at for line in lines],
            ],
        )


@transaction.atomic
def write(lines: Iterable[Line]) -> None:
    """Store lines of any number of Tasks, now. Lines of a Task that is gone are dropped with it."""
    by_task: dict[int, list[Line]] = {}
    for line in lines:
        by_task.setdefault(line.task_id, []).append(line)
    for task_id, its in sorted(by_task.items()):
        if Task.objects.filter(pk=task_id).update(log_seq=F("log_seq") + len(its)):
            insert(task_id, last_number(task_id) - len(its), its)


def last_number(task_id: int) -> int:
    return Task.objects.values_list("log_seq", flat=True).get(pk=task_id)


def say(task_id: int, code: str, *, level: int = Level.INFO, **data) -> None:
    """One line of the engine itself, by code."""
    write([Line(task_id, code=code, level=level, data=data)])
