"""ODS: sheets with repeated cells and rows, dates and numbers by value, a password told."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

import io
import zipfile

import pytest

from tasks.kinds.literature.references import Format, Limits, format_of, read, sniff

MIME = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)


def cell(value="", times: int = 1, kind: str = "") -> str:
    repeat = f' table:number-columns-repeated="{times}"' if times > 1 else ""
    if kind == "float":
        return f'<table:table-cell office:value-type="float" office:value="{value}"{repeat}><text:p>shown</text:p></table:table-cell>'
    if kind == "date":
        return f'<table:table-cell office:value-type="date" office:date-value="{value}"{repeat}/>'
    paragraphs = "".join(f"<text:p>{line}</text:p>" for line in str(value).split("\n")) if value else ""
    return f"<table:table-cell{repeat}>{paragraphs}</table:table-cell>"


def row(*cells: str, times: int = 1) -> str:
    repeat = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    return f"<table:table-row{repeat}>{''.join(cells)}</table:table-row>"


def book(*sheets: tuple[str, str], manifest: str = "<m/>", compressed: int = zipfile.ZIP_DEFLATED) -> bytes:
    tables = "".join(f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in sheets)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compressed) as packed:
        packed.writestr(zipfile.ZipInfo("mimetype"), MIME)
        packed.writestr("META-INF/manifest.xml", manifest)
        packed.writestr(
            "content.xml",
            f"<office:document-content {NAMES}><office:body><office:spreadsheet>{tables}</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
    return out.getvalue()


HEADS = row(cell("Title"), cell("Authors"), cell("Year"), cell("PMID"), cell("", 1000))


def ods(data: bytes, **limits):
    found = read(data, limits=Limits(**limits))
    assert found.format == "ods"
    return found


def test_it_is_told_by_content(tmp_path):
    data = book(("A", HEADS))
    (tmp_path / "x.bin").write_bytes(data)
    assert sniff(data) == format_of(tmp_path / "x.bin") == Format.ODS


def test_rows_are_records_with_numbers_and_dates_by_value():
    rows = HEADS + row(
        cell("Moss on roofs"),
        cell("Lund, Ada; Oke, Tom"),
        cell("2018-05-03", kind="date"),
        cell("30000001.0", kind="float"),
    )
    [one] = ods(book(("A", rows))).records
    assert (one.title, one.year, one.pmid, one.source_line) == ("Moss on roofs", 2018, "30000001", 2)
    assert [a["family"] for a in one.authors] == ["Lund", "Oke"]


def test_empty_rows_to_the_end_of_the_sheet_cost_nothing_and_count():
    rows = HEADS + row(cell("", 1000), times=1_000_000) + row(cell("Moss on roofs"), cell(), cell("2018"))
    [one] = ods(book(("A", rows))).records
    assert one.source_line == 1_000_002


def test_repeated_cells_keep_the_columns_right():
    rows = HEADS + row(cell("Moss on roofs"), cell("", 2), cell("30000001"))
    assert ods(book(("A", rows))).records[0].pmid == "30000001"


def test_every_sheet_is_read():
    found = ods(book(("One", HEADS + row(cell("A roof"))), ("Empty", ""), ("Two", HEADS + row(cell("A wall")))))
    assert [(r.title, r.part) for r in found.records] == [("A roof", "One"), ("A wall", "Two")]


def test_lines_of_a_cell_are_joined():
    assert ods(book(("A", HEADS + row(cell("Moss on\nroofs"))))).records[0].title == "Moss on roofs"


def test_a_password_is_told():
    manifest = '<m:manifest xmlns:m="urn:x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    assert ods(book(("A", HEADS), manifest=manifest)).refused.code == "office_password"


def test_more_cells_than_allowed_are_told():
    rows = HEADS + "".join(row(cell(f"Roof {n}"), cell("Lund, A.")) for n in range(20))
    found = ods(book(("A", rows)), cells=20)
    assert len(found.records) == 8 and "too_many_cells" in [p.code for p in found.problems]


@pytest.mark.parametrize("count", ["-3", "x", "99999999999999999999", "²"])
def test_counts_that_are_none_count_once(count):
    rows = HEADS + f'<table:table-row table:number-rows-repeated="{count}">{cell("A roof")}</table:table-row>'
    assert len(ods(book(("A", rows))).records) == 1


def test_damage_is_told():
    data = book(("A", HEADS + row(cell("A roof"))), compressed=zipfile.ZIP_STORED).replace(
        b"table:table-row>", b"table:table-rox>", 1
    )
    assert ods(data).refused.code == "workbook_damaged"
