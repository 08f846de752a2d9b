"""RefWorks Tagged: one space behind a tag, RT before each record; commas in it make no table of it."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read

ONE = (
    "RT Journal Article\nSR Electronic(1)\nID 7\nA1 Lund,Ada\nA1 Oke,Tom\nT1 Moss on northern roofs\nJF Annals of Roofing\n"
    "YR 2018\nVO 12\nIS 3\nSP 101\nOP 109\nK1 moss\nK1 roofs\nAB Roofs, slates and moss,\nand what grows there.\n"
    "DO 10.5555/roof.7\nLA English\nNO read twice\nUL https://example.org/7\n"
)
TWO = "RT Book, Whole\nSR Print(0)\nID 8\nA2 Ferro,Bea\nT1 Lichens indoors\nFD 1 May 2020\nPB House of Moss\n"


def refworks(text: str):
    found = read(text.encode())
    assert found.format == "refworks"
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


def test_all_fields():
    [one] = refworks(ONE).records
    assert (one.title, one.year, one.journal, one.volume, one.issue, one.pages) == (
        "Moss on northern roofs",
        2018,
        "Annals of Roofing",
        "12",
        "3",
        "101-109",
    )
    assert one.authors == [{"family": "Lund", "given": "Ada"}, {"family": "Oke", "given": "Tom"}]
    assert one.abstract == "Roofs, slates and moss, and what grows there."
    assert (one.doi, one.keywords, one.language, one.notes) == (
        "10.5555/roof.7",
        ["moss", "roofs"],
        "English",
        "read twice",
    )
    assert (one.type, one.url, one.source_line) == ("article-journal", "https://example.org/7", 1)


@pytest.mark.parametrize("between", ["", "\n", "\n\n\n"])
def test_a_record_ends_where_the_next_begins(between):
    found = refworks(ONE + between + TWO)
    assert [r.title for r in found.records] == ["Moss on northern roofs", "Lichens indoors"]
    assert (found.records[1].authors[0]["family"], found.records[1].year) == ("Ferro", 2020)
    assert found.problems == []


def test_chinese_databases_put_all_names_into_one_tag():
    [one] = refworks(
        "RT Journal Article\nSR 1\nA1 王小明;李华;\nT1 屋顶苔藓的研究\nJF 屋顶学报\nYR 2018\nIS 3\nK1 苔藓;屋顶\n"
    ).records
    assert [a["family"] + a["given"] for a in one.authors] == ["王小明", "李华"]
    assert (one.journal, one.keywords) == ("屋顶学报", ["苔藓", "屋顶"])


def test_a_lost_first_line_is_told():
    found = refworks(ONE + "\n" + TWO.partition("\n")[2].replace("A2", "A1") + "\n" + ONE)
    assert [r.title for r in found.records] == ["Moss on northern roofs", "Lichens indoors", "Moss on northern roofs"]
    assert [p.code for p in found.problems] == ["missing_start"]


def test_lines_above_the_first_record_are_told():
    found = refworks("Exported on 1 May\n\n" + ONE)
    assert [(p.line, p.code) for p in found.problems] == [(1, "text_outside")]


def test_an_empty_record_is_listed():
    found = refworks(ONE + "\nRT Journal Article\n\n" + TWO)
    assert len(found.records) == 2
    assert [p.code for p in found.unreadable] == ["empty_record"]


def test_bad_values_are_told_with_their_line():
    found = refworks(ONE.replace("2018", "soon").replace("10.5555/roof.7", "none"))
    assert [(p.code, p.line) for p in found.problems] == [("year_unreadable", 8), ("doi_unreadable", 17)]


def test_a_pubmed_number_needs_a_database_that_says_so():
    assert refworks(ONE + "AN 30000001\n").records[0].pmid is None
    assert refworks(ONE + "AN 30000001\nDB PubMed\n").records[0].pmid == "30000001"
