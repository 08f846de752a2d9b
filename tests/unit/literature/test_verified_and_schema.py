"""What "verified only" leaves of a record, and that the JSON is what its schema says."""

from __future__ import annotations

import json

import jsonschema
import pytest
from django.contrib.staticfiles import finders

from tasks.kinds.literature import samples
from tasks.kinds.literature.exports import json as json_export
from tasks.kinds.literature.exports.verified import only_verified
from tasks.kinds.literature.fields import PARTS
from tasks.kinds.literature.reader import read_any
from tasks.kinds.literature.samples.manuscript import read
from tasks.kinds.literature.samples.typeset import typeset
from tests.unit.literature.hostile import CONTROL, FAILED, HOSTILE, LONG, field, record


def whole():
    fields = [
        field("title", "On hay"),
        field("doi", "10.5555/hay", verified=False),
        field("design", "cohort"),
        field("sample_size", None, status="ambiguous", candidates=[{"value": 3, "page": 1, "quote": "3"}]),
        field("setting", "a barn", verified=False),
    ]
    return record(
        title="On hay",
        doi="10.5555/hay",
        year=2024,
        pages=3,
        fields=fields,
        abstract="x",
        authors=[{"family": "Ríos", "given": "Ana", "affiliations": [], "email": None, "orcid": None}],
        sections=[{"title": "Methods", "level": 1, "page": 2}],
        references=[{"text": "Straw.", "doi": None, "year": 2001, "title": None, "authors": [], "journal": None}],
    )


def test_only_values_with_a_verified_quote_are_left():
    found = only_verified(whole())
    assert [field["name"] for field in found["fields"]] == ["title", "design"]
    assert (found["title"], found["doi"], found["year"], found["abstract"]) == ("On hay", None, None, None)
    assert (found["authors"], found["references"], found["sections"], found["pages"]) == ([], [], [], 3)


def test_what_a_person_vouches_for_is_left_too():
    review = {"act": "corrected", "by": "ana", "at": "2026-11-30T09:00:00+00:00"}
    fields = [field("year", 2024, verified=False, review=review, machine_value=2023)]
    found = only_verified(record(year=2024, fields=fields, listed={"title": "x"}, notes=[{"text": "n", **review}]))
    assert (found["year"], found["fields"], found["listed"], len(found["notes"])) == (2024, fields, None, 1)


def test_a_record_that_is_reduced_has_the_same_keys_and_the_whole_one_is_not_touched():
    record = whole()
    assert list(only_verified(record)) == list(record)
    assert record == whole()
    assert only_verified(FAILED) == FAILED


@pytest.fixture(scope="module")
def schema():
    with open(finders.find("literature/records.schema.json")) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_export_is_what_the_schema_says(schema):
    odd = [record(title=text, abstract=LONG) for text in [*HOSTILE, CONTROL[0]]]
    review = {"act": "confirmed", "by": "ana", "at": "2026-11-30T09:00:00+00:00"}
    judged = record(fields=[field("design", "cohort", review=review, machine_value="cohort")], reviewed=review)
    given = [whole(), only_verified(whole()), FAILED, record(), judged, *odd]
    found = json.loads("".join(json_export.pieces(given)))
    schema.validate(found)
    assert found == given


def test_what_reading_a_paper_gives_is_what_the_schema_says(schema, tmp_path):
    """A key that extraction adds to a field has to be told of in the schema."""
    typeset(read(sorted(samples.PAPERS.glob("*.txt"))[0]), tmp_path / "paper.pdf")
    found = read_any(str(tmp_path / "paper.pdf"), max_pages=100, max_bytes=10**8)
    parts = {name: found[name] for name in PARTS}
    assert {"calibrated", "confidence", "boxes"} <= set(parts["fields"][0])
    schema.validate([record(**parts), only_verified(record(**parts))])


@pytest.mark.parametrize("wrong", [{"year": "2020"}, {"pmid": 12}, {"status": "fine"}, {"more": 1}, {"fields": [{}]}])
def test_the_schema_refuses_what_is_wrong(schema, wrong):
    assert not schema.is_valid([record() | wrong])


def test_an_empty_set_is_an_empty_list():
    assert json.loads("".join(json_export.pieces([]))) == []
