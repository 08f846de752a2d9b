"""The set as a workbook: sheets "values", "provenance", "failures" and "dictionary".

Every text is written as a text cell, so the program that opens it guesses nothing: a gene name stays a name, a PMID
keeps its zeros, ``=cmd`` is no formula. Numbers are numbers. Text that is too long for a cell is cut and marked;
characters that XML does not allow are left out. Rows go to the disk as they are written, and a full sheet continues in
another one.

Limits: ECMA-376, and Excel's own: 32,767 UTF-16 units a cell, 1,048,576 rows a sheet.
"""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence

import xlsxwriter
from django.utils.translation import gettext as _

from tasks.kinds.literature.exports import dictionary, layout
from tasks.kinds.literature.fields import as_text

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CELL = 32_767
ROWS = 1_048_576
_EXACT = 2**53  # above it a cell's number (a double) is another number
_BLOCK = 256 * 1024
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "in_memory": False,
}
_WIDTHS = {"title": 60, "abstract": 60, "quote": 80, "value": 50, "error": 60, "authors": 40, "file": 34, "meaning": 80}


def text_cell(value: object) -> str:
    """A value as the text of a cell: characters that XML does not allow removed, cut and marked when too long."""
    text = _UNFIT.sub("", value if type(value) is str else as_text(value))
    if len(text) <= CELL // 2:  # a character is two units at the most
        return text
    units = text.encode("utf-16-le")
    if len(units) <= 2 * CELL:
        return text
    mark = _(" [cut: %(n)s characters]") % {"n": len(text)}
    return units[: 2 * (CELL - len(mark))].decode("utf-16-le", "ignore") + mark


class Sheet:
    """One table of a workbook, on as many sheets as its rows need; each repeats ``head``."""

    def __init__(self, book: xlsxwriter.Workbook, name: str, head: Sequence[str], most: int = ROWS, widths=()):
        self._book, self._name, self._head, self._most = book, name, head, most
        self._widths = list(widths) or [_WIDTHS.get(one, 14) for one in head]
        self._bold = book.add_format({"bold": True, "bottom": 1})
        self._parts = 0
        self._open()

    def _open(self) -> None:
        self._parts += 1
        self._sheet = self._book.add_worksheet(self._name if self._parts == 1 else f"{self._name} {self._parts}")
        for column, width in enumerate(self._widths):
            self._sheet.set_column(column, column, width)
        self._sheet.freeze_panes(1, 1)
        for column, name in enumerate(self._head):
            self._sheet.write_string(0, column, name, self._bold)
        self._row = 1

    def add(self, values: Iterable[object]) -> None:
        """Write the next row; None and empty texts leave their cell empty."""
        if self._row == self._most:
            self._open()
        for column, value in enumerate(values):
            if isinstance(value, int | float) and not isinstance(value, bool):
                if math.isfinite(value) and abs(value) <= _EXACT:
                    self._sheet.write_number(self._row, column, value)
                    continue
            if text := text_cell(value):
                self._sheet.write_string(self._row, column, text)
        self._row += 1


def provenance(record: dict) -> Iterator[list]:
    """One row for each value: its page, its quote, and whether the quote was found there."""
    for field in record["fields"]:
        candidates = field.get("candidates") or ()
        words = [as_text(one.get("value") if isinstance(one, dict) else one) for one in candidates]
        review = field.get("review") or {}
        yield [
            record["file"],
            field.get("name"),
            field.get("value"),
            field.get("unit"),
            field.get("page"),
            field.get("quote"),
            "yes" if field.get("verified") else "no",
            field.get("status"),
            field.get("confidence"),
            "yes" if field.get("calibrated") else "no",
            "; ".join(words),
            field.get("machine_value"),
            " ".join(str(review[part]) for part in ("act", "by", "at") if review.get(part)),
        ]


def write(path: str, records: Iterable[dict], columns: list[layout.Column] | None = None, *, most: int = ROWS) -> None:
    """Write the workbook at ``path``; ``columns`` of the values: of the set, else everything; ``most`` rows a sheet."""
    columns = layout.everything() if columns is None else columns
    with xlsxwriter.Workbook(path, _OPTIONS) as book:
        values = Sheet(book, "values", [column.name for column in columns], most, map(_width, columns))
        evidence = Sheet(book, "provenance", list(dictionary.PROVENANCE), most)
        failures = Sheet(book, "failures", ["file", "status", "error_code", "error"], most)
        for record in records:
            values.add(column.read(record) for column in columns)
            for row in provenance(record):
                evidence.add(row)
            if record["error_code"]:
                failures.add([record["file"], record["status"], record["error_code"], record["error"]])
        meanings = Sheet(book, "dictionary", ["sheet", "column", "words", "meaning"], most)
        for row in dictionary.rows(columns):
            meanings.add(row)


def _width(column: layout.Column) -> int:
    return max(_WIDTHS.get(key, 14) for key in (*column.keys, column.name))


def blocks(records: Iterable[dict], columns: list[layout.Column] | None = None) -> Iterator[bytes]:
    """The file in blocks. It is written to the disk first, because a zip can't be sent before it is complete."""
    with tempfile.NamedTemporaryFile(prefix="sheaf-", suffix=".xlsx") as file:
        write(file.name, records, columns)
        while block := file.read(_BLOCK):
            yield block
