"""NOTIFY takes one lock of the whole database: a busy batch tells little, a change of state always goes out."""

import time

import psycopg
import pytest
from django.db import connection

from config.database import url_of
from tasks.log import joblog
from tasks.log.joblog import Line
from tasks.models import Task
from tasks.triggers import BURST_MS, CHANNEL, NOTICE_MS, THROTTLE_MS
from tests.integration.engine.batches import fresh, lines, sql


@pytest.fixture
def task(empty):
    return Task.objects.create(kind="act", state="running", total=1000)


@pytest.fixture
def heard():
    """What was told since the last call, as texts."""
    with psycopg.connect(url_of(connection.settings_dict), autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}")

        def since() -> list[str]:
            listening.execute("SELECT 1")  # whatever was committed before this answer has arrived with it
            return [notice.payload for notice in listening.notifies(timeout=0)]

        yield since


def test_three_hundred_commits_of_one_batch_are_told_a_few_times(task, heard):
    heard()
    began = time.monotonic()
    for n in range(300):
        Task.objects.filter(pk=task.pk).update(succeeded=n + 1)
    at_most = 2 + (time.monotonic() - began) / (THROTTLE_MS / 1000)
    told = heard()
    assert 1 <= len(told) <= min(at_most, 299)
    assert fresh(task).version == 301


def test_a_change_of_state_is_told_however_busy_the_batch_is(task, heard):
    for n in range(5):
        Task.objects.filter(pk=task.pk).update(succeeded=n + 1)
    heard()
    Task.objects.filter(pk=task.pk).update(paused=True)
    Task.objects.filter(pk=task.pk).update(state="cancelling")
    assert heard() == [f"{task.pk}:{fresh(task).version - 1}", f"{task.pk}:{fresh(task).version}"]


def test_a_hundred_batches_at_once_are_told_of_in_a_burst_and_then_at_a_rate(empty, heard):
    tasks = [Task.objects.create(kind="act", state="running", total=9).pk for _ in range(100)]
    sql("SELECT pg_sleep(%s)", 1.5 * THROTTLE_MS / 1000)  # none of them has told anything lately
    sql("SELECT setval('tasks_notices', 1)")
    heard()
    began = time.monotonic()
    for pk in tasks:
        Task.objects.filter(pk=pk).update(succeeded=1)
    at_most = BURST_MS / NOTICE_MS + 2 + 1000 * (time.monotonic() - began) / NOTICE_MS
    assert BURST_MS / NOTICE_MS <= len(heard()) <= at_most
    Task.objects.filter(pk__in=tasks).update(paused=True)
    assert len(heard()) == 100, "a change of state waits for nothing"


def test_a_notice_carries_two_numbers_whatever_the_words_are(task, heard):
    """A payload of more than 8,000 bytes would take the transaction down that writes it."""
    words = "错误 ğüşıöç 🜚🜛 " * 2_000
    heard()
    Task.objects.filter(pk=task.pk).update(error=words, error_code="expand_failed", state="cancelling")
    joblog.write([Line(task.pk, words, code="child_failed", data={"key": words[:5_000], "reason": words[:5_000]})])
    told = heard()
    assert told and all(len(payload.encode()) < 40 and payload.startswith(f"{task.pk}:") for payload in told)
    assert lines(task, "child_failed") == 1
