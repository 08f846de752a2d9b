"""A database that can't be used stops the start with one sentence: away, too old, or behind this version."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from config import database, schema
from tests.processes import Manage, free_port


def test_a_server_that_is_away_is_named_in_one_sentence_unless_it_may_be():
    nobody = database.entry(
        f"postgresql://ann:s3cret@127.0.0.1:{free_port()}/papers",
        application_name="x",
        conn_max_age_s=0,
        tcp_user_timeout_s=1,
    )
    with pytest.raises(database.DatabaseNotUsable, match="can't be reached, check DATABASE_URL") as refusal:
        database.require_usable(nobody)
    assert "s3cret" not in str(refusal.value)
    database.require_usable(nobody, may_be_away=True)


@pytest.mark.django_db
@pytest.mark.parametrize("may_be_away", [False, True])
def test_a_server_that_is_too_old_is_refused_by_every_process(monkeypatch, may_be_away):
    database.require_usable(connection.settings_dict, may_be_away=may_be_away)
    monkeypatch.setattr(database, "OLDEST", 99)
    with pytest.raises(database.DatabaseNotUsable, match=r"is PostgreSQL \d+\.\d+; Sheaf needs 99 or newer"):
        database.require_usable(connection.settings_dict, may_be_away=may_be_away)


@pytest.mark.parametrize(("number", "words"), [(130023, "13.23"), (90624, "9.6"), (180000, "18.0")])
def test_a_version_is_said_as_people_say_it(number, words):
    assert database._shown(number) == words


@pytest.mark.django_db
def test_migrations_that_the_database_lacks_are_found_by_name():
    assert schema.lacking() == []
    MigrationRecorder(connection).record_unapplied("tasks", "0002_engine")
    assert schema.lacking() == ["tasks.0002_engine"]


@pytest.fixture
def empty_database():
    """The address of a database without tables, for as long as the test takes."""
    name = sql.Identifier("sheaf_empty")
    with psycopg.connect(database.url_of(connection.settings_dict), autocommit=True) as administrator:
        administrator.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
        administrator.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(name))
        yield database.url_of({**connection.settings_dict, "NAME": "sheaf_empty"})
        administrator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.mark.django_db(transaction=True)
def test_a_worker_before_the_migrations_says_so_and_takes_nothing(empty_database):
    with Manage("worker", env={"DATABASE_URL": empty_database}) as process:
        assert process.wait(60) == 1
    assert "run `manage.py migrate`" in process.output and "Traceback" not in process.output
