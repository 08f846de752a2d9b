"""The two questions of an orchestrator, asked of the views and of a real web process."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError

from config.machine import embedded_postgres
from config.middleware import health
from tests.processes import Web


@pytest.fixture
def probes(monkeypatch):
    """The registry of probes, restored afterwards; migrations are looked at afresh."""
    monkeypatch.setattr(health, "_probes", dict(health._probes))
    monkeypatch.setattr(health, "_migrated", False)
    return health._probes


@pytest.mark.django_db
def test_a_migrated_database_is_ready(client, probes):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["ready"] is True
    assert answer.json()["wrong"] == {}


@pytest.mark.django_db
def test_a_part_that_is_not_well_makes_the_process_unready_but_alive(client, probes):
    health.register("listener", lambda: "disconnected")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["ready"] is False
    assert answer.json()["wrong"] == {"listener": "disconnected"}
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
def test_an_orchestrator_may_ask_by_any_address_and_without_https(client, probes, settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["sheaf.example"]
    for path in ("/healthz", "/readyz"):
        answer = client.get(path, headers={"host": "10.1.2.3:8000"})
        assert answer.status_code == 200
        assert "no-store" in answer.headers["Cache-Control"]
        assert "Set-Cookie" not in answer.headers


@pytest.mark.django_db
def test_a_migration_that_is_not_applied_makes_the_process_unready(client, probes):
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="sessions").delete()
    assert client.get("/readyz").json()["wrong"] == {"database": "not_migrated"}


def test_a_database_out_of_reach_makes_the_process_unready_but_alive(client, probes, monkeypatch):
    def cursor(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(health.connection, "cursor", cursor)
    assert client.get("/readyz").json()["wrong"] == {"database": "unreachable"}
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_real_web_process_answers_both_and_serves_static_files_with_the_policy():
    with Web() as web:
        assert web.get("/healthz") == (200, f"ok {settings.VERSION}\n".encode())
        assert web.get("/readyz")[0] == 200
        status, body = web.get("/static/admin/css/base.css")
        assert status == 200
        assert len(body) > 10_000
        assert web.get("/static/nothing.css")[0] == 404
        web.terminate()
        assert web.wait() == 0
        assert "Traceback" not in web.output
        assert "Warning" not in web.output


@pytest.mark.django_db
def test_a_web_process_outlives_an_outage_of_its_database():
    var = Path(tempfile.mkdtemp(prefix="sheaf-health-", dir="/var/tmp"))
    data = var / "postgres"

    def wrong() -> dict:
        return json.loads(web.get("/readyz")[1])["wrong"]

    try:
        with Web(env={"DATABASE_URL": "", "SHEAF_VAR": var}) as web:
            assert wrong() == {"database": "not_migrated"}
            embedded_postgres.stop(data, immediate=True)
            assert wrong() == {"database": "embedded_stopped"}
            assert web.get("/healthz")[0] == 200
            asked = {"Cookie": f"sessionid={'a' * 32}", "Accept": "text/html"}
            status, page = web.get("/sets/", asked)
            assert status == 503, "a page says that the database is away"
            assert b"Back in a moment" in page
            assert json.loads(web.get("/sets/", {**asked, "Accept": "application/json"})[1])["code"] == "database_away"
            embedded_postgres.start(data)
            assert wrong() == {"database": "not_migrated"}
        assert not embedded_postgres.is_running(data), "the last one out stops it"
    finally:
        embedded_postgres.stop(data)
        shutil.rmtree(var)
