"""Accents that a font draws apart from their letters, as in `Jos´e`, `Rene´` or `T ˘anase`."""

import ctypes
import re
from unicodedata import normalize

import pypdfium2.raw as pdfium

_ACCENTS = dict(
    zip(
        "´`¨ˆ˜¸˛ˇ˘˚˝˙¯",
        "\u0301\u0300\u0308\u0302\u0303\u0327\u0328\u030c\u0306\u030a\u030b\u0307\u0304",
        strict=True,
    )
)
ACCENT = re.compile(f"[{''.join(_ACCENTS)}]")
_NOTHING = "\u2060"  # stands where an accent stood, so that string index stays character index


def accented(textpage, text: str) -> str:
    """Accents drawn apart (`Jos´e`, `Rene´`, `T ˘anase`) set on the letter they stand over, told by where they stand.

    As long as the text given: what an accent, or a space that only its width made, leaves behind is a filler.
    """
    letters = list(text)
    edges = [ctypes.c_double() for _ in range(4)]

    def span(i):
        if not 0 <= i < len(text) or not letters[i].isalpha():
            return None
        pdfium.FPDFText_GetCharBox(textpage, i, *edges)
        return edges[0].value, edges[1].value, edges[3].value - edges[2].value, edges[2].value

    for match in ACCENT.finditer(text):
        i = match.start()
        pdfium.FPDFText_GetCharBox(textpage, i, *edges)
        middle, height = (edges[0].value + edges[1].value) / 2, edges[2].value
        for j in (i - 1, i + 1, i - 2, i + 2):
            if abs(i - j) == 2 and letters[(i + j) // 2] != " ":
                continue
            base = span(j)
            if base is None or not base[0] - 0.3 < middle < base[1] + 0.3 or abs(height - base[3]) > 2.5 * base[2]:
                continue
            whole = normalize("NFC", {"ı": "i", "ȷ": "j"}.get(letters[j], letters[j]) + _ACCENTS[match[0]])
            if len(whole) > 1:
                continue
            letters[j], letters[i] = whole, _NOTHING
            if abs(i - j) == 2:
                letters[(i + j) // 2] = _NOTHING
            for space, other in ((max(i, j) + 1, max(i, j) + 2), (min(i, j) - 1, min(i, j) - 2)):
                near = span(other) if 0 <= space < len(text) and letters[space] == " " else None
                if near and max(near[0] - base[1], base[0] - near[1]) < 0.25 * base[2]:
                    letters[space] = _NOTHING
            break
    return "".join(letters)


def set_stray_accents(words: list) -> list:
    """The words without those that are a lone accent standing over a letter of another; it is set on that letter.

    Some files draw all letters of a line first and its accents after: `Laszl o Szekeres` and then `´`.
    """
    lone = [w for w in words if len(w.text) == 1 and w.text in _ACCENTS]
    if not lone:
        return words
    gone = set()
    for accent in lone:
        middle = (accent.x0 + accent.x1) / 2
        for at, word in enumerate(words):
            if word is accent or abs(word.y1 - accent.y1) > 0.6 * word.size or not word.x0 - 1 < middle < word.x1 + 1:
                continue
            if _compose(word, middle, accent.text):
                gone.add(id(accent))
                before = words[at - 1] if at else None
                if before and abs(before.y1 - word.y1) < 1 and 0 <= word.x0 - before.x1 < 0.3 * word.size:
                    word.glue = word.glue or middle < word.x0 + 0.8 * word.size
                break
    return [w for w in words if id(w) not in gone]


def _compose(word, middle: float, accent: str) -> bool:
    """Sets the accent on the letter of the word nearest to `middle` that can bear it, in place."""
    step = (word.x1 - word.x0) / len(word.text)
    near = sorted(range(len(word.text)), key=lambda i: abs(word.x0 + (i + 0.5) * step - middle))
    for i in near[:3]:
        letter = {"ı": "i", "ȷ": "j"}.get(word.text[i], word.text[i])
        whole = normalize("NFC", letter + _ACCENTS[accent])
        if len(whole) == 1 and letter.isalpha():
            word.text = word.text[:i] + whole + word.text[i + 1 :]
            return True
    return False
