"""500 websockets on one Task in one daphne process, lines at rising rates.

``deliveries_per_s``: lines that arrived at all sockets together in a second, at the best rate that was kept up
(every line of a round at every socket within a second of the round's end). ``p50_ms`` and ``p99_ms``: from just
before the commit to the socket, at 200 lines a second with 100 sockets. ``lost`` and ``duplicated``: over everything.
``peer_deliveries_per_s``: channels_redis' pub/sub layer under the same daphne, each line a group_send, where Redis is
on the machine; ``ratio``: ours to the peer's.
"""

from __future__ import annotations

import asyncio
import time

from tests.bench import ground, stream_peer
from tests.bench.crowd import Client, Tally, acknowledging, percentile

SOCKETS, ROUND_S = 500, 6.0
RATES = (200, 500, 1000, 2000, 3000, 4000)


def main(arguments: list[str]) -> dict:
    ground.prepare()
    from tests.integration.streaming.watching import running_task, session_of
    from tests.processes import Web

    owner = fresh_person()
    task, cookie = running_task(owner), session_of(owner)
    path = f"/ws/tasks/{task.id}/?after={{after}}"

    def write(rate, seconds):
        return write_lines(task.id, rate, seconds)

    def head() -> int:
        task.refresh_from_db()
        return task.log_seq

    with Web() as web:
        calm = asyncio.run(rounds(web.port, path, cookie, head(), write, sockets=100, rates=(200,)))
        storm = asyncio.run(rounds(web.port, path, cookie, head(), write, sockets=SOCKETS, rates=RATES))
    peer = stream_peer.measure(rounds, SOCKETS)
    best = max((rate["deliveries_per_s"] for rate in storm["rounds"] if rate["kept_up"]), default=0)
    return {
        "sockets": SOCKETS,
        "deliveries_per_s": best,
        "p50_ms": calm["rounds"][0]["p50_ms"],
        "p99_ms": calm["rounds"][0]["p99_ms"],
        "lost": calm["lost"] + storm["lost"],
        "duplicated": calm["duplicated"] + storm["duplicated"],
        "peer": "channels_redis pubsub" if peer else None,
        "peer_deliveries_per_s": peer,
        "ratio": round(best / peer, 1) if peer else None,
    }


def fresh_person():
    """The bench's watcher, made anew."""
    from django.contrib.auth import get_user_model

    from tests.integration.streaming.watching import person

    get_user_model().objects.filter(username="ada").delete()
    return person()


def write_lines(task_id: int, rate: int, seconds: float) -> int:
    """Write ``rate`` lines a second as the engine does (gathered for 50 ms), each stamped with the time; how many."""
    import psycopg

    from tests.integration.streaming.watching import WRITE, database_url, values

    written, began = 0, time.monotonic()
    with psycopg.connect(database_url(), autocommit=True) as db:
        while (spent := time.monotonic() - began) < seconds:
            stamp = f"@{time.time():.4f}@"
            due = range(written, int(rate * spent) + 1)
            if due:
                db.execute(WRITE, values(task_id, [f"{stamp} read page {n} of the paper" for n in due]))
                written += len(due)
            time.sleep(0.05)
    return written


async def rounds(port, path: str, cookie: str, head: int, write, *, sockets: int, rates) -> dict:
    """A crowd listens while ``write(rate, seconds)`` writes, rate after rate until one is not kept up."""
    tally, clients, found = Tally(), [], []
    for _ in range(sockets // 50):
        some = (Client.connect(tally, path, port, cookie, after=head) for _ in range(50))
        clients += await asyncio.gather(*some)
    confirming = asyncio.create_task(acknowledging(clients))
    wanted = 0
    for rate in rates:
        tally.latencies.clear()
        before, began = tally.lines, time.monotonic()
        written = await asyncio.to_thread(write, rate, ROUND_S)
        written_in = time.monotonic() - began
        wanted = before + written * sockets
        # looks, not an Event: setting one a line would cost what is measured
        while tally.lines < wanted and time.monotonic() - began < written_in + 20:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        spent = time.monotonic() - began
        found.append(
            {
                "lines_per_s": rate,
                "deliveries_per_s": round((tally.lines - before) / spent),
                "p50_ms": round(1000 * percentile(tally.latencies, 0.5)),
                "p99_ms": round(1000 * percentile(tally.latencies, 0.99)),
                "kept_up": tally.lines >= wanted and spent - written_in < 1.0,
            }
        )
        ground.say(f"{sockets} sockets: {found[-1]}")
        if not found[-1]["kept_up"]:
            break
    confirming.cancel()
    for client in clients:
        client.drop()
    return {"rounds": found, "lost": tally.lost + max(0, wanted - tally.lines), "duplicated": tally.duplicated}
