"""A line written by any process reaches a socket on any web process, once and in order."""

import pytest
from asgiref.sync import sync_to_async

from tests.integration.streaming.watching import Watcher, person, running_task, session_of, write

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_line_written_elsewhere_reaches_sockets_on_both_web_processes(two_webs):
    owner = await sync_to_async(person)()
    task = await sync_to_async(running_task)(owner)
    cookie = await sync_to_async(session_of)(owner)
    await sync_to_async(write)(task.id, "before anybody watched")
    async with Watcher(two_webs[0].port, task.id, cookie) as a, Watcher(two_webs[1].port, task.id, cookie) as b:
        for watcher in (a, b):
            await watcher.until(lambda w: w.seqs == [1])
            assert watcher.messages[0]["type"] == "task"
        await sync_to_async(write)(task.id, "hello", "world")
        for watcher in (a, b):
            await watcher.until(lambda w: w.seqs == [1, 2, 3])
            assert watcher.texts[1:] == ["hello", "world"]
