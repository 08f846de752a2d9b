"""The DOI is the paper's own or none; the year, volume and pages are those of its publication."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.identifiers import (
    find_dois,
    find_pmid,
    find_volume,
    join_broken,
    vote_doi,
    vote_year,
)
from tests.unit.reading.press import LOREM, article

REFERENCES = [
    "1. Smith J, Doe A. Basil and gums. J Oral Res 2011;4:11-19. doi:10.5555/jor.2011.007",
    "2. Brown C. Oils of leaves. Plant Med 2012;7:1-9. doi:10.5555/pm.2012.001",
]


def field(record, name):
    return next((f for f in record["fields"] if f["name"] == name), None)


def test_the_doi_of_the_front_page_is_found_and_verified(press, read):
    record = read(article(press, doi="10.1234/JPR.2019.0042", references=REFERENCES))
    assert record["doi"] == "10.1234/jpr.2019.0042"
    found = field(record, "doi")
    assert (found["status"], found["verified"], found["page"]) == ("found", True, 1)


def test_a_doi_in_the_references_only_is_not_the_papers(press, read):
    record = read(article(press, doi=None, references=REFERENCES))
    assert record["doi"] is None
    assert field(record, "doi") is None
    assert record["references"][0]["doi"] == "10.5555/jor.2011.007"


def test_the_papers_own_citation_on_the_last_page_gives_the_doi(press, read):
    article(press, doi=None, references=REFERENCES)
    press.y += 40
    press.line("doi:10.1234/jpr.2019.0042", size=8)
    press.prose(
        "Cite this article as: Lopez et al.: Effect of holy basil extract on gingival bleeding in adults. "
        "Journal of Plant Research 2019, 12:45.",
        size=8,
    )
    assert read(press)["doi"] == "10.1234/jpr.2019.0042"


def test_references_on_the_front_page_itself_give_no_doi(press, read):
    press.line("A short letter about holy basil and gums", font="Times-Bold", size=16)
    press.prose(LOREM)
    press.heading("References")
    for reference in REFERENCES:
        press.prose(reference, size=8)
    assert read(press)["doi"] is None


def test_two_dois_of_equal_standing_are_ambiguous_and_the_value_is_none(press, read):
    article(press, doi="10.1234/jpr.2019.0042")
    press.canvas.setSubject("doi:10.9999/other.1")
    record = read(press)
    assert record["doi"] is None
    found = field(record, "doi")
    assert (found["status"], found["value"]) == ("ambiguous", None)
    assert {c["value"] for c in found["candidates"]} == {"10.1234/jpr.2019.0042", "10.9999/other.1"}
    assert "ambiguous_doi" in record["warnings"]


def test_metadata_that_agrees_settles_it(press, read):
    article(press, doi="10.1234/jpr.2019.0042")
    press.canvas.setSubject("Journal of Plant Research, doi:10.1234/jpr.2019.0042")
    assert read(press)["doi"] == "10.1234/jpr.2019.0042"


def test_the_doi_of_a_data_set_is_not_the_papers():
    assert (
        vote_doi(
            [
                (
                    "data: https://doi.org/10.5061/dryad.12345 and https://doi.org/10.1371/journal.pone.0012345",
                    2.0,
                    "edge",
                )
            ]
        )[0]
        == "10.1371/journal.pone.0012345"
    )


def test_the_doi_of_the_corrected_article_is_not_the_corrections():
    sources = [
        ("https://doi.org/10.1155/2018/5656189", 2.0, "edge"),
        (
            "In the article titled Effects of plants (doi:10.1155/2014/1), cited above. https://doi.org/10.1155/2018/5656189",
            1.0,
            "front",
        ),
    ]
    assert vote_doi(sources)[0] == "10.1155/2018/5656189"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("doi:10.1371/journal.pone.0012345.g001", "10.1371/journal.pone.0012345"),
        ("(https://doi.org/10.1016/S0140-6736(05)67889-0).", "10.1016/s0140-6736(05)67889-0"),
        ("DOI: 10.1007/s00436-007-0502-2, accepted", "10.1007/s00436-007-0502-2"),
        ("doi.org/10.1155/2018/7264892Research Article", "10.1155/2018/7264892"),
        ("10.1002/(SICI)1099-1573(199806)12:4&x", "10.1002/(sici)1099-1573(199806)12:4&x"),
    ],
)
def test_a_doi_ends_where_it_ends(text, doi):
    assert find_dois(text)[0][0] == doi


def test_a_doi_broken_at_a_line_end_is_made_whole():
    assert find_dois(join_broken("doi: 10.3389/ fmicb.2015.00892 end"))[0][0] == "10.3389/fmicb.2015.00892"
    assert find_dois(join_broken("doi: 10.1186/0717- 6287-47-35 end"))[0][0] == "10.1186/0717-6287-47-35"


def test_a_cut_doi_is_its_longer_self():
    assert (
        vote_doi([("10.3389/fmicb.2015", 1.0, "front"), ("10.3389/fmicb.2015.00892", 2.0, "edge")])[0]
        == "10.3389/fmicb.2015.00892"
    )


def test_publication_beats_reception_and_the_age_of_the_file():
    year, _ = vote_year(
        "Received 4 June 2016; Accepted 3 December 2016; Published 10 January 2017 © 2017 The Authors",
        "",
        "",
        "D:20180101",
        None,
        "",
    )
    assert year == 2017


def test_no_year_is_none():
    assert vote_year("A text without any date.", "", "", "", None, "")[0] is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("J Dent Res 2016; 10(2):92-98", {"volume": "10", "issue": "2", "first_page": "92", "last_page": "98"}),
        ("3 Biotech (2015) 5:697–707", {"volume": "5", "first_page": "697", "last_page": "707"}),
        ("Bioinformation 13(3): 67-72 (2017)", {"volume": "13", "issue": "3", "first_page": "67", "last_page": "72"}),
        ("September 2015 | Volume 6 | Article 892", {"volume": "6", "first_page": "892"}),
        ("Nothing of the kind", {}),
    ],
)
def test_volume_and_pages_are_read_off_a_citation(text, expected):
    assert find_volume(text) == expected


def test_pmid_and_pmcid_are_taken_as_printed():
    assert find_pmid("PMID: 16504000 PMCID: PMC1397864") == ("16504000", "PMC1397864")
    assert find_pmid("nothing") == (None, None)
