"""A worker that is frozen in the middle of a transaction holds up the others for some seconds, not until it thaws."""

import signal
import time

from django.db import OperationalError, transaction

from tasks.models import Task
from tests.integration.engine.batches import Worker, fresh, submit, wait_for_end
from tests.processes import wait_until


def is_locked(task) -> bool:
    try:
        with transaction.atomic():
            Task.objects.select_for_update(no_key=True, nowait=True).get(pk=task.pk)
    except OperationalError:
        return True
    return False


def freeze_with_the_task_locked(worker, task) -> bool:
    """A commit that is under way ends without the worker: only a lock that stays counts."""
    worker.signal(signal.SIGSTOP)
    until = time.monotonic() + 0.4
    while is_locked(task):
        if time.monotonic() > until:
            return True
        time.sleep(0.02)
    worker.signal(signal.SIGCONT)
    return False


def test_a_worker_frozen_with_a_tasks_row_locked_stops_nobody_for_long():
    with Worker(4) as frozen:
        task = submit("noop", n=30_000)
        wait_until(lambda: fresh(task).succeeded, 20, what="the first children", processes=[frozen])
        wait_until(lambda: freeze_with_the_task_locked(frozen, task), 20, what="a freeze at the wrong moment")
        before = fresh(task).succeeded
        with Worker(4) as other:
            wait_until(lambda: fresh(task).succeeded > before + 100, 40, what="the other to go on", processes=[other])
            frozen.signal(signal.SIGCONT)
            wait_for_end(task, 240, processes=[other])
