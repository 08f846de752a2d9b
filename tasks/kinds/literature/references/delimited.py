"""Text tables: commas, semicolons, tabs or bars by vote; quotes as they should be, and as people leave them.

csv.Sniffer guesses from a few characters and csv.reader swallows the rest of a file behind one quote that is never
closed, so rows are cut here: a row whose width is wrong is cut again in stricter ways before it is given up.
"""

from __future__ import annotations

from collections import Counter

from .record import UNREADABLE, Reading
from .table import LOOK_FOR_HEADS, head_row, import_rows
from .values import unescaped
from .vocabulary import field_of

DELIMITERS = (",", ";", "\t", "|")
_LONGEST_CELL = 100_000


def vote(text: str, lines: int = 40) -> str:
    """The delimiter that cuts the first lines into most columns of one width; known heads count more; "" for none."""
    best, winner = 0.0, ""
    for delimiter in DELIMITERS:
        rows, at = [], 0
        while at < len(text) and len(rows) < lines:
            cells, at, _ = cut(text, at, delimiter)
            if any(cell.strip() for cell in cells):
                rows.append(cells)
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if not widths:
            continue
        width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]))
        head = head_row(rows)
        known = (
            len({found[0] for cell in rows[head] if (found := field_of(cell))})
            if head is not None and len(rows[head]) > 1
            else 0
        )
        score = count / len(rows) * min(width, 12) / 12 + known
        if score > best:
            best, winner = score, delimiter
    return winner


def cut(text: str, at: int, delimiter: str, quotes: str = "usual") -> tuple[list[str], int, bool]:
    """(cells, offset behind the row, whether a quote was mended) of the row that begins at ``at``.

    ``quotes``: "usual": a cell in quotes ends with a quote before a delimiter or a line's end; "strict": only before a
    delimiter that another quote follows, or a line's end; "none": quotes mean nothing and a row is a line.
    """
    cells, mended, length = [], False, len(text)
    if quotes == "none":
        end = text.find("\n", at)
        end = length if end < 0 else end
        return [_bare(cell) for cell in text[at:end].split(delimiter)], end + 1, True
    while True:
        start = at
        while start < length and text[start] == " ":
            start += 1
        if start < length and text[start] == '"':
            cell, at, odd = _quoted(text, start + 1, delimiter, quotes)
            mended = mended or odd
        else:
            stops = [n for n in (text.find(delimiter, at), text.find("\n", at)) if n >= 0]
            end = min(stops, default=length)
            cell, at = text[at:end], end
        cells.append(cell)
        if at >= length or text[at] == "\n":
            return cells, at + 1, mended
        at += 1


def _quoted(text: str, at: int, delimiter: str, quotes: str) -> tuple[str, int, bool]:
    """(cell, offset of what ends it, whether a quote stood in it that should have been doubled)."""
    parts, odd, start = [], False, at
    while True:
        end = text.find('"', at, start + _LONGEST_CELL)
        if end < 0:  # never closed: taken up to its line's end
            stop = text.find("\n", start)
            stop = len(text) if stop < 0 else stop
            return text[start:stop], stop, True
        run = end
        while text.startswith('"', run):
            run += 1
        length = run - end
        after = _ends(text, run - 1, delimiter, quotes)
        closes = after is not None and (length % 2 == 1 or quotes == "strict")
        parts.append(text[at:end])
        if closes:
            parts.append('"' * (length // 2))
            return "".join(parts), after, odd or length % 2 == 0
        if length % 2 and parts[-1].endswith("\\"):
            parts[-1] = parts[-1][:-1]
        parts.append('"' * ((length + 1) // 2))
        odd, at = odd or length % 2 == 1, run


def _ends(text: str, quote: int, delimiter: str, quotes: str) -> int | None:
    """The offset of the delimiter or line's end behind a closing quote; None when the quote closes nothing."""
    at = quote + 1
    while at < len(text) and text[at] == " ":
        at += 1
    if at >= len(text) or text[at] == "\n":
        return at
    if text[at] != delimiter:
        return None
    if quotes == "strict":
        return at if text.startswith(('"', "\n"), at + 1) or text.startswith(delimiter, at + 1) else None
    return at


def _bare(cell: str) -> str:
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        cell = cell[1:-1]
    elif cell.count('"') % 2:  # the one that was never closed
        cell = cell.removeprefix('"').removesuffix('"')
    return cell.replace('""', '"')


def read_delimited(text: str, delimiter: str, reading: Reading, max_records: int) -> None:
    """Add every row of ``text`` to the reading; a row whose columns can't be told is listed."""
    rows, at, line, width, titles_first = [], 0, 1, 0, True
    while at < len(text):
        cells, end, mended = cut(text, at, delimiter)
        # Several lines with bare quotes in one cell: most likely it was never closed, even if the width is right.
        # A row that is short and has clean quotes is cut as it was written: some programs leave empty cells out.
        if width and (
            len(_shorn(cells, width)) > width or mended and (len(cells) < width or "\n" in text[at : end - 1])
        ):
            cells, end, mended = _again(text, at, delimiter, width, (cells, end, mended))
        if any(cell.strip() for cell in cells):
            if mended:
                reading.tell_again(line, "stray_quotes", text=text[at : min(end, at + 200)].strip())
            if not width and (field_of_row(cells) or len(rows) >= LOOK_FOR_HEADS):
                width = len(cells) if field_of_row(cells) else _usual(rows)
                titles_first = not field_of_row(cells) or (field_of(cells[0]) or ("",))[0] in ("title", "citation")
            cells = _shorn(cells, width) if width else cells
            if width > 2 and len(cells) == 1 and not titles_first:
                reading.tell_again(line, "label_row", text=cells[0].strip())  # no record: a line between the rows
            elif width and len(cells) > width:
                reading.counted += 1
                reading.tell(line, "row_too_wide", UNREADABLE, text[at:end].strip(), columns=len(cells), expected=width)
            else:
                if width and 1 < len(cells) < width:
                    reading.tell_again(line, "row_short", text=text[at : min(end, at + 200)].strip())
                rows.append((line, [unescaped(cell) if "_x00" in cell else cell for cell in cells]))
        line += text.count("\n", at, end)
        at = end
        if len(rows) > max_records + LOOK_FOR_HEADS:
            left = sum(1 for one in text[at:].split("\n") if one.strip())
            if left:
                reading.tell(line, "too_many_records", UNREADABLE, "", limit=max_records, left=left)
                reading.counted += 1
            break
    import_rows(rows, reading)


def _again(text, at, delimiter, width, usual):
    """The first stricter cut that has the right width; else the usual one, unless it ran over several lines."""
    cells, end, _ = usual
    fits = len(_shorn(cells, width)) == width
    for quotes in ("none",) if fits else ("strict", "none"):
        again, behind, _ = cut(text, at, delimiter, quotes)
        if len(_shorn(again, width)) == width:
            return _shorn(again, width), behind, True
    if not fits and "\n" in text[at : end - 1]:
        return cut(text, at, delimiter, "none")
    return usual


def _shorn(cells: list[str], width: int) -> list[str]:
    """Without the empty cells beyond ``width`` that spreadsheets append."""
    cells = list(cells)
    while len(cells) > width and not cells[-1].strip():
        cells.pop()
    return cells


def field_of_row(cells: list[str]) -> bool:
    """Whether a row is the row of heads."""
    return head_row([cells]) == 0


def _usual(rows) -> int:
    return Counter(len(cells) for _, cells in rows).most_common(1)[0][0] if rows else 0
