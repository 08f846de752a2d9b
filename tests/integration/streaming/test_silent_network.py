"""A LISTEN connection that is dropped without a word: found by its heartbeat, replaced, and nothing is missed."""

import asyncio
import time

import pytest
from asgiref.sync import sync_to_async

from streaming import listener, reader
from streaming.hub import Hub
from streaming.subscription import Subscription
from tests.cable import Cable
from tests.integration.streaming.watching import person, running_task, until, write

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_silently_dropped_connection_is_found_by_the_heartbeat_and_nothing_is_missed(settings, monkeypatch):
    task = await sync_to_async(lambda: running_task(person()))()
    settings.SHEAF_LIVE_HEARTBEAT_S = 0.5
    settings.SHEAF_LIVE_POLL_S = 60  # nothing but the listener may find the line
    options = reader.connection_options()
    async with Cable(options["host"], options.get("port")) as cable:
        monkeypatch.setattr(
            listener, "connection_options", lambda: {**options, "host": "127.0.0.1", "port": str(cable.port)}
        )
        hub = Hub.here()
        news = asyncio.Event()
        subscription = Subscription(hub, task.id, 0, news.set)
        await subscription.next()
        await until(lambda: hub.listener.state == "listening")
        before = hub.listener.backend_pid
        cable.freeze()
        frozen_at = time.monotonic()
        await sync_to_async(write)(task.id, "into the void")
        await until(lambda: hub.listener.state == "listening" and hub.listener.backend_pid not in (None, before))
        # two heartbeats of half a second, a pause, a connection; the look around would come after a minute
        assert time.monotonic() - frozen_at < 15
        await until(lambda: subscription.watched.head == 1)
        subscription.leave()
        await asyncio.wait_for(hub.close(), 20)
