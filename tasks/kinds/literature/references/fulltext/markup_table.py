"""Tables in markup as rows of text; a cell that spans others is repeated in each."""

from __future__ import annotations

import re

from ..xml_tree import children, descendants, text_of

_MOST_ROWS, _MOST_COLUMNS = 5000, 200


def rows_of(table) -> list[list[str]]:
    """The cells of a JATS, TEI or HTML table, row by row."""
    rows: list[list[str]] = []
    above: dict[int, tuple[str, int]] = {}  # column -> (text, how many more rows it covers)
    for row in descendants(table, "tr", "row")[:_MOST_ROWS]:
        cells: list[str] = []
        below: dict[int, tuple[str, int]] = {}

        def covered(cells=cells, below=below, above=above) -> None:
            while len(cells) in above:
                text, left = above[len(cells)]
                if left > 1:
                    below[len(cells)] = (text, left - 1)
                cells.append(text)

        for cell in children(row, "td", "th", "cell", "entry"):
            covered()
            text, high = text_of(cell), _span(cell, "rowspan", "rows")
            for _ in range(min(_span(cell, "colspan", "cols"), _MOST_COLUMNS - len(cells))):
                if high > 1:
                    below[len(cells)] = (text, high - 1)
                cells.append(text)
        covered()
        above = below
        if any(cells):
            rows.append(cells)
    return rows


def _span(cell, *names: str) -> int:
    value = next((cell.get(name) for name in names if cell.get(name)), "1")
    return max(1, min(int(value), _MOST_COLUMNS)) if re.fullmatch(r"[0-9]{1,9}", value) else 1
