"""Numbers, boxes and codes that no page of ours sends: nothing found or refused, never a server's fault."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.forms import editing
from tasks.kinds.literature.models import Pair
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON

ENDLESS = "9" * 5000  # more digits than Python turns into a number
TOO_LARGE = "9" * 30  # more than a bigint holds


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


@pytest.fixture
def paper(task):
    return task.papers.order_by("position").first()


@pytest.mark.parametrize("number", [ENDLESS, TOO_LARGE, "²", "-1", "1.5"])
def test_a_page_of_a_paper_that_is_no_number_or_too_high_shows_the_paper(ana, task, paper, number):
    assert ana.get(f"/sets/{task.pk}/papers/{paper.pk}/", {"page": number}).status_code == 200


@pytest.mark.parametrize("number", [ENDLESS, TOO_LARGE])
def test_a_template_to_begin_with_that_can_not_be_is_not_found(ana, number):
    assert ana.get("/templates/new/", {"from": number}).status_code == 404


@pytest.mark.parametrize("number", [ENDLESS, TOO_LARGE])
def test_a_version_that_nobody_can_have_seen_is_overtaken(ana, people, number):
    template = editing.make(people["ana"], "Mine", [{"words": "Dose"}])
    form = {"title": "Mine", "words": "Dose", "type": "text", "seen": number}
    answer = ana.post(f"/templates/{template.pk}/", form, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "template_overtaken")


def test_a_pair_goes_back_to_the_set_from_a_paper_that_can_not_be(ana, task):
    one, other = task.papers.order_by("position")[:2]
    pair = Pair.objects.create(task=task, left=one, right=other, reason="same_doi", score=0.9)
    answer = ana.post(f"/sets/{task.pk}/pairs/{pair.pk}/", {"decision": "apart", "paper": ENDLESS})
    assert answer.status_code == 302 and answer["Location"] == f"/sets/{task.pk}/#pairs"


@pytest.mark.parametrize("size", [ENDLESS, TOO_LARGE, str(2**63), "-1", "x"])
def test_a_file_of_a_size_that_no_file_has_is_not_put_on_the_receipt(ana, draft, size):
    answer = ana.post(f"/sets/{draft.pk}/files/", {"filename": "big.pdf", "size": size}, **JSON)
    assert (answer.status_code, draft.papers.count()) == (400, 0)


@pytest.mark.parametrize("box", ["1,2,3,4\n", "1,2,3,\r\n4", "１,2,3,4"])
def test_a_box_with_odd_characters_is_read_and_never_becomes_a_header_line(ana, task, paper, box):
    answer = ana.get(f"/sets/{task.pk}/papers/{paper.pk}/pages/1.png", {"box": box})
    assert answer.status_code == 200 and answer["ETag"].endswith('-1-1,2,3,4"')


@pytest.mark.parametrize("box", ["5,5,1,1", "1,5,2,1", "5,1,1,2"])
def test_a_box_that_ends_before_it_begins_is_none(ana, task, paper, box):
    assert ana.get(f"/sets/{task.pk}/papers/{paper.pk}/pages/1.png", {"box": box}).status_code == 404


def test_a_code_with_a_nul_is_retried_by_nobody(ana, task):
    answer = ana.post(f"/sets/{task.pk}/retry/", {"code": "\x00"}, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_failed")
