"""Watches a Task as a client does, and writes lines as the engine does; used by the live view's tests and benches."""

from __future__ import annotations

import asyncio
import json
import time
from http.cookies import SimpleCookie

import psycopg
import websockets
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from config.database import url_of
from tasks.models import Task

WRITE = """
WITH t AS (
    UPDATE tasks_task SET log_seq = log_seq + cardinality(%(texts)s::text[]) WHERE id = %(task)s RETURNING id, log_seq
)
INSERT INTO tasks_logline (task_id, seq, attempt, level, code, text, data)
SELECT t.id, t.log_seq - cardinality(%(texts)s::text[]) + l.n, 0, %(level)s, %(code)s, l.text, %(data)s
  FROM t, unnest(%(texts)s::text[]) WITH ORDINALITY AS l(text, n)
"""


def database_url() -> str:
    from django.db import connection

    return url_of(connection.settings_dict)


def values(task_id: int, texts, level: int = 20, code: str = "", data: dict | None = None) -> dict:
    return {"task": task_id, "texts": list(texts), "level": level, "code": code, "data": json.dumps(data or {})}


def write(task_id: int, *texts: str, **options) -> None:
    """Lines in one statement, over a connection of its own, committed when it returns."""
    with psycopg.connect(database_url(), autocommit=True) as connection:
        connection.execute(WRITE, values(task_id, texts, **options))


def many_lines(task_id: int, n: int) -> None:
    """n lines at once, by PostgreSQL itself."""
    with psycopg.connect(database_url()) as db:
        found = db.execute("UPDATE tasks_task SET log_seq = log_seq + %s WHERE id = %s RETURNING log_seq", [n, task_id])
        (head,) = found.fetchone()
        db.execute("SET LOCAL session_replication_role = replica")  # a million look-ups of the same batch tell nothing
        db.execute(
            """
            INSERT INTO tasks_logline (task_id, seq, attempt, level, code, text, data)
            SELECT %s, i, 0, 20, '', 'line number ' || i, '{}' FROM generate_series(%s::bigint, %s) AS i
            """,
            [task_id, head - n + 1, head],
        )


def person(name: str = "ada", **options):
    return get_user_model().objects.create_user(name, **options)  # without a password: hashing one takes long


def running_task(owner, **options) -> Task:
    """A Task in the middle of its work, with ten children promised."""
    options = {"kind": "shout", "title": "Ten papers", "state": "running", "total": 10, "sealed": True, **options}
    return Task.objects.create(owner=owner, **options)


def session_of(user) -> str:
    """The Cookie header of a session in which this person has logged in."""
    client = Client()
    client.force_login(user)
    cookies: SimpleCookie = client.cookies
    return f"{settings.SESSION_COOKIE_NAME}={cookies[settings.SESSION_COOKIE_NAME].value}"


async def until(predicate, timeout: float = 30.0) -> None:
    """Wait for a predicate (which may be a coroutine function) with short looks; AssertionError after ``timeout``."""
    deadline = time.monotonic() + timeout
    while True:
        answer = predicate()
        if await answer if asyncio.iscoroutine(answer) else answer:
            return
        assert time.monotonic() < deadline, f"waited {timeout:g} s in vain"
        await asyncio.sleep(0.02)


class Watcher:
    """A websocket that keeps what it got and confirms it. Use as ``async with``."""

    def __init__(
        self,
        port,
        task_id,
        cookie="",
        *,
        after: int | None = 0,
        at: int | None = None,
        origin: str | None = "",
        acks=True,
    ):
        self.address = f"ws://127.0.0.1:{port}/ws/tasks/{task_id}/" + ("" if after is None else f"?after={after}")
        self.address += "" if at is None else f"&at={at}"
        self._headers = {"Cookie": cookie} if cookie else {}
        self._origin = f"http://127.0.0.1:{port}" if origin == "" else origin
        self._acks = acks
        self.messages: list[dict] = []
        self.close_code: int | None = None
        self.after = after or 0

    async def __aenter__(self):
        self.socket = await websockets.connect(
            self.address,
            origin=self._origin,
            additional_headers=self._headers,
            compression=None,
            max_size=None,
            open_timeout=30,
        )
        self._arrived = asyncio.Event()
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_):
        self._reading.cancel()
        await self.socket.close()

    async def _read(self):
        try:
            async for text in self.socket:
                await self._take_time()
                self.messages.append(json.loads(text))
                if self._acks:
                    await self.socket.send(json.dumps({"type": "ack", "frames": len(self.messages)}))
                self._arrived.set()
        except websockets.ConnectionClosed:
            pass  # the code is read below
        finally:
            self.close_code = self.socket.close_code
            self._arrived.set()

    async def _take_time(self) -> None:
        """Before a message is confirmed; nothing here."""

    async def until(self, predicate, timeout: float = 30.0):
        """The first true answer of predicate(self), asked after each message."""

        async def wait():
            while not (answer := predicate(self)):
                assert self.close_code is None, f"closed with {self.close_code}; got {str(self.messages[-3:])[:2000]}"
                self._arrived.clear()
                await self._arrived.wait()
            return answer

        try:
            return await asyncio.wait_for(wait(), timeout)
        except TimeoutError:
            last = str(self.messages[-2:])[:2000]
            raise AssertionError(f"waited in vain; {len(self.messages)} messages, last {last}") from None

    async def until_closed(self, timeout: float = 30.0) -> int:
        await asyncio.wait_for(self._reading, timeout)
        return self.close_code

    def of(self, kind: str) -> list[dict]:
        return [message for message in self.messages if message["type"] == kind]

    @property
    def seqs(self) -> list[int]:
        return [line["seq"] for message in self.of("lines") for line in message["lines"]]

    @property
    def texts(self) -> list[str]:
        return [line["text"] for message in self.of("lines") for line in message["lines"]]
