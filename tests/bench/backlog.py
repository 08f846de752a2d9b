"""Throughput with 100,000 children waiting over throughput with 1,000 waiting, the same work in the same run.

Each figure is the median of five: from letting 1,000 children go to the last of them settled, two workers, limit 32.
``ratio`` is large over small. Beside it the same with 100,000 more that are not yet due (``not_due_ratio``), and with
100,000 spread over 10,000 Tasks (``spread_ratio``).
"""

from __future__ import annotations

import statistics
import time

from tests.bench import ground

STEP, LARGE, ROUNDS, TASKS = 1000, 100_000, 5, 10_000


def main(arguments: list[str]) -> dict:
    ground.prepare("tests.kinds.Noop")
    from tests.processes import Worker

    with Worker(concurrency=16) as one, Worker(concurrency=16) as two:
        measure(waiting(STEP), one, two)  # warm-up
        small = statistics.median(measure(waiting(STEP), one, two) for _ in range(ROUNDS))
        big = waiting(LARGE)
        large = statistics.median(measure(big, one, two) for _ in range(ROUNDS))
        ground.empty_batches()
        late = [waiting(STEP, not_due=LARGE if nth == 0 else 0) for nth in range(ROUNDS)]
        not_due = statistics.median(measure(task, one, two) for task in late)
        ground.empty_batches()
        spread(TASKS, LARGE // TASKS)
        _let_all_go()
        windows(1, one, two)  # the lanes wake up
        spread_rate = statistics.median(windows(ROUNDS, one, two))
    return {
        "small_per_s": round(small),
        "large_per_s": round(large),
        "ratio": round(large / small, 2),
        "not_due_ratio": round(not_due / small, 2),
        "spread_ratio": round(spread_rate / small, 2),
    }


def waiting(children: int, not_due: int = 0):
    """A paused Task with so many children ready, and more that are due in an hour."""
    from django.db import connection

    from tasks import background, fanout

    task = fanout.create("noop", title="bench", params={"n": children + not_due})
    fanout.start(task)
    fanout.pause(task)
    for _ in background.expand(task.pk):
        pass
    if not_due:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE tasks_subtask SET available_at = now() + interval '1 hour'"
                " WHERE task_id = %s AND position <= %s",
                [task.pk, not_due],
            )
            cursor.execute("VACUUM ANALYZE tasks_subtask")
    return task


def spread(tasks: int, children: int) -> None:
    """So many paused Tasks at once, each with its children; inserted in one statement a table."""
    from django.db import connection, transaction
    from django.db.models.functions import Now

    from tasks.models import Task
    from tasks.queueing import shares

    with transaction.atomic(), connection.cursor() as cursor:  # or the sweep would mend Tasks that lack their children
        row = {"kind": "noop", "title": "bench", "state": "running", "paused": True, "sealed": True, "total": children}
        many = Task.objects.bulk_create(Task(**row, started_at=Now()) for _ in range(tasks))
        cursor.execute(
            """INSERT INTO tasks_subtask (task_id, position, key, stage, queue, state, generation, attempt, lost, input,
                                          result, error_code, error, error_data)
               SELECT t, n, n::text, 'noop', 'noop', 'pending', 1, 0, 0, '{}', '{}', '', '', '{}'
                 FROM unnest(%s::bigint[]) t, generate_series(1, %s) n""",
            [[task.pk for task in many], children],
        )
        shares.mark_ready([(task.pk, "noop", 1) for task in many])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE tasks_subtask, tasks_share, tasks_task")


def measure(task, *workers) -> float:
    """Children per second from resuming the Task until STEP more of its children have succeeded; paused again after."""
    from tasks import fanout

    before, began = settled(), time.monotonic()
    fanout.resume(task)
    rate = _until(before + STEP, workers, began, before)
    fanout.pause(task)
    time.sleep(0.5)  # what runs ends
    return rate


def windows(n: int, *workers) -> list[float]:
    """Children per second in each of n stretches of STEP children, one after the other."""
    rates = []
    for _ in range(n):
        before, began = settled(), time.monotonic()
        rates.append(_until(before + STEP, workers, began, before))
    return rates


def settled() -> int:
    from django.db.models import Sum

    from tasks.models import Task

    return Task.objects.filter(title="bench").aggregate(n=Sum("succeeded"))["n"] or 0


def _until(goal: int, workers, began: float, before: int) -> float:
    from tests.processes import wait_until

    wait_until(lambda: settled() >= goal, 120, what="the children to settle", processes=workers)
    done = settled() - before
    return done / (time.monotonic() - began)


def _let_all_go() -> None:
    from tasks.models import Share, Task
    from tasks.queueing import wake

    Task.objects.filter(title="bench").update(paused=False)
    Share.objects.update(held=False)
    wake.now("noop")
