"""Text and JSON as PostgreSQL can keep them."""

import json

import pytest

from tasks.log.joblog import MAX_TEXT, storable, storable_json


@pytest.mark.parametrize(
    ("given", "kept"),
    [("a\x00b", "a\ufffdb"), ("\ud800", "?"), ("十 ⌘ 🜚", "十 ⌘ 🜚"), ("", "")],
)
def test_text(given, kept):
    assert storable(given) == kept


def test_a_monster_is_cut_and_says_how_much_is_missing():
    assert storable("x" * (MAX_TEXT + 7)) == "x" * MAX_TEXT + "… (+7)"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a\x00b", "a\ufffdb"),
        ("\x00\x00", "\ufffd\ufffd"),
        ("\\u0000", "\\u0000"),  # the six characters, not a NUL
        ("\\\x00", "\\\ufffd"),
        ("\\\\u0000", "\\\\u0000"),
        ({"k\x00": ["\x00"]}, {"k\ufffd": ["\ufffd"]}),
        ("\udfff", "?"),
    ],
    ids=repr,
)
def test_json(given, kept):
    assert json.loads(storable_json(given)) == kept


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("-inf")]}], ids=repr)
def test_numbers_that_json_cannot_say_are_refused(value):
    with pytest.raises(ValueError):
        storable_json(value)


def test_objects_are_refused():
    with pytest.raises(TypeError):
        storable_json({"a": object()})
