"""The ground of these tests: committed rows, a stand-in service, and workers in a hurry that stay for a module."""

import contextlib
from pathlib import Path

import pytest
from django.db import connection

from tasks import fanout
from tasks.kinds import base
from tasks.models import Queue, Task
from tasks.queueing import limits
from tests import processes
from tests.processes import wait_until
from tests.standin.process import StandIn

KIND = "tests.standin.kind.Calls"
TABLES = "tasks_task, tasks_queue, tasks_worker, tasks_finding, procrastinate_jobs, procrastinate_workers"
#: Every interval at a tenth of its default.
QUICK = {
    "SHEAF_KINDS": KIND,
    "SHEAF_SERVICES_PRIVATE": "127.0.0.1",
    "SHEAF_LANE_RENEW_S": 0.5,
    "SHEAF_LANE_STALE_S": 4,
    "SHEAF_SWEEP_S": 0.5,
    "SHEAF_LINGER_S": 0.2,
    "SHEAF_CANCEL_POLL_S": 0.1,
    "SHEAF_BACKOFF_S": 0.1,
    "SHEAF_STOP_S": 2,
    "SHEAF_BREAKER_OPEN_S": 0.5,
    "SHEAF_BREAKER_MAX_S": 2,
}
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Have pytest-django make the test database for these tests..."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.django_db)


@pytest.fixture(autouse=True)
def _django_db_marker():
    """... and leave its rows to `ground`: a transaction that is rolled back after each test no worker can see."""


def wipe():
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {TABLES} CASCADE")


@pytest.fixture(scope="module", autouse=True)
def ground(django_db_setup, django_db_blocker):
    from django.conf import settings

    with django_db_blocker.unblock():
        before, settings.SHEAF_KINDS = settings.SHEAF_KINDS, [KIND]
        base._kinds.cache_clear()
        wipe()
        fanout.ensure_queues()
        yield
        connection.close()
        wipe()
        connection.close()
        settings.SHEAF_KINDS = before
        base._kinds.cache_clear()


@pytest.fixture(scope="module")
def fleet(ground):
    """(service, workers): two worker processes, four places each."""
    with contextlib.ExitStack() as stack:
        service = stack.enter_context(StandIn())
        workers = [stack.enter_context(processes.Worker(concurrency=4, env=QUICK)) for _ in range(2)]
        yield service, workers


@pytest.fixture
def service(fleet):
    """The stand-in, its weather fair, its counts new, the queue as it starts out."""
    service, _ = fleet
    service.weather()
    Queue.objects.filter(pk="standin").update(limit=3, rate_per_minute=None, deadline_s=5)
    limits.reset_breaker("standin")
    service.mark()
    yield service
    service.weather()
    limits.reset_breaker("standin")
    for task in Task.objects.all():
        fanout.cancel(task)
    wait_until(lambda: all(task.is_terminal for task in Task.objects.all()), 20, what="what is left over to end")


@pytest.fixture
def calls(service):
    """Submit a batch of calls: ``calls(20, do="503")``."""

    def submit(n=1, queries=None, **query):
        task = fanout.create(
            "calls", title="calls", params={"url": service.url, "n": n, "query": query, "queries": queries}
        )
        fanout.start(task)
        return task

    return submit


@pytest.fixture
def end(fleet):
    """Wait for a batch's end; the Task."""

    def wait(task, timeout=30):
        wait_until(
            lambda: Task.objects.get(pk=task.pk).is_terminal, timeout, what="the batch to end", processes=fleet[1]
        )
        return Task.objects.get(pk=task.pk)

    return wait


def queue():
    return Queue.objects.get(pk="standin")
