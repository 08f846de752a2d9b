"""Looks a quote up on its page, so that no value is called verified that isn't printed there; and finds its boxes.

Both sides are normalised alike: NFKC, case, no hyphens, no white space. So a word broken at a line's end and its whole
form are the same, and so are a ligature and its letters. A minus before a number is no hyphen and stays.
"""

import re
import unicodedata

from .lines import Line

_RUNNING = ("", "abstract", "reference")
_DASH = re.compile(r"[\u2010-\u2015\u2212]")
_DROP = re.compile(r"(?:(?!(?<!\w)-\d)[\s\-\u00ad'’‘`´\u200b-\u200d])+")


def normal(text: str) -> str:
    """What two printings of the same words have in common."""
    return _DROP.sub("", _DASH.sub("-", unicodedata.normalize("NFKC", text).casefold()))


class Page:
    """One page's words as one normalised string; `find` gives the boxes of a quote, a box a line."""

    def __init__(self, lines: list[Line]):
        self._words, parts, at = [], [], 0
        # Running text first: a caption or a running head between two columns must not part a sentence.
        for line in sorted(lines, key=lambda k: (k.role not in _RUNNING, k.role in ("head", "foot"))):
            for word in line.words:
                part = normal(word.text)
                if part:
                    self._words.append((at, at + len(part), word, line))
                    parts.append(part)
                    at += len(part)
        self.text = "".join(parts)

    def find(self, quote: str) -> list[list[float]] | None:
        """[[x0, y0, x1, y1], ...] in points from the top left, one a printed line; None when the quote isn't there."""
        key = normal(quote)
        at = self.text.find(key) if key else -1
        if at < 0:
            return None
        boxes: list[list[float]] = []
        last = None
        before = None
        for start, end, word, line in self._words:
            if end <= at or start >= at + len(key):
                continue
            if before is not None and _apart(before, (word, line)):
                return None
            before = word, line
            if line is last and word.x0 - boxes[-1][2] < 3 * word.size:
                box = boxes[-1]
                box[:] = [min(box[0], word.x0), min(box[1], word.y0), max(box[2], word.x1), max(box[3], word.y1)]
            else:
                boxes.append([word.x0, word.y0, word.x1, word.y1])
                last = line
        return [[round(v, 1) for v in box] for box in boxes]


_JOINED = 6.0  # sizes of type; a gap in a row as wide as this parts columns, not words


def _apart(a, b) -> bool:
    """Two words follow each other in the text that was read, but not on the page: prose of two columns in one row."""
    (word, line), (other, below) = a, b
    if line is not below or other.x0 - word.x1 < _JOINED * word.size:
        return False
    return sum(len(cell.text) > 25 for cell in line.cells) >= 2


class Provenance:
    """Pages of a paper, normalised when first asked for."""

    def __init__(self, pages: list[list[Line]], seen: list[tuple[int, float, float]] = ()):
        """`seen`: (turn, width, height) of each page, to give boxes as the page is seen, not as it was read."""
        self._lines = pages
        self._seen = seen
        self._pages: dict[int, Page] = {}

    def page(self, number: int) -> Page:
        if number not in self._pages:
            self._pages[number] = Page(self._lines[number - 1])
        return self._pages[number]

    def field(self, name: str, value, page: int, quote: str, confidence: float, unit: str | None = None) -> dict:
        """A field with its place; `verified` only when the quote is on that page (or runs on to the next)."""
        boxes = self.page(page).find(quote)
        where = page
        if boxes is None:
            boxes, where = self._elsewhere(page, quote)
        union = None
        if boxes and self._seen and self._seen[where - 1][0]:
            boxes = [_turned_back(box, *self._seen[where - 1]) for box in boxes]
        if boxes:
            union = [
                min(b[0] for b in boxes),
                min(b[1] for b in boxes),
                max(b[2] for b in boxes),
                max(b[3] for b in boxes),
            ]
        return {
            "name": name,
            "value": value,
            "unit": unit,
            "page": where,
            "quote": quote,
            "box": union,
            "boxes": boxes or [],
            "verified": boxes is not None,
            "confidence": confidence if boxes is not None else min(confidence, 0.3),
            "status": "found",
        }

    def _elsewhere(self, page, quote):
        for other in (page + 1, page - 1):
            if 1 <= other <= len(self._lines):
                boxes = self.page(other).find(quote)
                if boxes is not None:
                    return boxes, other
        return None, page


def _turned_back(box, turn, width, height) -> list[float]:
    """A box of a page read a quarter clockwise (1) or counter-clockwise (3) as it stands on the page as seen."""
    x0, y0, x1, y1 = box
    if turn == 1:
        return [round(v, 1) for v in (y0, height - x1, y1, height - x0)]
    return [round(v, 1) for v in (width - y1, x0, width - y0, x1)]
