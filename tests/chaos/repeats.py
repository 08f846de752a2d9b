"""``python -m tests.chaos.repeats [--kills 20 --runs 200 --barriers 500]``: rare races, asked for again and again.

- kills: a batch of one child; its worker is killed at so many points between the take and the end of the closing step.
- runs: so many batches of 100 children, one after the other, on eight worker processes: none hangs.
- barriers: 50 last children settle at the same moment from connections of their own: one closes, each time.

The last line is one JSON object; ends with 1 if a batch did not end, or did not end once.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import threading
import time

KINDS = ("tests.kinds.Noop", "tests.kinds.Act", "tests.kinds.Slow")
END_S = 120
CHILDREN, WORKERS, LAST = 100, 8, 50


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.repeats")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--barriers", type=int, default=500)
    given = parser.parse_args()
    os.environ.setdefault("SHEAF_VAR", f"/var/tmp/sheaf-chaos-{os.getuid()}")
    from tests.bench import ground

    ground.prepare(*KINDS)
    from tasks import fanout

    fanout.ensure_queues()
    result = {}
    for repeat, name in ((killed, "kills"), (ran, "runs"), (met, "barriers")):
        began, times = time.monotonic(), getattr(given, name)
        ground.empty()
        fanout.ensure_queues()
        bad = repeat(times)
        result[name] = {"times": times, "wrong": bad, "seconds": round(time.monotonic() - began, 1)}
        print(name, result[name], file=sys.stderr, flush=True)
    print(json.dumps(result))
    return 1 if any(part["wrong"] for part in result.values()) else 0


def ended_once(task, total: int) -> bool:
    """Terminal, whole by its rows as by its counters, and closed and ended once."""
    task.refresh_from_db()
    succeeded = task.children.filter(state="succeeded").count()
    said = [task.log.filter(code=code).count() for code in ("finalizing", "ended")]
    return task.state == "completed" and succeeded == task.succeeded == task.total == total and said == [1, 1]


def wait_for_end(task, seconds: float = END_S) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        task.refresh_from_db()
        if task.is_terminal:
            return True
        time.sleep(0.02)
    return False


def killed(times: int) -> list[str]:
    """The child takes 0.2 s, its closing step as long: the points are spread over both, and a little beyond."""
    from tasks.queueing import lanes
    from tests.bench import ground
    from tests.integration.engine.batches import Worker

    wrong = []
    for nth in range(times):
        with Worker(2) as doomed:
            task = ground.batch("slow", children=[{"s": 0.2}], complete_s=0.2)
            until = time.monotonic() + END_S
            while not task.children.exclude(state="pending").exists() and time.monotonic() < until:
                time.sleep(0.005)
            time.sleep(0.6 * nth / max(1, times - 1))
            doomed.kill()
        lanes.release(doomed.token)  # as a supervisor does
        with Worker(2):
            if not wait_for_end(task) or not ended_once(task, 1):
                wrong.append(f"task {task.pk}, killed at point {nth}: {task.state}")
    return wrong


def ran(times: int) -> list[str]:
    from tests.bench import ground
    from tests.integration.engine.batches import Worker

    wrong = []
    with contextlib.ExitStack() as stack:
        for _ in range(WORKERS):
            stack.enter_context(Worker(4))
        for _ in range(times):
            task = ground.batch("noop", n=CHILDREN)
            if not wait_for_end(task) or not ended_once(task, CHILDREN):
                wrong.append(f"task {task.pk}: {task.state}, {task.settled} of {task.total}")
    return wrong


def met(times: int) -> list[str]:
    """No worker: the children are taken here, and settled by one thread each, which all wait for the last of them."""
    from django.db import connections

    from tasks import background
    from tasks.models import Queue
    from tasks.queueing import lanes, ledger, messages
    from tasks.queueing.messages import Outcome, Work
    from tests.bench import ground

    Queue.objects.filter(name="act").update(limit=LAST)
    gate, assignments, raised = threading.Barrier(LAST + 1), [], []

    def settles(nth: int) -> None:
        for _ in range(times):
            gate.wait(END_S)
            try:
                ledger.trip(Work(outcomes=[Outcome(assignments[nth], messages.SUCCEEDED)]), {})
            except Exception as error:  # noqa: BLE001  whatever it is, it is the finding
                raised.append(repr(error))
            gate.wait(END_S)
        connections.close_all()

    threads = [threading.Thread(target=settles, args=(nth,), daemon=True) for nth in range(LAST)]
    for thread in threads:
        thread.start()
    wrong = []
    for _ in range(times):
        task = ground.batch("act", children=[{}], repeat=LAST)
        for _chunk in background.expand(task.pk):
            pass
        asks = [(lanes.begin("act", "", slot, job_id=slot + 1, worker=None), 1) for slot in range(LAST)]
        answer = ledger.trip(Work(asks=asks), {"act": ["act"]})
        assignments[:] = [assignment for batch in answer.taken.values() for assignment in batch]
        gate.wait(END_S)  # all settle
        gate.wait(END_S)  # all have
        background.finalize(task.pk, 1)
        if not ended_once(task, LAST):
            wrong.append(f"task {task.pk}: {task.state}, {task.settled} of {task.total}")
    return wrong + raised


if __name__ == "__main__":
    sys.exit(main())
