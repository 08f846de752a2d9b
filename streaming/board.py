"""All batches under way, for the staff's board: one query a process.

It is asked when any Task has changed, at most every ``PACE_S``, and every ``SHEAF_LIVE_POLL_S`` in any case; never
while nobody watches. Each answer gets the next ``version``; who has the one before is sent what changed, everybody else
all of it. Versions begin at a number drawn by lot, so that one process never takes another's for its own.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

from django.conf import settings
from django.contrib.auth import get_user_model

from streaming import messages
from streaming.deadline import signalled
from streaming.hub import Hub
from streaming.reader import TASK_COLUMNS, ReadError
from tasks.models import Task
from tasks.states import ACTIVE, TERMINAL

log = logging.getLogger(__name__)

PACE_S = 0.5
#: The newest so many are shown; of the others only the number.
MOST_SHOWN = 200

_PEOPLE = get_user_model()._meta
_NAME = _PEOPLE.get_field(get_user_model().USERNAME_FIELD).column
_STATES = ", ".join(f"'{state}'" for state in ACTIVE)  # literally, as the partial index has them
_BOARD = f"""
    SELECT clock_timestamp(), (SELECT count(*) FROM tasks_task WHERE state IN ({_STATES})),
           u.{_NAME}, {", ".join(f"t.{name}" for name in TASK_COLUMNS)}
      FROM ((SELECT * FROM tasks_task WHERE state IN ({_STATES}) ORDER BY id DESC LIMIT {MOST_SHOWN})
            UNION SELECT * FROM tasks_task WHERE id = ANY(%s)) t
      LEFT JOIN {_PEOPLE.db_table} u ON u.{_PEOPLE.pk.column} = t.owner_id
"""


class Board:
    """One per event loop: ``Board.here()``. Reads while somebody watches."""

    _of_loop: WeakKeyDictionary = WeakKeyDictionary()

    @classmethod
    def here(cls) -> Board:
        loop = asyncio.get_running_loop()
        board = cls._of_loop.get(loop)
        if board is None:
            board = cls._of_loop[loop] = cls(Hub.here())
        return board

    def __init__(self, hub: Hub):
        self.hub = hub
        self.version = secrets.randbits(48) + 1
        self.whole = ""  # the message for a newcomer; empty: nothing was read yet
        self.change = ""  # the message for who has the version before
        self.stale = False
        self.reads = 0  # queries, for tests
        self.subscriptions: set = set()
        self._rows: dict[int, str] = {}
        self._running = -1
        self._news = asyncio.Event()
        self._job: asyncio.Task | None = None

    def join(self, subscription) -> None:
        self.subscriptions.add(subscription)
        if self._job is None:
            self.whole = ""  # what was read for the watchers of yesterday is not news
            self.hub.listen_to_all(self._news.set)
            self._job = asyncio.create_task(self._run())

    def leave(self, subscription) -> None:
        self.subscriptions.discard(subscription)

    async def _run(self) -> None:
        try:
            while self.subscriptions:
                try:
                    await self._read()
                    stale = False
                except ReadError as error:
                    log.warning("live view: the board can't be read (%s)", error or type(error).__name__)
                    stale = True
                if stale != self.stale:
                    self.stale = stale
                    self._wake()
                await asyncio.sleep(PACE_S)
                await signalled(self._news, settings.SHEAF_LIVE_POLL_S)
        finally:
            self._job = None
            self.hub.listen_no_more(self._news.set)

    async def _read(self) -> None:
        self._news.clear()
        self.reads += 1
        # those that were shown too: their last change, the end, is told as well
        found = await self.hub.reader.rows(_BOARD, [list(self._rows)])
        now, running = (found[0][0], found[0][1]) if found else (None, 0)
        rows, ended = {}, {}
        for moment, _, owner, *values in sorted(found, key=lambda row: -row[3 + TASK_COLUMNS.index("id")]):
            task = Task.from_db("default", TASK_COLUMNS, values)
            fields = messages.task_fields(task, moment)
            del fields["now"], fields["type"]
            text = messages.encode({**fields, "owner": owner or ""})
            (ended if task.state in TERMINAL else rows)[task.pk] = text
        changed = [text for id, text in {**ended, **rows}.items() if self._rows.get(id) != text]
        gone = [id for id in self._rows if id not in rows and id not in ended]
        if self.whole and not (changed or gone) and running == self._running:
            return
        self.version += 1
        self._rows, self._running = rows, running
        moment = messages.millis(now) or round(time.time() * 1000)
        self.whole = messages.board(self.version, moment, running, rows.values(), [], whole=True)
        self.change = messages.board(self.version, moment, running, changed, gone, whole=False)
        self._wake()

    def _wake(self) -> None:
        for subscription in list(self.subscriptions):
            subscription.wake()


class BoardSubscription:
    """One reader of the board; the same verbs as ``subscription.Subscription``. ``version``: the one it has."""

    __slots__ = ("_board", "_stale", "_version", "_wake", "after", "close_code")

    def __init__(self, board: Board, wake: Callable[[], None], version: int = -1):
        self._board, self._wake, self._version, self._stale = board, wake, version, False
        self.after, self.close_code = -1, None
        board.join(self)

    def wake(self) -> None:
        self._wake()

    def leave(self) -> None:
        self._board.leave(self)

    def restart(self, after: int | None = None) -> None:
        """All of it again, whatever the reader has."""
        self._version = -1

    async def next(self) -> str | None:
        board = self._board
        if board.whole and self._version != board.version:
            following, self._version = self._version + 1 == board.version, board.version
            return board.change if following else board.whole
        if self._stale != board.stale:
            self._stale = board.stale
            return self.ping()
        return None

    def ping(self) -> str:
        return messages.ping(round(time.time() * 1000), self._board.stale)
