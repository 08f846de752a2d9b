"""NBIB, EndNote's %-tags, Web of Science and PubMed's texts: all records, each with its line."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

from tasks.kinds.literature.references import read

NBIB = """
PMID- 31452104
OWN - NLM
DP  - 2019 Aug 26
TI  - Fast surgery of the hand [in older
      people].
PG  - 349-69
LID - 10.1000/first [doi]
AB  - First line
      and second.
FAU - Smith, Anna
AU  - Smith A
AD  - Oslo
LA  - eng
PT  - Journal Article
PT  - Review
PMC - PMC6710000
MH  - Humans
TA  - J Hand
JT  - Journal of hands
VI  - 5
IP  - 2
SO  - J Hand. 2019.

PMID- 29459515
TI  - Second.
AU  - Abe H
DP  - 2018 Mar-Apr
"""
ENW = """%0 Journal Article
%A Smith, Anna
%A van Doe, B.
%T First title
%J Journal of X
%D 2011
%V 3
%N 4
%P 5-9
%R https://doi.org/10.1000/abc
%X One
two
%K a
b
%M 21553931
%2 PMC123456

%0 Book
%T Second title
%E Roe, C.
%I Press
%D forthcoming
"""
WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Smith, A
   Doe, B
AF Smith, Anna
   Doe, Bo
TI A title over
   two lines
SO JOURNAL OF X
DE basil; gums
AB Because.
PY 2011
VL 3
BP 5
EP 9
DI 10.1000/abc
PM 21553931
DT Review
ER

PT J
AU Roe, C
TI Second
PY 2012
ER

EF
"""
PUBMED = """1. Clin Pharmacokinet. 2011 Jun;50(6):349-69. doi: 10.2165/11586800-000000000-00000.

Boswellia serrata: an overall assessment of in vitro data.

Abdel-Tawab M(1), Werz O, Schubert-Zsilavecz M.

Author information:
(1)Central Laboratory, Eschborn, Germany.

Drugs were
examined. 5. They were fine.

DOI: 10.2165/11586800-000000000-00000
PMID: 21553931 [Indexed for MEDLINE]


2. J Oleo Sci. 2018 Mar 1;67(3):335-344.

Yuzu peel.

Abe H, Ishioka M.

PMCID: PMC1234567
PMID: 29459515
"""


def reading(text: str, format: str):
    found = read(text.encode())
    assert found.format == format
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


def codes(found) -> list[tuple[int, str, str]]:
    return [(p.line, p.code, p.severity) for p in found.problems]


def test_nbib_has_all_fields():
    first, second = reading(NBIB, "nbib").records
    assert first.title == "Fast surgery of the hand [in older people]"
    assert first.authors == [{"family": "Smith", "given": "Anna"}]
    assert (first.doi, first.pmid, first.pmcid, first.year) == ("10.1000/first", "31452104", "PMC6710000", 2019)
    assert (first.journal, first.volume, first.issue, first.pages) == ("Journal of hands", "5", "2", "349-369")
    assert (first.abstract, first.keywords, first.type) == ("First line and second.", ["Humans"], "review")
    assert (second.title, second.authors, second.source_line) == ("Second", [{"family": "Abe", "given": "H"}], 25)


def test_nbib_without_empty_lines_between_records_keeps_both():
    assert len(reading(NBIB.replace("\n\nPMID", "\nPMID"), "nbib").records) == 2


def test_nbib_with_an_empty_line_after_each_line_keeps_its_records_whole():
    assert [r.year for r in reading(NBIB.replace("\n", "\n\n"), "nbib").records] == [2019, 2018]


def test_one_odd_line_of_nbib_costs_nothing():
    found = reading(NBIB.replace("OWN - NLM", "OWN - NLM\n<<garbage>>"), "nbib")
    assert len(found.records) == 2
    assert codes(found) == [(4, "odd_lines", "repaired")]


def test_eric_without_numbers_is_split_at_empty_lines():
    text = (
        "OWN - ERIC\nTI  - One\nAU  - Smith, Tom\nAID - http://dx.doi.org/10.1000/123\nDP  - 2000\n\n"
        "OWN - ERIC\nTI  - Two\nDP  - 2001\n"
    )
    found = reading(text, "nbib")
    assert [(r.title, r.doi, r.source_line) for r in found.records] == [("One", "10.1000/123", 1), ("Two", None, 7)]


def test_endnote_tags_have_all_fields():
    found = reading(ENW, "enw")
    first, second = found.records
    assert first.authors == [{"family": "Smith", "given": "Anna"}, {"family": "van Doe", "given": "B."}]
    assert (first.title, first.journal, first.year, first.volume, first.issue, first.pages) == (
        "First title",
        "Journal of X",
        2011,
        "3",
        "4",
        "5-9",
    )
    assert (first.doi, first.pmid, first.pmcid, first.keywords, first.abstract) == (
        "10.1000/abc",
        "21553931",
        "PMC123456",
        ["a", "b"],
        "One two",
    )
    assert (second.title, second.type, second.authors, second.year) == (
        "Second title",
        "book",
        [{"family": "Roe", "given": "C."}],
        None,
    )
    assert codes(found) == [(10, "doi_with_address", "repaired"), (22, "year_unreadable", "warned")]


def test_endnote_records_without_their_first_line_are_found_by_their_titles():
    text = ENW.replace("%0 Book\n", "")
    found = reading(text, "enw")
    assert [r.title for r in found.records] == ["First title", "Second title"]
    assert (18, "missing_start", "repaired") in codes(found)


def test_web_of_science_has_all_fields():
    found = reading(WOS, "wos")
    first, second = found.records
    assert first.authors == [{"family": "Smith", "given": "Anna"}, {"family": "Doe", "given": "Bo"}]
    assert (first.title, first.journal, first.year, first.pages, first.doi, first.pmid) == (
        "A title over two lines",
        "JOURNAL OF X",
        2011,
        "5-9",
        "10.1000/abc",
        "21553931",
    )
    assert (first.keywords, first.type, second.title) == (["basil", "gums"], "review", "Second")
    assert found.problems == []


def test_web_of_science_with_a_missing_end_and_cut_short():
    found = reading(WOS.replace("ER\n\nPT", "\nPT").replace("ER\n\nEF\n", ""), "wos")
    assert [r.title for r in found.records] == ["A title over two lines", "Second"]
    assert [code for _, code, _ in codes(found)].count("missing_end") == 2
    assert "cut_short" in [code for _, code, _ in codes(found)]


def test_pubmed_abstracts_have_their_parts():
    found = reading(PUBMED, "pubmed_text")
    first, second = found.records
    assert first.title == "Boswellia serrata: an overall assessment of in vitro data"
    assert [a["family"] for a in first.authors] == ["Abdel-Tawab", "Werz", "Schubert-Zsilavecz"]
    assert (first.journal, first.year, first.volume, first.issue, first.pages) == (
        "Clin Pharmacokinet",
        2011,
        "50",
        "6",
        "349-69",
    )
    assert (first.doi, first.pmid, first.abstract) == (
        "10.2165/11586800-000000000-00000",
        "21553931",
        "Drugs were examined. 5. They were fine.",
    )
    assert (second.pmid, second.pmcid, second.year, second.source_line) == ("29459515", "PMC1234567", 2018, 17)
    assert found.problems == []


def test_pubmed_summaries_are_read():
    text = (
        "1: Abdel-Tawab M, Werz O. Boswellia serrata: an assessment. Clin Pharmacokinet.\n"
        "2011 Jun;50(6):349-69. doi: 10.2165/1. PubMed PMID: 21553931.\n\n"
        "2: Abe H. Yuzu peel. J Oleo Sci. 2018 Mar 1;67(3):335-344. PMID: 29459515.\n"
    )
    found = reading(text, "pubmed_text")
    assert [(r.title, r.journal, r.year, r.pmid) for r in found.records] == [
        ("Boswellia serrata: an assessment", "Clin Pharmacokinet", 2011, "21553931"),
        ("Yuzu peel", "J Oleo Sci", 2018, "29459515"),
    ]


def test_a_group_of_a_nbib_is_an_author_where_it_stands():
    text = "PMID- 30000001\nTI  - Moss.\nFAU - Lund, Ada\nAU  - Lund A\nCN  - Roof Group\nFAU - Oke, Tom\nAU  - Oke T\nDP  - 2018\n"
    [one] = read(text.encode()).records
    assert [a["family"] for a in one.authors] == ["Lund", "Roof Group", "Oke"]


def test_a_nbib_with_a_group_alone():
    [one] = read(b"PMID- 30000001\nBTI - The roof book\nCN  - Roof Group\nFED - Ferro, Bea\nDP  - 2018\n").records
    assert (one.title, [a["family"] for a in one.authors]) == ("The roof book", ["Roof Group"])
