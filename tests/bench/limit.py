"""300 calls of 100 ms to a stand-in service that counts, limit 3, four worker processes.

``max_in_flight`` (the highest of three runs) and ``utilization`` (their median) come from a limit fixed at 3:
utilization is the ideal time, 300 x 0.1 s / 3, over the time from the first call's arrival to the last answer, both by
the stand-in's clock. Then the limit goes 3 -> 6 -> 2 while a batch runs: ``raised_to`` and ``lowered_to`` are the most
that were in flight under it, ``over`` counts the calls that began while the lowered limit was reached already, from
``GRACE_S`` after the change was committed.
"""

from __future__ import annotations

import contextlib
import statistics
import time

from tests.bench import ground

CALLS, CALL_MS, LIMIT, PROCESSES, RUNS = 300, 100, 3, 4, 3
GRACE_S = (
    0.4  # a round trip under way when the limit changed, and what a lane fetched ahead (tasks.worker.prefetch.KEEP_S)
)


def main(arguments: list[str]) -> dict:
    ground.prepare("tests.standin.kind.Calls")
    from tests.processes import Worker
    from tests.standin.process import StandIn

    with contextlib.ExitStack() as stack:
        service = stack.enter_context(StandIn())
        env = {"SHEAF_SERVICES_PRIVATE": "127.0.0.1"}
        workers = [stack.enter_context(Worker(concurrency=3, env=env)) for _ in range(PROCESSES)]
        run(service, workers, 30)  # warm up
        runs = [run(service, workers, CALLS) for _ in range(RUNS)]
        changed = change(service, workers)
    result = {
        "limit": LIMIT,
        "max_in_flight": max(most for most, _ in runs),
        "utilization": round(statistics.median(used for _, used in runs), 4),
        **changed,
    }
    assert result["max_in_flight"] <= LIMIT, f"more in flight than the limit: {result}"
    assert changed["raised_to"] == 6, f"the raised limit was not used: {result}"
    assert changed["over"] == 0 and changed["lowered_to"] <= 2, f"the lowered limit was not kept: {result}"
    return result


def run(service, workers, calls: int) -> tuple[int, float]:
    """(most calls in flight, share of the ideal rate) of one batch."""
    from tests.processes import wait_until

    service.mark()
    task = ground.batch("calls", url=service.url, n=calls, query={"ms": CALL_MS})
    wait_until(lambda: ground.ended(task), 120, what="the batch to end", processes=[*workers, service])
    assert task.succeeded == calls, f"{task.failed} calls failed"
    seen = service.stats()
    used = calls * CALL_MS / 1000 / LIMIT / seen["elapsed_s"]
    ground.say(f"{calls} calls: {seen['elapsed_s']:.2f} s, {seen['max_in_flight']} in flight, {used:.3f} of the ideal")
    return seen["max_in_flight"], used


def change(service, workers) -> dict:
    """3 -> 6 -> 2 while a batch runs, as an operator does it."""
    from tasks import fanout
    from tasks.models import Queue
    from tasks.queueing import wake
    from tests.processes import wait_until

    def turn(limit: int, seconds: float) -> dict:
        Queue.objects.filter(pk="standin").update(limit=limit)
        wake.now("standin")
        time.sleep(GRACE_S)
        service.control("limit", limit=limit)
        if limit < 6:  # what was open may end first
            wait_until(lambda: service.stats()["in_flight"] <= limit, 5, what="calls above the limit to end")
        service.mark()
        time.sleep(seconds)
        return service.stats()

    task = ground.batch("calls", url=service.url, n=2000, query={"ms": CALL_MS})
    wait_until(lambda: service.stats()["in_flight"] == LIMIT, 10, what="the limit to be reached")
    raised, lowered = turn(6, 3), turn(2, 3)
    fanout.cancel(task)
    wait_until(lambda: ground.ended(task), 30, what="the batch to end", processes=workers)
    over = service.stats()["over_ever"]
    return {"raised_to": raised["max_in_flight"], "lowered_to": lowered["max_in_flight"], "over": over}
