"""The peer of the stream bench: channels_redis' pub/sub layer under daphne, one group_send a line.

``measure`` starts Redis, and a daphne that serves ``stream_peer_app``. channels_redis is no requirement of the
project; where it or Redis is missing, there is no peer.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from importlib.util import find_spec

GROUP = "bench"
RATES = (1, 2, 5, 10, 20, 40, 80)


def measure(rounds, sockets: int) -> int | None:
    """Deliveries a second at the best rate that was kept up, or None. ``rounds``: stream.rounds."""
    from tests.bench import ground
    from tests.processes import Process, Web, free_port

    if not (shutil.which("redis-server") and find_spec("channels_redis")):
        ground.say("Redis or channels_redis is not on this machine: no peer")
        return None
    redis_port = free_port()
    redis = ("redis-server", "--port", str(redis_port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1")
    os.environ["BENCH_REDIS"] = f"redis://127.0.0.1:{redis_port}"
    with Process(*redis, name="redis"), bare_web(Web, "tests.bench.stream_peer_app:application") as web:
        found = asyncio.run(rounds(web.port, "/?after={after}", "", 0, write, sockets=sockets, rates=RATES))
    return max((one["deliveries_per_s"] for one in found["rounds"] if one["kept_up"]), default=0)


def bare_web(Web, application: str):
    """A daphne that serves something else than the project; ready when its port is open."""
    web = Web(name=application)
    web.command = (*web.command[:-1], application)
    web.get = lambda *_, **__: (200, b"") if _answers(web.port) else (0, b"")
    return web


def _answers(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def layer():
    from channels_redis.pubsub import RedisPubSubChannelLayer

    return RedisPubSubChannelLayer(hosts=[os.environ["BENCH_REDIS"]])


def write(rate: int, seconds: float) -> int:
    """Send ``rate`` lines a second to the group; how many."""

    async def send() -> int:
        peer, written, began = layer(), 0, time.monotonic()
        while (spent := time.monotonic() - began) < seconds:
            for _ in range(int(rate * spent) + 1 - written):
                write.last += 1
                written += 1
                line = f'{{"seq":{write.last},"text":"@{time.time():.4f}@ read page {written} of the paper"}}'
                text = f'{{"type":"lines","after":{write.last - 1},"last":{write.last},"lines":[{line}]}}'
                await peer.group_send(GROUP, {"type": "line", "text": text})
            await asyncio.sleep(0.01)
        return written

    return asyncio.run(send())


write.last = 0
