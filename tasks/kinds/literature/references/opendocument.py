"""ODS, the workbooks of LibreOffice: every sheet as a table of texts (OpenDocument 1.3 part 3, 9.1).

Equal cells and rows are written once with a count. Empty ones run to the end of the sheet that way, so they are counted
and never made.
"""

from __future__ import annotations

import re

from .package_parts import BadPackage, Package
from .record import REFUSED, WARNED, Reading
from .table import import_rows

MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_MOST_REPEATS = 1000


def read_opendocument(data: bytes, reading: Reading, limits) -> None:
    """Add the rows of every sheet to the reading."""
    try:
        package = Package(data)
        if _encrypted(package):
            raise BadPackage("password", "content.xml")
        sheets = list(_sheets(package, limits, reading))
    except BadPackage as error:
        code = {"password": "office_password", "too_large_inside": "workbook_too_large"}.get(
            error.code, "workbook_damaged"
        )
        reading.tell(0, code, REFUSED, error.message)
        return
    filled = [(title, rows) for title, rows in sheets if rows]
    for title, rows in filled:
        import_rows(rows, reading, title if len(filled) > 1 else "")


def _encrypted(package: Package) -> bool:
    """With a password the parts are no XML, and the manifest says how to decrypt them."""
    name = "META-INF/manifest.xml"
    return name in package.names and any(_local(one) == "encryption-data" for one in package.tree(name).iter())


def _sheets(package: Package, limits, reading: Reading):
    """[(title, [(row from 1, cells)])] in the order of the tabs."""
    title, rows, number, left = "", [], 0, limits.cells
    for event, element in package.events("content.xml"):
        name = _local(element)
        if event == "start" and name == "table":
            title, rows, number = _attribute(element, "name"), [], 0
        elif event == "end" and name == "table-row":
            times = _count(element, "number-rows-repeated")
            cells = _cells(element, limits.columns)
            for n in range(min(times, _MOST_REPEATS) if any(cells) else 0):
                if left < len(cells):
                    reading.tell_again(number + n + 1, "too_many_cells", WARNED, part=title, limit=limits.cells)
                    break
                left -= len(cells)
                rows.append((number + n + 1, cells))
            number += times
            element.clear()
        elif event == "end" and name == "table":
            yield title, rows
            element.clear()


def _cells(row, most: int) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if _local(cell) not in ("table-cell", "covered-table-cell"):
            continue
        text = _text(cell)
        times = _count(cell, "number-columns-repeated")
        cells += [text] * min(times, max(0, most - len(cells)))
        if len(cells) >= most:
            break
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _text(cell) -> str:
    """A number and a date by value, so that neither its format nor its language changes it; else the paragraphs."""
    kind = _attribute(cell, "value-type")
    if kind == "date":
        return _attribute(cell, "date-value")[:10]
    if kind == "float" and (value := _attribute(cell, "value")):
        return re.sub(r"\.0+$", "", value)
    return "\n".join("".join(_words(one)) for one in cell if _local(one) == "p")


def _words(element):
    """The text of a paragraph, notes left out; runs of spaces and line breaks are elements of their own."""
    yield element.text or ""
    for one in element:
        name = _local(one)
        if name in ("s", "tab", "line-break"):
            yield " "
        elif name not in ("annotation", "note"):
            yield from _words(one)
        yield one.tail or ""


def _local(element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _attribute(element, name: str) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _count(element, name: str) -> int:
    value = _attribute(element, name)
    return max(1, int(value)) if re.fullmatch(r"[0-9]{1,7}", value) else 1
