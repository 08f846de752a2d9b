"""CSL-JSON and Crossref's answers: every object that is a work is a record; a damaged one costs itself alone."""

from __future__ import annotations

import json

import pytest

from tasks.kinds.literature.references import Format, read, sniff

WORK = {
    "id": "lund2018",
    "type": "article-journal",
    "title": "Moss on northern roofs",
    "author": [
        {"family": "Lund", "given": "Ada"},
        {"family": "Ruiter", "given": "Kees", "non-dropping-particle": "de"},
    ],
    "issued": {"date-parts": [[2018, 11, 2]]},
    "container-title": "Annals of Roofing",
    "volume": "12",
    "issue": 3,
    "page": "101-109",
    "DOI": "10.5555/Roof.7",
    "PMID": "30000001",
    "keyword": "moss; roofs",
    "note": "read twice",
}
OTHER = {
    "type": "chapter",
    "title": "Lichens indoors",
    "issued": {"raw": "2020-01"},
    "editor": [{"literal": "Lichen Group"}],
}


def csl(*works: dict, **dump):
    found = read(json.dumps(list(works), **dump).encode())
    assert found.format == "csl_json"
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


def test_all_fields():
    [one] = csl(WORK).records
    assert (one.title, one.year, one.journal, one.volume, one.issue, one.pages) == (
        "Moss on northern roofs",
        2018,
        "Annals of Roofing",
        "12",
        "3",
        "101-109",
    )
    assert one.authors == [{"family": "Lund", "given": "Ada"}, {"family": "de Ruiter", "given": "Kees"}]
    assert (one.doi, one.pmid, one.keywords, one.notes, one.type) == (
        "10.5555/roof.7",
        "30000001",
        ["moss", "roofs"],
        "read twice",
        "article-journal",
    )


def test_records_keep_their_order_and_their_lines():
    found = csl(WORK, OTHER, indent=1)
    assert [r.title for r in found.records] == ["Moss on northern roofs", "Lichens indoors"]
    assert [r.source_line for r in found.records] == [2, 2 + len(json.dumps(WORK, indent=1).split("\n"))]


def test_a_date_may_be_text_and_a_group_an_author():
    [one] = csl(OTHER).records
    assert (one.year, one.authors, one.type) == (2020, [{"family": "Lichen Group", "given": ""}], "chapter")


@pytest.mark.parametrize(
    "wrapped",
    [
        {"items": [WORK, OTHER]},
        {"status": "ok", "message": {"total": 2, "items": [WORK, OTHER]}},
        {"references": [WORK, OTHER]},
    ],
)
def test_works_may_be_wrapped(wrapped):
    found = read(json.dumps(wrapped).encode())
    assert [r.title for r in found.records] == ["Moss on northern roofs", "Lichens indoors"]


def test_crossref_gives_titles_as_lists():
    work = {
        "DOI": "10.5555/x.1",
        "type": "journal-article",
        "title": ["Slates"],
        "subtitle": ["a review"],
        "container-title": ["Annals of Roofing"],
        "published-print": {"date-parts": [[2011]]},
        "author": [{"family": "Oke", "given": "T.", "sequence": "first"}],
    }
    [one] = csl(work).records
    assert (one.title, one.journal, one.year, one.type) == (
        "Slates: a review",
        "Annals of Roofing",
        2011,
        "article-journal",
    )


def test_one_object_a_line_is_read():
    found = read((json.dumps(WORK) + "\n" + json.dumps(OTHER) + "\n").encode())
    assert [(r.title, r.source_line) for r in found.records] == [("Moss on northern roofs", 1), ("Lichens indoors", 2)]


def test_a_file_that_is_cut_off_loses_its_last_record_only():
    text = json.dumps([WORK, OTHER])
    found = read(text[:-40].encode())
    assert [r.title for r in found.records] == ["Moss on northern roofs"]
    assert [p.code for p in found.unreadable] == ["json_damaged"]


def test_a_broken_object_between_two_is_listed():
    text = json.dumps([WORK, {"id": "broken", "title": "x"}, OTHER]).replace('"broken"', '"broken')
    found = read(text.encode())
    assert [r.title for r in found.records] == ["Moss on northern roofs", "Lichens indoors"]
    assert len(found.unreadable) == 1


@pytest.mark.parametrize("depth", [10, 100_000])
def test_nesting_without_end_raises_nothing(depth):
    text = '[{"title": "a", "DOI": "10.5555/1", "x": ' + "[" * depth + "]" * depth + "}]"
    found = read(text.encode())
    assert found.counted == len(found.records) + len(found.unreadable) == 1


@pytest.mark.parametrize("value", ["1" * 5000, "NaN", "-1e999", "true", "null", "{}", "[[]]"])
def test_strange_values_are_no_text(value):
    found = read(
        f'[{{"title": "A", "DOI": "10.5555/1", "issued": {value}, "volume": {value}, "author": {value}}}]'.encode()
    )
    assert found.counted == 1 == len(found.records) + len(found.unreadable)


@pytest.mark.parametrize("text", ['{"name": "sheaf", "version": 1}', '[{"a": 1}]', "{}", '[{"itemType": "book"}]'])
def test_other_json_is_refused_by_name(text):
    assert sniff(text.encode()) == Format.UNKNOWN
    assert read(text.encode()).refused.detail == {"found": "JSON"}


def test_a_doi_that_is_none_is_told():
    found = csl(WORK | {"DOI": "see publisher"})
    assert [(p.code, p.text) for p in found.problems] == [("doi_unreadable", "see publisher")]
