"""The cells of one worksheet, sparsely: a value at the far corner costs one cell, not the seventeen thousand million
between it and the others.

Spreadsheet libraries fill up the rows and columns in between, or trust the dimension that the file claims; here only
cells that exist are touched (ECMA-376 part 1, 18.3).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from .package_parts import Package
from .values import unescaped

_REF = re.compile(r"([A-Z]{1,3})(\d{1,7})$")


@dataclass
class Sheet:
    """``rows`` are {row number from 1: {column from 0: text}}; the rest is what a person should be told."""

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    dates: set[tuple[int, int]] = field(default_factory=set)
    far: list[tuple[int, str]] = field(default_factory=list)
    unsolved: list[tuple[int, str]] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    spread: int = 0
    full: bool = False


def column_of(letters: str) -> int:
    """ "A" is 0, "XFD" 16383."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def place(ref: str) -> tuple[int, int] | None:
    """(row from 1, column from 0) of "B7"."""
    match = _REF.match(ref.replace("$", ""))
    return (int(match[2]), column_of(match[1])) if match else None


def read_sheet(
    package: Package,
    name: str,
    text_of: Callable[[str, str, str], tuple[str, bool]],
    *,
    max_cells: int,
    max_columns: int,
) -> Sheet:
    """The cells of the part ``name``; ``text_of(type, style, value)`` is (text, is it a date). Raises BadPackage."""
    sheet, cells, row, column = Sheet(), 0, 0, -1
    for event, element in package.events(name):
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if event == "start":
            if tag == "row":
                number = element.get("r") or ""
                row = int(number) if re.fullmatch(r"[1-9]\d{0,6}", number) else row + 1
                column = -1
            continue
        if tag == "c":
            here = place(element.get("r") or "")
            row_here, column = here if here else (row, column + 1)
            if cells >= max_cells:
                sheet.full = True
            else:
                cells += _cell(sheet, row_here, column, element, text_of, max_columns)
            element.clear()
        elif tag == "mergeCell":
            if len(sheet.merged) < 200_000:
                sheet.merged.append(element.get("ref") or "")
            element.clear()
        elif tag == "row":
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    _spread(sheet, max_cells, max_columns)
    return sheet


def _cell(sheet: Sheet, row: int, column: int, element, text_of, max_columns: int) -> int:
    value, formula, inline = "", None, []
    for part in element.iter():
        tag = part.tag.rpartition("}")[2] if isinstance(part.tag, str) else ""
        if tag == "v":
            value = part.text or ""
        elif tag == "f":
            formula = part.text or ""
        elif tag == "t" and not _phonetic(part):
            inline.append(unescaped(part.text or ""))
    kind = element.get("t") or "n"
    text, is_date = ("".join(inline), False) if kind == "inlineStr" else text_of(kind, element.get("s") or "0", value)
    if formula is not None and not text:
        text = f"={formula}"
        sheet.unsolved.append((row, text))
    if not text.strip():
        return 0
    if column >= max_columns:
        sheet.far.append((row, text))
        return 0
    sheet.rows.setdefault(row, {})[column] = text
    if is_date:
        sheet.dates.add((row, column))
    return 1


def _phonetic(part) -> bool:
    parent = part.getparent()
    return parent is not None and parent.tag.rpartition("}")[2] == "rPh"


def _spread(sheet: Sheet, max_cells: int, max_columns: int) -> None:
    """A merged range says the same in all its cells; spread only to rows that hold something else, so a range over the
    whole sheet stays small.
    """
    rows = sorted(sheet.rows)
    for ref in sheet.merged:
        first, _, last = ref.partition(":")
        a, b = place(first), place(last)
        if not a or not b or a[0] not in sheet.rows or a[1] not in sheet.rows[a[0]]:
            continue
        text = sheet.rows[a[0]][a[1]]
        for row in _between(rows, a[0], b[0]):
            cells = sheet.rows[row]
            for column in range(a[1], min(b[1], max_columns - 1) + 1):
                if sheet.spread >= max_cells:
                    return
                if column not in cells:
                    cells[column] = text
                    sheet.spread += 1


def _between(rows: list[int], first: int, last: int) -> list[int]:
    return rows[bisect_left(rows, first) : bisect_right(rows, last)]
