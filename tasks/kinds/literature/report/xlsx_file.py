"""The report as a workbook: one sheet for each part, with native charts beside their numbers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence

import xlsxwriter
from django.utils.translation import gettext as _

from tasks.kinds.literature.exports.xlsx import CONTENT_TYPE, text_cell
from tasks.kinds.literature.report.content import Content

__all__ = ["CONTENT_TYPE", "blocks"]
_BLOCK = 64 * 1024
_TEXTS_STAY = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def blocks(content: Content) -> Iterator[bytes]:
    """The file in blocks."""
    with tempfile.NamedTemporaryFile(prefix="sheaf-", suffix=".xlsx") as file:
        with xlsxwriter.Workbook(file.name, _TEXTS_STAY) as book:
            _write(book, content)
        while block := file.read(_BLOCK):
            yield block


def _write(book: xlsxwriter.Workbook, content: Content) -> None:
    flow = [(words, number) for _name, words, number in content.flow]
    given = (_("given"), content.given)
    said = [(content.judged_words, "")] if content.judged_words else []
    _sheet(book, _("Overview"), [content.title, ""], [given, *flow, ("", ""), *content.facts, *said], (44, 30))
    head = [_("Field"), _("Papers that have it"), _("of them verified"), _("of papers read")]
    head += [_("confirmed by people"), _("corrected by people")]
    rows = [
        (one.words, one.number, one.proven, content.read, one.confirmed, one.corrected) for one in content.completeness
    ]
    _chart(book, _sheet(book, _("Completeness"), head, rows, (30, 20, 20, 20, 20, 20)), len(rows), column="H")
    for part in content.distributions:
        rows = [*part.bars, (_("not found"), part.without)]
        sheet = _sheet(book, part.title, [part.title, _("Papers")], rows, (44, 12))
        _chart(book, sheet, len(part.bars), upright=part.name == "years")
    head = [_("File"), _("Error code"), _("Reason")]
    rows = [(one["paper"].path, reason.code, one["words"]) for reason in content.reasons for one in reason.papers]
    _sheet(book, _("Failures"), head, rows, (44, 20, 100))


def _sheet(book, name: str, head: Sequence[str], rows: Iterable[Sequence[object]], widths: Sequence[int]):
    sheet = book.add_worksheet("".join(c for c in name if c not in "[]:*?/\\'")[:31])
    bold = book.add_format({"bold": True, "bottom": 1})
    for column, (words, width) in enumerate(zip(head, widths, strict=True)):
        sheet.set_column(column, column, width)
        sheet.write_string(0, column, text_cell(words), bold)
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            if isinstance(value, int | float):
                sheet.write_number(number, column, value)
            elif value:
                sheet.write_string(number, column, text_cell(value))
    sheet.freeze_panes(1, 0)
    return sheet


def _chart(book, sheet, rows: int, *, upright: bool = False, column: str = "D") -> None:
    if not rows:
        return
    chart = book.add_chart({"type": "column" if upright else "bar"})
    name = sheet.get_name()
    chart.add_series(
        {"categories": [name, 1, 0, rows, 0], "values": [name, 1, 1, rows, 1], "fill": {"color": "#2f6f6a"}, "gap": 40}
    )
    chart.set_title({"name": name})
    chart.set_legend({"none": True})
    if not upright:
        chart.set_y_axis({"reverse": True})
    chart.set_size({"width": 640, "height": max(260, 26 * rows)})
    sheet.insert_chart(f"{column}2", chart)
