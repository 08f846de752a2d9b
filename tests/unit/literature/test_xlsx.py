"""The workbook, opened again by another library: every text as it was, every number a number, nothing that runs."""

from __future__ import annotations

import re

import openpyxl
import pytest

from tasks.kinds.literature.exports import xlsx
from tasks.kinds.literature.fields.columns import COLUMNS
from tests.unit.literature.hostile import CONTROL, FAILED, HOSTILE, LONG, field, record


@pytest.fixture
def opened(tmp_path):
    def opened(*records, **options):
        path = tmp_path / "set.xlsx"
        xlsx.write(str(path), records, **options)
        return openpyxl.load_workbook(path)

    return opened


def rows(sheet) -> list[dict]:
    head, *others = sheet.iter_rows()
    return [{top.value: cell for top, cell in zip(head, row, strict=True)} for row in others]


def test_the_four_sheets_are_there_and_the_first_has_the_columns_of_the_csv(opened):
    book = opened(record(), FAILED)
    assert book.sheetnames == ["values", "provenance", "failures", "dictionary"]
    assert [cell.value for cell in book["values"][1]] == [column.name for column in COLUMNS]
    assert len(rows(book["values"])) == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_every_text_comes_back_letter_by_letter_as_a_text(opened, text):
    cell = rows(opened(record(title=text, pmid=text))["values"])[0]["title"]
    # openpyxl leaves the escape of an escape (ECMA-376, 22.9.2.19) for its caller to undo
    assert re.sub(r"_x005F_", "_", cell.value) == text
    assert cell.data_type == "s"


@pytest.mark.parametrize("number", [-0.02, -3, 0, 127, 1e-7, 3.0])
def test_a_number_is_a_number_with_its_sign(opened, number):
    fields = [field("sample_size", number)]
    book = opened(record(fields=fields, year=2020))
    cells = rows(book["values"])[0]
    assert cells["sample_size"].value == rows(book["provenance"])[0]["value"].value == number
    assert (cells["sample_size"].data_type, cells["year"].value) == ("n", 2020)


@pytest.mark.parametrize("number", [2**53 + 1, float("nan"), float("inf"), True])
def test_a_number_that_a_cell_would_change_is_a_text(opened, number):
    cell = rows(opened(record(fields=[field("sample_size", number)]))["values"])[0]["sample_size"]
    assert (cell.value, cell.data_type) == (str(number), "s")


@pytest.mark.parametrize("text", [LONG, "\U0001f33e" * 20_000, "x" * 32_768])
def test_a_text_longer_than_a_cell_is_cut_where_it_says_so(opened, text):
    value = rows(opened(record(abstract=text))["values"])[0]["abstract"].value
    assert len(value.encode("utf-16-le")) // 2 in (32_766, 32_767)
    assert value.endswith(f" [cut: {len(text)} characters]")
    assert set(value.removesuffix(f" [cut: {len(text)} characters]")) == {text[0]}


def test_a_text_that_just_fits_is_whole(opened):
    assert rows(opened(record(abstract="x" * 32_767))["values"])[0]["abstract"].value == "x" * 32_767


def test_what_xml_can_not_hold_is_left_out(opened):
    assert rows(opened(record(title=CONTROL[0]))["values"])[0]["title"].value == CONTROL[1]
    assert rows(opened(record(title="a\tb\nc"))["values"])[0]["title"].value == "a\tb\nc"


def test_provenance_has_a_row_for_every_field_with_page_quote_and_verdict(opened):
    fields = [
        field("design", "cohort", page=3, quote="=a cohort"),
        field("doi", None, status="ambiguous", verified=False, candidates=[{"value": "10.1/a"}, {"value": "10.1/b"}]),
    ]
    first, second = rows(opened(record(fields=fields))["provenance"])
    assert (first["page"].value, first["quote"].value, first["verified"].value) == (3, "=a cohort", "yes")
    assert first["quote"].data_type == "s"
    assert (second["value"].value, second["verified"].value, second["candidates"].value) == (
        None,
        "no",
        "10.1/a; 10.1/b",
    )


def test_failures_are_listed_with_their_reason_and_the_dictionary_knows_every_column(opened):
    book = opened(record(), FAILED)
    (failure,) = rows(book["failures"])
    assert (failure["file"].value, failure["error"].value) == ("bad.pdf", "It is damaged.")
    known = {(row["sheet"].value, row["column"].value) for row in rows(book["dictionary"]) if row["meaning"].value}
    used = {("values", cell.value) for cell in book["values"][1]}
    assert known == used | {("provenance", cell.value) for cell in book["provenance"][1]}


def test_a_sheet_that_is_full_goes_on_in_a_second_one_with_its_head(opened):
    book = opened(*[record(file=f"{n}.pdf") for n in range(25)], most=11)
    found = [row["file"].value for name in book.sheetnames if name.startswith("values") for row in rows(book[name])]
    assert found == [f"{n}.pdf" for n in range(25)]
    assert {"values", "values 2", "values 3"} < set(book.sheetnames)
