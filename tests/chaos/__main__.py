"""``python -m tests.chaos --minutes M [--seed N] [--json]``: the last line is one JSON object.

Ends with 1, and says which, if a promise was broken.

Four workers on two machines (by name) and a web process, each started anew when it ends; eight batches or more are open
at any time; every few seconds something breaks. Then the weather clears, everything is to end, and is counted.
``rescue_p95_s``: from the fault to the child's next run, for queues per machine; time without a database is left out.
``network_given_back_p95_s``: until a service's child is free again; until it runs again, it waits its turn as well, and
until the service's breaker closes. ``web``: answers of the web process, asked for all the time, by status.
What the processes said is kept in SHEAF_VAR/chaos.log.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import threading
import time

KINDS = ("tests.standin.kind.Calls", "tests.chaos.kind.Local", "tests.chaos.kind.Both")
ENV = {"SHEAF_SERVICES_PRIVATE": "127.0.0.1", "SHEAF_LOG_LEVEL": "INFO", "SHEAF_STOP_S": "6"}
END_S = 240  # for the last frozen lane to be given up, the breaker's longest pause, and what is left to do
LIMIT = 3


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    os.environ.setdefault("SHEAF_VAR", f"/var/tmp/sheaf-chaos-{os.getuid()}")
    os.environ.update(ENV)
    from tests.bench import ground

    ground.prepare(*KINDS)
    seed = given.seed if given.seed is not None else random.randrange(10**6)
    result = run(given.minutes * 60, random.Random(seed), quiet=given.json) | {"seed": seed}
    from tests.chaos.verdict import broken

    promises = broken(result)
    for promise in promises:
        print(f"BROKEN: {promise}", file=sys.stderr)
    print(json.dumps(result | {"ok": not promises}))
    return 1 if promises else 0


def run(seconds: float, rng: random.Random, *, quiet: bool) -> dict:
    from django.conf import settings
    from django.db import connection

    from tasks import fanout
    from tests.chaos import verdict
    from tests.chaos.asking import Asking
    from tests.chaos.database import Downtime, insist
    from tests.chaos.faults import Faults
    from tests.chaos.fleet import Fleet
    from tests.chaos.rescue import Rescues, p95
    from tests.chaos.work import Work
    from tests.standin.process import StandIn

    def say(*words) -> None:
        print(f"{time.monotonic() - began:6.1f} s", *words, file=sys.stderr if quiet else sys.stdout, flush=True)

    began = time.monotonic()
    fanout.ensure_queues()
    downtime, over = Downtime(), threading.Event()
    rescues = Rescues(downtime)
    with StandIn() as service, open(settings.SHEAF_VAR / "chaos.log", "wb", buffering=0) as log:
        work, fleet = Work(service.url, rng), Fleet(ENV, log)
        faults = Faults(fleet, service, rescues, downtime, rng)
        asking = Asking(fleet.port, downtime)
        beside = [threading.Thread(target=one, args=(over,), daemon=True) for one in (rescues.watch, asking.ask_on)]
        fleet.start()
        for one in beside:
            one.start()
        try:
            while time.monotonic() - began < seconds:
                work.keep_up()
                say(faults.next())
                time.sleep(rng.uniform(1, 3))
            say("the weather clears")
            faults.clear()
            until = time.monotonic() + END_S
            while (left := insist(work.let_it_end)) and time.monotonic() < until:
                time.sleep(0.5)
            say("ended" if not left else f"{left} batches did not end")
        finally:
            over.set()
            for one in beside:
                one.join(20)
            stubborn = fleet.end()
        seen = service.stats()
    connection.close()
    return {
        **insist(verdict.count),
        "faults": dict(faults.done),
        "limit": LIMIT,
        "max_in_flight": seen["max_ever"],
        "calls": seen["calls_ever"],
        "rescue_p95_s": p95(rescues.local),
        "rescues": len(rescues.local),
        "network_rescues": len(rescues.network),
        "network_rescue_p95_s": p95(rescues.network),
        "network_given_back_p95_s": p95(rescues.network_given_back),
        "web": asking.statuses,
        "web_slowest_s": asking.slowest_s,
        "web_errors": asking.errors,
        "did_not_stop": stubborn,
    }


if __name__ == "__main__":
    sys.exit(main())
