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

    An archive that holds papers uncompressed has the marker there too, so its own signature comes first: read as a
    PDF it would give one of its papers and lose the others without a word.
    """
    if is_tar(head) or any(head.startswith(start) for start, name in _STARTS if name != "PostScript"):
        return False
    return b"%PDF-" in head[:1024] or (head.startswith(b"%!PS-Adobe") and b"PDF-" in head[:1024])


def is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _zipped(head: bytes) -> str:
    """What a zip archive is to people, by the parts that its program puts first."""
    for mark, name in ((b"mimetypeapplication/epub", "EPUB"), (b"mimetypeapplication/vnd.oasis", "OpenDocument")):
        if mark in head[:150]:
            return name
    return "PowerPoint" if b"[Content_Types].xml" in head and b"ppt/" in head else "ZIP"


def kind_of(head: bytes) -> str:
    """A short name for what the bytes are, the same in every language: "PDF", "HTML", "ZIP", ..."""
    if is_pdf(head):
        return "PDF"
    if is_tar(head):
        return "tar"
    for start, name in _STARTS:
        if head.startswith(start):
            return _zipped(head) if name == "ZIP" else name
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n\x00").lower()
    for start, name in _TEXTS:
        if text.startswith(start):
            return name
    return "BIN" if b"\x00" in head else "TXT"
