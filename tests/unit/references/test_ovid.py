"""Ovid's numbered citations, with names in words or with tags."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

from tasks.kinds.literature.references import read

WORDS = (
    "<1. Citation>\nUnique Identifier\n  30000001\nStatus\n  MEDLINE\nAuthors\n  Lund A. Oke TB.\nTitle\n  Moss on northern roofs:\n"
    "  a survey.\nSource\n  Annals of Roofing. 12(3):101-109, 2018 Nov.\nAbstract\n  Roofs, slates\n  and moss.\n"
    "Publication Type\n  Journal Article.\n\n"
    "<2. Citation>\nUnique Identifier\n  30000002\nAuthors\n  Ferro, Bea\n  Moll, Karl\nTitle\n  Lichens indoors.\n"
    "Source\n  Moss Letters. 4:7-9, 2020 May 3.\n"
)
TAGS = (
    "Database: Ovid MEDLINE(R) <1946 to May 2020>\n<1>\nUI  - 30000001\nAU  - Lund A\nAU  - Oke TB\nTI  - Moss on northern roofs: a survey.\n"
    "SO  - Annals of Roofing. 12(3):101-109, 2018 Nov.\nDO  - https://dx.doi.org/10.5555/roof.7\nAB  - Roofs, slates and moss.\n"
)


def ovid(text: str):
    found = read(text.encode())
    assert found.format == "ovid"
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


def test_names_in_words():
    first, second = ovid(WORDS).records
    assert (first.title, first.journal, first.year) == ("Moss on northern roofs: a survey", "Annals of Roofing", 2018)
    assert (first.volume, first.issue, first.pages, first.pmid) == ("12", "3", "101-109", "30000001")
    assert first.authors == [{"family": "Lund", "given": "A"}, {"family": "Oke", "given": "TB"}]
    assert first.abstract == "Roofs, slates and moss."
    assert (second.title, second.year, second.volume) == ("Lichens indoors", 2020, "4")
    assert [a["family"] for a in second.authors] == ["Ferro", "Moll"]


def test_tags_and_the_search_above():
    found = ovid(TAGS)
    [one] = found.records
    assert (one.title, one.year, one.doi) == ("Moss on northern roofs: a survey", 2018, "10.5555/roof.7")
    assert [a["family"] for a in one.authors] == ["Lund", "Oke"]
    assert [(p.code, p.line) for p in found.problems] == [("text_outside", 1)]


def test_a_volume_that_looks_like_a_year_is_none():
    text = TAGS.replace("12(3):101-109, 2018 Nov", "2011(3):1999-2004, 2018 Nov")
    assert ovid(text).records[0].year == 2018


def test_a_source_without_a_year_is_told():
    found = ovid(TAGS.replace(", 2018 Nov", ""))
    assert found.records[0].year is None
    assert "year_unreadable" in [p.code for p in found.problems]
