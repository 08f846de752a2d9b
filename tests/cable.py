"""A TCP port in front of the test's PostgreSQL, for tests in which the network falls silent without a word."""

from __future__ import annotations

import asyncio
import contextlib
import threading

from django.db import connection

from config.database import url_of


class Cable:
    """A TCP port in front of a PostgreSQL server; ``freeze`` silences what is connected, without closing it.

    ``host`` is a name or, as libpq has it, the folder of a unix socket.
    """

    def __init__(self, host: str, port: str | int | None):
        self._host, self._port = host, int(port or 5432)
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
            writer.transport.abort()  # what nobody fetched would keep it open

    def freeze(self) -> None:
        """Whoever is connected hears nothing more, and nothing ends."""
        for flow in self._flows:
            flow.clear()
        self._flows = []

    def vanish(self) -> None:
        """As freeze, and nobody can connect any more."""
        self.freeze()
        self._server.close()

    async def _connect(self, client, to_client):
        if self._host.startswith("/"):
            server, to_server = await asyncio.open_unix_connection(f"{self._host}/.s.PGSQL.{self._port}")
        else:
            server, to_server = await asyncio.open_connection(self._host, self._port)
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


class CableOfProcesses:
    """A cable that runs beside the test, for processes of which it is the way to the test's database."""

    def __enter__(self):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        settings = connection.settings_dict
        self._cable = Cable(settings["HOST"], settings["PORT"])
        self._run(self._cable.__aenter__())
        self.url = url_of({**settings, "HOST": "127.0.0.1", "PORT": str(self._cable.port)})
        return self

    def __exit__(self, *_):
        with contextlib.suppress(asyncio.CancelledError):
            self._run(self._cable.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def freeze(self) -> None:
        self._loop.call_soon_threadsafe(self._cable.freeze)

    def vanish(self) -> None:
        self._loop.call_soon_threadsafe(self._cable.vanish)

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)
