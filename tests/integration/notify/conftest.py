"""A worker in a hurry that serves the notices' queues, and a batch that somebody wants to be told of."""

from __future__ import annotations

import pytest

from tasks import fanout
from tasks.models import SubTask, Task
from tests import processes
from tests.integration.engine.batches import QUICK

KINDS = "tasks.kinds.literature.kind.Literature,tasks.kinds.notify.kinds.WebhookKind,tasks.kinds.notify.kinds.MailKind"


@pytest.fixture
def worker_for():
    """Starts a worker whose door lets it call these hosts of this machine."""

    def start(*hosts: str, **env) -> processes.Worker:
        private = ",".join(hosts)
        worker = processes.Worker(concurrency=4, queues=["webhook", "mail"])
        worker._env = {
            **worker._env,
            **QUICK,
            "SHEAF_KINDS": KINDS,
            "SHEAF_SERVICES_PRIVATE": private,
            "SHEAF_WEBHOOK_PRIVATE": private,
            **env,
        }
        return worker

    return start


@pytest.fixture
def batch(django_user_model):
    """A set of ana's that has ended: one paper succeeded, one failed."""
    ana = django_user_model.objects.create_user("ana", email="ana@example.org")
    task = fanout.create("literature", ana, "Hay\nand its uses")
    for number, state in enumerate(("succeeded", "failed"), 1):
        SubTask.objects.create(task=task, position=number, key=f"{number}", stage="parse", queue="local", state=state)
    Task.objects.filter(pk=task.pk).update(state="expanding")
    Task.objects.filter(pk=task.pk).update(state="running", total=2, succeeded=1, failed=1, sealed=True)
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    Task.objects.filter(pk=task.pk).update(state="completed")  # or the worker's sweep would close it, and tell
    task.refresh_from_db()
    return task
