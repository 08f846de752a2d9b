"""The CSV: opens right in a spreadsheet, runs nothing there, and is read back as it was written."""

import csv
import io

import pytest

from tasks.kinds.literature.exports.csv import BOM, cell, lines
from tasks.kinds.literature.fields import as_text
from tasks.kinds.literature.fields.columns import COLUMNS
from tasks.kinds.literature.record import PARTS


def record(**parts):
    return {"file": "a.pdf", "status": "succeeded", "error_code": None, "error": None, **PARTS, **parts}


def read_back(*records):
    text = "".join(lines(records))
    assert text.startswith(BOM)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "=1", "\n=1", "＝1+1"]
)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text):
    safe = "'" + (f"{text[0]}'{text[1:]}" if text[0] in "\t\r\n" else text)
    assert read_back(record(title=text))[0]["title"] == safe


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("x;=1+1", "x;'=1+1"),
        ("x\t@SUM(A1)", "x\t'@SUM(A1)"),
        ('x; "=1+1"', 'x;\' "=1+1"'),
        ("x;;+1+1;-cmd", "x;;'+1+1;'-cmd"),
        ("line\n=1+1", "line\n'=1+1"),
        ("0.1; -0.2; +3", "0.1; -0.2; +3"),
        ("a; b, c = d", "a; b, c = d"),
        ("12-15; p = 0.02", "12-15; p = 0.02"),
    ],
)
def test_a_formula_behind_another_separator_is_guarded_too(text, safe):
    """A spreadsheet set to ``;`` or to tabs cuts our cells there, quotes or not."""
    assert read_back(record(title=text))[0]["title"] == safe


@pytest.mark.parametrize("number", [-0.02, -3, 0, 12, 1e-7])
def test_a_number_stays_a_number_with_its_sign(number):
    assert cell(number) is number


@pytest.mark.parametrize("text", ["-0.02", "+5", "-1e-5", "-.5"])
def test_a_text_that_is_a_number_stays_as_it_is(text):
    assert cell(text) == text


@pytest.mark.parametrize("text", ["SEPT2", "MARCH1", "2310009E13", "00123", "1-2", "O'Brien", 'a "b", c', "多行\n文字"])
def test_gene_names_leading_zeros_and_quotes_are_read_back_equal(text):
    assert read_back(record(title=text))[0]["title"] == text


def test_every_column_is_there_for_a_record_with_nothing_in_it():
    row = read_back(record())[0]
    assert list(row) == [column.name for column in COLUMNS]
    assert {value for name, value in row.items() if name not in ("file", "status")} == {""}


def test_authors_keywords_and_page_range_are_one_cell_each():
    row = read_back(
        record(
            authors=[{"family": "Ríos", "given": "Ana"}, {"family": "Li", "given": ""}],
            keywords=["a", "b"],
            first_page="88",
            last_page="90",
        )
    )[0]
    assert (row["authors"], row["keywords"], row["pages_range"]) == ("Ríos, Ana; Li", "a; b", "88–90")


def test_an_ambiguous_fact_is_left_empty():
    fields = [{"name": "sample_size", "value": 12, "status": "ambiguous"}, {"name": "design", "value": "cohort"}]
    row = read_back(record(fields=fields))[0]
    assert (row["sample_size"], row["design"]) == ("", "cohort")


def test_a_single_number_among_the_facts_stays_a_number():
    rows = {column.name: column.read for column in COLUMNS}
    assert rows["sample_size"](record(fields=[{"name": "sample_size", "value": 127, "status": "found"}])) == 127


def test_an_effect_is_written_as_a_paper_writes_it():
    effect = {"measure": "odds ratio", "value": 8.7, "low": 4.0, "high": 18.9, "level": 95}
    assert as_text([effect]) == "odds ratio 8.7 (95 % CI 4.0 to 18.9)"
