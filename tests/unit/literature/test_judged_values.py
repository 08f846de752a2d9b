"""Values as reviewers type them, what verdicts do to a record, and a list's words beside the paper's."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from tasks.errors import Refused
from tasks.kinds.literature import fields
from tasks.kinds.literature.fields import PARTS, as_text
from tasks.kinds.literature.intake.naming import numbered
from tasks.kinds.literature.review import beside, effect
from tasks.kinds.literature.review.typing import as_typed, typed


@pytest.mark.parametrize(
    ("name", "text", "machine", "value"),
    [
        ("year", " 2024 ", None, 2024),
        ("sample_size", "1,234", None, 1234),
        ("sample_size", "", 12, None),
        (
            "authors",
            "Müller, Eva M.; WHO;",
            None,
            [{"family": "Müller", "given": "Eva M."}, {"family": "WHO", "given": ""}],
        ),
        ("keywords", "hay; straw ;", None, ["hay", "straw"]),
        ("doi", "https://doi.org/10.5555/ABC.", None, "10.5555/abc"),
        ("pmid", "PMID: 123456", None, "123456"),
        ("title", "two\n lines\x00", None, "two lines"),
        ("abstract", "two\r\nlines", None, "two\nlines"),
        ("p_values", "0.03", 0.05, 0.03),
        ("p_values", "<0.03", 0.05, "<0.03"),
        ("country", "Chile; Peru", ["Chile"], ["Chile", "Peru"]),
        ("registration", "00012345", "NCT1", "00012345"),
    ],
)
def test_a_typed_value_gets_the_form_of_its_field(name, text, machine, value):
    assert typed(name, text, machine) == value


@pytest.mark.parametrize(("name", "text"), [("year", "1.5"), ("groups", "two"), ("doi", "10.1/a"), ("pmid", "abc")])
def test_what_it_can_not_be_is_refused(name, text):
    with pytest.raises(Refused):
        typed(name, text)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("authors", [{"family": "Ríos", "given": "Ana"}, {"family": "WHO", "given": ""}]),
        ("keywords", ["a", "b"]),
        ("year", 2020),
        ("doi", "10.5555/abc"),
    ],
)
def test_what_the_form_shows_gives_the_same_value_back(name, value):
    assert typed(name, as_typed(name, value, as_text), value) == value


def verdict(name, act, value=None, *, nth=0, machine=None):
    by = SimpleNamespace(get_username=lambda: "ana")
    at = datetime(2026, 1, 2, tzinfo=UTC)
    return SimpleNamespace(name=name, nth=nth, act=act, value=value, machine_value=machine, by=by, at=at)


def record(**more):
    return {**PARTS, "fields": [{"name": "p_values", "value": "0.1"}, {"name": "p_values", "value": "0.2"}], **more}


def test_a_record_without_verdicts_is_given_back_as_it_is():
    plain = record()
    assert effect.applied(plain, []) is plain


def test_a_verdict_changes_a_copy_and_the_value_that_was_meant():
    plain = record()
    changed = effect.applied(plain, [verdict("p_values", "corrected", "0.02", nth=1, machine="0.2")])
    assert [field["value"] for field in changed["fields"]] == ["0.1", "0.02"]
    assert [field["value"] for field in plain["fields"]] == ["0.1", "0.2"]
    assert changed["fields"][1]["machine_value"] == "0.2" and "machine_value" not in changed["fields"][0]


def test_an_ambiguous_value_is_answered_by_a_person():
    asked = {"name": "sample_size", "value": None, "status": "ambiguous", "candidates": [{"value": 1}, {"value": 2}]}
    (field,) = effect.applied({**PARTS, "fields": [asked]}, [verdict("sample_size", "corrected", 2)])["fields"]
    assert (field["value"], field["status"]) == (2, "found") and "candidates" not in field


def test_a_confirmation_of_what_a_second_reading_no_longer_finds_is_left_out():
    assert effect.applied({**PARTS, "fields": []}, [verdict("design", "confirmed", "cohort")])["fields"] == []


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("title", "On <i>Hay</i>: uses", "On hay uses.", True),
        ("authors", [{"family": "Ríos", "given": "Ana"}], [{"family": "Rios", "given": "A."}], True),
        ("authors", [{"family": "Ríos"}], [{"family": "Rios"}, {"family": "Bo"}], False),
        ("doi", "10.5555/ABC", "10.5555/abc", True),
        ("year", 2020, 2021, False),
        ("journal", None, "Barn Letters", False),
        ("keywords", ["Hay", "straw"], ["straw", "hay"], True),
    ],
)
def test_differences_are_of_meaning_not_of_spelling(name, one, other, same):
    assert fields.same(name, one, other) is same


def test_only_what_the_list_says_is_compared():
    found = beside.differences({"listed": {"title": "x", "doi": None, "keywords": []}, "title": "x"})
    assert [(one["name"], one["differs"]) for one in found] == [("title", False)]
    assert beside.differences({"listed": None}) == []


@pytest.mark.parametrize(
    ("name", "copy", "kept"), [("a.pdf", 1, "a.pdf"), ("a.pdf", 2, "a (2).pdf"), ("a", 3, "a (3)"), (".x", 2, ".x (2)")]
)
def test_the_second_of_one_name_is_told_apart(name, copy, kept):
    assert numbered(name, copy) == kept
    assert len(numbered("n" * 255 + ".pdf", 2)) <= 255
