"""Retractions and corrections are flags of a paper, and of a reference; papers about them have none."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.notices import of_title
from tasks.kinds.literature.references import read
from tests.unit.reading.press import BOLD, article


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("RETRACTED: Ferns under glass", "retraction"),
        ("Retracted: Ferns under glass", "retraction"),
        ("RETRACTED ARTICLE: Ferns under glass", "retraction"),
        ("Retraction: Ferns under glass", "retraction"),
        ("Retraction Note: Ferns under glass", "retraction"),
        ("Notice of Retraction: Ferns", "retraction"),
        ("Retraction of “Ferns under glass”", "retraction"),
        ("WITHDRAWN: Ferns under glass", "withdrawal"),
        ("Corrigendum to “Ferns under glass”", "correction"),
        ("Erratum: Ferns under glass", "correction"),
        ("Author Correction: Ferns under glass", "correction"),
        ("Correction to: Ferns under glass", "correction"),
        ("Expression of Concern: Ferns", "expression of concern"),
        ("Ferns under glass", None),
        ("Retractions in botany: a survey", None),
        ("Retraction forces of growing ferns", None),
        ("Correction of teeth in two steps", None),
        ("Retraction of the tongue in sleep", None),
        ("Correction to the theory of ferns", None),
        ("Withdrawal from opioids", None),
        ("Why ferns are retracted in winter", None),
        (None, None),
    ],
)
def test_titles(title, kind):
    assert of_title(title) == kind


def notices(record) -> list[tuple]:
    return [(f["value"], f["page"], f["verified"]) for f in record["fields"] if f["name"] == "notice"]


def test_a_title_that_says_so_is_a_field_and_a_warning(press, read):
    record = read(article(press, title="RETRACTED: Growing ferns between the glass walls of an old northern house"))
    assert notices(record) == [("retraction", 1, True)]
    assert "retraction" in record["warnings"]


def test_a_stamp_on_a_later_page_is_one(press, read):
    article(press)
    press.page()
    press.line("RETRACTED ARTICLE", 150, y=300, font=BOLD, size=30)
    assert notices(read(press)) == [("retraction", 3, True)]


def test_a_sentence_is_none(press, read):
    record = read(article(press, methods="Papers that were retracted were left out. Retracted articles are rare."))
    assert notices(record) == []
    assert "retraction" not in record["warnings"]


@pytest.mark.parametrize(
    "text",
    [
        "TY  - JOUR\nTI  - RETRACTED: Moss on roofs\nPY  - 2018\nER  - \n",
        "PMID- 30000001\nTI  - Moss on roofs.\nPT  - Journal Article\nPT  - Retracted Publication\n",
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>30000001</PMID><Article><ArticleTitle>Moss</ArticleTitle>"
        "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType></PublicationTypeList></Article>"
        "</MedlineCitation></PubmedArticle></PubmedArticleSet>",
        "Title,Document Type,Year\nMoss on roofs,Article; Retracted Publication,2018\n",
        '[{"title": "Retraction: Moss on roofs", "DOI": "10.5555/1"}]',
    ],
)
def test_a_reference_that_is_retracted_is_told(text):
    found = read(text.encode())
    assert [r.notice for r in found.records] == ["retraction"]
    assert [(p.code, p.detail) for p in found.problems] == [("retracted", {"notice": "retraction"})]


def test_a_correction_in_a_list_is_kept_without_a_warning():
    found = read(b"TY  - JOUR\nTI  - Erratum: Moss on roofs\nPY  - 2018\nER  - \n")
    assert [r.notice for r in found.records] == ["correction"]
    assert found.problems == []


def test_a_file_that_begins_with_references_is_none_of_them(press, read):
    press.line("References", 60, font=BOLD, size=12)
    for n in range(1, 8):
        press.prose(
            f"[{n}] A. Lund and K. Moll, “Ferns under glass,” Annals of Roofing, vol. {n}, pp. 1–{n}, 201{n}. "
            f"doi:10.5555/roof.{n}.",
            width=450,
            size=9,
        )
    record = read(press)
    assert len(record["references"]) == 7
    assert [record[name] for name in ("title", "doi", "year", "journal", "volume", "authors")] == [None] * 5 + [[]]
    assert not [f for f in record["fields"] if f["name"] in ("doi", "year", "journal", "authors")]
