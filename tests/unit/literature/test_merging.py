"""Several sources read one paper: which value stands, why, and what becomes of the others."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import jsonschema
import pytest

from tasks.kinds.literature import record
from tasks.kinds.literature.exports import schema
from tasks.kinds.literature.fields import PARTS
from tasks.kinds.literature.record.merging import merge
from tests.unit.literature import hostile


def entry(name, value, *, confidence=0.9, verified=True, **more):
    found = hostile.field(name, value, verified=verified, confidence=confidence, calibrated=True)
    return found | more


def read(*entries, **parts):
    """A record as a source gives it: the parts follow from the entries."""
    from_entries = {one["name"]: one["value"] for one in entries if one["name"] in PARTS and one["value"] is not None}
    return {**PARTS, **from_entries, "fields": list(entries), "warnings": [], **parts}


def of(merged, name):
    return next(one for one in merged["fields"] if one["name"] == name)


def test_one_source_is_given_back_as_it_is():
    alone = read(entry("year", 2024))
    assert merge({"parse": alone}) is alone
    assert merge({}) == {}


def test_a_verified_value_beats_a_surer_one_whose_quote_is_not_there():
    merged = merge(
        {
            "parse": read(entry("year", 2019, verified=False, confidence=0.99)),
            "grobid": read(entry("year", 2024, confidence=0.6)),
        }
    )
    found = of(merged, "year")
    assert (merged["year"], found["value"], found["source"], found["why"]) == (2024, 2024, "grobid", "verified")


def test_what_two_say_beats_what_one_is_surer_of():
    merged = merge(
        {
            "parse": read(entry("journal", "Barn Letters", confidence=0.99)),
            "grobid": read(entry("journal", "Journal of Hay", confidence=0.5)),
            "mineru": read(entry("journal", "JOURNAL OF HAY", confidence=0.6)),
        }
    )
    found = of(merged, "journal")
    assert (found["value"], found["source"], found["why"]) == ("JOURNAL OF HAY", "mineru", "agreed")
    assert merged["journal"] == "JOURNAL OF HAY"


def test_the_surer_of_two_wins_and_where_they_are_as_sure_the_preferred_one():
    sure = merge({"parse": read(entry("year", 1)), "grobid": read(entry("year", 2, confidence=0.95))})
    assert (of(sure, "year")["value"], of(sure, "year")["why"]) == (2, "surer")
    even = merge({"parse": read(entry("year", 1)), "grobid": read(entry("year", 2))})
    assert (of(even, "year")["value"], of(even, "year")["why"]) == (1, "preferred")


def test_disagreement_lowers_the_confidence_by_the_share_that_agrees_and_it_is_calibrated_no_more():
    merged = merge(
        {"parse": read(entry("year", 1)), "grobid": read(entry("year", 2)), "mineru": read(entry("year", 1))}
    )
    found = of(merged, "year")
    assert (found["value"], found["confidence"], found["calibrated"]) == (1, 0.6, False)


def test_agreement_leaves_the_confidence_as_it_was():
    merged = merge({"parse": read(entry("doi", "10.5555/a")), "grobid": read(entry("doi", "10.5555/A"))})
    found = of(merged, "doi")
    assert (found["confidence"], found["calibrated"], found["why"]) == (0.9, True, "agreed")


def test_everything_that_was_said_is_kept_with_who_said_it():
    merged = merge(
        {
            "parse": read(entry("year", None, status="ambiguous", candidates=[{"value": 1}, {"value": 2}])),
            "grobid": read(entry("year", 2)),
        }
    )
    found = of(merged, "year")
    assert (found["value"], found["why"], found["status"]) == (2, "only", "found")
    assert [(one["source"], one["value"], one["status"]) for one in found["sources"]] == [
        ("parse", None, "ambiguous"),
        ("grobid", 2, "found"),
    ]
    assert found["sources"][0]["candidates"] == [{"value": 1}, {"value": 2}]


def test_what_all_find_ambiguous_stays_a_question():
    asked = entry("design", None, status="ambiguous", candidates=[{"value": "cohort"}, {"value": "trial"}])
    merged = merge({"parse": read(asked), "mineru": read(asked)})
    assert of(merged, "design")["status"] == "ambiguous" and of(merged, "design")["value"] is None


def test_a_field_of_many_values_is_taken_from_one_source_whole():
    merged = merge(
        {
            "parse": read(entry("p_values", "< 0.05"), entry("p_values", "0.2")),
            "mineru": read(entry("p_values", "0.2"), entry("p_values", "0.05"), entry("p_values", "0.3")),
        }
    )
    found = [one for one in merged["fields"] if one["name"] == "p_values"]
    assert [one["value"] for one in found] == ["< 0.05", "0.2"]
    assert len(found[0]["sources"]) == 5


def test_an_answer_that_only_a_model_gives_joins_the_rest():
    merged = merge({"parse": read(entry("title", "On hay")), "ask": {"fields": [entry("blinding", "yes")]}})
    assert merged["title"] == "On hay"
    assert (of(merged, "blinding")["source"], of(merged, "blinding")["why"]) == ("ask", "only")


def test_a_part_keeps_the_form_that_its_source_gives_it():
    people = [{"family": "Ríos", "given": "Ana", "affiliations": ["Barn"], "email": None, "orcid": None}]
    merged = merge(
        {
            "parse": read(entry("authors", ["A Rios", "Bo Li"], confidence=0.5), authors=[{"family": "Rios"}]),
            "grobid": read(entry("authors", ["Ana Ríos"]), authors=people),
        }
    )
    assert merged["authors"] == people


def test_parts_without_a_quote_come_from_the_first_source_that_has_them():
    sections = [{"title": "Methods", "level": 1, "page": 2}]
    merged = merge({"parse": read(pages=9, artefact=""), "grobid": read(sections=sections, pages=1, artefact="a" * 64)})
    assert (merged["sections"], merged["pages"], merged["artefact"]) == (sections, 9, "a" * 64)


def test_warnings_of_all_are_said_once():
    merged = merge({"parse": read(warnings=["no_title", "few_words"]), "recognise": read(warnings=["few_words"])})
    assert merged["warnings"] == ["no_title", "few_words"]


def test_no_source_is_changed():
    one, other = read(entry("year", 1)), read(entry("year", 2))
    merge({"parse": one, "grobid": other})
    assert one == read(entry("year", 1)) and other == read(entry("year", 2))


@pytest.mark.parametrize("order", list(itertools.permutations(["parse", "grobid", "mineru"])))
def test_who_stored_first_does_not_matter(order):
    values = {"parse": ("year", 1), "grobid": ("year", 2), "mineru": ("year", 2)}
    stored = {source: read(entry(*values[source])) for source in order}
    found = record.of(SimpleNamespace(state="succeeded", result=stored))
    assert found["year"] == 2 and of(found, "year")["source"] == "grobid"


def test_a_merged_record_that_was_stored_is_the_record():
    stored = {"parse": read(entry("year", 1)), "record": read(entry("year", 2))}
    assert record.of(SimpleNamespace(state="succeeded", result=stored))["year"] == 2


@pytest.mark.parametrize("state", ["pending", "running", "failed", "cancelled"])
def test_a_child_that_has_not_succeeded_has_no_record(state):
    assert record.of(SimpleNamespace(state=state, result={"parse": read(entry("year", 1))})) == {}
    assert record.of(None) == {}


def test_a_merged_record_is_what_the_schema_says():
    merged = merge(
        {
            "parse": read(entry("year", 1), entry("design", None, status="ambiguous", candidates=[{"value": "x"}])),
            "grobid": read(entry("year", 2), entry("design", "cohort")),
        }
    )
    parts = {name: merged[name] for name in PARTS}
    jsonschema.Draft202012Validator(schema.document()).validate([hostile.record(**parts)])
