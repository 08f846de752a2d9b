"""3 children of 50 ms submitted behind 10,000 of the same, limit 8: seconds to done over seconds alone.

And the other way round: ``large_share`` is the share of the throughput that the large batch keeps while 200 small
ones come one after another (1 would be: as if alone; a starved one gets 0).
"""

from __future__ import annotations

import statistics
import time

from tests.bench import ground

SECONDS, SMALL, LARGE, ROUNDS, NEWCOMERS = 0.05, 3, 10_000, 5, 200


def main(arguments: list[str]) -> dict:
    ground.prepare("tests.kinds.Act")
    from tests.processes import Worker

    with Worker(concurrency=8) as worker:
        submit_small(worker)  # warm-up
        alone = statistics.median(submit_small(worker) for _ in range(ROUNDS))
        large = ground.batch("act", children=[{"s": SECONDS}], repeat=LARGE)
        _wait(lambda: settled(large) > 50, worker)
        behind = statistics.median(submit_small(worker) for _ in range(ROUNDS))
        before, began = settled(large), time.monotonic()
        for _ in range(NEWCOMERS):
            submit_small(worker, wait=False)
            time.sleep(0.05)
        kept = (settled(large) - before) / (time.monotonic() - began) / (8 / SECONDS)
        from tasks import fanout

        fanout.cancel(large)
    return {
        "alone_s": round(alone, 3),
        "behind_s": round(behind, 3),
        "ratio": round(behind / alone, 2),
        "large_share": round(kept, 2),
    }


def submit_small(worker, wait: bool = True) -> float:
    began = time.monotonic()
    task = ground.batch("act", children=[{"s": SECONDS}], repeat=SMALL)
    if wait:
        _wait(lambda: ground.ended(task), worker)
    return time.monotonic() - began


def settled(task) -> int:
    task.refresh_from_db()
    return task.succeeded


def _wait(predicate, worker) -> None:
    from tests.processes import wait_until

    wait_until(predicate, 60, what="the batch", processes=[worker])
