"""/metrics tells Prometheus how the fleet is, and tells nobody without the token."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tasks.models import Finding, Queue, Share, SubTask, Worker

SAMPLE = re.compile(r'^[a-z_]+(\{([a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? -?[0-9.e+-]+$')


@pytest.fixture
def scrape(client, settings):
    settings.SHEAF_METRICS_TOKEN = "let-me-in"

    def scraped():
        answer = client.get("/metrics", headers={"Authorization": "Bearer let-me-in"})
        assert answer.status_code == 200
        return answer.content.decode()

    return scraped


def test_it_is_off_without_a_token(client, settings):
    settings.SHEAF_METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "let-me-in"}])
def test_without_the_right_token_nothing_is_told(client, settings, header):
    settings.SHEAF_METRICS_TOKEN = "let-me-in"
    answer = client.get("/metrics", headers=header)
    assert (answer.status_code, answer.content) == (401, b"")


def test_queues_tell_depth_wait_load_limit_and_breaker(scrape, press, make_task):
    task = make_task(children=["running", "pending", "pending"])
    SubTask.objects.filter(task=task).update(created_at=timezone.now() - timedelta(minutes=2))
    Share.objects.create(task=task, queue="press")
    Queue.objects.update(breaker="open", retries=5)
    text = scrape()
    assert 'sheaf_queue_depth{queue="press"} 2\n' in text
    assert 'sheaf_retries{queue="press"} 5\n' in text
    assert 'sheaf_queue_in_flight{queue="press"} 1\n' in text
    assert 'sheaf_queue_limit{queue="press"} 2\n' in text
    assert 'sheaf_queue_breaker{queue="press",state="open"} 1\n' in text
    assert 'sheaf_queue_breaker{queue="press",state="closed"} 0\n' in text
    assert 120 <= float(re.search(r'sheaf_queue_oldest_seconds\{queue="press"\} (\S+)', text)[1]) < 180


def test_settled_children_are_told_by_state_and_delayed_ones_apart(scrape, press, make_task):
    make_task(children=["succeeded", "succeeded", "failed"], state="completed")
    make_task(children=[{"state": "pending", "available_at": timezone.now()}])
    text = scrape()
    assert 'sheaf_children_settled{kind="words",state="succeeded"} 2\n' in text
    assert 'sheaf_children_settled{kind="words",state="failed"} 1\n' in text
    assert 'sheaf_batches{state="completed"} 1\n' in text
    assert "sheaf_children_delayed 1\n" in text


def test_workers_tell_their_heartbeat_and_findings_their_number(scrape, admin_user):
    Worker.objects.create(
        token=uuid.uuid4(), host="anna", pid=7, concurrency=4, seen_at=timezone.now() - timedelta(seconds=30)
    )
    Finding.objects.create(code="healed")
    Finding.objects.create(code="healed", seen_by=admin_user)
    text = scrape()
    assert 30 <= float(re.search(r'heartbeat_age_seconds\{host="anna",pid="7"\} (\S+)', text)[1]) < 60
    assert 'sheaf_findings_unseen{code="healed"} 1\n' in text and 'sheaf_findings{code="healed"} 2\n' in text


def test_every_line_is_of_the_text_format_whatever_the_names(scrape, make_task):
    Queue.objects.create(name='od"d\\na\nme')
    make_task(children=["succeeded"], state="completed", kind='k"')
    for line in scrape().splitlines():
        assert line.startswith("# ") or SAMPLE.match(line), line


def test_depths_stop_counting_at_the_cap(scrape, press, make_task, monkeypatch):
    from tasks.observe import backlog

    monkeypatch.setattr(backlog, "_DEPTHS", backlog._DEPTHS.replace(str(backlog.CAP + 1), "3"))
    task = make_task(children=["pending"] * 9)
    Share.objects.create(task=task, queue="press")
    assert 'sheaf_queue_depth{queue="press"} 3\n' in scrape()


def test_the_number_of_queries_does_not_grow_with_batches(scrape, press, make_task):
    scrape()
    with CaptureQueriesContext(connection) as few:
        scrape()
    for _n in range(20):
        Share.objects.create(task=make_task(children=["pending"]), queue="press")
    with CaptureQueriesContext(connection) as many:
        scrape()
    assert len(many) == len(few) <= 14
