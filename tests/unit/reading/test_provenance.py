"""A value is verified only when its quote stands on its page; the box is where the words are."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.document import open_document
from tasks.kinds.literature.reading.paper import Paper
from tasks.kinds.literature.reading.provenance import Provenance, normal
from tests.unit.reading.press import article, letters_font


@pytest.fixture
def provenance(press):
    """Of a page with a broken word, a ligature and a line at a known place."""
    press.line("Nobody was permit-", x=60, y=100)
    press.line("ted to eat the \ufb01nal leaf of the plant.", x=60, y=112, font=letters_font())
    press.line("A sentence that stands alone at a known place.", x=200, y=400, size=12)
    press.page()
    press.line("The second page has other words on it, and enough of them.")
    return Provenance(Paper(open_document(press.save(), 10, 2**20)).pages)


def test_a_quote_is_found_across_a_hyphen_and_a_ligature(provenance):
    field = provenance.field("x", 1, 1, "permitted to eat the final leaf", 0.9)
    assert field["verified"] and len(field["boxes"]) == 2


def test_the_box_is_where_the_words_are(provenance):
    x0, y0, x1, y1 = provenance.field("x", 1, 1, "stands alone", 0.9)["box"]
    assert 250 < x0 < 300 and x0 < x1 < 360
    assert 385 < y0 < 395 and 398 < y1 < 406


def test_a_quote_that_is_not_printed_is_not_verified(provenance):
    field = provenance.field("x", 1, 1, "Everybody ate the leaf", 0.9)
    assert (field["verified"], field["box"]) == (False, None)
    assert field["confidence"] <= 0.3


def test_an_empty_quote_is_not_verified(provenance):
    assert not provenance.field("x", 1, 1, "", 0.9)["verified"]


def test_a_quote_of_the_next_page_is_given_that_page(provenance):
    field = provenance.field("x", 1, 1, "The second page has other words", 0.9)
    assert (field["verified"], field["page"]) == (True, 2)


def test_normalising_drops_only_what_printing_changes():
    assert normal("CO\u2011X 2\u00ad") == "cox2"
    assert normal("p < 0.05") != normal("p > 0.05")
    assert normal("p < 0.05") != normal("p < 0.5")
    assert normal("change of −2.1") == normal("change of -2.1") != normal("change of 2.1")
    assert normal("10-18 mm") == normal("10–18mm")


def test_every_verified_quote_of_a_paper_is_on_its_page(press, read):
    record = read(
        article(
            press, methods="A total of 124 patients were enrolled and it was well approved by the ethics committee."
        )
    )
    assert len(record["fields"]) > 8
    for field in record["fields"]:
        assert field["verified"], field["name"]
        assert normal(field["quote"]) in normal(record["page_text"][field["page"] - 1]) or field["name"] in (
            "doi",
            "journal",
            "volume",
            "issue",
            "first_page",
            "last_page",
            "year",
        )
