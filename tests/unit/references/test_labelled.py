"""NoteExpress, the own format of Chinese databases, and text exports with labels in words."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import Format, read, sniff

NOTEEXPRESS = (
    "{Reference Type}: Journal Article\n{Title}: 屋顶苔藓的研究\n{Author}: 王小明\n{Author}: 李华\n{Journal}: 屋顶学报\n"
    "{Year}: 2018\n{Volume}: 12\n{Issue}: 3\n{Pages}: 101-109\n{Keywords}: 苔藓;屋顶\n{Abstract}: 屋顶上的苔藓,\n以及石板。\n"
    "{DOI}: 10.5555/roof.7\n{Database Provider}: X\n\n"
)
CNKI = (
    "SrcDatabase-来源库: 期刊\nTitle-题名: 屋顶苔藓的研究\nAuthor-作者: 王小明;李华\nOrgan-单位: 苔藓大学\n"
    "Source-文献来源: 屋顶学报\nKeyword-关键词: 苔藓;屋顶\nSummary-摘要: 屋顶上的苔藓。\nPubTime-发表时间: 2018-05-03\nYear-年: 2018\n\n"
)
PROQUEST = (
    "____________________________________________________________\n\nMoss\n\nTitle: Moss on northern roofs\n\n"
    "Author: Lund, Ada; Oke, Tom\n\nPublication title: Annals of Roofing\n\nVolume: 12\n\nIssue: 3\n\nPages: 101-109\n\n"
    "Publication year: 2018\n\nISSN: 1234-5678\n\nDOI: 10.5555/roof.7\n\nAbstract: Roofs and slates.\n\n"
)


def labelled(text: str):
    found = read(text.encode())
    assert found.format == "labelled"
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


@pytest.mark.parametrize("text", [NOTEEXPRESS, CNKI])
def test_chinese_exports(text):
    [one] = labelled(text).records
    assert (one.title, one.journal, one.year) == ("屋顶苔藓的研究", "屋顶学报", 2018)
    assert [a["family"] + a["given"] for a in one.authors] == ["王小明", "李华"]
    assert one.keywords == ["苔藓", "屋顶"]
    assert one.abstract.startswith("屋顶上的苔藓")


def test_proquest():
    [one] = labelled(PROQUEST).records
    assert (one.title, one.journal, one.year, one.pages) == (
        "Moss on northern roofs",
        "Annals of Roofing",
        2018,
        "101-109",
    )
    assert [a["family"] for a in one.authors] == ["Lund", "Oke"]
    assert one.doi == "10.5555/roof.7"


@pytest.mark.parametrize("text", [NOTEEXPRESS, CNKI, PROQUEST])
def test_each_record_is_one(text):
    found = labelled(text + text.replace("roof.7", "roof.8"))
    assert len(found.records) == 2
    assert found.records[0].title == found.records[1].title


def test_a_value_goes_on_in_the_next_line():
    assert labelled(NOTEEXPRESS).records[0].abstract == "屋顶上的苔藓, 以及石板。"


def test_bad_values_are_told():
    found = labelled(NOTEEXPRESS.replace("2018", "soon").replace("10.5555/roof.7", "none"))
    assert {p.code for p in found.problems} == {"year_unreadable", "doi_unreadable"}


@pytest.mark.parametrize(
    "text",
    [
        "Dear Bo,\n\nTitle: of my talk\nYear: this one\n\nSee you there, and bring the papers along.\nBest wishes, Ada\n"
        * 2,
        "Name: Ada\nStreet: Long Lane 3\nTown: Mossford\n",
    ],
)
def test_letters_and_addresses_are_no_lists(text):
    assert sniff(text.encode()) != Format.LABELLED
