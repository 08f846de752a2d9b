"""The project as daphne serves it, with its queries counted by what they read; asked over ``/bench/queries``.

Counted where they leave the process: the live view's asynchronous connections, and Django's in the threads that ask
who may watch. The answer is JSON: ``{"replay": n, "tasks": n, "authorization": n, "other": n}``. ``/bench/counts`` says
``{"requests": n, "queries": n}``: all HTTP requests and all queries of the process.
"""

from __future__ import annotations

import json
import threading
from collections import Counter

import psycopg
from django.db.backends.signals import connection_created

from config.asgi import application as project

counted: Counter = Counter()
_execute = psycopg.AsyncConnection.execute


def kind_of(statement: str) -> str:
    if "tasks_logline" in statement:
        return "replay"
    return "tasks" if "tasks_task" in statement else "other"


def execute(self, statement, *arguments, **options):
    counted[kind_of(str(statement))] += 1
    counted["queries"] += 1
    return _execute(self, statement, *arguments, **options)


def count_orm(connection, **_):
    def counting(do, statement, *rest):
        if threading.current_thread().name.startswith("live-access"):
            counted["authorization"] += 1
        counted["queries"] += 1
        return do(statement, *rest)

    connection.execute_wrappers.append(counting)


psycopg.AsyncConnection.execute = execute
connection_created.connect(count_orm, weak=False)


ANSWERS = {
    "/bench/queries": ("replay", "tasks", "authorization", "other"),
    "/bench/counts": ("requests", "queries"),
}


async def application(scope, receive, send):
    if scope["type"] == "http" and (names := ANSWERS.get(scope["path"])):
        body = json.dumps({name: counted[name] for name in names}).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": body})
        return
    counted["requests"] += scope["type"] == "http"
    await project(scope, receive, send)
