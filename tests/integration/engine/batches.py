"""What the engine's tests say again and again: submit a batch, wait for its end, compare counters with rows."""

from __future__ import annotations

import threading
from collections import Counter

from django.db import connection, connections

from tasks import fanout
from tasks.models import SubTask, Task
from tests import processes
from tests.processes import wait_until

KINDS = [
    f"tests.kinds.{name}" for name in ("Noop", "Act", "Shout", "Slow", "Relay", "Fork", "Patient", "Hasty", "Chain")
]

#: Every interval at a tenth of its default, but for the silence after which a lane is given up: on a starved machine a
#: process that lives may well be silent for two seconds, and a loss that no fault of the test's explains fails it.
QUICK = {
    "SHEAF_KINDS": ",".join(KINDS),
    "SHEAF_LANE_RENEW_S": 0.5,
    "SHEAF_LANE_STALE_S": 4,
    "SHEAF_SWEEP_S": 0.5,
    "SHEAF_LINGER_S": 0.2,
    "SHEAF_YIELD_S": 0.5,
    "SHEAF_CANCEL_POLL_S": 0.1,
    "SHEAF_LOG_FLUSH_S": 0.05,
    "SHEAF_BACKOFF_S": 0.1,
    "SHEAF_STOP_S": 2,
}


def Worker(concurrency: int = 4, **env) -> processes.Worker:
    """A worker process in a hurry, under a name of its own in pg_stat_activity."""
    worker = processes.Worker(concurrency=concurrency)
    worker._env = {**worker._env, **QUICK, "SHEAF_PROCESS_NAME": f"sheaf-{worker.token[:8]}", **env}
    return worker


def submit(kind: str, **params) -> Task:
    task = fanout.create(kind, title=kind, params=params)
    fanout.start(task)
    return task


def act(*children: dict, repeat: int = 1, **params) -> Task:
    """A batch of the Kind that does what it is told."""
    return submit("act", children=list(children), repeat=repeat, **params)


def fresh(task: Task) -> Task:
    return Task.objects.get(pk=task.pk)


def rows(task: Task) -> Counter:
    """How many children of each state there are, by their rows."""
    return Counter(task.children.values_list("state", flat=True))


def counters(task: Task) -> tuple[int, int, int, int]:
    """(total, succeeded, failed, cancelled) as the Task says."""
    task = fresh(task)
    return task.total, task.succeeded, task.failed, task.cancelled


def lines(task: Task, code: str) -> int:
    return task.log.filter(code=code).count()


def wait_for_end(task: Task, timeout: float = 60, processes=(), generation: int = 1) -> Task:
    """The Task once it is terminal in this generation; its counters are its rows, and its log has no gap."""

    def ended():
        now = fresh(task)
        return now if now.is_terminal and now.generation == generation else None

    ended = wait_until(ended, timeout, what=f"task {task.pk} to end", processes=processes)
    assert_whole(ended)
    assert lines(task, "ended") == generation
    assert lines(task, "finalizing") == generation
    return ended


def assert_whole(task: Task) -> None:
    """Counters equal rows, none is unsettled, and the log is numbered without a gap."""
    by_state = rows(task)
    assert counters(task) == (
        sum(by_state.values()),
        by_state["succeeded"],
        by_state["failed"],
        by_state["cancelled"],
    ), by_state
    assert not by_state["pending"] and not by_state["running"]
    assert_log_has_no_gap(task)


def assert_log_has_no_gap(task: Task) -> None:
    numbers = list(task.log.order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) == fresh(task).log_seq


def running(task: Task, n: int = 1) -> bool:
    return task.children.filter(state="running").count() >= n


def child(task: Task, **which) -> SubTask:
    return task.children.get(**which)


def at_once(*calls) -> list:
    """Call each in a thread of its own, all let go at the same moment. What they return, or raised, in order."""
    gate, results = threading.Barrier(len(calls)), [None] * len(calls)

    def one(nth, call):
        try:
            connection.ensure_connection()
            gate.wait(30)
            results[nth] = call()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test wants to see it
            results[nth] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def sql(query: str, *values):
    """All rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchall() if cursor.description else cursor.rowcount
