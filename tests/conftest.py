"""What every test stands on: an embedded PostgreSQL of the session's own, and rows of migrations that stay."""

from __future__ import annotations

import fcntl

import pytest
from pytest_django.plugin import blocking_manager_key


@pytest.fixture(scope="session")
def django_db_modify_db_settings():
    """Start or join the session's server before pytest-django makes the test database on it.

    Two sessions would drop each other's database, so the second one ends here with a sentence.
    """
    from django.conf import settings

    from config.machine import embedded_postgres

    settings.SHEAF_VAR.mkdir(parents=True, exist_ok=True)
    with open(settings.SHEAF_VAR / "tests.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pytest.exit(f"Other tests are using {settings.SHEAF_VAR}: wait, or set another SHEAF_VAR.", returncode=2)
        embedded_postgres.use()
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Remember the rows that migrations made; Django puts them back before each transactional test."""
    from django.db import connection

    with django_db_blocker.unblock():
        connection._test_serialized_contents = connection.creation.serialize_db_to_string()


@pytest.fixture(scope="session", autouse=True)
def _addresses():
    """Load the addresses with the Kinds of the settings, before a test lets itself see others."""
    import config.urls  # noqa: F401


def _is_transactional(test: pytest.Item) -> bool:
    """Whether the test commits, and so ends by emptying every table."""
    marker = test.get_closest_marker("django_db")
    asked = {"transactional_db", "live_server"} & set(getattr(test, "fixturenames", ()))
    return bool(asked) or bool(marker and marker.kwargs.get("transaction"))


_EMPTIED = pytest.StashKey[bool]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """A test that rolls back may follow one that emptied the tables: sessions side by side mix the files, so the order
    in which pytest-django would have put them does not hold."""
    if _is_transactional(item):
        item.session.stash[_EMPTIED] = True
    elif "db" in item.fixturenames or item.get_closest_marker("django_db"):
        if item.session.stash.get(_EMPTIED, False):
            from django.db import connection

            with item.config.stash[blocking_manager_key].unblock():
                connection.creation.deserialize_db_from_string(connection._test_serialized_contents)
            item.session.stash[_EMPTIED] = False


def pytest_collection_modifyitems(items):
    """Have Django put the migrations' rows back for each test that would find the tables empty."""
    for item in items:
        if _is_transactional(item) and "django_db_serialized_rollback" not in item.fixturenames:
            item.fixturenames.append("django_db_serialized_rollback")


@pytest.fixture(autouse=True)
def _no_jobs_of_other_tests(request, _django_db_marker):
    """procrastinate's tables are not Django's to empty, so a transactional test would find its forerunner's jobs."""
    if _is_transactional(request.node):
        from django.db import connection

        request.getfixturevalue("transactional_db")
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE procrastinate_jobs, procrastinate_workers, procrastinate_periodic_defers CASCADE")
