"""Writes lines into a Task's log.

The lines of one statement take their numbers from the Task's own row (``log_seq = log_seq + n``): the row's lock
makes the order of numbers the order of commits, without gaps, so a reader can prove that it missed nothing.

Secrets are masked before anything is stored (``tasks.log.masking``); what is stored is all that anybody ever sees.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db import connection, transaction
from django.db.models import F

from tasks.log.masking import masked, masked_values
from tasks.models import Task
from tasks.states import Level

MAX_TEXT = 64 * 1024
#: An escaped NUL, but not an escaped backslash that stands before the letters u0000.
_NUL = re.compile(r"((?<!\\)(?:\\\\)*)\\u0000")

_INSERT = """
INSERT INTO tasks_logline (task_id, seq, subtask_id, attempt, level, code, text, data, at)
SELECT task, seq, subtask, attempt, level, code, text, data,
       at + CASE WHEN abs(extract(epoch FROM ahead)) > %s THEN ahead ELSE interval '0' END
  FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::int[], %s::int[], %s::text[], %s::text[],
              %s::jsonb[], %s::timestamptz[]) AS line(task, seq, subtask, attempt, level, code, text, data, at),
       (SELECT clock_timestamp() - %s::timestamptz) AS clock(ahead)
"""
#: Clocks of two machines that agree to so many seconds are left alone: the way to the database takes time too.
CLOCKS_AGREE_S = 2


def now() -> datetime:
    """This machine's clock (UTC)."""
    return datetime.now(UTC)


@dataclass
class Line:
    """One line before it has its number. ``masked``: it has no secrets any more.

    ``at`` is the writer's clock; stored is the database's, by which all machines' lines are in one time.
    """

    task_id: int
    text: str = ""
    code: str = ""
    level: int = Level.INFO
    data: dict = field(default_factory=dict)
    subtask_id: int | None = None
    attempt: int = 0
    at: datetime = field(default_factory=lambda: now())
    masked: bool = False


def storable(text: str) -> str:
    """Text as we keep it: without secrets, and as ``_cut``."""
    # masked before it is cut, or half a secret would be left; what is far behind the cut goes anyway
    return _cut(masked(text[: 2 * MAX_TEXT]) + text[2 * MAX_TEXT :])


def _cut(text: str) -> str:
    """Text as PostgreSQL can keep it: NUL and lone surrogates become U+FFFD, a monster line is cut and says so."""
    text = text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… (+{len(text) - MAX_TEXT})"


def storable_json(value) -> str:
    """JSON as PostgreSQL can keep it. ValueError for what JSON cannot say (NaN), TypeError for foreign objects."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _NUL.sub("\\1\ufffd", text.encode("utf-8", "replace").decode())


def insert(lines: list[Line]) -> None:
    """Store lines under the last numbers of their Tasks, which the caller has just moved up and so holds locked.
    Lines of a Task that is gone are gone with it."""
    if not lines:
        return
    of_task = Counter(line.task_id for line in lines)
    last = dict(Task.objects.filter(pk__in=of_task).values_list("pk", "log_seq"))
    following = {task_id: last[task_id] - n + 1 for task_id, n in of_task.items() if task_id in last}
    kept, numbers = [line for line in lines if line.task_id in following], []
    for line in kept:
        numbers.append(following[line.task_id])
        following[line.task_id] += 1
    with connection.cursor() as cursor:
        cursor.execute(
            _INSERT,
            [
                CLOCKS_AGREE_S,
                [line.task_id for line in kept],
                numbers,
                [line.subtask_id for line in kept],
                [line.attempt for line in kept],
                [line.level for line in kept],
                [line.code for line in kept],
                [_cut(line.text) if line.masked else storable(line.text) for line in kept],
                [storable_json(line.data if line.masked else masked_values(line.data)) for line in kept],
                [line.at for line in kept],
                now(),
            ],
        )


@transaction.atomic
def write(lines: Iterable[Line]) -> None:
    """Store lines of any number of Tasks, now."""
    lines = list(lines)
    for task_id, n in sorted(Counter(line.task_id for line in lines).items()):
        Task.objects.filter(pk=task_id).update(log_seq=F("log_seq") + n)
    insert(lines)


def say(task_id: int, code: str, *, level: int = Level.INFO, **data) -> None:
    """One line of the engine itself, by code."""
    write([Line(task_id, code=code, level=level, data=data)])
