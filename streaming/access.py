"""Who may watch: the origin of a websocket, the session, the Task. Asked at the start and again and again.

The ORM runs in a thread of our own, so that it neither blocks the loop nor queues behind pages; while it is at it,
questions gather, and the next round answers them all: 2,000 people who come back at once take a few dozen queries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host

from streaming.deadline import within
from streaming.messages import Close
from streaming.people import owners_of, people_of, shared_with, who_view_all

_thread = ThreadPoolExecutor(1, thread_name_prefix="live-access")
ANSWER_LIMIT_S = 8
#: Questions of one round: more would keep the first of them waiting for the last.
MOST_AT_ONCE = 250


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


Question = tuple[str, int | None]


def _ask(questions: list[Question]) -> dict[Question, Close | None]:
    try:
        return _look(questions)
    except (InterfaceError, OperationalError):
        connection.close()  # kept from one round to the next; a restart of the database may have cut it
        return _look(questions)


def _look(questions: list[Question]) -> dict[Question, Close | None]:
    """The rule of ``Task.objects.visible_to`` and ``may_see_board`` for all of them at once."""
    people = people_of(key for key, _ in questions)
    all_seeing = who_view_all(people.values())
    tasks = {task for _, task in questions if task is not None}
    owners, shared = owners_of(tasks), shared_with(people.values(), tasks)

    def answer(key: str, task: int | None) -> Close | None:
        person = people.get(key)
        if person is None:
            return Close.NO_SESSION
        if person.pk in all_seeing:
            return None if task is None or task in owners else Close.NOT_ALLOWED
        sees = task is not None and (owners.get(task) == person.pk or (person.pk, task) in shared)
        return None if sees else Close.NOT_ALLOWED

    return {question: answer(*question) for question in questions}


class Questions:
    """The questions of one event loop. What comes while a round is under way is asked together in the next one."""

    _of_loop: WeakKeyDictionary = WeakKeyDictionary()

    @classmethod
    def here(cls) -> Questions:
        loop = asyncio.get_running_loop()
        questions = cls._of_loop.get(loop)
        if questions is None:
            questions = cls._of_loop[loop] = cls()
        return questions

    def __init__(self):
        self._waiting: dict[Question, asyncio.Future] = {}
        self._job: asyncio.Task | None = None

    def ask(self, question: Question) -> asyncio.Future:
        """The answer to come, shared by all who ask the same; who leaves must not cancel it for the others."""
        answer = self._waiting.get(question)
        if answer is None:
            answer = self._waiting[question] = asyncio.get_running_loop().create_future()
            if self._job is None:
                self._job = asyncio.create_task(self._run())
        return answer

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                some = {question: self._waiting.pop(question) for question in list(self._waiting)[:MOST_AT_ONCE]}
                try:
                    answers = await loop.run_in_executor(_thread, _ask, list(some))
                except Exception as error:  # noqa: BLE001 - told to each who asked
                    for asked in some.values():
                        asked.set_exception(error)
                        asked.exception()  # seen, also where nobody waits any more
                else:
                    for question, asked in some.items():
                        asked.set_result(answers[question])
        finally:
            self._job = None


async def _answer(question: Question) -> Close | None:
    return await asyncio.shield(Questions.here().ask(question))


async def refusal(session_key: str, task_id: int | None) -> Close | None:
    """Why the holder of this session may not watch this Task (None: the board); None: may.

    Raises django.db.Error or TimeoutError where the database doesn't answer.
    """
    if not session_key:
        return Close.NO_SESSION
    return await within(ANSWER_LIMIT_S, _answer((session_key, task_id)))
