"""Tells what a file is by its first bytes; its name is never asked."""

from __future__ import annotations

HEAD = 4096

_STARTS = (
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"\xd0\xcf\x11\xe0", "MS Office"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "RTF"),
    (b"AT&TFORM", "DjVu"),
    (b"Rar!", "RAR"),
    (b"7z\xbc\xaf", "7z"),
)
_TEXTS = ((b"<!doctype html", "HTML"), (b"<html", "HTML"), (b"<?xml", "XML"), (b"ty  -", "RIS"), (b"@", "BibTeX"))


def is_pdf(head: bytes) -> bool:
    """Whether a reader of PDF would take it: the marker within the first 1,024 bytes (ISO 32000, annex H).

    An archive that holds a paper uncompressed has the marker there too, so its own signature comes first.
    """
    if head.startswith(b"PK\x03\x04"):
        return False
    return b"%PDF-" in head[:1024] or (head.startswith(b"%!PS-Adobe") and b"PDF-" in head[:1024])


def kind_of(head: bytes) -> str:
    """A short name for what the bytes are, the same in every language: "PDF", "HTML", "ZIP", ..."""
    if is_pdf(head):
        return "PDF"
    for start, name in _STARTS:
        if head.startswith(start):
            return name
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x00").lower()
    for start, name in _TEXTS:
        if text.startswith(start):
            return name
    return "BIN" if b"\x00" in head else "TXT"
