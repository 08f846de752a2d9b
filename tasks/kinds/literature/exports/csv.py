"""The table as CSV that Excel opens correctly: UTF-8 with a byte order mark, and no cell that runs as a formula.

A spreadsheet takes a text that begins with one of = + - @ for a formula (OWASP, "CSV injection"). Such a text gets an
apostrophe in front. A spreadsheet that is set to another separator cuts our cells at ; or a tab, whatever quotes stand
around them, so what follows one of those inside a text is guarded too. A number keeps its sign: -0.02 stays a number.

Everything else goes out letter by letter: CSV has no types, so a gene name (SEPT2) or a PMID with a leading zero is
read back as it was. What a program then guesses is its own (the XLSX export is for those).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from tasks.kinds.literature.exports import layout
from tasks.kinds.literature.fields import as_text

BOM = "\ufeff"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
#: The full-width forms count too: some spreadsheets fold them.
_FORMULA = re.compile(r"\s*+[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
#: Where another program may begin a cell: the separator with the line end, and the part up to the next one.
_PART = re.compile(r"([;\t\r\n]+)([^;\t\r\n]*)")


def cell(value: object) -> object:
    """A value for the CSV writer: numbers unchanged, texts made safe, nothing as an empty text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = _PART.sub(lambda part: part[1] + _guarded(part[2].lstrip('" '), part[2]), as_text(value))
        return _guarded(text, text)
    return value


def _guarded(seen: str, text: str) -> str:
    """``text``, with an apostrophe in front if a program that sees ``seen`` would run it."""
    return "'" + text if _FORMULA.match(seen) and not _NUMBER.fullmatch(seen.strip()) else text


def plain_lines(rows: Iterable[list]) -> Iterator[str]:
    """Any table as lines of CSV. ``rows`` includes the head."""
    buffer = io.StringIO()
    buffer.write(BOM)
    writer = csv.writer(buffer)
    for row in rows:
        writer.writerow([cell(value) for value in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def lines(records: Iterable[dict], columns: list[layout.Column] | None = None) -> Iterator[str]:
    """The file, one line at a time, the head first. ``columns`` are those of the set; without them everything."""
    columns = layout.everything() if columns is None else columns
    head = [column.name for column in columns]
    return plain_lines(chain([head], ([column.read(record) for column in columns] for record in records)))
