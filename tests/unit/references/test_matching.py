"""Which references and papers are one work, and which only may be."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import Record, match, possible_duplicates

TITLE = "Effects of basil on gums in adults of forty towns"


def item(title=TITLE, year=2011, family="Smith", **more) -> dict:
    return {"title": title, "year": year, "authors": [{"family": family, "given": "A"}] if family else [], **more}


def verdict(a: dict, b: dict) -> tuple[str, str] | None:
    found = match([a], [b])
    assert len(found) <= 1
    mirrored = match([b], [a])
    assert [(m.kind, m.reason) for m in found] == [(m.kind, m.reason) for m in mirrored]
    return (found[0].kind, found[0].reason) if found else None


CASES = {
    "one doi": (
        item(doi="10.1000/1"),
        item(title="Effects of basil on gums in adults of 40 towns", year=2012, doi="10.1000/1"),
        ("same", "same_doi"),
    ),
    "one doi, nothing else known": ({"doi": "10.1000/1"}, item(doi="10.1000/1"), ("same", "same_doi")),
    "one pubmed number": (item(pmid="123"), item(pmid="123", doi="10.1000/1"), ("same", "same_pmid")),
    "one pmc number": ({"pmcid": "PMC1"}, item(pmcid="pmc1"), ("same", "same_pmcid")),
    "one doi, another paper": (
        item(doi="10.1000/1"),
        item(title="Quantum walks in cold lattices of rubidium", doi="10.1000/1"),
        ("possible", "same_number_other_title"),
    ),
    "title, year and author": (item(), item(title=TITLE.upper() + "."), ("same", "same_title_year")),
    "title with markup and accents": (
        item(title="Effects of <i>Básil</i> on gums – in adults of forty towns"),
        item(),
        ("same", "same_title_year"),
    ),
    "title and year, no author": (item(family=""), item(), ("same", "same_title_year")),
    "another author": (item(), item(family="Zhang"), ("possible", "same_title_other_author")),
    "another year": (item(), item(year=2014), ("possible", "same_title_other_year")),
    "no year": (item(), item(year=None), ("possible", "same_title_no_year")),
    "another doi": (item(doi="10.1000/1"), item(doi="10.1000/2"), ("possible", "other_doi")),
    "another pubmed number": (item(pmid="1"), item(pmid="2"), ("possible", "other_pmid")),
    "a preprint": (item(doi="10.1101/2020.01.02.123456", year=2010), item(doi="10.1000/2"), ("possible", "preprint")),
    "a preprint by its journal": (item(journal="medRxiv"), item(), ("possible", "preprint")),
    "a preprint with a changed title": (
        item(doi="10.21203/rs.3.rs-1/v1", title="Effect of basil on the gums in adults of forty towns"),
        item(doi="10.1000/2"),
        ("possible", "preprint"),
    ),
    "two versions of a doi": (
        item(doi="10.12688/f1000research.123.1"),
        item(doi="10.12688/f1000research.123.2"),
        ("possible", "doi_version"),
    ),
    "versions of a preprint": (
        item(doi="10.21203/rs.3.rs-99/v1"),
        item(doi="10.21203/rs.3.rs-99/v2"),
        ("possible", "doi_version"),
    ),
    "a slip in the title": (
        item(title="Effects of basil on gums in adlts of forty towns"),
        item(),
        ("possible", "similar_title"),
    ),
    "a subtitle": (item(title=TITLE + ": a randomised trial in two countries"), item(), ("possible", "title_goes_on")),
    "part 1 and part 2": (item(title=TITLE + " part 1"), item(title=TITLE + " part 2"), None),
    "editorials": (item(title="Editorial"), item(title="Editorial"), ("possible", "same_short_title")),
    "editorials of two people": (item(title="Editorial"), item(title="Editorial", family="Zhang"), None),
    "nothing in common": (item(), item(title="Quantum walks in cold lattices of rubidium", doi="10.1000/9"), None),
    "nothing known": ({}, {}, None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_is(name):
    a, b, expected = CASES[name]
    assert verdict(a, b) == expected


def test_a_record_is_the_same_as_one_paper_at_most():
    found = match([item(doi="10.1000/1")], [item(), item(doi="10.1000/1")])
    assert [(m.right, m.kind, m.reason) for m in found] == [(1, "same", "same_doi"), (0, "possible", "same_again")]


def test_records_and_papers_may_be_objects_or_dicts():
    record = Record(title=TITLE, year=2011, authors=[{"family": "Smith", "given": "A"}])
    assert [m.kind for m in match([record], [item()])] == ["same"]


def test_duplicates_within_a_list_are_pairs_in_order():
    found = possible_duplicates([item(), item(title="Something else entirely about rubidium"), item(year=2014)])
    assert [(m.left, m.right, m.reason) for m in found] == [(0, 2, "same_title_other_year")]


def test_scores_are_between_zero_and_one_and_sameness_scores_most():
    scores = {name: m.score for name, (a, b, _) in CASES.items() for m in match([a], [b])}
    assert all(0 < score <= 1 for score in scores.values())
    assert scores["one doi"] == 1.0 > scores["title, year and author"] > scores["a preprint"] > scores["another author"]


def test_very_many_of_one_number_are_each_held_against_the_first():
    many = [item(f"Hay of the {n}th barn and its many uses", doi="10.1000/volume") for n in range(1_000)]
    found = possible_duplicates([item(doi="10.1000/other"), *many])
    assert [(one.left, one.right) for one in found if "doi" in one.reason or "number" in one.reason] == [
        (1, n) for n in range(2, 1_001)
    ]
    assert len(match(many, many)) <= 2_000


def test_thousands_are_matched_without_comparing_all_pairs():
    """Ten million pairs would take minutes."""
    left = [
        item(title=f"Effects of basil number {n} on gums in adults of town {n % 97}", doi=f"10.1000/{n}")
        for n in range(3000)
    ]
    right = [item(title=one["title"]) for one in left]
    assert sum(m.kind == "same" for m in match(left, right)) == 3000
