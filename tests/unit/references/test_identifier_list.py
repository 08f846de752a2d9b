"""A pasted list of DOIs and PubMed numbers, one a line or in the middle of a text."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read
from tasks.kinds.literature.references.values import doi_of, dois_in, pmid_of


def listed(text: str):
    found = read(text.encode())
    assert found.format == "identifiers"
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


def ids(found) -> list[tuple]:
    return [(r.doi or r.pmid or r.pmcid, r.source_line) for r in found.records]


def test_one_a_line_in_any_dress():
    text = "10.1000/a.1\nhttps://doi.org/10.1000/B_2\n\ndoi:10.1000/c(3)4.\nhttp://dx.doi.org/10.1000%2Fd5\nPMID: 31452104\n29459515\nPMC6710000\nhttps://pubmed.ncbi.nlm.nih.gov/12345678/\n"
    assert ids(listed(text)) == [
        ("10.1000/a.1", 1),
        ("10.1000/b_2", 2),
        ("10.1000/c(3)4", 4),
        ("10.1000/d5", 5),
        ("31452104", 6),
        ("29459515", 7),
        ("PMC6710000", 8),
        ("12345678", 9),
    ]


def test_several_a_line():
    assert ids(listed("10.1000/1, 10.1000/2; 10.1000/3\n31452104 29459515\n")) == [
        ("10.1000/1", 1),
        ("10.1000/2", 1),
        ("10.1000/3", 1),
        ("31452104", 2),
        ("29459515", 2),
    ]


def test_in_running_text_prose_and_its_numbers_are_left_alone_and_told():
    found = listed(
        "Dear Bo, in 2019 we read 12345 papers.\nSee Smith et al. (doi: 10.1000/abc), and [PMID: 31452104].\nThanks\n"
    )
    assert ids(found) == [("10.1000/abc", 2), ("31452104", 2)]
    assert [p.code for p in found.problems] == ["text_outside"]


def test_twice_is_once_and_told():
    found = listed("10.1000/1\n10.1000/2\nhttps://doi.org/10.1000/1\n")
    assert [(p.line, p.code, p.detail["first"]) for p in found.problems] == [(3, "listed_twice", 1)]
    assert len(found.records) == 2


def test_what_only_looks_like_a_doi_is_listed_with_its_line():
    found = listed("10.1000/1\n10.4/x\ndoi: pending\n10.1000/2\n")
    assert [(p.line, p.code) for p in found.unreadable] == [(2, "doi_unreadable"), (3, "doi_unreadable")]


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (
            "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2",
        ),
        ("(https://doi.org/10.1000/abc).", "10.1000/abc"),
        ("10.1000/abc/full", "10.1000/abc"),
        ("https://x.org/doi/10.1000/abc?download=true#sec", "10.1000/abc"),
        ("10.1000/a and 10.1000/b", None),
        ("10.1/abc", None),
        ("10.1000/", None),
        ("", None),
    ],
)
def test_a_doi_is_cut_where_it_ends(text, doi):
    assert doi_of(text) == doi


def test_dois_glued_together_are_two():
    assert dois_in("10.1000/1,10.1000/2") == ["10.1000/1", "10.1000/2"]


@pytest.mark.parametrize(
    ("text", "pmid"),
    [("007654321", "7654321"), ("123.0", "123"), ("123456789", None), ("12a", None), ("0", None), ("PMID:42", "42")],
)
def test_pubmed_numbers(text, pmid):
    assert pmid_of(text) == pmid
