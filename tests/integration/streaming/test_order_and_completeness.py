"""Every line once, in order: however subscribing, committing, breaking off and coming back are interleaved."""

import asyncio
import random

import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from tasks.log import joblog
from tasks.log.joblog import Line
from tasks.models import LogLine, Task
from tests.bench.crowd import SPAN, Client, Tally
from tests.integration.streaming.watching import (
    WRITE,
    Watcher,
    database_url,
    person,
    running_task,
    session_of,
    values,
    write,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task():
    return running_task(person())


@pytest.fixture
async def cookie(task):
    return await sync_to_async(session_of)(task.owner)


async def _write_until(stopped: asyncio.Event, task_id: int, pause_s: float) -> int:
    """Statements of one to three lines until told to stop; how many lines there are then."""
    n = 0
    async with await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db:
        while not stopped.is_set():
            texts = [f"line {n + i + 1}" for i in range(random.randint(1, 3))]
            await db.execute(WRITE, values(task_id, texts))
            n += len(texts)
            await asyncio.sleep(random.random() * pause_s)
    return n


class Newcomer(Client):
    """Begins at ``begin`` (0, none, or so many of the last lines) and has ``few`` lines when ``enough`` is done.

    A ``Client`` proves that its lines go on without a hole; where the first one begins is the server's choice.
    """

    def __init__(self, tally, port, task_id, cookie, begin: int | None, few: int):
        query = "" if begin is None else "?after={after}"
        super().__init__(tally, f"/ws/tasks/{task_id}/{query}", port, cookie, after=begin or 0)
        self._anywhere, self._few, self._first = begin != 0, few, 0
        self.enough = asyncio.get_running_loop().create_future()

    def _hear(self, message):
        if self._anywhere and (span := SPAN.match(message)):
            self._anywhere, self.after = False, int(span[1])
            self._first = self.after
        super()._hear(message)
        if self.after - self._first >= self._few and not self.enough.done():
            self.enough.set_result(None)


async def test_a_thousand_subscriptions_amid_commits_lose_nothing_and_double_nothing(two_webs, task, cookie):
    stopped = asyncio.Event()
    writing = asyncio.create_task(_write_until(stopped, task.id, 0.004))
    chosen, tally, loop = random.Random(7), Tally(), asyncio.get_running_loop()

    async def several(numbers) -> None:
        for n in numbers:
            port, begin = two_webs[n % 2].port, chosen.choice([0, None, -chosen.randint(1, 50)])
            one = Newcomer(tally, port, task.id, cookie, begin, chosen.randint(1, 12))
            await loop.create_connection(lambda one=one: one, "127.0.0.1", port)
            await asyncio.wait_for(one.enough, 60)
            one.drop()

    try:
        await asyncio.gather(*(several(range(start, 1000, 20)) for start in range(20)))
    finally:
        stopped.set()
        written = await writing
    assert (tally.lost, tally.duplicated, tally.reordered) == (0, 0, 0)
    assert tally.lines >= 1000 and written > 100


async def test_a_reconnect_goes_on_where_it_broke_off_also_on_the_other_process(two_webs, task, cookie):
    await sync_to_async(write)(task.id, *(f"{n}" for n in range(10)))
    seqs, after = [], 0
    for turn in range(6):
        async with Watcher(two_webs[turn % 2].port, task.id, cookie, after=after) as watcher:
            await watcher.until(lambda w, n=10 * (turn + 1) - after: len(w.seqs) == n)
            seqs += watcher.seqs
            after = seqs[-1]
        await sync_to_async(write)(task.id, *(f"{n}" for n in range(10)))
    assert seqs == list(range(1, 61))


async def test_old_lines_come_from_the_database_and_far_older_ones_are_a_gap(web, task, cookie):
    for _ in range(8):
        await sync_to_async(write)(task.id, *(f"{n}" for n in range(1000)))
    async with Watcher(web.port, task.id, cookie, after=4000) as watcher:
        await watcher.until(lambda w: w.seqs and w.seqs[-1] == 8000)
        assert watcher.seqs == list(range(4001, 8001))
    async with Watcher(web.port, task.id, cookie, after=10) as watcher:
        await watcher.until(lambda w: w.seqs and w.seqs[-1] == 8000)
        (gap,) = watcher.of("gap")
        assert gap["from"] == 11 and watcher.seqs == list(range(gap["to"] + 1, 8001))


async def test_the_end_comes_after_the_last_line_and_a_retry_reopens_the_stream(web, task, cookie):
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.of("task"))
        await sync_to_async(write)(task.id, "last words")
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=10, state="finalizing")
        await Task.objects.filter(pk=task.pk).aupdate(state="completed")
        await watcher.until(lambda w: w.of("eof"))
        order = [message["type"] for message in watcher.messages if message["type"] != "ping"]
        assert order.index("lines") < order.index("eof") == len(order) - 1
        assert watcher.of("eof")[0]["last"] == 1 and watcher.of("task")[-1]["percent"] == 100
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=9, state="running", generation=2)
        await watcher.until(lambda w: w.of("task")[-1]["generation"] == 2)
        await sync_to_async(write)(task.id, "again")
        await watcher.until(lambda w: w.seqs == [1, 2])


async def test_writers_of_one_task_wait_for_each_other_and_no_reader_sees_a_hole(web, task, cookie):
    async with (
        Watcher(web.port, task.id, cookie) as watcher,
        await psycopg.AsyncConnection.connect(database_url()) as slow,
        await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as quick,
    ):
        await slow.execute(WRITE, values(task.id, ["slow"]))
        behind = asyncio.create_task(quick.execute(WRITE, values(task.id, ["quick"])))
        done, _ = await asyncio.wait({behind}, timeout=0.5)
        assert not done and not watcher.seqs
        await slow.commit()
        await behind
        await watcher.until(lambda w: w.texts == ["slow", "quick"])


async def test_a_deleted_task_says_goodbye(web, task, cookie):
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.of("task"))
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=10, state="finalizing")
        await Task.objects.filter(pk=task.pk).aupdate(state="completed")
        await sync_to_async(task.delete)()
        # whichever comes first, the look at the Task or the question about permissions (here twice a second)
        assert await watcher.until_closed() in (4410, 4403)


async def test_a_log_that_is_shorter_than_the_reader_knows_begins_anew(web, task, cookie):
    await sync_to_async(write)(task.id, "only line")
    async with Watcher(web.port, task.id, cookie, after=50) as watcher:
        assert await watcher.until_closed() == 4412
        assert watcher.seqs == []


def set_back(task_id: int, to: int, *texts: str) -> None:
    """As a standby that was promoted without the last lines, and then wrote others under their numbers."""
    with transaction.atomic():
        LogLine.objects.filter(task=task_id, seq__gt=to).delete()
        Task.objects.filter(pk=task_id).update(log_seq=to)
        joblog.write(Line(task_id, text) for text in texts)


async def test_a_log_that_was_set_back_and_has_grown_again_begins_anew_for_who_watches(web, task, cookie):
    await sync_to_async(write)(task.id, *(f"{n}" for n in range(10)))
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: len(w.seqs) == 10)
        await asyncio.sleep(0.01)  # the new tenth line is said in another millisecond
        await sync_to_async(set_back)(task.id, 5, *(f"new {n}" for n in range(20)))
        assert await watcher.until_closed() == 4412
        assert watcher.seqs == list(range(1, 11))
    async with Watcher(web.port, task.id, cookie, after=-500) as again:
        await again.until(lambda w: len(w.seqs) == 25)
        assert again.texts == [*(f"{n}" for n in range(5)), *(f"new {n}" for n in range(20))]


@pytest.mark.parametrize("lines", [10, 3000])  # in the ring; in the database alone
async def test_a_reconnect_proves_by_its_last_line_that_the_log_is_the_same(web, task, cookie, lines):
    await sync_to_async(write)(task.id, *(f"{n}" for n in range(lines)))
    line = await LogLine.objects.aget(task=task, seq=5)
    at = int(line.at.timestamp() * 1000)
    async with Watcher(web.port, task.id, cookie, after=5, at=at) as same:
        await same.until(lambda w: w.seqs and w.seqs[-1] == lines)
        assert same.seqs == list(range(6, lines + 1))
    async with Watcher(web.port, task.id, cookie, after=5, at=at + 1) as other:
        assert await other.until_closed() == 4412
        assert not other.seqs
    await line.adelete()
    async with Watcher(web.port, task.id, cookie, after=5, at=at) as deleted:  # by retention: nothing to compare with
        await deleted.until(lambda w: w.seqs and w.seqs[-1] == lines)


async def test_hostile_lines_arrive_as_they_are(web, task, cookie):
    texts = ["<img onerror=x>", "a\nb\tc\r", "😀" * 3000, "\u2028\u2029\x1b[0m\x07", "x" * 200_000, '"}\\']
    await sync_to_async(write)(task.id, *texts)
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: len(w.seqs) == 6)
        assert watcher.texts == [text[:70_000] for text in texts]
