"""5,000 children that do nothing, limit 32, two worker processes; beside it bare procrastinate with as many jobs.

``ours_per_s`` counts from the submission to the end of the batch, counters, last-child close and finalization
included; ``procrastinate_per_s`` from the first job's insertion to the last one's end, with nothing counted at all.
``--peers`` measures other engines too (``tests.bench.peers``), in jobs per second; null is one that isn't here.
"""

from __future__ import annotations

import sys
import time

from tests.bench import ground, peers

CHILDREN, PLACES, PROCESSES = 5000, 32, 2


def main(arguments: list[str]) -> dict:
    ground.prepare("tests.kinds.Noop")
    ours, finalized = measure_ours(CHILDREN)
    theirs = measure_procrastinate(CHILDREN)
    result = {
        "ours_per_s": round(ours),
        "procrastinate_per_s": round(theirs),
        "ratio": round(ours / theirs, 2),
        "finalized": finalized,
    }
    if "--peers" in arguments:
        result |= peers.measure(CHILDREN, PLACES // PROCESSES, PROCESSES)
    return result


def measure_ours(children: int) -> tuple[float, int]:
    """(children per second, how often it was finalized), after a warm-up batch."""
    from tasks.models import Task
    from tests.processes import Worker, wait_until

    with Worker(concurrency=PLACES // PROCESSES) as one, Worker(concurrency=PLACES // PROCESSES) as two:
        for n in (500, children):
            began = time.monotonic()
            task = ground.batch("noop", n=n)
            wait_until(lambda task=task: ground.ended(task), 300, what="the batch to end", processes=[one, two])
            seconds = time.monotonic() - began
        assert (task.total, task.succeeded) == (children, children), "not all children succeeded"
    finalized = task.log.filter(code="ended").count()
    ground.say(f"ours: {children} children in {seconds:.2f} s")
    Task.objects.all().delete()
    return children / seconds, finalized


def measure_procrastinate(jobs: int) -> float:
    """Jobs per second of bare procrastinate: the same processes and places, its own batch insertion."""
    from django.db import connection
    from procrastinate.contrib.django import app

    from tests.processes import Process, wait_until

    def left() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM procrastinate_jobs WHERE queue_name = 'bare' AND status IN ('todo', 'doing')"
            )
            return cursor.fetchone()[0]

    command = (sys.executable, "-m", "tests.bench.bare", str(PLACES // PROCESSES))
    with Process(*command, name="bare 1") as one, Process(*command, name="bare 2") as two:
        for n in (200, jobs):
            began = time.monotonic()
            app.configure_task("bare.nothing", queue="bare").batch_defer(*({"n": i} for i in range(n)))
            wait_until(lambda: left() == 0, 600, what="procrastinate's jobs to end", processes=[one, two])
            seconds = time.monotonic() - began
    ground.say(f"bare procrastinate: {jobs} jobs in {seconds:.2f} s")
    return jobs / seconds
