"""The parts of a batch's page that change while it runs, rendered once for all who look at the same.

A page says what it shows: a query (filter, page, order), a language and the version of the batch that it has. Whoever
says the same shares one ``Shown``. It renders after a change of the batch, at most once in ``PACE_S`` and never while
nobody looks, in a thread of its own. Who has the rendering before gets the lines that differ, everybody else the whole.

What is rendered is the Kind's: its ``page_parts`` names a module with two functions::

    viewer(task, user) -> str | None        what of the person changes what is shown; None: nothing is for them
    parts(task, query, viewer) -> {id: html}

HTML of parts holds no token of a form and nothing else of one person; the page adds its token.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from importlib import import_module
from weakref import WeakKeyDictionary

from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection
from django.http import QueryDict
from django.utils import translation

from streaming import messages
from streaming.deadline import signalled, within
from streaming.hub import Hub
from streaming.people import people_of
from tasks.kinds.base import kind_named
from tasks.models import Task

log = logging.getLogger(__name__)

PACE_S = 1.0
#: Of a process's time, rendering takes at most one part in so many.
SHARE = 5
RENDER_LIMIT_S = 20
_thread = ThreadPoolExecutor(1, thread_name_prefix="live-parts")


def _with_database(function, *args):
    """Call ``function`` in this thread, once more where a restart of the database has cut the connection kept here."""
    try:
        return function(*args)
    except (InterfaceError, OperationalError):
        connection.close()
        return function(*args)


def _module_of(task: Task):
    kind = kind_named(task.kind)
    return import_module(kind.page_parts) if kind and kind.page_parts else None


def _viewer(session_key: str, task_id: int) -> str | None:
    user = people_of([session_key]).get(session_key)
    task = Task.objects.visible_to(user).filter(pk=task_id).first() if user else None
    module = _module_of(task) if task else None
    return module.viewer(task, user) if module else None


def _render(task_id: int, query: str, language: str, viewer: str) -> tuple[int, dict[str, list[str]]] | None:
    """(the batch's version, {id: lines of HTML}) as it is now; None: it is gone."""
    task = Task.objects.select_related("owner").filter(pk=task_id).first()
    if task is None:
        return None
    with translation.override(language):
        made = _module_of(task).parts(task, QueryDict(query), viewer)
    return task.version, {name: html.split("\n") for name, html in made.items()}


async def _in_thread(function, *args):
    """Raises django.db.Error or TimeoutError where the database doesn't answer."""
    return await within(
        RENDER_LIMIT_S, asyncio.get_running_loop().run_in_executor(_thread, _with_database, function, *args)
    )


def edits(before: list[str], after: list[str]) -> list[list]:
    """``[[from, to, lines]]``: in this order, from the end to the beginning, they turn ``before`` into ``after``."""
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [[begin, end, after[i:j]] for what, begin, end, i, j in reversed(found) if what != "equal"]


class Shown:
    """One rendering for all who look at the same: ``Shown.of(task, query, language, viewer)``."""

    _of_loop: WeakKeyDictionary = WeakKeyDictionary()

    @classmethod
    def of(cls, *view) -> Shown:
        known = cls._of_loop.setdefault(asyncio.get_running_loop(), {})
        if view not in known:
            known[view] = cls(known, view)
        return known[view]

    def __init__(self, known: dict, view: tuple[int, str, str, str]):
        self._known, self._view = known, view
        self.version = self.before = -1  # of the batch: as it was rendered last, and the time before
        self.change = ""  # the message for who has the rendering before
        self.renderings = 0
        self._whole = ""
        self._parts: dict[str, list[str]] = {}
        self._lookers: set = set()
        self._news = asyncio.Event()
        self._job: asyncio.Task | None = None

    @property
    def whole(self) -> str:
        """The message for a newcomer."""
        if not self._whole:
            parts = {name: {"html": "\n".join(lines)} for name, lines in self._parts.items()}
            self._whole = messages.parts(self.version, None, self._view[1], parts)
        return self._whole

    def join(self, looker) -> None:
        self._lookers.add(looker)
        if self._job is None:
            self._watched = Hub.here().join(self._view[0], self)
            self._job = asyncio.create_task(self._run())
        self._news.set()

    def leave(self, looker) -> None:
        self._lookers.discard(looker)
        self._news.set()

    def wake(self) -> None:
        """Called by the hub: the batch may have changed."""
        self._news.set()

    async def _run(self) -> None:
        try:
            await self._watched.loaded.wait()
            while self._lookers and not self._watched.close_code:
                self._news.clear()
                pause = PACE_S
                if self._watched.task and self._watched.task.version > min(one.version for one in self._lookers):
                    if self._watched.task.version != self.version:
                        pause = max(PACE_S, SHARE * await self._render())
                    for looker in list(self._lookers):
                        looker.wake()
                    await asyncio.sleep(pause)
                if not self._news.is_set():
                    await signalled(self._news, 60)
        finally:
            self._job = None
            Hub.here().leave(self._watched, self)
            if not self._lookers:
                self._known.pop(self._view, None)

    async def _render(self) -> float:
        """Render and note what differs; the seconds that it took."""
        began = time.monotonic()
        try:
            made = await _in_thread(_render, *self._view)
        except (DatabaseError, TimeoutError) as error:
            log.info("live view: a page's parts can't be rendered now (%s)", error or type(error).__name__)
            self._news.set()  # try again
            return time.monotonic() - began
        except Exception:  # a Kind's own: the page fetches its parts when none come
            log.exception("live view: the parts of batch %s can't be rendered", self._view[0])
            return time.monotonic() - began
        if made is not None and made[0] != self.version:
            version, parts = made
            changed = {
                name: {"edits": edits(self._parts.get(name, []), lines)}
                for name, lines in parts.items()
                if lines != self._parts.get(name)
            }
            self.before, self.version, self._parts, self._whole = self.version, version, parts, ""
            self.change = messages.parts(version, self.before, self._view[1], changed)
            self.renderings += 1
        return time.monotonic() - began


class Looker:
    """One page's look at the parts. ``version``: of the batch, as the page shows it."""

    __slots__ = ("_follows", "_shown", "_wake", "version")

    def __init__(self, shown: Shown, version: int, wake):
        self._shown, self._wake, self.version = shown, wake, version
        self._follows = False  # whether the page has a rendering of ours, to which a change can be applied
        shown.join(self)

    def wake(self) -> None:
        self._wake()

    def leave(self) -> None:
        self._shown.leave(self)

    def next(self) -> str | None:
        """The next encoded message; None: the page has the latest."""
        shown = self._shown
        if shown.version <= self.version:
            return None
        changed = self._follows and self.version == shown.before
        self.version, self._follows = shown.version, True
        return shown.change if changed else shown.whole


async def look(session_key: str, task_id: int, wish: messages.Wish, wake) -> Looker | None:
    """Begin to look; None where there is nothing to see. Raises django.db.Error or TimeoutError."""
    viewer = await _in_thread(_viewer, session_key, task_id)
    return None if viewer is None else Looker(Shown.of(task_id, wish.query, wish.language, viewer), wish.version, wake)
