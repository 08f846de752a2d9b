"""Giving files to a draft: accepted, duplicate or refused, always on the receipt, and resumed after a break."""

from __future__ import annotations

import io

import pytest

from tasks import fanout
from tasks.files import store
from tasks.files.models import StoredFile
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.intake import entry, undoing
from tasks.kinds.literature.models import Paper
from tests.integration.literature.papers import JSON, keep_json, pdf_bytes, sha256

HAY, STRAW = pdf_bytes("hay"), pdf_bytes("straw")


def test_a_paper_is_accepted_stored_and_counted_as_expected(give, draft):
    answer = give(HAY, "hay.pdf", "barn/left")
    paper = answer.json()["paper"]
    assert answer.status_code == 201
    assert (paper["state"], paper["filename"], paper["folder"]) == ("accepted", "hay.pdf", "barn/left")
    assert b"".join(store.blocks(sha256(HAY))) == HAY
    draft.refresh_from_db()
    assert draft.expected == 1


def test_a_file_larger_than_a_chunk_comes_back_whole(give):
    large = HAY + b"%" * 700_000
    assert give(large).status_code == 201
    assert b"".join(store.blocks(sha256(large))) == large


def test_the_same_bytes_under_another_name_are_a_duplicate_of_the_first(give):
    first = give(HAY, "hay.pdf").json()["paper"]
    second = give(HAY, "copy of hay.pdf").json()["paper"]
    assert second["state"] == "duplicate"
    assert second["duplicate_of"] == {"id": first["id"], "number": 1, "filename": "hay.pdf"}
    assert "hay.pdf" in second["message"]
    assert StoredFile.objects.count() == 1


def test_the_same_upload_again_is_the_same_row(give, draft):
    assert give(HAY).json()["paper"]["id"] == give(HAY).json()["paper"]["id"]
    assert outcomes.counts(draft)["given"] == 1


def test_two_papers_of_one_name_in_two_folders_are_both_kept_under_keys_of_their_own(give, draft):
    give(HAY, "paper.pdf", "a")
    give(STRAW, "paper.pdf", "b")
    give(pdf_bytes("chaff"), "paper.pdf", "a")
    assert list(draft.papers.values_list("key", flat=True)) == ["a/paper.pdf", "b/paper.pdf", "a/paper.pdf (2)"]


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "empty.pdf", "empty_file"),
        (b"<html>hello</html>", "page.pdf", "not_a_pdf"),
        (b"PK\x03\x04", "a.pdf", "archive_damaged"),
        (b"\x89PNG\r\n", "a.pdf", "not_a_pdf"),
        (b"Nothing but prose.", "notes.txt", "not_a_format"),
    ],
)
def test_what_is_no_paper_is_refused_with_a_reason_and_stays_on_the_receipt(give, draft, data, name, reason):
    answer = give(data, name)
    paper = answer.json()["paper"]
    assert (answer.status_code, paper["state"], paper["reason"]) == (201, "refused", reason)
    assert paper["message"] and "{" not in paper["message"]
    assert outcomes.counts(draft)["refused"] == 1
    assert not StoredFile.objects.exists()


def test_a_file_over_the_limit_is_413_and_on_the_receipt(give, draft, settings):
    settings.SHEAF_MAX_FILE_MIB = 1
    answer = give(HAY + b"%" * 2**20)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "1 MiB" in answer.json()["message"]
    assert outcomes.counts(draft) | {"refused": 1, "given": 1} == outcomes.counts(draft)


def test_a_file_over_the_limit_need_not_be_sent_to_be_on_the_receipt(ana, draft):
    url = f"/sets/{draft.pk}/files/"
    answer = ana.post(url, {"filename": "atlas.pdf", "size": 999 * 2**20}, **JSON)
    assert (answer.status_code, answer.json()["paper"]["state"]) == (413, "refused")
    assert ana.post(url, {"filename": "small.pdf", "size": 10}, **JSON).status_code == 400
    assert ana.post(url, {}, **JSON).status_code == 400


def test_a_full_set_refuses_the_next_paper_and_says_so(give, settings):
    settings.SHEAF_MAX_SET_FILES = 1
    give(HAY)
    paper = give(STRAW, "straw.pdf").json()["paper"]
    assert (paper["state"], paper["reason"]) == ("refused", "set_full")


def test_a_set_that_has_started_takes_nothing_more(give, draft):
    give(HAY)
    fanout.start(draft)
    answer = give(STRAW, "straw.pdf")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_draft")
    assert Paper.objects.count() == 1


def test_have_finds_what_is_here_and_nothing_else(ana, give, draft):
    give(HAY)
    ask = f"/sets/{draft.pk}/have/?sha256="
    assert ana.get(ask + sha256(HAY)).json()["paper"]["filename"] == "hay.pdf"
    assert ana.get(ask + sha256(STRAW)).json() == {"have": False, "paper": None, "source": None}
    assert ana.get(ask + "'; drop table").status_code == 400


def test_removing_a_paper_leaves_its_place_to_its_first_duplicate(ana, give, draft):
    first = give(HAY, "a.pdf").json()["paper"]
    give(HAY, "b.pdf")
    give(HAY, "c.pdf")
    papers = ana.post(first["remove_url"], **JSON).json()["papers"]
    assert [(paper["filename"], paper["state"]) for paper in papers] == [("b.pdf", "accepted"), ("c.pdf", "duplicate")]
    assert papers[1]["duplicate_of"]["filename"] == "b.pdf" and "b.pdf" in papers[1]["message"]
    draft.refresh_from_db()
    assert draft.expected == 1


def test_removing_the_only_paper_takes_it_off_the_expectation(ana, give, draft):
    ana.post(give(HAY).json()["paper"]["remove_url"], **JSON)
    draft.refresh_from_db()
    assert (draft.expected, outcomes.counts(draft)["given"]) == (0, 0)


def test_bytes_go_with_the_last_paper_that_has_them(ana, give, draft, people):
    mine = give(HAY).json()["paper"]
    other = fanout.create("literature", people["ben"], "ben's")
    entry.receive(other.pk, io.BytesIO(HAY), filename="hay.pdf")
    ana.post(mine["remove_url"], **JSON)
    assert store.is_kept(sha256(HAY))
    assert undoing.discard(other.pk)
    assert not store.is_kept(sha256(HAY))


def test_a_discarded_draft_is_gone_and_a_started_set_stays(ana, give, draft):
    give(HAY)
    assert ana.post(f"/sets/{draft.pk}/discard/", **JSON).json() == {"done": True}
    assert not Paper.objects.exists()
    other = fanout.create("literature", draft.owner, "other")
    fanout.start(other)
    assert ana.post(f"/sets/{other.pk}/discard/", **JSON).status_code == 409


def test_the_archive_keeps_one_copy_and_an_unknown_address_is_not_found(db):
    store.keep(io.BytesIO(HAY), sha256(HAY))
    store.keep(io.BytesIO(HAY), sha256(HAY))
    assert StoredFile.objects.get().size == len(HAY)
    with pytest.raises(FileNotFoundError):
        list(store.blocks("0" * 64))


def test_an_empty_file_and_odd_text_survive_the_archive(db):
    value = {"page_text": ["多\ud800行", ""], "markdown": "# x"}
    assert store.read_json(keep_json(value))["markdown"] == "# x"
