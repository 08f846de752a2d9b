"""A backup taken while a batch runs, brought back on another database: the batch goes on, and no byte is missing."""

from __future__ import annotations

import io
import os
import uuid
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from psycopg import sql

from config import database
from config.machine import dump
from tasks.files import store
from tasks.models import Worker as Row
from tests.integration.engine.batches import QUICK, Worker, act, fresh
from tests.integration.literature.papers import sha256
from tests.processes import Manage, wait_until

PAPER = os.urandom(700_000)  # several chunks, the last one not full

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def another_database():
    """The DATABASES entry of an empty database beside the test's own."""
    name = sql.Identifier("sheaf_restored")
    with psycopg.connect(database.url_of(connection.settings_dict), autocommit=True) as administrator:
        administrator.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        administrator.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(name))
        yield {**connection.settings_dict, "NAME": "sheaf_restored"}
        administrator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.fixture
def kinds(settings):
    from tasks.kinds import base
    from tests.integration.engine.batches import KINDS

    settings.SHEAF_KINDS = KINDS
    base._kinds.cache_clear()
    yield
    base._kinds.cache_clear()


def manage(*arguments: str, on: dict) -> Manage:
    return Manage(*arguments, env={"DATABASE_URL": database.url_of(on)})


def ended(process: Manage) -> tuple[int, str]:
    with process:
        return process.wait(120), process.output


def test_what_is_restored_is_the_moment_of_the_backup_and_goes_on_from_there(kinds, another_database, tmp_path):
    file = tmp_path / "sheaf.dump"
    User.objects.create_user("ana")
    store.keep(io.BytesIO(PAPER), sha256(PAPER))
    with Worker(4) as worker:
        task = act({"s": 0.05}, repeat=300)
        wait_until(lambda: fresh(task).succeeded >= 8, 60, what="the first children", processes=[worker])
        status, said = ended(manage("backup", str(file), on=connection.settings_dict))
        assert status == 0, said
        assert not fresh(task).finished_at, "the batch has to be under way for this test to say anything"
    assert file.stat().st_mode & 0o077 == 0

    status, said = ended(manage("restore", str(file), on=another_database))
    assert status == 0, said
    with psycopg.connect(database.url_of(another_database), autocommit=True) as there:

        def one(statement, *values):
            return there.execute(statement, values).fetchone()

        assert one("SELECT count(*) FROM auth_user WHERE username = 'ana'") == (1,)
        kept = there.execute("SELECT data FROM literature_chunk ORDER BY file_id, number").fetchall()
        assert b"".join(bytes(data) for (data,) in kept) == PAPER
        state, done = one("SELECT state, succeeded FROM tasks_task WHERE id = %s", task.pk)
        assert state == "running" and done < 300

        env = {**QUICK, "DATABASE_URL": database.url_of(another_database)}
        with Manage("worker", "--concurrency", "4", env=env) as other:
            wait_until(
                lambda: one("SELECT state FROM tasks_task WHERE id = %s", task.pk) == ("completed",),
                120,
                what="the restored batch to end",
                processes=[other],
            )
        assert one("SELECT total, succeeded, failed, generation FROM tasks_task WHERE id = %s", task.pk) == (
            300,
            300,
            0,
            1,
        )
        assert one("SELECT count(*) FROM tasks_finding WHERE code = 'healed'") == (0,)


def test_nothing_is_replaced_unasked_or_under_a_living_worker_or_by_a_broken_file(tmp_path):
    file = tmp_path / "sheaf.dump"
    file.write_bytes(b"not a dump")
    User.objects.create_user("ana")
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", file)
    Row.objects.create(token=uuid.uuid4(), host="anna", pid=7, concurrency=1)
    with pytest.raises(CommandError, match=r"Workers live \(anna:7\): stop web and workers first"):
        call_command("restore", file, replace=True)
    Row.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    with pytest.raises(CommandError, match="pg_restore failed"):
        call_command("restore", file, replace=True)
    assert User.objects.filter(username="ana").exists()


def test_the_program_is_of_the_servers_version_or_newer_never_older(monkeypatch):
    there = {Path("/old/pg_dump"): 15, Path("/same/pg_dump"): 16, Path("/new/pg_dump"): 18}
    monkeypatch.setattr(dump, "_installed", lambda name: there)
    monkeypatch.setattr(dump, "_major", there.__getitem__)
    assert dump._program("pg_dump", 16) == Path("/same/pg_dump")
    assert dump._program("pg_dump", 17) == Path("/new/pg_dump")
    with pytest.raises(dump.CannotDump, match="pg_dump of PostgreSQL 19 or newer .* install postgresql-client-19"):
        dump._program("pg_dump", 19)
