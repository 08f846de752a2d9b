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
        measure([waiting(STEP)], one, two)  # warm-up
        small = statistics.median(measure([waiting(STEP)], one, two) for _ in range(ROUNDS))
        big = waiting(LARGE)
        large = statistics.median(measure([big], one, two) for _ in range(ROUNDS))
        ground.empty_batches()
        late = [waiting(STEP, not_due=LARGE if nth == 0 else 0) for nth in range(ROUNDS)]
        not_due = statistics.median(measure([task], one, two) for task in late)
        ground.empty_batches()
        many = spread(TASKS, LARGE // TASKS)
        spread_rate = statistics.median(measure(many, one, two) for _ in range(ROUNDS))
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
                "UPDATE tasks_subtask SET available_at = now() + interval '1 hour' WHERE task_id = %s AND position <= %s",
                [task.pk, not_due],
            )
            cursor.execute("VACUUM ANALYZE tasks_subtask")
    return task


def spread(tasks: int, children: int) -> list:
    """So many paused Tasks at once, each with its children; inserted in one statement a table."""
    from django.db import connection

    from tasks import shares
    from tasks.models import Task

    many = Task.objects.bulk_create(
        Task(kind="noop", title="bench", state="running", paused=True, sealed=True, total=children) for _ in range(tasks)
    )
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO tasks_subtask (task_id, position, key, stage, queue, state, generation, attempt, lost, input,
                                          result, error_code, error, error_data)
               SELECT t, n, n::text, 'noop', 'noop', 'pending', 1, 0, 0, '{}', '{}', '', '', '{}'
                 FROM unnest(%s::bigint[]) t, generate_series(1, %s) n""",
            [[task.pk for task in many], children],
        )
        cursor.execute("UPDATE tasks_task SET started_at = now() WHERE started_at IS NULL")
    shares.mark_ready([(task.pk, "noop", 1) for task in many])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE tasks_subtask, tasks_share, tasks_task")
    return many


def measure(tasks: list, *workers) -> float:
    """Children per second from resuming these Tasks until STEP more of theirs have succeeded; paused again after."""
    from django.db.models import Sum

    from tasks.models import Share, Task
    from tests.processes import wait_until

    mine = Task.objects.filter(title="bench")

    def settled() -> int:
        return mine.aggregate(n=Sum("succeeded"))["n"] or 0

    before, began = settled(), time.monotonic()
    _let_go(tasks)
    wait_until(lambda: settled() >= before + STEP, 120, what="the children to settle", processes=workers)
    seconds, done = time.monotonic() - began, settled() - before
    if len(tasks) == 1:
        from tasks import fanout

        fanout.pause(tasks[0])
    else:
        mine.filter(state="running").update(paused=True)
        Share.objects.update(held=True)
    time.sleep(0.5)  # what runs ends
    return done / seconds


def _let_go(tasks: list) -> None:
    from tasks import fanout, wake
    from tasks.models import Share, Task

    if len(tasks) == 1:
        fanout.resume(tasks[0])
        return
    Task.objects.filter(title="bench", state="running").update(paused=False)
    Share.objects.update(held=False)
    wake.now("noop")
