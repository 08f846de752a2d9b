"""Who may watch: the origin of a websocket, the session, the Task. Asked at the start and again and again.

The ORM runs in a small pool of threads of our own, so that it neither blocks the loop nor queues behind pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import SimpleNamespace
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user
from django.db import InterfaceError, OperationalError, connection
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host

from streaming.deadline import within
from streaming.messages import Close
from tasks.models import Task

_threads = ThreadPoolExecutor(2, thread_name_prefix="live-access")
_asked: dict[tuple, asyncio.Future] = {}
ANSWER_LIMIT_S = 8


def headers_of(scope: Mapping) -> dict[str, str]:
    return {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}


def same_origin(headers: Mapping[str, str]) -> bool:
    """A browser sends cookies with any page's websocket, so the page must be ours (``null``, no Origin: refused)."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    parts = urlsplit(origin)
    ours = validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS)
    return parts.scheme in ("http", "https") and ours and parts.netloc.lower() == host.lower()


def session_key_of(headers: Mapping[str, str]) -> str:
    """The session that a websocket's cookie names; a quoted cookie may hold a NUL, which no session has."""
    return parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME, "").replace("\x00", "")


def may_see_board(user) -> bool:
    """Whether this person is shown every batch that runs."""
    return user.is_active and user.is_staff and user.has_perm("tasks.view_task")


def _ask(session_key: str, task_id: int | None) -> Close | None:
    try:
        return _look(session_key, task_id)
    except (InterfaceError, OperationalError):
        connection.close()  # kept from one question to the next; a restart of the database may have cut it
        return _look(session_key, task_id)


def _look(session_key: str, task_id: int | None) -> Close | None:
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(SimpleNamespace(session=session))
    if not (user.is_authenticated and user.is_active):
        return Close.NO_SESSION
    if task_id is None:
        return None if may_see_board(user) else Close.NOT_ALLOWED
    return None if Task.objects.visible_to(user).filter(pk=task_id).exists() else Close.NOT_ALLOWED


async def _answer(asking: asyncio.Future) -> Close | None:
    # shielded: the question is shared, one who leaves must not take it back for the others
    return await asyncio.shield(asking)


async def refusal(session_key: str, task_id: int | None) -> Close | None:
    """Why the holder of this session may not watch this Task (None: the board); None: may. Equal
    questions of one moment are asked once.

    Raises django.db.Error or TimeoutError where the database doesn't answer.
    """
    if not session_key:
        return Close.NO_SESSION
    loop = asyncio.get_running_loop()
    key = (loop, session_key, task_id)
    asking = _asked.get(key)
    if asking is None:
        asking = _asked[key] = loop.run_in_executor(_threads, _ask, session_key, task_id)
        asking.add_done_callback(lambda _: _asked.pop(key, None))
    return await within(ANSWER_LIMIT_S, _answer(asking))
