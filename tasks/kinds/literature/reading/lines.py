"""Words into line fragments: pieces of a printed line with no gap wide enough to be a column's.

Fragments, not lines, because the two halves of a two-column page share their baselines, and because the cells of a
table row must stay apart. A small raised word is set into the line it belongs to, wherever the content stream had it.
"""

import re
from dataclasses import dataclass, field

from .accents import set_stray_accents
from .chars import Word

_SHORT = {"of", "as", "if", "or", "for"}  # an italic f or a tight s leans into the next word
_MARK = re.compile(r"^[*∗†‡§¶#⁎,]{1,4}$")
_LIST_NUMBER = re.compile(r"^(?:[\[(]\d{1,3}[\])]\.?|\d{1,3}[.)])$")


@dataclass(slots=True)
class Line:
    """Words on one baseline, left to right. `bold`/`italic`: most of its letters are. Points, origin top left."""

    page: int
    words: list[Word]
    x0: float = 0.0
    y0: float = 0.0
    x1: float = 0.0
    y1: float = 0.0
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    font: int = -1  # of most letters
    text: str = ""
    column: tuple[float, float] = (0.0, 0.0)  # left and right edge of the column it stands in
    region: int = 0
    role: str = ""  # "" body, "head"/"foot" running, "note" small print at the foot of a page, ...
    cells: list["Line"] = field(default_factory=list)  # fragments of the same row, when there were several

    def settle(self) -> "Line":
        """Recompute everything that follows from the words."""
        words = self.words
        x0, x1, weight, bold, italic, sizes, fonts = 1e9, -1e9, 0, 0, 0, {}, {}
        for w in words:
            n = len(w.text)
            weight += n
            if w.x0 < x0:
                x0 = w.x0
            if w.x1 > x1:
                x1 = w.x1
            if w.bold:
                bold += n
            if w.italic:
                italic += n
            fonts[w.font] = fonts.get(w.font, 0) + n
            sizes[w.size] = sizes.get(w.size, 0) + n
        self.x0, self.x1 = x0, x1
        self.bold, self.italic = bold > 0.6 * weight, italic > 0.6 * weight
        self.font = max(fonts, key=fonts.get) if len(fonts) > 1 else words[0].font
        if len(sizes) == 1:
            self.size = words[0].size
            self.y0, self.y1 = min([w.y0 for w in words]), max([w.y1 for w in words])
        else:
            rounded = {}
            for size, n in sizes.items():
                rounded[round(size, 1)] = rounded.get(round(size, 1), 0) + n
            self.size = best = max(rounded, key=lambda k: (rounded[k], k))
            body = [w for w in words if abs(w.size - best) < 0.15 * best and not _MARK.match(w.text)] or words
            self.y0, self.y1 = min([w.y0 for w in body]), max([w.y1 for w in body])
            middle = (self.y0 + self.y1) / 2 - 0.04 * best
            for w in words:
                if (
                    w.size < 0.82 * best
                    and (w.y0 + w.y1) / 2 < middle
                    or (_MARK.match(w.text) and (w.y0 + w.y1) / 2 < middle - 0.15 * best)
                ):
                    w.raised = True
        self.text = "".join([w.text if w.glue else " " + w.text for w in words]).lstrip(" ")
        return self


def fragments(words: list[Word], page: int) -> list[Line]:
    """Line fragments of a page, in content order."""
    words = set_stray_accents(words)
    runs: list[list[Word]] = []
    run: list[Word] = []
    last, big, top, bottom = None, 0.0, 0.0, 0.0
    for word in words:
        if last is not None:
            size = word.size
            low = size if size < big else big
            gap = word.x0 - last.x1
            overlap = (word.y1 if word.y1 < bottom else bottom) - (word.y0 if word.y0 > top else top)
            if overlap > 0.5 * low and -0.35 * big < gap < 1.05 * big:
                if gap < 0.04 * big and not word.glue:
                    if size < 0.82 * big or last.size < 0.82 * size:
                        word.glue = True
                    elif (
                        gap < 0.012 * size
                        and word.font == last.font
                        and last.text not in _SHORT
                        and last.text[-1:].isalpha()
                    ):
                        word.glue = True  # kerning or letter-spacing that pdfium took for a space
                run.append(word)
                if size > big:
                    big, top, bottom = size, word.y0, word.y1
                last = word
                continue
        run = [word]
        runs.append(run)
        last, big, top, bottom = word, word.size, word.y0, word.y1
    return _attach_marks([Line(page, r).settle() for r in _unstretched([r for r in runs if r])])


def _unstretched(runs: list[list[Word]]) -> list[list[Word]]:
    """A justified line whose spaces grew as wide as a gap between cells: single words at even, still small, gaps."""
    out: list[list[Word]] = []
    i = 0
    while i < len(runs):
        j = i
        while j + 1 < len(runs) and _even_step(runs[j], runs[j + 1]):
            j += 1
        gaps = [b[0].x0 - a[-1].x1 for a, b in zip(runs[i:j], runs[i + 1 : j + 1], strict=True)]
        if len(gaps) >= 3 and max(gaps) < 1.3 * min(gaps) and sum(len(r) for r in runs[i : j + 1]) < 1.6 * (j - i + 1):
            out.append([w for r in runs[i : j + 1] for w in r])
        else:
            out += runs[i : j + 1]
        i = j + 1
    return out


def _even_step(run: list[Word], other: list[Word]) -> bool:
    a, b = run[-1], other[0]
    return abs(a.y1 - b.y1) < 0.1 * a.size and abs(a.size - b.size) < 0.05 * a.size and 0 < b.x0 - a.x1 < 1.8 * a.size


def _attach_marks(lines: list[Line]) -> list[Line]:
    """Join neighbours on a row that the content stream had apart: marks, and what follows a mark."""
    cells: dict[tuple[int, int], list[Line]] = {}  # of 24 by 20 points, so that a crowded page costs no squares
    for line in lines:
        cells.setdefault((int(line.y1 // 20), int(line.x0 // 24)), []).append(line)
    gone = set()
    for line in lines:
        if id(line) in gone:
            continue
        changed = True
        while changed:
            changed = False
            row, left, right = int(line.y1 // 20), int((line.x1 - 12) // 24), int((line.x1 + 12) // 24)
            near = [(r, c) for r in (row - 1, row, row + 1) for c in range(left, right + 1)]
            for other in [o for key in near for o in cells.get(key, ())]:
                gap = other.x0 - line.x1
                if gap > 12 or gap < -12 or other is line or id(other) in gone or not _touches(line, other):
                    continue
                if other.x0 - line.x1 < 0.04 * line.size:
                    other.words[0].glue = other.size < 0.82 * line.size or line.words[-1].size < 0.82 * other.size
                line.words.extend(other.words)
                gone.add(id(other))
                line.settle()
                changed = True
                break
    return _attach_numbers([line for line in lines if id(line) not in gone])


def _attach_numbers(lines: list[Line]) -> list[Line]:
    """The number of a list entry belongs to the text right of it, however wide the gap: it is no column."""
    gone = set()
    for line in lines:
        if len(line.words) > 1 or not _LIST_NUMBER.match(line.text):
            continue
        row = [
            o
            for o in lines
            if o is not line
            and id(o) not in gone
            and abs(o.y1 - line.y1) < 0.35 * line.size
            and 0 < o.x0 - line.x1 < 2.8 * line.size
            and len(o.text) > 8
        ]
        if row:
            nearest = min(row, key=lambda o: o.x0)
            nearest.words.insert(0, line.words[0])
            nearest.settle()
            gone.add(id(line))
    return [line for line in lines if id(line) not in gone]


def _touches(line: Line, other: Line) -> bool:
    """`other` begins where `line` ends, on the same row."""
    big, small = max(line.size, other.size), min(line.size, other.size)
    gap = other.x0 - line.x1
    if not -0.3 * big < gap < (0.35 if small > 0.82 * big else 0.3) * big:
        return False
    # An asterisk may be drawn as large as the letters and stand half above them.
    least = 0.2 if len(other.words) == 1 and _MARK.match(other.text) else 0.5
    return min(line.y1, other.y1) - max(line.y0, other.y0) > least * small
