"""The staff's board: everything under way, told as it changes, by one query a process, and to staff alone."""

import asyncio
import json
import urllib.request

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Permission
from django.db import transaction

from streaming.board import PACE_S, Board, BoardSubscription
from streaming.hub import Hub
from streaming.messages import Close
from tasks.models import Task
from tests.integration.streaming.watching import Watcher, person, running_task, session_of, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def staff():
    user = person("grace", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_task"))
    return user


class BoardWatcher(Watcher):
    def __init__(self, port, cookie="", **options):
        super().__init__(port, 0, cookie, **options)
        self.address = f"ws://127.0.0.1:{port}/ws/board/"

    def latest(self, id: int) -> dict | None:
        """The last that was told of a Task."""
        told = [task for message in self.of("board") for task in message["tasks"] if task["id"] == id]
        return told[-1] if told else None


@transaction.atomic
def end_and_delete(task):
    """So fast that no look sees the end."""
    for state in ("finalizing", "completed"):
        Task.objects.filter(pk=task.pk).update(succeeded=task.total, state=state)
    Task.objects.filter(pk=task.pk).delete()


def get(web, path: str, cookie: str) -> tuple[int, dict | str]:
    status, body = web.get(path, {"Cookie": cookie}, timeout=30)
    return status, body.decode()


async def test_all_that_is_under_way_is_shown_and_changes_as_it_happens(web, staff):
    ada = await sync_to_async(person)()
    running, paused = [
        await sync_to_async(running_task)(ada, title=title, paused=paused)
        for title, paused in (("one", False), ("two", True))
    ]
    ended = await sync_to_async(running_task)(ada, state="completed", total=0)
    async with BoardWatcher(web.port, await sync_to_async(session_of)(staff)) as watcher:
        first = await watcher.until(lambda w: w.of("board") and w.of("board")[0])
        assert first["whole"] and first["running"] == 2
        assert [task["id"] for task in first["tasks"]] == [paused.pk, running.pk]
        assert first["tasks"][0]["owner"] == "ada" and first["tasks"][0]["paused"]
        await Task.objects.filter(pk=running.pk).aupdate(succeeded=4)
        await watcher.until(lambda w: (w.latest(running.pk) or {})["succeeded"] == 4)
        change = watcher.of("board")[-1]
        assert not change["whole"] and [task["id"] for task in change["tasks"]] == [running.pk]
        late = await sync_to_async(running_task)(ada, title="late")
        await watcher.until(lambda w: w.latest(late.pk))
        for state in ("finalizing", "completed"):
            await Task.objects.filter(pk=running.pk).aupdate(succeeded=10, state=state)
        await watcher.until(lambda w: w.latest(running.pk)["state"] == "completed")
        await sync_to_async(end_and_delete)(late)
        await watcher.until(lambda w: late.pk in w.of("board")[-1]["gone"])
        assert watcher.of("board")[-1]["running"] == 1
        assert watcher.latest(ended.pk) is None
        versions = [message["version"] for message in watcher.of("board")]
        assert versions == list(range(versions[0], versions[0] + len(versions)))


async def test_who_is_not_staff_with_the_permission_sees_nothing(web, staff):
    ada = await sync_to_async(person)()
    mere = await sync_to_async(person)("mere", is_staff=True)
    await sync_to_async(running_task)(ada, title="the secret title")
    for cookie, code, status in [
        ("", Close.NO_SESSION, 401),
        (await sync_to_async(session_of)(ada), Close.NOT_ALLOWED, 404),
        (await sync_to_async(session_of)(mere), Close.NOT_ALLOWED, 404),
    ]:
        async with BoardWatcher(web.port, cookie) as watcher:
            assert await watcher.until_closed() == code
            assert not watcher.of("board")
        for door in ("/live/board/events", "/live/board/now.json"):
            assert (await asyncio.to_thread(get, web, door, cookie))[0] == status
        status, page = await asyncio.to_thread(get, web, "/live/board/", cookie)
        assert status == (403 if cookie else 302) and "secret title" not in page
    async with BoardWatcher(web.port, await sync_to_async(session_of)(staff)) as watcher:
        await watcher.until(lambda w: w.of("board"))
        await sync_to_async(staff.user_permissions.clear)()
        assert await watcher.until_closed() == Close.NOT_ALLOWED


async def test_event_stream_and_polling_tell_the_same(web, staff):
    cookie = await sync_to_async(session_of)(staff)
    task = await sync_to_async(running_task)(staff)
    status, answer = await asyncio.to_thread(get, web, "/live/board/now.json", cookie)
    (first,) = json.loads(answer)["messages"]
    assert status == 200 and [one["id"] for one in first["tasks"]] == [task.pk]
    polling = asyncio.create_task(
        asyncio.to_thread(get, web, f"/live/board/now.json?version={first['version']}&wait=20", cookie)
    )
    await Task.objects.filter(pk=task.pk).aupdate(succeeded=2)
    (second,) = json.loads((await asyncio.wait_for(polling, 15))[1])["messages"]
    assert [one["succeeded"] for one in second["tasks"]] == [2]

    def first_event():
        request = urllib.request.Request(f"{web.url}/live/board/events", headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=15) as stream:
            return next(line for line in stream if line.startswith(b"data:"))

    event = json.loads((await asyncio.to_thread(first_event))[5:])
    assert event["type"] == "board" and event["whole"] and event["tasks"][0]["succeeded"] == 2


async def test_fifty_watchers_and_thirty_batches_cost_one_query_for_all():
    tasks = [await sync_to_async(running_task)(None, title=f"{n}") for n in range(30)]
    board = Board.here()
    news = asyncio.Event()
    try:
        watching = [BoardSubscription(board, news.set) for _ in range(50)]
        await until(lambda: board.whole)
        assert board.reads == 1
        texts = {await one.next() for one in watching}
        assert len(texts) == 1 and json.loads(texts.pop())["running"] == 30
        await until(lambda: board.hub.listener.state == "listening")
        began, before = asyncio.get_running_loop().time(), board.reads
        for n in range(3):
            for task in tasks:
                await Task.objects.filter(pk=task.pk).aupdate(succeeded=n + 1)
        await until(lambda: all('"succeeded":3' in text for text in board._rows.values()))
        passed = asyncio.get_running_loop().time() - began
        assert board.reads - before <= passed / PACE_S + 2
        for one in watching:
            one.leave()
        await until(lambda: board._job is None)  # nobody watches: nothing is asked any more
    finally:
        await Hub.here().close()


async def test_who_fell_behind_gets_the_whole_and_who_is_up_to_date_gets_the_change():
    task = await sync_to_async(running_task)(None)
    other = await sync_to_async(running_task)(None)
    board = Board.here()
    try:
        quick, slow = BoardSubscription(board, lambda: None), BoardSubscription(board, lambda: None)
        await until(lambda: board.whole)
        assert (await quick.next(), await slow.next()) == (board.whole, board.whole)
        for n in (1, 2):
            version = board.version
            await Task.objects.filter(pk=task.pk).aupdate(succeeded=n)
            await until(lambda: board.version > version)  # noqa: B023 - asked within this turn only
            told = json.loads(await quick.next())
            assert [one["id"] for one in told["tasks"]] == [task.pk] and not told["whole"]
        told = json.loads(await slow.next())
        assert [one["id"] for one in told["tasks"]] == [other.pk, task.pk] and told["whole"]
        foreign = BoardSubscription(board, lambda: None, version=board.version + 5)
        assert json.loads(await foreign.next())["whole"]
    finally:
        await Hub.here().close()
