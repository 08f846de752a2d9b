"""Running heads, page numbers and small print at the foot of a page: seen by place, repetition and size."""

import re
from collections import Counter, defaultdict

from .lines import Line
from .names import part_of

_NUMBER = re.compile(r"^(page\s*)?[-–—|\s]*[A-Za-z]?\d{1,5}[-–—|\s]*((of|/)\s*\d+)?( \(page number not.*)?$", re.I)
_NOTE = re.compile(
    r"^\W*(?:[*†‡§¶∗#]|correspond|©|copyright|e-?mail|abbreviations?:|received|this (?:article|is an open)|"
    r"present address|\d{1,2} (?=[A-Z]))",
    re.I,
)
_CAPTION = re.compile(r"^(table|fig|figure|scheme)\b", re.I)
_DIGITS = re.compile(r"\d+")


def mark_running(pages: list[list[Line]], heights: list[float]) -> None:
    """Set `role` to head or foot on lines that belong to the page, not to the text."""
    seen: dict[tuple, set[int]] = defaultdict(set)
    edge: list[tuple[Line, tuple, str]] = []
    for lines, height in zip(pages, heights, strict=True):
        for line in lines:
            where = "head" if line.y1 < 0.115 * height else "foot" if line.y0 > 0.885 * height else ""
            if where:
                key = (where, _DIGITS.sub("#", line.text.lower())[:60], round(line.y0 / 14))
                seen[key].add(line.page)
                edge.append((line, key, where))
    for line, (where, text, row), role in edge:
        near = (
            seen[where, text, row] | seen.get((where, text, row - 1), set()) | seen.get((where, text, row + 1), set())
        )
        if len(near) >= 2 or _NUMBER.match(line.text):
            line.role = role
    for lines in pages:
        _beyond(lines)


def _beyond(lines: list[Line]) -> None:
    """What lies above a running head, or below a running foot, or on its row, is part of it."""
    heads = [k.y1 for k in lines if k.role == "head" and not _NUMBER.match(k.text)]
    feet = [k.y0 for k in lines if k.role == "foot" and not _NUMBER.match(k.text)]
    for line in lines:
        if line.role:
            continue
        if heads and line.page > 1 and line.y1 <= max(heads) + 1:
            line.role = "head"
        elif feet and line.y0 >= min(feet) - 1:
            line.role = "foot"


def body_size(pages: list[list[Line]]) -> float:
    """The size of running text: what most letters of the inner pages have.

    Page 1 is left out, its abstract may be longer than its body, and so is the last third: long reference lists are set
    smaller and would win.
    """
    inner = pages[1 : max(2, round(0.67 * len(pages)))] if len(pages) > 2 else pages
    sizes: Counter = Counter()
    for lines in inner if any(inner) else pages:
        for line in lines:
            if not line.role and len(line.cells) < 3:
                sizes[round(line.size * 4) / 4] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def mark_notes(pages: list[list[Line]], heights: list[float], body: float) -> None:
    """Small print at the foot of a column (footnotes, licence, correspondence), below text of body size.

    On the first two pages any such block; later only one that opens with a footnote's mark, for end matter and
    references are small print too.
    """
    for number, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        body_lines = [k for k in lines if not k.role and abs(k.size - body) < 0.06 * body and len(k.text) > 20]
        if len(body_lines) < 4:
            continue
        block: list[Line] = []
        for line in [*lines, None]:
            low = (
                line is not None
                and not line.role
                and line.size <= 0.93 * body
                and line.y0 > 0.55 * height
                and not any(b.y0 > line.y0 and b.x0 < line.x1 and b.x1 > line.x0 for b in body_lines)
            )
            if low:
                block.append(line)
                continue
            if block and _is_note(block, number, height):
                for k in block:
                    k.role = "note"
            block = []


def _is_note(block, number, height) -> bool:
    if any(part_of(k.text) == "references" or _CAPTION.match(k.text) for k in block) or len(block) > 25:
        return False
    if sum(len(k.cells) > 1 for k in block) >= 3:
        return False  # rows of a table whose caption stands higher
    opens = bool(_NOTE.match(block[0].text)) or block[0].words[0].raised
    if number > 1:
        return opens and len(block) <= 8 and block[-1].y1 > 0.85 * height
    return opens or block[-1].y1 > 0.8 * height
