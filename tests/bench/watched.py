"""What watching costs the engine: the ``fanout`` bench's batch, with nobody looking and with one websocket on it.

Turns alternate, so that a busy machine is unfair to neither; the better turn of each counts. Notices are counted by a
connection that listens as web processes do; ``notices_per_s`` is the most that one Task sent in any whole second.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import contextmanager

from tests.bench import ground
from tests.bench.fanout import PLACES, PROCESSES

CHILDREN, TURNS = 5000, 2
MOST_NOTICES_PER_S = 20


def main(arguments: list[str]) -> dict:
    ground.prepare("tests.kinds.Noop")
    children = int(arguments[0]) if arguments else CHILDREN
    per_s, notices = measure(children)
    return {
        "without_per_s": round(per_s[False]),
        "with_per_s": round(per_s[True]),
        "ratio": round(per_s[True] / per_s[False], 2),
        "notices_per_s": notices,
    }


def measure(children: int) -> tuple[dict[bool, float], int]:
    from tests.processes import Web, Worker

    best = {False: 0.0, True: 0.0}
    with (
        Worker(concurrency=PLACES // PROCESSES) as one,
        Worker(concurrency=PLACES // PROCESSES) as two,
        Web() as web,
        counted_notices() as counted,
    ):
        run(500, [one, two], None)
        for turn in range(2 * TURNS):
            watched = bool(turn % 2)
            rate = run(children, [one, two], web if watched else None)
            ground.say(f"{'watched' if watched else 'alone'}: {rate:.0f} children a second")
            best[watched] = max(best[watched], rate)
    return best, max(counted.values(), default=0)


def run(children: int, workers: list, web) -> float:
    """Children per second of one batch, from its start to its end, watched through ``web`` if there is one."""
    from tasks import fanout
    from tests.processes import wait_until

    owner = someone()
    task = fanout.create("noop", owner, title="bench", params={"n": children})
    with watching(web, task, owner) if web else nobody() as seen:
        began = time.monotonic()
        fanout.start(task)
        wait_until(lambda: ground.ended(task), 300, what="the batch to end", processes=workers)
        seconds = time.monotonic() - began
        assert (task.total, task.succeeded) == (children, children), "not all children succeeded"
        if web:
            wait_until(lambda: seen.get("eof"), 30, what="the watcher to see the end", processes=[web])
    return children / seconds


def someone():
    from django.contrib.auth import get_user_model

    return get_user_model().objects.get_or_create(username="watcher")[0]


@contextmanager
def nobody():
    yield Counter()


@contextmanager
def watching(web, task, owner):
    """A websocket on the Task that confirms what it gets; {type of message: how many}."""
    import json

    from websockets.sync.client import connect

    from tests.integration.streaming.watching import session_of

    seen: Counter = Counter()
    address = f"ws://127.0.0.1:{web.port}/ws/tasks/{task.pk}/?after=0"
    headers = {"Cookie": session_of(owner)}
    with connect(address, origin=web.url, additional_headers=headers, compression=None, max_size=None) as socket:

        def read():
            for text in socket:
                seen[json.loads(text)["type"]] += 1
                socket.send(json.dumps({"type": "ack", "frames": sum(seen.values())}))

        reading = threading.Thread(target=read, daemon=True)
        reading.start()
        yield seen
        socket.close()
        reading.join(5)


@contextmanager
def counted_notices():
    """{(task, second): notices}, filled while the block runs."""
    import psycopg

    from tasks.triggers import CHANNEL
    from tests.integration.streaming.watching import database_url

    counted: Counter = Counter()
    ended = threading.Event()
    with psycopg.connect(database_url(), autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}")

        def read():
            while not ended.is_set():
                for notice in listening.notifies(timeout=0.2):
                    counted[notice.payload.partition(":")[0], int(time.monotonic())] += 1

        reading = threading.Thread(target=read, daemon=True)
        reading.start()
        try:
            yield counted
        finally:
            ended.set()
            reading.join(5)
