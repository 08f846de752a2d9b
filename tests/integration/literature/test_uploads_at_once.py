"""Uploads of one set arrive at once, and somebody presses start meanwhile: numbers stay single, nothing slips in."""

from __future__ import annotations

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from tasks import fanout
from tasks.errors import Refused
from tasks.files.models import Chunk, StoredFile
from tasks.kinds.literature.intake import entry, undoing
from tasks.kinds.literature.web import access
from tests.integration.literature.papers import JSON, pdf_bytes

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 8


@pytest.fixture
def draft(django_user_model):
    return fanout.create("literature", django_user_model.objects.create_user("ana"), "At once")


def all_at_once(calls):
    """Run the calls in threads of their own, let go together; their results, Refused as the code."""
    gate = Barrier(len(calls))

    def run(call):
        try:
            gate.wait(10)
            return call()
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def giving(draft, name, data):
    return lambda: entry.receive(draft.pk, io.BytesIO(data), filename=name)


def test_different_papers_get_numbers_of_their_own(draft):
    papers = all_at_once([giving(draft, f"{n}.pdf", pdf_bytes(f"paper {n}")) for n in range(AT_ONCE)])
    assert sorted(paper.position for paper in papers) == list(range(1, AT_ONCE + 1))
    draft.refresh_from_db()
    assert draft.expected == AT_ONCE


def test_of_the_same_bytes_one_is_accepted_and_stored_once(draft):
    data = pdf_bytes() + b"%" * 600_000
    papers = all_at_once([giving(draft, f"{n}.pdf", data) for n in range(AT_ONCE)])
    assert sorted(paper.state for paper in papers) == ["accepted"] + ["duplicate"] * (AT_ONCE - 1)
    assert StoredFile.objects.count() == 1
    assert list(Chunk.objects.order_by("number").values_list("number", flat=True)) == [0, 1, 2]


def test_the_same_upload_sent_twice_is_one_row(draft):
    papers = all_at_once([giving(draft, "a.pdf", pdf_bytes())] * AT_ONCE)
    assert len({paper.pk for paper in papers}) == 1


def test_what_comes_after_the_start_is_refused_and_what_came_before_is_expected(draft):
    entry.receive(draft.pk, io.BytesIO(pdf_bytes("first")), filename="first.pdf")
    calls = [giving(draft, f"{n}.pdf", pdf_bytes(f"paper {n}")) for n in range(AT_ONCE)]
    ends = all_at_once([*calls, lambda: fanout.start(draft)])
    assert ends[-1] is True
    assert {end for end in ends[:-1] if isinstance(end, str)} <= {"not_draft"}
    draft.refresh_from_db()
    assert draft.expected == draft.papers.count() == 1 + sum(not isinstance(end, str) for end in ends[:-1])


def test_bytes_stay_when_one_set_lets_go_of_them_while_another_takes_them(draft):
    other = fanout.create("literature", draft.owner, "Other")
    data = pdf_bytes()
    for _round in range(5):
        mine = entry.receive(draft.pk, io.BytesIO(data), filename="mine.pdf")
        theirs = all_at_once([lambda mine=mine: undoing.remove(mine), giving(other, "theirs.pdf", data)])[1]
        assert StoredFile.objects.count() == 1
        assert Chunk.objects.exists()
        undoing.remove(theirs)
        assert not StoredFile.objects.exists()


@pytest.mark.parametrize("name", ["hay.pdf", "hay.ris", "pile.zip"])
def test_what_arrives_while_another_tab_discards_the_set_is_not_found(client, draft, monkeypatch, name):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as pile:
        pile.writestr("a.pdf", pdf_bytes("a"))
    lines = b"TY  - JOUR\nTI  - Late hay\nER  - \n"
    data = {"hay.pdf": pdf_bytes("late"), "hay.ris": lines, "pile.zip": archive.getvalue()}[name]

    def discarded_meanwhile(task_id):
        assert undoing.discard(task_id)
        return "draft"  # as it was when it was asked

    monkeypatch.setattr(entry, "task_state", discarded_meanwhile)
    client.force_login(draft.owner)
    body = {"file": SimpleUploadedFile(name, data)}
    assert client.post(f"/sets/{draft.pk}/files/", body, **JSON).status_code == 404


@pytest.mark.parametrize("verb", ["discard/", "cancel/", "template/", "paste/"])
def test_a_verb_whose_set_another_tab_discards_first_is_not_found(client, draft, monkeypatch, verb):
    entry.receive(draft.pk, io.BytesIO(pdf_bytes("first")), filename="first.pdf")
    found = access.get_object_or_404

    def discarded_meanwhile(*args, **kwargs):
        one = found(*args, **kwargs)
        assert undoing.discard(one.pk)
        return one

    monkeypatch.setattr(access, "get_object_or_404", discarded_meanwhile)
    client.force_login(draft.owner)
    answer = client.post(f"/sets/{draft.pk}/{verb}", {"text": "10.5555/hay.1"}, **JSON)
    assert answer.status_code == 404


@pytest.mark.parametrize("second", ["b.pdf", "b.ris"])
def test_an_archive_that_is_taken_back_while_it_is_unpacked_gives_nothing_more(client, draft, monkeypatch, second):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as pile:
        pile.writestr("a.pdf", pdf_bytes("a"))
        pile.writestr(second, pdf_bytes("b") if second == "b.pdf" else b"TY  - JOUR\nTI  - Late hay\nER  - \n")
    receive = entry.receive

    def taken_back_before_the_second(task_id, file, **more):
        if more["filename"] == second:
            undoing.remove_source(more["source"])
        return receive(task_id, file, **more)

    monkeypatch.setattr(entry, "receive", taken_back_before_the_second)
    client.force_login(draft.owner)
    body = {"file": SimpleUploadedFile("pile.zip", archive.getvalue())}
    answer = client.post(f"/sets/{draft.pk}/files/", body, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "source_gone")
    assert not draft.papers.exists() and not draft.sources.exists()
