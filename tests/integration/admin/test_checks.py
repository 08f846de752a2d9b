"""System checks say early, with an id and a next step, what would go wrong later."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid

import pytest
from django.conf import settings as settings_of_project
from django.core import checks as framework
from django.db import connection
from django.db.utils import NotSupportedError
from django.utils.translation import override

from tasks import checks
from tasks.kinds import base
from tasks.kinds.base import Kind, QueueDefault, Stage
from tasks.models import Queue, Task, Worker


class Press(Kind):
    name = "press-words"
    queues = (QueueDefault("press", limit=3),)
    stages = (Stage("parse", queue="press", run=None),)


class Twin(Press):
    pass


class Astray(Press):
    name = "astray"
    stages = (Stage("ocr", queue="nowhere", run=None),)


class Nameless(Press):
    name = ""


class Slow(Press):
    name = "slow"
    queues = (QueueDefault("press", deadline_s=120),)


@pytest.fixture
def kinds(settings):
    """Registers only these Kinds, for one test."""

    def use(*classes):
        settings.SHEAF_KINDS = [f"{cls.__module__}.{cls.__qualname__}" for cls in classes]
        base._kinds.cache_clear()

    yield use
    base._kinds.cache_clear()


def ids(found):
    assert all(message.hint for message in found), "every check says what to do"
    return [message.id for message in found]


def in_database():
    return checks.database_fits(databases=["default"])


def test_the_project_itself_passes():
    assert [m for m in framework.run_checks() if m.id and m.id.startswith("tasks.")] == []


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ((Press,), []),
        ((Press, Twin), ["tasks.E001"]),
        ((Nameless,), ["tasks.E001"]),
        ((Astray,), ["tasks.E002"]),
        ((Slow,), ["tasks.E003"]),
    ],
)
def test_kinds_that_cannot_work_are_refused(kinds, monkeypatch, classes, expected):
    monkeypatch.setattr(base, "import_string", lambda path: globals()[path.rpartition(".")[2]])
    kinds(*classes)
    assert ids(checks.kinds_load()) == expected


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("no.such.Kind", "No module named 'no'"),
        ("tasks.kinds.base.Missing", "does not define"),
        ("nodots", "module path"),
        ("tasks.models.Task", "is not a Kind"),
        ("tasks.kinds.base.registered", "is not a Kind"),
    ],
)
def test_a_path_that_leads_to_no_kind_is_named_with_the_reason(settings, kinds, path, why):
    settings.SHEAF_KINDS = [path]
    (error,) = checks.kinds_load()
    assert error.id == "tasks.E001" and f"SHEAF_KINDS names {path!r}" in error.msg and why in error.msg


def test_no_process_starts_with_a_kind_that_is_not_there():
    ended = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env={**os.environ, "SHEAF_KINDS": "tasks.kinds.base.Missing"},
        cwd=settings_of_project.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr.startswith("SHEAF_KINDS names 'tasks.kinds.base.Missing'") and ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("debug", "hosts", "https", "expected"),
    [
        (True, ["localhost"], False, []),
        (True, ["sheaf.example.org"], False, ["tasks.W005"]),
        (True, ["localhost"], True, ["tasks.W005"]),
        (False, ["sheaf.example.org"], True, []),
    ],
)
def test_debug_on_a_public_site_is_warned_of(settings, debug, hosts, https, expected):
    settings.DEBUG, settings.ALLOWED_HOSTS, settings.SHEAF_HTTPS = debug, hosts, https
    assert ids(checks.debug_is_private()) == expected


def test_the_database_is_not_asked_unless_it_is_meant():
    assert checks.database_fits(databases=None) == []


class TestInTheDatabase:
    @pytest.fixture(autouse=True)
    def _one_kind(self, db, kinds, monkeypatch):
        monkeypatch.setattr(base, "import_string", lambda path: Press)
        kinds(Press)
        Queue.objects.all().delete()

    def test_a_queue_without_row(self):
        assert ids(in_database()) == ["tasks.W001"]
        Queue.objects.create(name="press", limit=1)
        assert ids(in_database()) == []

    def test_a_limit_that_no_worker_has_places_for(self):
        Queue.objects.create(name="press", limit=9)
        assert ids(in_database()) == []  # nothing lives: nothing to compare
        Worker.objects.create(token=uuid.uuid4(), host="anna", pid=1, concurrency=4, queues=["press"])
        assert ids(in_database()) == ["tasks.W002"]
        Worker.objects.create(token=uuid.uuid4(), host="berta", pid=1, concurrency=5, queues=[])
        assert ids(in_database()) == []
        Queue.objects.update(per_host=True)
        assert ids(in_database()) == ["tasks.W002"]

    def test_batches_whose_kind_nobody_knows(self):
        Queue.objects.create(name="press", limit=1)
        for kind, state in [("press-words", "running"), ("gone", "running"), ("gone", "draft"), ("gone", "completed")]:
            Task.objects.create(kind=kind, title=kind, state=state)
        (warning,) = in_database()
        assert warning.id == "tasks.W006" and "1 batch under way is of the kind “gone”" in warning.msg

    def test_a_server_that_is_too_old(self, monkeypatch):
        def refuse(*_):
            raise NotSupportedError("PostgreSQL 14 or later is required (found 13.23).")

        monkeypatch.setattr(connection.introspection, "table_names", refuse)
        (error,) = in_database()
        assert error.id == "tasks.E004" and error.hint and "found 13.23" in error.msg

    def test_they_speak_the_language_of_the_installation(self):
        with override("en"):
            (english,) = in_database()
        with override("zh-hans"):
            (chinese,) = in_database()
        assert english.id == chinese.id and english.msg != chinese.msg and english.hint != chinese.hint

    def test_more_connections_than_the_server_gives(self, monkeypatch):
        Queue.objects.create(name="press", limit=1)
        monkeypatch.setattr(checks, "CONNECTIONS_OF_WORKER", 100_000)
        assert ids(in_database()) == ["tasks.W003"]

    def test_a_pooler_in_between(self, monkeypatch):
        """A pooler makes up the process number it greets with; here the greeting is forged the same way."""
        Queue.objects.create(name="press", limit=1)

        class Greeting:
            backend_pid = -1

        connection.ensure_connection()
        real = connection.connection

        class Pooled:
            info = Greeting()

            def __getattr__(self, name):
                return getattr(real, name)

        monkeypatch.setattr(connection, "connection", Pooled())
        assert checks.behind_pooler(connection)
        assert "tasks.W004" in ids(in_database())
