"""Every code that reading, unpacking and matching may give has its sentence, and every sentence is used."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tasks import sentences
from tasks.files import unpacking
from tasks.kinds.literature import reference_sentences as words
from tasks.kinds.literature import references
from tasks.kinds.literature.references import bibtex_syntax, encoding, endnote_xml, matching, workbook

PACKAGE = Path(references.__file__).parent
SOURCES = [*PACKAGE.rglob("*.py"), Path(unpacking.__file__)]
#: Where a code stands in a call.
PLACES = {"tell": 1, "tell_again": 1, "refused": 1, "BadArchive": 0, "RefusedXml": 0}
#: Modules in which a code is the first (or, in matching, the second) text of a tuple.
TUPLES = {bibtex_syntax: 0, encoding: 0, endnote_xml: 0, matching: 1, unpacking: 0}


def literals(node) -> set[str]:
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def called() -> set[str]:
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id", ""))
            if isinstance(node, ast.Call) and name in PLACES and len(node.args) > PLACES[name]:
                code = node.args[PLACES[name]]
                found |= literals(code) if isinstance(code, ast.Constant | ast.IfExp) else set()
    return found


def listed() -> set[str]:
    """Codes in tuples, as far as they look like codes of these modules."""
    found = set()
    for module, at in TUPLES.items():
        for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
            if isinstance(node, ast.Tuple) and len(node.elts) > at + 1 and isinstance(node.elts[at], ast.Constant):
                found.add(node.elts[at].value)
    return {code for code in found if isinstance(code, str) and "_" in code and code.islower()}


def test_the_search_finds_codes():
    assert {"missing_end", "too_many_records", "archive_overlap"} <= called()
    assert {"member_bomb", "same_title_year", "missing_comma"} <= listed()


def test_every_code_has_a_sentence():
    known = set(words.SENTENCES) | {"empty_file", "damaged"}
    unknown = (
        called()
        | {
            code
            for code in listed()
            if code.startswith(("member_", "archive_", "same_", "missing_", "un", "duplicate_"))
        }
    ) - known
    assert not unknown


def test_codes_made_of_parts_have_one():
    assert {
        workbook.ole_code(name.encode("utf-16-le")) for name in ("EncryptedPackage", "Workbook", "WordDocument", "x")
    } <= set(words.REFUSED)


@pytest.mark.parametrize("code", sorted(words.SENTENCES))
def test_every_sentence_is_used(code):
    assert any(f'"{code}"' in path.read_text() for path in SOURCES), f"nobody gives the code {code}"


def test_sentences_are_in_the_catalogue():
    assert set(words.SENTENCES) <= sentences.codes()
    assert sentences.sentence("row_too_wide", {"columns": 8, "expected": 5}).startswith("The row has 8 columns")
