"""Bytes into text: byte order marks, UTF-8, UTF-16 without a mark, and votes for the old code pages.

A code page can't be proved, only made likely: Western text has its high bytes alone among ASCII letters, Chinese,
Japanese, Korean and Cyrillic text has them in runs, and most of the characters that the right code page makes of them
are common ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
_HIGH_RUN = re.compile(rb"[\x80-\xff][\x40-\xff]")
#: What a C0 or C1 control character is doing in a text: nothing. Tab and the line ends stay.
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SAMPLE = 1 << 18
_CP1252 = {b: c for b in range(0x80, 0xA0) if (c := bytes([b]).decode("cp1252", "ignore"))}


@dataclass
class Decoded:
    """``repairs`` are (code, detail, number of the line or 0)."""

    text: str
    encoding: str
    repairs: list[tuple[str, dict, int]] = field(default_factory=list)


def decode(data: bytes) -> Decoded:
    """The text of a file with lines ending in one newline each, without controls and byte order marks. Never raises:
    what no code page explains becomes U+FFFD, and that is told ("undecodable").
    """
    encoding, skip = _mark(data)
    repairs: list[tuple[str, dict, int]] = []
    if skip:
        repairs.append(("byte_order_mark", {"encoding": encoding}, 1))
    encoding = encoding or _utf16_by_zeros(data)
    body = data[skip:]
    if encoding.startswith(("utf-16", "utf-32")):
        text = body.decode(encoding, "replace")
        repairs.append(("encoding", {"encoding": encoding}, 0))
    else:
        text, encoding = _eight_bits(body, repairs)
    if "\ufffd" in text:
        repairs.append(("undecodable", {"count": text.count("\ufffd")}, _line_of(text, text.index("\ufffd"))))
    return Decoded(_clean(text, repairs), encoding, repairs)


def _mark(data: bytes) -> tuple[str, int]:
    return next(((name, len(mark)) for mark, name in _MARKS if data.startswith(mark)), ("", 0))


def _utf16_by_zeros(data: bytes) -> str:
    """UTF-16 of mostly ASCII text has a zero in every second byte."""
    head = data[:4096]
    if len(head) < 4 or b"\x00" not in head:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.4 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.1 * half:
        return "utf-16-be"
    return ""


def _eight_bits(body: bytes, repairs) -> tuple[str, str]:
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        first_bad = error.start
    if len(re.findall(rb"[\xc3-\xf4][\x80-\xbf]", body)) and _mostly_utf8(body):
        lines = [_line(line) for line in body.split(b"\n")]
        repairs.append(("mixed_encodings", {}, body[:first_bad].count(b"\n") + 1))
        return "\n".join(lines), "utf-8"
    encoding = guess([body[:_SAMPLE]])
    repairs.append(("encoding", {"encoding": encoding}, body[:first_bad].count(b"\n") + 1))
    return _loosely(body, encoding), encoding


def _mostly_utf8(body: bytes) -> bool:
    """Whether the lines that have high bytes are for the most part good UTF-8 (files put together from several)."""
    high = [line for line in body.split(b"\n") if any(b > 0x7F for b in line)]
    good = sum(1 for line in high if _is_utf8(line))
    return good > 0.5 * len(high)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _line(line: bytes) -> str:
    return line.decode("utf-8") if _is_utf8(line) else _loosely(line, guess([line]))


def _loosely(data: bytes, encoding: str) -> str:
    if encoding == "cp1252":  # five bytes have no meaning there; they stay C1 controls and go with those
        return data.decode("latin-1").translate(_CP1252)
    return data.decode(encoding, "replace")


def guess(samples: list[bytes]) -> str:
    """The likeliest code page of byte strings that are not UTF-8: cp1252, gb18030, cp932, big5, euc_kr or cp1251."""
    data = b"\n".join(samples)
    high = sum(b > 0x7F for b in data)
    if not high:
        return "ascii"
    if all(_is_utf8(sample) for sample in samples):
        return "utf-8"
    alone = len(re.findall(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])", data))
    votes = {name: _plausible(data, name) for name in ("gb18030", "cp932", "big5", "euc_kr", "cp1251")}
    best = max(votes, key=lambda name: votes[name])
    # Katakana and Kanji of Shift-JIS have second bytes below 0x80, so many high bytes stand alone there too.
    if votes[best] >= 0.75 and (alone < 0.5 * high or best == "cp932"):
        return best
    return "cp1252"


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


def decode_names(names: list[bytes]) -> list[str]:
    """File names of one archive: UTF-8 as such, the others in the one code page that suits them together."""
    others = [name for name in names if not _is_utf8(name)]
    encoding = guess(others) if others else "utf-8"
    return [name.decode("utf-8") if _is_utf8(name) else _loosely(name, encoding) for name in names]


def _clean(text: str, repairs) -> str:
    if "\r" in text:
        if "\n" not in text and text.count("\r") > 1:
            repairs.append(("line_ends", {}, 0))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\ufeff" in text:
        text = text.replace("\ufeff", "")
        if not any(code == "byte_order_mark" for code, _, _ in repairs):
            repairs.append(("byte_order_mark", {"encoding": "utf-8"}, 1))
    stray = CONTROLS.search(text)
    if stray:
        repairs.append(("control_characters", {"count": len(CONTROLS.findall(text))}, _line_of(text, stray.start())))
        text = CONTROLS.sub("", text.translate({0x0B: " ", 0x0C: " ", 0x85: " "}))
    return text


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
