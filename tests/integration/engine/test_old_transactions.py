"""A transaction that stays open for too long is said to staff, once, with whose it is."""

import psycopg
import pytest
from django.db import connection

from config.database import url_of
from tasks import sentences
from tasks.models import Finding
from tasks.observe import metrics
from tasks.upkeep import sweep, transactions
from tests.integration.engine.batches import sql


@pytest.fixture(autouse=True)
def nothing_else(empty):
    pass


@pytest.fixture
def settings():
    from django.test import override_settings

    with override_settings(SHEAF_OLD_TRANSACTION_S=0.05) as changed:
        yield changed


@pytest.fixture
def forgotten(settings):
    """A console in which somebody began a transaction, looked at something, and went home."""
    with psycopg.connect(url_of(connection.settings_dict), application_name="a forgotten console") as console:
        console.execute("SELECT count(*) FROM tasks_task")
        sql("SELECT pg_sleep(0.06)")
        yield console


def test_a_forgotten_transaction_is_found_once(forgotten):
    assert "report_old_transactions" in sweep.sweep()
    assert "report_old_transactions" not in sweep.sweep()
    finding = Finding.objects.get(code="old_transaction")
    assert finding.data["pid"] == forgotten.info.backend_pid and finding.seen_by is None
    said = sentences.sentence(finding.code, finding.data)
    assert "a forgotten console" in said and "idle in transaction" in said and "{" not in said


def test_the_next_transaction_of_the_same_session_is_another(forgotten):
    assert transactions.report_old_transactions() == 1
    forgotten.rollback()
    assert transactions.open_for(0.05) == []
    forgotten.execute("SELECT count(*) FROM tasks_task")
    sql("SELECT pg_sleep(0.06)")
    assert transactions.report_old_transactions() == 1
    assert Finding.objects.count() == 2


def test_a_young_one_is_nobodys_business():
    with psycopg.connect(url_of(connection.settings_dict)) as busy:
        busy.execute("SELECT count(*) FROM tasks_task")
        assert transactions.report_old_transactions() == 0


def test_it_can_be_switched_off(forgotten):
    from django.test import override_settings

    with override_settings(SHEAF_OLD_TRANSACTION_S=0):
        assert transactions.report_old_transactions() == 0


def test_its_age_is_a_metric(forgotten):
    lines = "".join(metrics._exposition()).splitlines()
    (sample,) = [line for line in lines if line.startswith("sheaf_oldest_transaction_seconds ")]
    assert float(sample.split()[1]) > 0.05
