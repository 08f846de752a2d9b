"""Which old code page bytes are in.

A code page can't be proved, only made likely: Western text has its high bytes alone among ASCII letters, Chinese,
Japanese, Korean and Cyrillic text has them in runs, and most of the characters that the right code page makes of them
are common ones. No Django: this runs in the isolated child.
"""

from __future__ import annotations

import re

_CP1252 = {b: c for b in range(0x80, 0xA0) if (c := bytes([b]).decode("cp1252", "ignore"))}


def guess(samples: list[bytes]) -> str:
    """The likeliest code page of byte strings that are not UTF-8: cp1252, gb18030, cp932, big5, euc_kr or cp1251."""
    data = b"\n".join(samples)
    high = sum(b > 0x7F for b in data)
    if not high:
        return "ascii"
    if all(is_utf8(sample) for sample in samples):
        return "utf-8"
    alone = len(re.findall(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])", data))
    votes = {name: _plausible(data, name) for name in ("gb18030", "cp932", "big5", "euc_kr", "cp1251")}
    best = max(votes, key=lambda name: votes[name])
    # Katakana and Kanji of Shift-JIS have second bytes below 0x80, so many high bytes stand alone there too.
    if votes[best] >= 0.75 and (alone < 0.5 * high or best == "cp932"):
        return best
    return "cp1252"


def decode_names(names: list[bytes]) -> list[str]:
    """File names of one archive: UTF-8 as such, the others in the one code page that suits them together."""
    others = [name for name in names if not is_utf8(name)]
    encoding = guess(others) if others else "utf-8"
    return [name.decode("utf-8") if is_utf8(name) else loosely(name, encoding) for name in names]


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def loosely(data: bytes, encoding: str) -> str:
    """The text in a code page; what has no meaning there becomes U+FFFD. Never raises."""
    if encoding == "cp1252":  # five bytes have no meaning there; they stay C1 controls and go with those
        return data.decode("latin-1").translate(_CP1252)
    return data.decode(encoding, "replace")


def _plausible(data: bytes, encoding: str) -> float:
    """Share of the non-ASCII characters that are everyday ones in the language; 0 when it does not decode."""
    text = data.decode(encoding, "replace")
    wide = [c for c in text if ord(c) > 0x7F]
    if not wide or text.count("\ufffd") > 0.02 * len(wide):
        return 0.0
    if encoding == "cp932":
        kana = sum("\u3040" <= c <= "\u30ff" for c in wide)
        kanji = sum("\u4e00" <= c <= "\u9fff" or "\u3000" <= c <= "\u303f" or c == "々" for c in wide)
        half = sum("\uff61" <= c <= "\uff9f" for c in wide)  # what Chinese bytes turn into
        return 0.0 if half > 0.1 * len(wide) else (kana + kanji) / len(wide) * (1.0 if kana > 0.1 * len(wide) else 0.8)
    if encoding == "cp1251":
        words = re.findall(r"[а-яёА-ЯЁ]{2,}", text)
        tidy = sum(len(w) for w in words if w[1:].islower() or w.isupper())
        return 0.95 * tidy / len(wide)
    if encoding == "euc_kr":
        return sum("\uac00" <= c <= "\ud7a3" for c in wide) / len(wide)
    return sum(_everyday(c, encoding) for c in wide) / len(wide) * (0.97 if encoding == "gb18030" else 0.9)


def _everyday(c: str, encoding: str) -> bool:
    if "\u3000" <= c <= "\u301f" or "\uff01" <= c <= "\uff5e":
        return True
    if not "\u4e00" <= c <= "\u9fff":
        return c in "—…“”‘’·《》"
    lead = c.encode(encoding)[0]
    return 0xB0 <= lead <= 0xD7 if encoding == "gb18030" else 0xA4 <= lead <= 0xC6  # the first, commoner plane of each
