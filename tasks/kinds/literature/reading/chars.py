"""Words of a page with their boxes, straight from pdfium, in as few calls as it takes.

One call a character costs half a microsecond; a paper has 5,000 characters a page. So the text of a page comes in one
call, is cut into words by a regular expression, and only the first and the last character of a word are asked for their
box. A word whose two ends differ in height or baseline (an author with a superscript mark) is asked character by
character and cut where the size changes.

The size of a word is the height of pdfium's loose character box, that is, as drawn; the font size operand is not.
"""

import ctypes
import re
import struct
from dataclasses import dataclass
from unicodedata import normalize

import pypdfium2.raw as pdfium

from .accents import ACCENT, accented

SOFT_HYPHENS = "\ufffe\x02\xad"  # what pdfium gives for a hyphen at the end of a line
_WORD = re.compile(rf"[^\s\x00\x01\xa0{SOFT_HYPHENS}]+[{SOFT_HYPHENS}]?")
_BOLD = re.compile(rb"bold|black|heavy|demi|semibd|medi(?!um-?it)|cmbx|[-,.](b|bd|bi)$|poster|\.b\b", re.I)
_ITALIC = re.compile(rb"ital|obliq|slant|cmti|[-,.](i|it|bi)$|\.i\b", re.I)
_FOLD = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
    "\u2010": "-",
    "\u2011": "-",
    "\ufffd": "",
    "\ufeff": "",
    "\u200b": "",
    "\u200c": "",
    "\u200d": "",
    "\u2060": "",
}
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_TH = re.compile(
    "(?:[\ue000-\uf8ff]|(?<!\\S)\\*)(?=(?:e|is|at|us|ere|ese|ose|ey|en|an|eir|erefore|erapy|rough|roughout|ree|ough|irty|ird|ermo\\w*|in|ick|yme|yroid|e[a-z]{1,6})(?:$|[^a-z]))"
)
_EAST = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EAST_RUN = re.compile(f"{_EAST.pattern}+")
_MARKED = re.compile(r"^[^\W\d_][^\s\d*†‡§¶#,;:/()=<>%]+[\d*†‡§¶#,;][\w*†‡§¶#,;–-]*$")
_COMBINING = re.compile("[\u0300-\u036f]")
_UNMAPPED = re.compile("[\x00\x01\x03-\x08\x0e-\x1f\x80-\x9f\ufffd\ue000-\uf8ff]")
_FOLDED = re.compile(f"[{''.join(_FOLD)}]")


def _by_address(function, result, *arguments):
    """A pdfium function that takes plain addresses: half the price of a call with typed pointers."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value)


_loose_box = _by_address(pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_font_info = _by_address(
    pdfium.FPDFText_GetFontInfo,
    ctypes.c_ulong,
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_ulong,
    ctypes.c_void_p,
)


@dataclass(slots=True)
class Word:
    """A run of characters without a space. Box in points, origin at the top left; `glue`: no space before it."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    italic: bool
    font: int
    glue: bool = False
    soft: bool = False  # ended with a hyphen that a line break may have put there
    raised: bool = False


def fold(text: str) -> str:
    """Ligatures to letters, typographic hyphens to '-', invisible and private characters away.

    A private-use character before "e", "is", "ese", ... is a Th ligature that its font left without a meaning.
    """
    if text.isascii():
        return text if text[0] != "*" or len(text) == 1 else _TH.sub("Th", text)
    if _FOLDED.search(text):
        text = _FOLDED.sub(lambda m: _FOLD[m[0]], text)
    if _COMBINING.search(text):
        text = normalize("NFC", text)
    if _PRIVATE.search(text):
        text = _TH.sub("Th", text)
        text = _PRIVATE.sub("", text)
    return text


_four_floats = struct.Struct("4f").unpack_from


def _page_text(textpage, n: int) -> str:
    """The n characters of a page, one code point each, so that string index = character index."""
    buffer = (ctypes.c_ushort * (n + 1))()
    got = pdfium.FPDFText_GetText(textpage, 0, n, buffer)
    text = bytes(buffer)[: 2 * max(got - 1, 0)].decode("utf-16-le", "replace")
    if len(text) == n and got - 1 == n:
        return text
    # Surrogates, or characters without a Unicode value, shift the indices: ask one by one.
    code = pdfium.FPDFText_GetUnicode
    points = (code(textpage, i) for i in range(n))
    return "".join(chr(c) if 0 < c < 0xD800 or 0xDFFF < c < 0x110000 else "\x00" for c in points)


class FontStyles:
    """Bold, italic and the true line box of a font, looked up once a name.

    Some fonts declare an ascent and descent several times their size, and the loose box follows them. Where the drawn
    letters are less than a third of it, the box is rebuilt around the baseline from their height.
    """

    def __init__(self):
        self._known = {}
        self._numbers = {}
        self._name = ctypes.create_string_buffer(96)
        self._flags = ctypes.c_int()
        self._name_at, self._flags_at = ctypes.addressof(self._name), ctypes.addressof(self._flags)

    def of(self, textpage, address: int, index: int) -> tuple[bool, bool, int, tuple]:
        """(bold, italic, number of the font in this file, repair of its box); `address` is the text page's."""
        _font_info(address, index, self._name_at, 96, self._flags_at)
        name = self._name.value
        style = self._known.get(name)
        if style is None:
            number = self._numbers.setdefault(name, len(self._numbers))
            weight = pdfium.FPDFText_GetFontWeight(textpage, index)
            bare = name.split(b"+")[-1]
            bold = bool(_BOLD.search(bare)) or 650 <= weight <= 1000
            italic = bool(_ITALIC.search(bare)) or bool(self._flags.value & 64)
            style = (bold, italic, number, self._repair(textpage, index))
            if style[3] is not None:
                self._known[name] = style
        return style

    def _repair(self, textpage, index):
        """() for a sane font, (em, rise, fall) as shares of its loose box, None when this character can't tell."""
        letter = chr(pdfium.FPDFText_GetUnicode(textpage, index))
        share = (
            0.7
            if letter.isupper() or letter.isdigit() or letter in "bdfhklt"
            else 0.48
            if letter in "acemnorsuvwxz"
            else 0
        )
        if not share:
            return None
        a, b, c, d = (ctypes.c_double() for _ in range(4))
        rect, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharBox(textpage, index, a, b, c, d)
        pdfium.FPDFText_GetLooseCharBox(textpage, index, rect)
        pdfium.FPDFText_GetCharOrigin(textpage, index, x, y)
        loose, em = rect.top - rect.bottom, (d.value - c.value) / share
        if not (loose > 0 and em > 0) or loose < 2.1 * em:
            return ()
        base = (y.value - rect.bottom) / loose
        return 1.17 * em / loose, base + 0.92 * em / loose, base - 0.25 * em / loose


def page_words(textpage, frame, styles: FontStyles, tally: dict, close: bool = False) -> list[Word]:
    """Words of a page in the order of its content stream.

    `frame` is (left, top, rotation, width, height) of the visible page in PDF space; text written up or down the page
    (a margin stamp) is left out. `close`: words with a mark inside (`Vogela,*,`) are asked letter by letter, for both
    their ends may be on the line while the mark is raised. `tally` receives letters that run "up" and "down" the page,
    and characters whose font gives them no meaning ("unmapped").
    """
    n = pdfium.FPDFText_CountChars(textpage)
    if n <= 0:
        return []
    text = _page_text(textpage, n)
    tally["unmapped"] = len(_UNMAPPED.findall(text))
    if ACCENT.search(text):
        text = accented(textpage, text)
    left, top, rotation, width, height = frame
    corners = (ctypes.c_float * 4)()  # FS_RECTF: left, top, right, bottom
    address, corners_at, style_of = ctypes.addressof(textpage.contents), ctypes.addressof(corners), styles.of
    words = []
    east = _east_fonts(text, textpage, address, styles) if _EAST.search(text) else ()
    em = None

    def box(i):
        if not _loose_box(address, i, corners_at):
            return None
        a, b, c, d = _four_floats(corners)  # a quarter of the time that the array's own items take
        if em:
            b = d + (em_of(textpage, i) or b - d)
        a, b, c, d = a - left, top - b, c - left, top - d
        if rotation:
            a, b, c, d = _turn(a, b, c, d, rotation, width, height)
        return a, b, c, d

    for match in _WORD.finditer(text):
        start, end = match.span()
        token = match[0]
        soft = token[-1] in SOFT_HYPHENS
        last = end - 1
        if soft:
            last -= end - start > 1
            token = token[:-1] + "-"
        if east:
            em = style_of(textpage, address, start)[2] in east
        first = box(start)
        if first is None:
            continue
        tail = first if last == start else (box(last) or first)
        if not (-1e5 < tail[0] < 1e5 and -1e5 < tail[1] < 1e5 and -1e5 < tail[2] < 1e5 and -1e5 < tail[3] < 1e5):
            tail = first  # a glyph whose font places it nowhere
        bold, italic, font, repair = style_of(textpage, address, start)
        if repair:
            first, tail = _shrink(first, repair), _shrink(tail, repair)
        x0, y0, x1, y1 = first
        tx0, ty0, tx1, ty1 = tail
        size = round(y1 - y0, 2)
        marked = close and not soft and last - start > 1 and _MARKED.match(token)
        if not 0.3 < size < 2000 or not -1e5 < x0 < 1e5:
            continue  # drawn too small or too large to be read, or nowhere
        if not token.isascii() or token[0] == "*":
            token = fold(token)
            if not token:
                continue
        if y0 == ty0 and y1 == ty1 and not marked:
            words.append(Word(token, x0, y0, tx1 if tx1 > x1 else x1, y1, size, bold, italic, font, False, soft))
            continue
        if not marked and abs(size - ty1 + ty0) < 0.08 * size + 0.2 and abs(y1 - ty1) < 0.12 * size + 0.2:
            words.append(
                Word(token, x0, min(y0, ty0), max(tx1, x1), max(y1, ty1), size, bold, italic, font, False, soft)
            )
            continue
        token = match[0][:-1] + "-" if soft else match[0]
        if last - start >= 1 and abs(tail[0] - first[0]) < 0.5 * abs(tail[1] - first[1]):
            way = "up" if tail[1] < first[1] else "down"
            tally[way] = tally.get(way, 0) + last - start + 1
            continue
        pieces = _pieces(token, start, last, box, repair)
        for k, (part, x0, y0, x1, y1, height_) in enumerate(pieces):
            words.append(
                Word(fold(part), x0, y0, x1, y1, height_, bold, italic, font, k > 0, soft and k == len(pieces) - 1)
            )
    return words


def em_of(textpage, index: int) -> float:
    """Size of a character's em as drawn, 0.0 when pdfium can't say."""
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage, index, matrix):
        return 0.0
    return pdfium.FPDFText_GetFontSize(textpage, index) * abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5


def _east_fonts(text, textpage, address, styles) -> set[int]:
    """Fonts with Chinese, Japanese or Korean letters: their boxes follow each glyph, so their em is used instead."""
    return {styles.of(textpage, address, match.start())[2] for match in _EAST_RUN.finditer(text)}


def _pieces(token, start, last, box, repair):
    """Cut a word where the drawn size or the baseline changes: [(text, x0, y0, x1, y1, size)]."""
    pieces, current = [], None
    for k, i in enumerate(range(start, last + 1)):
        b = _shrink(box(i), repair) if repair else box(i)
        if b is None or not (-1e5 < b[0] < 1e5 and -1e5 < b[3] < 1e5 and 0 <= b[3] - b[1] < 2000):
            continue
        size = b[3] - b[1]
        if current and abs(size - current[5]) < 0.08 * size + 0.2 and abs(b[3] - current[4]) < 0.12 * size + 0.2:
            current[0] += token[k]
            current[3] = max(current[3], b[2])
        else:
            current = [token[k], b[0], b[1], b[2], b[3], size]
            pieces.append(current)
    if pieces and len(token) > last - start + 1:
        pieces[-1][0] += token[last - start + 1 :]
    return pieces


def _shrink(box, repair):
    if box is None:
        return None
    x0, y0, x1, y1 = box
    height = y1 - y0
    return x0, y1 - repair[1] * height, x1, y1 - repair[2] * height


def _turn(a, b, c, d, rotation, width, height):
    """A box of the unrotated page as it is seen: rotation 1, 2, 3 = 90, 180, 270 degrees clockwise."""
    if rotation == 1:
        a, b, c, d = height - d, a, height - b, c
    elif rotation == 2:
        a, b, c, d = width - c, height - d, width - a, height - b
    else:
        a, b, c, d = b, width - c, d, width - a
    return min(a, c), min(b, d), max(a, c), max(b, d)
