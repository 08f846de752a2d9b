"""One registry says what a record holds: the schema is made from it, and reading gives nothing beyond it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import tasks.kinds.literature
from tasks.kinds.literature import fields, samples, sentences
from tasks.kinds.literature.exports import layout, schema
from tasks.kinds.literature.fields import FACTS, FIELDS, NAMED, PARTS, Type
from tasks.kinds.literature.fields.columns import COLUMNS
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.reader import read_any
from tasks.kinds.literature.record.sources import SOURCES, STORED, stored
from tasks.kinds.literature.references.record import Record
from tasks.kinds.literature.samples.manuscript import read
from tasks.kinds.literature.samples.typeset import typeset

PACKAGE = Path(tasks.kinds.literature.__file__).parent


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """What reading the sample papers gives."""
    folder = tmp_path_factory.mktemp("papers")
    found = []
    for manuscript in sorted(samples.PAPERS.glob("*.txt"))[:4]:
        typeset(read(manuscript), folder / "paper.pdf")
        found.append(read_any(str(folder / "paper.pdf"), max_pages=100, max_bytes=10**8))
    return found


def test_the_schema_in_the_static_folder_is_the_one_that_the_registry_makes():
    written = json.loads(schema.PATH.read_text(encoding="utf-8"))
    assert written == schema.document(), "run manage.py record_schema"


def test_no_name_is_given_twice():
    assert len(NAMED) == len(FIELDS)
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)


def test_reading_gives_every_part_and_no_field_that_the_registry_does_not_know(records):
    for record in records:
        assert set(PARTS) <= set(record)
        assert {entry["name"] for entry in record["fields"]} <= set(NAMED)


def test_values_have_the_type_that_the_registry_says(records):
    kinds = {Type.WHOLE: int, Type.TEXTS: list, Type.PEOPLE: list, Type.SECTIONS: list, Type.REFERENCES: list}
    for record in records:
        for field in FIELDS:
            if field.is_part and record[field.name] not in (None, []):
                assert isinstance(record[field.name], kinds.get(field.type, str)), field.name


def test_only_fields_of_which_there_may_be_many_come_twice(records):
    for record in records:
        names = [entry["name"] for entry in record["fields"]]
        assert {name for name in names if names.count(name) > 1} <= {field.name for field in FIELDS if field.many}


def test_fields_that_carry_quotes_do_and_the_others_have_no_entry(records):
    entries = [entry for record in records for entry in record["fields"]]
    assert {entry["name"] for entry in entries} <= {field.name for field in FIELDS if field.quoted}
    assert all(entry["quote"] for entry in entries if entry["verified"])


def test_what_a_list_may_say_is_what_readers_of_lists_give():
    given = set(Record.__dataclass_fields__) | {"first_page", "last_page"}
    assert set(fields.LISTED) <= given
    assert set(fields.IDENTIFYING) <= set(fields.LISTED)


def test_every_column_has_words_a_meaning_and_reads_an_empty_record():
    empty = {"file": "a.pdf", "status": "failed", "error_code": "damaged", "error": "It is damaged.", **PARTS}
    for column in layout.everything():
        assert column.words and column.meaning
        assert column.read(empty) in (None, "") or column.name in ("file", "status", "error_code", "error")


def test_every_field_is_shown_in_words_and_facts_are_none_of_the_parts():
    assert set(sentences.FIELD_WORDS) == set(NAMED) == set(Literature().words())
    assert not set(FACTS) & set(PARTS)


def test_an_empty_list_belongs_to_whoever_asked_for_it():
    NAMED["authors"].empty.append("x")
    assert NAMED["authors"].empty == [] and NAMED["year"].empty is None


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("authors", ["Ana Ríos", "Bo Li"], ["A. Rios", "B. Li"], True),
        ("authors", [{"family": "Ríos"}], ["Ana Rios"], True),
        ("sample_size", 120, "120", True),
        ("sample_size", 120, 12, False),
        ("funding", "None received.", "none received", True),
        ("what a form asks", "Yes", "yes", True),
    ],
)
def test_values_are_compared_by_what_they_mean(name, one, other, same):
    assert fields.same(name, one, other) is same


def test_the_stages_of_the_kind_are_sources_that_sql_looks_into():
    assert [stage.name for stage in Literature.stages] == list(STORED)
    assert set(STORED) <= set(SOURCES)


def test_sql_looks_once_into_the_result_of_a_child():
    """Each look unpacks the whole result again, so a second one would make every sort and filter twice as slow."""
    assert stored("title").name == "subtask__result__parse__title"
    assert stored("pages", child="").name == "result__parse__pages"


def test_no_other_module_knows_the_name_of_a_stage():
    """``record.sources`` alone does, so that a new stage is one line there."""
    names = set(SOURCES) - {"ask"}  # an everyday word, which pages use too
    knows = []
    for path in PACKAGE.rglob("*.py"):
        where = path.relative_to(PACKAGE).as_posix()
        if where == "record/sources.py" or where.startswith(("migrations/", "reading/", "references/", "samples/")):
            continue
        texts = [node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)]
        if any(isinstance(text, str) and (text in names or "result__" in text) for text in texts):
            knows.append(where)
    assert knows == []
