"""Bytes of sets that are gone go too: papers, lists, page texts; nothing that somebody still refers to."""

from __future__ import annotations

import io
import time

import pytest

from tasks import fanout
from tasks.files import store, unused
from tasks.files.models import Artefact, Kept, StoredFile
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.kind import Literature
from tests.integration.literature.papers import keep_json, pdf_bytes, sha256


@pytest.fixture
def old():
    """Everything kept so far was kept long ago."""

    def old():
        Kept.objects.update(kept_at="2020-01-01T00:00:00Z")

    return old


@pytest.fixture(autouse=True)
def from_the_start(monkeypatch):
    monkeypatch.setattr(unused, "_walked_to", "")


def prune() -> int:
    return Literature().forget(time.monotonic() + 10)


def test_page_text_papers_and_lists_of_a_deleted_batch_go(draft, old):
    entry.receive(draft.pk, io.BytesIO(pdf_bytes()), filename="a.pdf")
    entry.receive(draft.pk, io.BytesIO(b"TY  - JOUR\nTI  - Hay\nER  -\n"), filename="a.ris")
    keep_json({"markdown": "# Hay"}, draft.pk)
    old()
    assert prune() == 0 and StoredFile.objects.count() == 3
    draft.delete()
    assert prune() == 3
    assert not StoredFile.objects.exists() and not Kept.objects.exists()


def test_what_another_set_has_stays(people, draft, old):
    other = fanout.create("literature", people["ben"], "other")
    for task in (draft, other):
        entry.receive(task.pk, io.BytesIO(pdf_bytes()), filename="a.pdf")
        keep_json({"markdown": "# Hay"}, task.pk)
    old()
    draft.delete()
    assert prune() == 0 and StoredFile.objects.count() == 2 and Artefact.objects.count() == 1


def test_what_was_kept_just_now_is_left_alone(draft):
    store.keep(io.BytesIO(b"on its way"), sha256(b"on its way"))
    assert prune() == 0 and store.is_kept(sha256(b"on its way"))


def test_a_round_goes_on_where_the_last_one_ended(db, old, monkeypatch):
    monkeypatch.setattr(unused, "AT_ONCE", 2)
    for number in range(5):
        store.keep(io.BytesIO(b"%d" % number), sha256(b"%d" % number))
    old()
    assert prune() == 5


def test_no_time_is_no_work(db, old):
    store.keep(io.BytesIO(b"x"), sha256(b"x"))
    old()
    assert Literature().forget(time.monotonic() - 1) == 0


def test_the_engines_retention_calls_it(db, old):
    from tasks.upkeep import retention

    store.keep(io.BytesIO(b"x"), sha256(b"x"))
    old()
    retention.prune(5)
    assert not store.is_kept(sha256(b"x"))
