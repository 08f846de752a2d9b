"""The ground of the engine's tests: committed rows that stay for a whole module, so that its workers can stay too.

Tests look at their own batch only. A module that needs empty tables asks for `empty`.
"""

import contextlib
from pathlib import Path

import pytest
from django.db import connection

from tasks.kinds import base
from tests.integration.engine.batches import KINDS

TABLES = "tasks_task, tasks_queue, tasks_worker, tasks_finding, procrastinate_jobs, procrastinate_workers"


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
    """The test database, open to this module, empty of batches before and after it."""
    from django.conf import settings

    with django_db_blocker.unblock():
        before, settings.SHEAF_KINDS = settings.SHEAF_KINDS, KINDS
        base._kinds.cache_clear()
        wipe()
        yield
        connection.close()
        wipe()
        connection.close()
        settings.SHEAF_KINDS = before
        base._kinds.cache_clear()


@pytest.fixture
def empty():
    """No batch, queue or job of an earlier test (for modules without workers of their own)."""
    wipe()


@pytest.fixture
def stack():
    """For processes that a test starts in the middle: they end with it."""
    with contextlib.ExitStack() as stack:
        yield stack
