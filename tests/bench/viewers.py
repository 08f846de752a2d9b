"""200 people look at the page of one running set of 500 papers; what one web process does for them in a second.

Each viewer does what the page's scripts do (``web/parts.js``, ``literature/set.js``): a websocket that says what the
page shows and takes the parts that come over it. The figures with ``_before`` are of the same people on the page as it
was until then: after a change of the set it fetched its three parts, at most once a second. ``requests_per_s`` and
``queries_per_s`` are counted in the web process, ``cpu`` is its share of one core. Page loads are not counted. The old
page asks more than one process can answer: most of its requests wait or fail, so compare ``cpu_ms_per_update`` (CPU for
each page brought up to date) and ``updates_per_viewer_per_s`` too.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
import time
from contextlib import contextmanager

from tests.bench import ground
from tests.bench.crowd import Client, Tally, acknowledging
from tests.bench.idle_sockets import counted_web, sessions

VIEWERS, PAPERS, READ_BEFORE = 200, 500, 40
SETTLE_S, WINDOW_S = 5.0, 20.0
#: A paper is done so often; in the window that leaves the set running.
EVERY_S = 0.25
FETCH_EVERY_S = 1.0
PARTS = ("status", "papers", "table")
_VERSION = re.compile(rb'^\{"type":"(task|parts)".*?"version":(\d+)')


def main(arguments: list[str]) -> dict:
    ground.prepare("tasks.kinds.literature.kind.Literature")
    viewers = int(arguments[0]) if arguments else VIEWERS
    from tests.processes import Web

    cookies = sessions(viewers)
    found = {}
    for name, viewer in (("_before", Fetching), ("", Fed)):
        ground.empty_batches()
        task = running_set()
        with counted_web(Web) as web, being_read(task):
            figures = asyncio.run(watched(web, task, viewer, cookies))
        ground.say(f"{viewer.__name__}: {figures}")
        found |= {f"{key}{name}": value for key, value in figures.items()}
    found["requests_ratio"] = round(found["requests_per_s"] / found["requests_per_s_before"], 3)
    return {"viewers": viewers, "papers": PAPERS, **found}


def running_set():
    """A set in the middle of its work: some papers read, the others waiting."""
    from django.contrib.auth import get_user_model

    from tasks import fanout
    from tasks.kinds.literature.models import Paper
    from tasks.models import SubTask, Task
    from tests.integration.literature.ended import RECORD

    owner = get_user_model().objects.get_or_create(username="watcher")[0]
    task = fanout.create("literature", owner, "Five hundred papers")
    numbers = range(1, PAPERS + 1)
    children = SubTask.objects.bulk_create(
        SubTask(
            task=task,
            position=n,
            key=f"{n}.pdf",
            stage="parse",
            queue="local",
            state="succeeded" if n <= READ_BEFORE else "pending",
            result={"parse": RECORD} if n <= READ_BEFORE else {},
        )
        for n in numbers
    )
    Paper.objects.bulk_create(
        Paper(
            task=task,
            subtask=child,
            position=n,
            filename=f"{n}.pdf",
            key=f"{n}.pdf",
            sha256=f"{n:064}",
            size=300_000,
            state="accepted",
        )
        for n, child in zip(numbers, children, strict=True)
    )
    Task.objects.filter(pk=task.pk).update(state="expanding")
    Task.objects.filter(pk=task.pk).update(total=PAPERS, succeeded=READ_BEFORE, sealed=True, state="running")
    task.refresh_from_db()
    return task


@contextmanager
def being_read(task):
    """While the block runs, paper after paper is settled, with a line in the log each."""
    from django.db import connection
    from django.db.models import F

    from tasks.models import SubTask, Task
    from tests.integration.literature.ended import RECORD
    from tests.integration.streaming.watching import WRITE, values

    over, begun = threading.Event(), threading.Event()

    def read() -> None:
        waiting = SubTask.objects.filter(task=task, state="pending").order_by("position").values_list("pk", flat=True)
        for pk in list(waiting):
            begun.set()  # has its connection, which it keeps: a crowd of requests takes all there are
            if over.wait(EVERY_S):
                break
            with connection.cursor() as cursor:
                cursor.execute(WRITE, values(task.pk, ["read a paper"]))
            SubTask.objects.filter(pk=pk).update(state="succeeded", result={"parse": RECORD})
            Task.objects.filter(pk=task.pk).update(succeeded=F("succeeded") + 1)
        connection.close()

    reading = threading.Thread(target=read)
    reading.start()
    begun.wait(30)
    try:
        yield
    finally:
        over.set()
        reading.join()


class Viewer(Client):
    """One person's page. ``version``: of the set, as the page shows it."""

    task_id = 0
    version = newest = 0
    parts = 0  # messages with parts

    def _hear(self, message: bytes) -> None:
        super()._hear(message)
        if found := _VERSION.match(message):
            self.heard(found[1].decode(), int(found[2]))

    def heard(self, kind: str, version: int) -> None:
        self.newest = max(self.newest, version)

    async def begin(self) -> None:
        """What the page does when it has loaded."""

    def close(self) -> None:
        self.drop()


class Fed(Viewer):
    """The page as it is."""

    async def begin(self) -> None:
        wish = {"type": "show", "query": "", "version": self.newest, "language": "en"}
        text = json.dumps(wish).encode()
        self._send(text)

    def heard(self, kind: str, version: int) -> None:
        super().heard(kind, version)
        if kind == "parts":
            self.version, self.parts = version, self.parts + 1


class Fetching(Viewer):
    """The page as it was: after a change three parts are fetched, at most once a second, and again where one failed."""

    async def begin(self) -> None:
        self._lines: dict[str, tuple] = {}
        self._job = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            began, newest = time.monotonic(), self.newest
            if newest > self.version:
                came = await asyncio.gather(*(self._get(part) for part in PARTS))
                if all(came):
                    self.version, self.parts = newest, self.parts + 1
            await asyncio.sleep(max(0.05, FETCH_EVERY_S - (time.monotonic() - began)))

    async def _get(self, part: str) -> bool:
        """Whether the part came; each has a connection of its own that is kept, as browsers do."""
        _path, port, cookie = self._request
        try:
            if part not in self._lines:
                self._lines[part] = await asyncio.open_connection("127.0.0.1", port)
            return await self._ask(*self._lines[part], part, port, cookie)
        except (OSError, asyncio.IncompleteReadError):
            if line := self._lines.pop(part, None):
                line[1].close()
            return False

    async def _ask(self, reader, writer, part: str, port: int, cookie: str) -> bool:
        writer.write(
            f"GET /sets/{self.task_id}/{part}/? HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
            "Accept: text/html\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))
        return head.startswith(b"HTTP/1.1 200")

    def close(self) -> None:
        self._job.cancel()
        for _reader, writer in self._lines.values():
            writer.close()
        self.drop()


async def watched(web, task, kind: type[Viewer], cookies: list[str]) -> dict:
    """What the web process does in a second while everybody watches."""
    tally, path = Tally(), f"/ws/tasks/{task.pk}/?after={{after}}"
    viewers: list[Viewer] = []
    for begin in range(0, len(cookies), 40):
        some = cookies[begin : begin + 40]
        viewers += await asyncio.gather(
            *(kind.connect(tally, path, web.port, cookie, after=task.log_seq) for cookie in some)
        )
    confirming = asyncio.create_task(acknowledging(viewers))
    for viewer in viewers:
        viewer.task_id, viewer.version = task.pk, viewer.newest
        await viewer.begin()
    await asyncio.sleep(SETTLE_S)
    before = await asyncio.to_thread(_state, web)
    parts = sum(viewer.parts for viewer in viewers)
    await asyncio.sleep(WINDOW_S)
    after = await asyncio.to_thread(_state, web)
    seen = sum(viewer.parts for viewer in viewers) - parts
    confirming.cancel()
    for viewer in viewers:
        viewer.close()
    spent = after["at"] - before["at"]
    each = {name: (after[name] - before[name]) / spent for name in ("requests", "queries", "cpu")}
    return {
        "requests_per_s": round(each["requests"], 1),
        "queries_per_s": round(each["queries"], 1),
        "cpu": round(each["cpu"], 3),
        "updates_per_viewer_per_s": round(seen / spent / len(viewers), 3),
        "cpu_ms_per_update": round(1000 * (after["cpu"] - before["cpu"]) / seen, 1) if seen else None,
    }


def _state(web) -> dict:
    """What the web process has done so far: HTTP requests, queries, seconds of CPU."""
    counts = json.loads(web.get("/bench/counts", timeout=60)[1])
    with open(f"/proc/{web.pid}/stat") as file:
        fields = file.read().rpartition(") ")[2].split()
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return {**counts, "cpu": cpu, "at": time.monotonic()}
