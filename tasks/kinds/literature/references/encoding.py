"""Bytes into text: byte order marks, UTF-8, UTF-16 without a mark, else the likeliest old code page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tasks.files.code_pages import guess, is_utf8, loosely

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
#: What a C0 or C1 control character is doing in a text: nothing. Tab and the line ends stay.
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SAMPLE = 1 << 18


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
    return loosely(body, encoding), encoding


def _mostly_utf8(body: bytes) -> bool:
    """Whether the lines that have high bytes are for the most part good UTF-8 (files put together from several)."""
    high = [line for line in body.split(b"\n") if any(b > 0x7F for b in line)]
    good = sum(1 for line in high if is_utf8(line))
    return good > 0.5 * len(high)


def _line(line: bytes) -> str:
    return line.decode("utf-8") if is_utf8(line) else loosely(line, guess([line]))


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
