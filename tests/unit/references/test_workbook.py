"""Workbooks, also hostile ones: what stands in the cells, in bounded time and memory."""

from __future__ import annotations

import datetime
import io
import re
import resource
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import openpyxl
import pytest

from tasks.kinds.literature.references import Limits, read

ROOT = Path(__file__).resolve().parents[3]
HEAD = ["Title", "Authors", "Year", "DOI", "PMID"]


def book(*rows, edit=None, sheets=()) -> bytes:
    made = openpyxl.Workbook()
    sheet = made.active
    for row in rows:
        sheet.append(row)
    for title, more in sheets:
        other = made.create_sheet(title)
        for row in more:
            other.append(row)
    if edit:
        edit(sheet)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def changed(data: bytes, part: str, change) -> bytes:
    """The workbook with one part's XML changed by ``change(text)``."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, change(text.decode()) if name == part else text)
    return out.getvalue()


def workbook(data: bytes, **limits):
    found = read(data, limits=Limits(**limits))
    assert found.format == "xlsx"
    assert found.refused or found.counted == len(found.records) + len(found.unreadable)
    return found


def codes(found) -> list[tuple[int, str, str]]:
    return [(p.line, p.code, p.severity) for p in found.problems]


def test_rows_become_records():
    found = workbook(
        book(
            HEAD,
            ["On basil", "Smith A; Doe B", 2011, "10.1000/abc", 31452104],
            ["Second", "Roe, C", "2012", None, "00123456"],
        )
    )
    first, second = found.records
    assert (first.title, first.year, first.doi, first.pmid, first.source_line) == (
        "On basil",
        2011,
        "10.1000/abc",
        "31452104",
        2,
    )
    assert [a["family"] for a in first.authors] == ["Smith", "Doe"]
    assert (second.pmid, second.year, second.source_line) == ("123456", 2012, 3)
    assert found.problems == []


def test_numbers_and_dates_are_as_a_person_reads_them():
    found = workbook(
        book(["Title", "Volume", "PMID", "Publication date"], ["A", 3.0, 2.1553931e7, datetime.date(2020, 5, 1)])
    )
    record = found.records[0]
    assert (record.volume, record.pmid, record.year) == ("3", "21553931", 2020)
    assert found.problems == []


def test_each_sheet_is_a_table_of_its_own():
    found = workbook(
        book(
            HEAD,
            ["A", "Smith A", 2011, None, None],
            sheets=[("Embase", [["Titel", "Jahr"], ["B", 2012]]), ("Empty", [])],
        )
    )
    assert [(r.title, r.part, r.source_line) for r in found.records] == [("A", "Sheet", 2), ("B", "Embase", 2)]


def test_formulas_are_their_values_else_their_text():
    data = book(HEAD, ["=A1&B1", "Smith A", 2011, None, None])
    found = workbook(data)
    assert found.records[0].title == "=A1&B1"
    assert (2, "formula_without_value", "warned") in codes(found)
    solved = changed(
        data,
        "xl/worksheets/sheet1.xml",
        lambda xml: (
            xml.replace('<c r="A2"><f>', '<c r="A2" t="str"><f>')
            .replace("</f><v></v>", "</f><v>Solved</v>")
            .replace("</f><v/>", "</f><v>Solved</v>")
            .replace("</f><v />", "</f><v>Solved</v>")
        ),
    )
    found = workbook(solved)
    assert found.records[0].title == "Solved" and found.problems == []


def test_merged_cells_say_the_same_in_each_row_and_are_marked():
    found = workbook(
        book(["Title", "Journal"], ["A", "J of X"], ["B", None], ["C", None], edit=lambda s: s.merge_cells("B2:B4"))
    )
    assert [r.journal for r in found.records] == ["J of X"] * 3
    [problem] = found.problems
    assert (problem.code, problem.severity, problem.detail["cells"]) == ("merged_cells", "repaired", 2)


def test_tens_of_thousands_of_merged_ranges_take_no_time():
    def many(xml):
        ranges = "".join(f'<mergeCell ref="B{n}:D{n}"/>' for n in range(2, 42_002))
        return xml.replace("</sheetData>", f"</sheetData><mergeCells>{ranges}</mergeCells>")

    data = changed(book(HEAD, ["A", "Smith A", 2011, None, None]), "xl/worksheets/sheet1.xml", many)
    start = time.monotonic()
    assert len(workbook(data).records) == 1
    assert time.monotonic() - start < 10


def test_a_wrong_dimension_hides_no_rows():
    data = changed(
        book(HEAD, *[[f"T{n}", "Smith A", 2011, None, None] for n in range(50)]),
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r'<dimension ref="[^"]*"', '<dimension ref="A1:B2"', xml),
    )
    assert len(workbook(data).records) == 50


def test_cells_and_rows_without_addresses_are_in_order():
    data = changed(
        book(HEAD, ["A", "Smith A", 2011, "10.1000/1", 123456]),
        "xl/worksheets/sheet1.xml",
        lambda xml: re.sub(r' r="[A-Z]*\d+"', "", xml),
    )
    [record] = workbook(data).records
    assert (record.title, record.doi, record.source_line) == ("A", "10.1000/1", 2)


def test_a_cell_at_the_far_corner_costs_neither_memory_nor_time(tmp_path):
    """Read in a process of 700 MiB, all libraries included."""
    path = tmp_path / "far.xlsx"

    def far(sheet):
        sheet["XFD1"] = "far"
        sheet["A1048576"] = "Last title"
        sheet["XFD1048576"] = "corner"

    path.write_bytes(book(HEAD, ["A", "Smith A", 2011, None, None], edit=far))
    code = (
        "import sys; from tasks.kinds.literature.references import read; r = read(sys.argv[1]);"
        "print([(x.title, x.source_line) for x in r.records], [(p.code, p.detail['count']) for p in r.problems])"
    )
    start = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (700 * 2**20,) * 2),
    )
    assert ended.stdout.strip() == "[('A', 2), ('Last title', 1048576)] [('far_cell', 2)]", ended.stderr
    assert time.monotonic() - start < 20


def test_more_cells_than_allowed_are_told():
    found = workbook(book(HEAD, *[[f"T{n}", "Smith A", 2011, None, None] for n in range(50)]), cells=60)
    assert 0 < len(found.records) < 50
    assert "too_many_cells" in [p.code for p in found.problems]


def test_a_sheet_that_unfolds_to_gigabytes_is_refused(monkeypatch):
    from tasks.kinds.literature.references import package_parts

    monkeypatch.setattr(package_parts, "PART_BYTES", 2**20)
    monkeypatch.setattr(package_parts.Package.events, "__defaults__", (2**20,))
    bomb = changed(
        book(HEAD, ["A"]),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace("</sheetData>", " " * (3 * 2**20) + "</sheetData>"),
    )
    assert workbook(bomb).refused.code == "workbook_too_large"


def test_entities_in_a_workbook_are_refused():
    def laugh(xml):
        return re.sub(r"^(<\?xml[^>]*\?>)?", '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "x">]>', xml)

    assert workbook(changed(book(HEAD, ["A"]), "xl/workbook.xml", laugh)).refused.code == "xml_entities"


def test_genes_that_became_dates_are_told():
    found = workbook(book(["Title", "Gene"], ["A", datetime.date(2011, 9, 2)], ["B", "TP53"]))
    assert codes(found) == [(2, "gene_as_date", "warned")]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("EncryptedPackage", "office_password"),
        ("Workbook", "old_workbook"),
        ("WordDocument", "old_document"),
        ("Something", "old_office"),
    ],
)
def test_what_is_no_zip_archive_is_told_apart(name, code):
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + name.encode("utf-16-le") + bytes(600)
    assert read(data).refused.code == code


@pytest.mark.parametrize("cut", [0.3, 0.7, 0.95])
def test_a_workbook_cut_short_is_refused(cut):
    data = book(HEAD, ["A", "Smith A", 2011, None, None])
    found = read(data[: int(len(data) * cut)])
    assert found.refused is not None
    assert found.records == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Roofs._x000D_\nMoss.", "Roofs. Moss."),
        ("a_x005F_x000D_b", "a_x000D_b"),
        ("x_y_xyz", "x_y_xyz"),
        ("caf_x00E9_", "café"),
        ("a_x0001_b", "a b"),
        ("_xD800_", ""),
    ],
)
def test_escapes_of_characters_are_resolved_once(written, meant):
    from tasks.kinds.literature.references.values import unescaped

    assert " ".join(unescaped(written).split()) == meant
    [one] = read(book(["Title", "Abstract"], ["A", written])).records if written[0] != "_" else [None]
    assert one is None or one.abstract == meant
