"""Captions of figures and tables, and the cells of tables.

A caption is a line that begins with a label and looks unlike a sentence of the text: the label is followed by a mark or
set in another font. What stands after a table's caption in several pieces a row, or in smaller print, is its body.
"""

import re
import statistics

from .lines import Line
from .names import NUMBERING, part_of

LABEL = re.compile(
    r"^((?:supplementary |supplemental |additional |extended data )?(?:table|fig(?:ure)?|scheme|chart|box|plate|"
    r"algorithm|表|图))"
    r"s?\.?\s*[-–]?\s*([A-Z]?\d{1,3}[A-Za-z]?|[IVX]{1,5})(?![\w-])\s*([.:|)–—-]*)\s*",
    re.I,
)


def mark_captions(lines: list[Line], body: float, body_font: int) -> list[dict]:
    """Tags lines as `caption`, `table` or `figure`; [{kind, label, lines, rows: [Line]}] in reading order."""
    found = []
    lines = [k for k in lines if k.role not in ("head", "foot")]  # one may part a caption from its table
    i = 0
    while i < len(lines):
        line = lines[i]
        match = LABEL.match(line.text) if not line.role else None
        if not match or not _is_caption(line, match, lines[i - 1] if i else None, body, body_font):
            i += 1
            continue
        kind = "table" if match[1].lower().endswith(("table", "表")) else "figure"
        end = _caption_end(lines, i, kind, body)
        for k in lines[i:end]:
            k.role = "caption"
        label = " ".join(match[0][: match.end(2)].split())
        entry = {"kind": kind, "label": label, "lines": lines[i:end], "rows": []}
        if kind == "table":
            entry["rows"] = _rows_of(lines, i, end, body)
            follows = bool(entry["rows"]) and end < len(lines) and entry["rows"][0] is lines[end]
            stop = end + len(entry["rows"]) if follows else end
            for k in entry["rows"]:
                k.role = "table"
            end = max(end, stop)
        found.append(entry)
        i = end
    return found


def _is_caption(line, match, before, body, body_font) -> bool:
    rest = line.text[match.end() :]
    first = line.words[0]
    odd = (
        line.size < 0.95 * body
        or first.bold
        and not _bold_text(line)
        or first.font != body_font
        or line.size > 1.06 * body
    )
    if not rest:
        return odd or match[0].isupper()
    if match[3].strip(")-") or line.bold:
        return odd or (before is None or before.text.endswith((".", ":", "]")) or before.region != line.region)
    return odd and not re.match(
        r"(shows?|presents?|and|in|is|are|lists?|gives?|we|summari[sz]es|displays?|depicts?|illustrates?)\b", rest
    )


def _bold_text(line):
    return line.bold and len(line.words) > 6


def _caption_end(lines, i, kind, body) -> int:
    first, end = lines[i], i + 1
    alone = LABEL.sub("", first.text) == ""
    while end < len(lines) and end - i < 14:
        line, before = lines[end], lines[end - 1]
        if line.role or line.page != first.page or line.region != first.region:
            break
        gap = line.y0 - before.y1
        if gap > 0.75 * first.size or gap < -1.2 * first.size or len(line.cells) > 1 and kind == "table":
            break
        if abs(line.size - before.size) > 0.08 * body and not (alone and end == i + 1):
            break
        if kind == "table" and before.text.endswith(".") and line.font != before.font or LABEL.match(line.text):
            break
        if kind == "table" and line.bold != before.bold and not alone:
            break
        end += 1
    return end


def _looks_tabular(line, body) -> bool:
    if len(line.cells) > 1:
        return True
    width = line.column[1] - line.column[0]
    return line.size < 0.96 * body or (line.x1 - line.x0) < 0.35 * width and not line.text.endswith(".")


def _table_end(lines, start, body) -> int:
    end, misses, sizes = start, 0, []
    page = lines[start].page if start < len(lines) else 0
    stop = start
    while end < len(lines) and lines[end].page == page and not lines[end].role and end - start < 150:
        line = lines[end]
        if LABEL.match(line.text) and not line.cells:
            break
        if not line.cells and line.size > 0.95 * body and part_of(line.text):
            break  # the next section
        if len(line.cells) < 2 and len(sizes) >= 2 and _is_heading_below(line, lines[end - 1], sizes, body):
            break
        if len(line.cells) > 1:
            sizes.append(line.size)
        if _looks_tabular(line, body):
            misses = 0
            stop = end + 1
        else:
            misses += 1
            if misses >= 2 or len(line.text) > 60:
                break
        end += 1
    rows = lines[start:stop]
    enough = sum(len(k.cells) > 1 for k in rows) >= 2 or any(len(k.cells) > 4 for k in rows)
    return stop if enough else start


def _is_heading_below(line, last, sizes, body) -> bool:
    """One piece, larger than the rows above it, or set apart from them and numbered or in another face."""
    rows = statistics.median(sizes)
    if line.size > 1.06 * rows and line.size > 0.93 * body:
        return True
    apart = line.y0 - last.y1 > 0.7 * rows
    return apart and line.size > 0.95 * rows and bool(NUMBERING.match(line.text) or line.bold or line.italic)


def _rows_of(lines, i, end, body) -> list[Line]:
    """The rows below a caption; above it where they stand nearer; or those that a column's end set apart from it."""
    below = lines[end : _table_end(lines, end, body)]
    if below and below[0].y0 < lines[end - 1].y0:
        below = []  # the top of the next column
    above = lines[_table_start(lines, i, body) : i]
    if below and above:
        nearer = lines[i].y0 - above[-1].y1 < 0.5 * (below[0].y0 - lines[end - 1].y1)
        return above if nearer else below
    return below or above or _set_apart(lines, i, end, body)


def _set_apart(lines, i, end, body) -> list[Line]:
    """A table across the page right below a caption that stands in one column: it comes later in reading order."""
    last = lines[end - 1]
    for j in range(end, len(lines)):
        line = lines[j]
        if line.page != last.page:
            break
        if (
            not line.role
            and line.region != last.region
            and -1 < line.y0 - last.y1 < 3 * last.size
            and line.x0 < last.x1
            and line.x1 > last.x0
        ):
            return lines[j : _table_end(lines, j, body)]
    return []


def _table_start(lines, i, body) -> int:
    start = i
    while (
        start > 0
        and lines[start - 1].page == lines[i].page
        and not lines[start - 1].role
        and _looks_tabular(lines[start - 1], body)
    ):
        start -= 1
    return start if sum(len(k.cells) > 1 for k in lines[start:i]) >= 2 else i


def table_cells(rows: list[Line]) -> list[list[str]]:
    """Rows of cells, placed in columns by where they stand."""
    pieces = [[(c.x0, c.x1, c.text) for c in (row.cells or [row])] for row in rows]
    spans: list[list[float]] = []
    counts = [len(p) for p in pieces if len(p) > 1]
    if not counts:
        return [[p[0][2]] for p in pieces]
    typical = statistics.mode(counts)
    for x0, x1 in sorted((c[0], c[1]) for p in pieces if len(p) >= max(2, typical) for c in p):
        if (
            spans
            and x0 < spans[-1][1] - 1
            and min(x1, spans[-1][1]) - x0 > 0.3 * min(x1 - x0, spans[-1][1] - spans[-1][0])
        ):
            spans[-1][1] = max(spans[-1][1], min(x1, spans[-1][1] + 40))
        else:
            spans.append([x0, x1])
    out = []
    for p in pieces:
        row = [""] * len(spans)
        for x0, x1, text in p:
            at = min(
                range(len(spans)),
                key=lambda n: (
                    abs((spans[n][0] + spans[n][1]) / 2 - (x0 + x1) / 2)
                    if not (spans[n][0] - 2 <= x0 <= spans[n][1])
                    else abs(spans[n][0] - x0) / 100
                ),
            )
            row[at] = f"{row[at]} {text}".strip()
        out.append(row)
    return out
