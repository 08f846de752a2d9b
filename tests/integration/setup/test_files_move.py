"""A database of before the store was an app of its own migrates without losing a byte."""

from __future__ import annotations

import time

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tasks.files import store, unused
from tests.integration.literature.papers import sha256

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = [("literature", "0005_pages_claimed"), ("files", None)]
PAPER = bytes(range(256)) * 2500  # three chunks


@pytest.fixture
def before():
    """The database as the release before left it, and its models; afterwards the newest again."""
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    yield executor.loader.project_state(BEFORE[:1]).apps
    call_command("migrate", verbosity=0)


def test_every_byte_and_every_reference_is_there_afterwards(before, django_user_model):
    owner = django_user_model.objects.create_user("ana")
    stored, chunk, kept, artefact, paper = (
        before.get_model("literature", name) for name in ("StoredFile", "Chunk", "Kept", "Artefact", "Paper")
    )
    task = before.get_model("tasks", "Task").objects.create(kind="literature", owner_id=owner.pk, title="Old")
    address, text, stray = sha256(PAPER), sha256(b"{}"), sha256(b"stray")
    for name, data in ((address, PAPER), (text, b"{}"), (stray, b"stray")):
        file = stored.objects.create(name=store.address(name), size=len(data))
        for number in range(-(-len(data) // 262_144)):
            chunk.objects.create(file=file, number=number, data=data[number * 262_144 : (number + 1) * 262_144])
        kept.objects.create(sha256=name)
    kept.objects.update(kept_at="2020-01-01T00:00:00Z")
    artefact.objects.create(task=task, sha256=text)
    paper.objects.create(
        task=task, position=1, filename="a.pdf", key="a.pdf", sha256=address, size=len(PAPER), state="accepted"
    )
    call_command("migrate", verbosity=0)
    assert b"".join(store.blocks(address)) == PAPER and store.read_json(text) == {}
    assert unused.forget_orphans(time.monotonic() + 60) == 1, "only what nothing refers to goes"
    assert store.is_kept(address) and store.is_kept(text) and not store.is_kept(stray)
