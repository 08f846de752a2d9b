"""Reads Tasks and log lines for live views, on a few asynchronous connections of its own.

Not the ORM: its asynchronous calls share one thread of the process, and every watched Task would queue there behind
every page. The statements name the same tables; rows of Tasks become ``tasks.models.Task`` again, so that rules
such as the percentage live once. Lines are encoded by PostgreSQL: no value passes through Python objects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime

import psycopg
from django.db import connections
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from streaming.deadline import within
from tasks.models import Task

#: What a failed read raises: the database is away, or too slow to answer.
ReadError = (psycopg.Error, PoolTimeout, asyncio.TimeoutError, OSError)
READ_LIMIT_S = 10

_TOLD = {
    "id",
    "kind",
    "title",
    "state",
    "paused",
    "sealed",
    "expected",
    "total",
    "succeeded",
    "failed",
    "cancelled",
    "generation",
    "version",
    "log_seq",
    "error_code",
    "created_at",
    "updated_at",
    "started_at",
    "finished_at",
}
#: In the model's order, as Model.from_db wants it.
TASK_COLUMNS = tuple(field.attname for field in Task._meta.concrete_fields if field.attname in _TOLD)
_TASKS = f"SELECT clock_timestamp(), {', '.join(TASK_COLUMNS)} FROM tasks_task WHERE id = ANY(%s)"
_VERSIONS = "SELECT id, version FROM tasks_task WHERE id = ANY(%s)"

#: One line as the wire has it. The caller's FROM provides l (tasks_logline).
LINE = """
    l.seq, (SELECT row_to_json(w)::text FROM (SELECT l.seq, floor(extract(epoch FROM l.at) * 1000)::bigint AS at,
        l.level, l.code, left(l.text, 70000) AS text, l.data, l.subtask_id AS subtask, s.key, l.attempt) w)
"""
KEY = "LEFT JOIN tasks_subtask s ON s.id = l.subtask_id"
_LINES = f"""
    SELECT want.task, line.* FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS want(task, after, upto)
    CROSS JOIN LATERAL (
        SELECT {LINE} FROM tasks_logline l {KEY}
         WHERE l.task_id = want.task AND l.seq > want.after AND l.seq <= want.upto ORDER BY l.seq
    ) line
"""


def connection_options() -> dict:
    """psycopg's arguments for Django's default database, without what belongs to Django alone."""
    options = connections["default"].get_connection_params()
    for name in ("cursor_factory", "context"):
        options.pop(name, None)
    return {**options, "autocommit": True}


class Reader:
    """The reads of one event loop, on at most ``connections`` connections.

    Every method raises one of ``ReadError`` when the database doesn't answer.
    """

    def __init__(self, connections: int):
        self._pool = AsyncConnectionPool(
            kwargs=connection_options(),
            min_size=1,
            max_size=connections,
            timeout=5,
            reconnect_timeout=5,
            num_workers=1,
            open=False,
            name="live",
        )
        self._opened = False

    async def rows(self, statement: str, values: Iterable) -> list[tuple]:
        return await within(READ_LIMIT_S, self._rows(statement, values))

    async def _rows(self, statement: str, values: Iterable) -> list[tuple]:
        if not self._opened:
            self._opened = True
            await self._pool.open()
        async with self._pool.connection() as connection:
            return await (await connection.execute(statement, values)).fetchall()

    async def tasks(self, ids: Iterable[int]) -> dict[int, tuple[Task, datetime]]:
        """{id: (Task, the database's clock)}; an id without a row is missing."""
        found = await self.rows(_TASKS, [list(ids)])
        return {row[1]: (Task.from_db("default", TASK_COLUMNS, row[1:]), row[0]) for row in found}

    async def versions(self, ids: Iterable[int]) -> dict[int, int]:
        return dict(await self.rows(_VERSIONS, [list(ids)]))

    async def lines(self, wanted: Iterable[tuple[int, int, int]]) -> dict[int, list[tuple[int, str]]]:
        """{task: [(seq, encoded line), ...]} for each (task, after, upto), in order."""
        wanted = list(wanted)
        found: dict[int, list[tuple[int, str]]] = {task: [] for task, _, _ in wanted}
        columns = [list(column) for column in zip(*wanted, strict=True)]
        for task, seq, text in await self.rows(_LINES, columns):
            found[task].append((seq, text))
        return found

    async def mend(self) -> None:
        """Replace connections that a restart of the database has cut."""
        if self._opened:
            await self._pool.check()

    async def close(self) -> None:
        if self._opened:
            await self._pool.close(timeout=2)
