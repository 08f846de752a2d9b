"""Batches in every state, people with and without rights, and a browser-like client for each."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tasks.models import Lane, Queue, SubTask, Task


@pytest.fixture
def make_task(db):
    def make(title="Heart papers", *, children=(), **fields):
        """A batch with one child for each of ``children`` (a state, or a dict of fields); the counters fit them."""
        rows = [child if isinstance(child, dict) else {"state": child} for child in children]
        states = [row.get("state", "pending") for row in rows]
        counters = {state: states.count(state) for state in ("succeeded", "failed", "cancelled")}
        fields = {"kind": "words", "state": "running", "sealed": True, "total": len(rows), **counters, **fields}
        task = Task.objects.create(title=title, **fields)
        for position, row in enumerate(rows):
            running = (
                {"lease": task.pk * 1000 + position, "lane_id": task.pk * 1000 + position}
                if row["state"] == "running"
                else {}
            )
            SubTask.objects.create(
                task=task,
                position=position,
                **{"key": f"paper-{position}.pdf", "stage": "parse", "queue": "press", **running, **row},
            )
        return task

    return make


@pytest.fixture
def press(db):
    return Queue.objects.create(name="press", limit=2)


@pytest.fixture
def lane(press):
    return Lane.objects.create(queue=press, slot=0, job_id=1)


def _person(name, *permissions):
    person = User.objects.create_user(name, password="x", is_staff=True)
    for permission in permissions:
        app, _, codename = permission.partition(".")
        person.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
    return person


def _logged_in(person):
    client = Client()
    client.force_login(person)
    client.person = person
    return client


@pytest.fixture
def person(db):
    return _person


@pytest.fixture
def viewer(db):
    """Staff who may look at everything of ours and at procrastinate's jobs, and do nothing."""
    names = ("task", "subtask", "queue", "lane", "worker", "logline", "finding")
    return _logged_in(_person("vera", *(f"tasks.view_{name}" for name in names), "procrastinate.view_procrastinatejob"))


@pytest.fixture
def operator(db):
    names = ("task", "subtask", "queue", "lane", "worker", "logline", "finding")
    rights = ("tasks.operate_task", "tasks.change_queue", "auth.view_user")
    return _logged_in(_person("olga", *(f"tasks.view_{name}" for name in names), *rights))
