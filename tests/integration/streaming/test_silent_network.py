"""A LISTEN connection that is dropped without a word: found by its heartbeat, replaced, and nothing is missed."""

import asyncio
import time

import pytest
from asgiref.sync import sync_to_async

from streaming import listener, reader
from streaming.hub import Hub
from streaming.subscription import Subscription
from tests.integration.streaming.watching import person, running_task, until, write

pytestmark = pytest.mark.django_db(transaction=True)


class Cable:
    """A TCP port in front of PostgreSQL's unix socket; ``freeze`` silences what is connected, without closing it."""

    def __init__(self, socket_path: str):
        self._path = socket_path
        self._flows: list[asyncio.Event] = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self._pumps: set[asyncio.Task] = set()
        self._writers: list[asyncio.StreamWriter] = []
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for pump in self._pumps:
            pump.cancel()
        for writer in self._writers:
            writer.close()

    def freeze(self) -> None:
        for flow in self._flows:
            flow.clear()
        self._flows = []

    async def _connect(self, client, to_client):
        server, to_server = await asyncio.open_unix_connection(self._path)
        flow = asyncio.Event()
        flow.set()
        self._flows.append(flow)
        self._writers += [to_server, to_client]
        for source, target in ((client, to_server), (server, to_client)):
            pump = asyncio.create_task(self._pump(source, target, flow))
            self._pumps.add(pump)

    async def _pump(self, source, target, flow):
        while data := await source.read(65536):
            await flow.wait()
            target.write(data)
        target.close()


async def test_a_silently_dropped_connection_is_found_by_the_heartbeat_and_nothing_is_missed(settings, monkeypatch):
    task = await sync_to_async(lambda: running_task(person()))()
    settings.SHEAF_LIVE_HEARTBEAT_S = 0.5
    settings.SHEAF_LIVE_POLL_S = 60  # nothing but the listener may find the line
    options = reader.connection_options()
    async with Cable(f"{options['host']}/.s.PGSQL.5432") as cable:
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
        await until(lambda: hub.listener.state == "listening" and hub.listener.backend_pid not in (None, before), 5)
        assert time.monotonic() - frozen_at < 3  # two heartbeats of half a second, a pause, a connection
        await until(lambda: subscription.watched.head == 1, 1)
        subscription.leave()
        await asyncio.wait_for(hub.close(), 5)
