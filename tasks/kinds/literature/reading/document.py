"""Opens a PDF and reads its pages into words, or says by code why it can't."""

import ctypes
import os
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium

from .chars import FontStyles, Word, page_words
from .errors import ExtractionError
from .language import garbled

_SCAN_TEXT = 40  # fewer characters a page than this beside a picture as large as the page: a scan with a stamp


@dataclass(slots=True)
class Page:
    """One page: number from 1, size in points as seen, its words in content order.

    A page whose text runs up or down it (a wide table) is read `turn` quarters clockwise from how it is seen; `wide`
    and `tall` are its size as read.
    """

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    turn: int = 0
    unmapped: int = 0

    @property
    def wide(self) -> float:
        return self.height if self.turn else self.width

    @property
    def tall(self) -> float:
        return self.width if self.turn else self.height


@dataclass(slots=True)
class Document:
    pages: list[Page]
    info: dict[str, str]  # the Info dictionary: Title, Author, Subject, Keywords, ...
    xmp: str
    warnings: list[str]


def open_document(path: str, max_pages: int, max_bytes: int) -> Document:
    """Raises ExtractionError: empty_file, too_large, not_a_pdf, password, damaged, too_many_pages, no_text."""
    size = os.path.getsize(path)
    if size == 0:
        raise ExtractionError("empty_file", "the file has 0 bytes")
    if size > max_bytes:
        raise ExtractionError("too_large", f"{size} bytes, limit {max_bytes}", {"bytes": size, "limit": max_bytes})
    with open(path, "rb") as handle:
        head = handle.read(4096)
    _check_magic(head)
    try:
        pdf = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "assword" in str(error):
            raise ExtractionError("password", "the file opens with a password only") from error
        raise ExtractionError("damaged", f"pdfium: {error}") from error
    try:
        return _read(pdf, path, size, max_pages)
    finally:
        pdf.close()


_MAGIC = [
    ("zip", b"pk\x03\x04"),
    ("gzip", b"\x1f\x8b"),
    ("ole", b"\xd0\xcf\x11\xe0"),
    ("rtf", b"{\\rtf"),
    ("png", b"\x89png"),
    ("jpeg", b"\xff\xd8\xff"),
    ("html", b"<!doctype html"),
    ("html", b"<html"),
    ("xml", b"<?xml"),
    ("postscript", b"%!ps"),
]


def _check_magic(head: bytes) -> None:
    """Only what begins like something else, or has no PDF header in its first kilobyte, is no PDF."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n\x00")[:512].lower()
    seen = next((name for name, magic in _MAGIC if start.startswith(magic)), "")
    if b"%PDF-" in head[:1024] and seen in ("", "postscript", "xml"):
        return
    seen = seen or ("html" if b"<html" in start else "unknown")
    raise ExtractionError("not_a_pdf", f"the content is {seen}, not PDF", {"seen": seen})


def _read(pdf, path, size, max_pages) -> Document:
    count = len(pdf)
    if count == 0:
        raise ExtractionError("damaged", "the file has no pages")
    if count > max_pages:
        raise ExtractionError(
            "too_many_pages", f"{count} pages, limit {max_pages}", {"pages": count, "limit": max_pages}
        )
    styles, pages, broken, pictures, letters = FontStyles(), [], 0, 0, 0
    for index in range(count):
        raw = pdfium.FPDF_LoadPage(pdf.raw, index)
        if not raw:
            broken += 1
            pages.append(Page(index + 1, 0.0, 0.0))
            continue
        try:
            try:
                page = _read_page(raw, index + 1, styles)
            except (ArithmeticError, LookupError, ValueError, ctypes.ArgumentError):
                broken += 1  # a font or a box that makes no sense costs its page, never the paper; the record says so
                pages.append(Page(index + 1, pdfium.FPDF_GetPageWidthF(raw), pdfium.FPDF_GetPageHeightF(raw)))
                continue
            pages.append(page)
            seen = sum(len(w.text) for w in page.words)
            letters += seen
            if seen < _SCAN_TEXT and _covered_by_picture(raw, page):
                pictures += 1
        finally:
            pdfium.FPDF_ClosePage(raw)
    if broken == count:
        raise ExtractionError("damaged", "no page could be loaded", {"pages": count})
    if letters == 0 or (pictures == count - broken and letters < _SCAN_TEXT * count):
        raise ExtractionError("no_text", "no text layer", {"pages": count, "characters": letters, "scanned": pictures})
    _check_meaning(pages, letters)
    warnings = ["page_unreadable"] if broken else []
    if sum(p.unmapped for p in pages) > 0.05 * letters:
        warnings.append("unmapped_characters")
    if pictures:
        warnings.append("scanned_pages")
    return Document(pages, _info(pdf), read_xmp(path, size), warnings)


def _check_meaning(pages, letters) -> None:
    """Raises no_text for text that a font without a table of meanings made nonsense: it needs OCR like a scan."""
    unmapped = sum(p.unmapped for p in pages)
    text = " ".join(w.text for p in pages[:8] for w in p.words)[:40000]
    if unmapped > 0.5 * (letters + unmapped) or garbled(text):
        raise ExtractionError("no_text", "the text layer has no meaning", {"pages": len(pages), "unmapped": unmapped})


def _read_page(raw, number, styles) -> Page:
    textpage = pdfium.FPDFText_LoadPage(raw)
    width, height = pdfium.FPDF_GetPageWidthF(raw), pdfium.FPDF_GetPageHeightF(raw)
    page = Page(number, width, height)
    if not textpage:
        return page
    try:
        frame, tally = _frame(raw, width, height), {}
        page.words = page_words(textpage, frame, styles, tally, close=number <= 4)
        page.unmapped = tally.get("unmapped", 0)
        up, down = tally.get("up", 0), tally.get("down", 0)
        if max(up, down) > _SCAN_TEXT + 2 * sum(len(w.text) for w in page.words):
            page.turn = 1 if up >= down else 3
            frame = (*frame[:2], (frame[2] + page.turn) % 4, *frame[3:])
            page.words = page_words(textpage, frame, styles, tally, close=number <= 4)
    finally:
        pdfium.FPDFText_ClosePage(textpage)
    return page


def _frame(raw, width, height):
    """(left, top, rotation, unrotated width, unrotated height) of the visible page."""
    rotation = pdfium.FPDFPage_GetRotation(raw)
    if rotation in (1, 3):
        width, height = height, width
    box = pdfium.FS_RECTF()
    if pdfium.FPDF_GetPageBoundingBox(raw, box):
        return box.left, box.top, rotation, width, height
    return 0.0, height, rotation, width, height


def _covered_by_picture(raw, page) -> bool:
    area, a, b, c, d = page.width * page.height, *(ctypes.c_float() for _ in range(4))
    for k in range(min(pdfium.FPDFPage_CountObjects(raw), 200)):
        item = pdfium.FPDFPage_GetObject(raw, k)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_IMAGE:
            if pdfium.FPDFPageObj_GetBounds(item, a, b, c, d):
                if (c.value - a.value) * (d.value - b.value) >= 0.5 * area:
                    return True
    return False


def _info(pdf) -> dict[str, str]:
    keys = (
        "Title",
        "Author",
        "Subject",
        "Keywords",
        "Creator",
        "Producer",
        "CreationDate",
        "doi",
        "DOI",
        "WPS-ARTICLEDOI",
    )
    found = {key: pdf.get_metadata_value(key).replace("\x00", "").strip() for key in keys}
    return {key: value for key, value in found.items() if value}


def read_xmp(path: str, size: int, limit: int = 4 * 2**20) -> str:
    """The largest uncompressed XMP packet in the first and last 4 MiB, as text ('' when there is none)."""
    with open(path, "rb") as handle:
        data = handle.read(min(size, limit))
        if size > limit:
            handle.seek(max(limit, size - limit))
            data += handle.read(limit)
    packets, at = [], data.find(b"<x:xmpmeta")
    while at >= 0:
        end = data.find(b"</x:xmpmeta>", at)
        if end < 0:
            break
        packets.append(data[at:end])
        at = data.find(b"<x:xmpmeta", end)
    # A picture has a packet of its own; the paper's speaks of Dublin Core or PRISM.
    return (
        max(packets, key=lambda p: (b"prism:" in p, b"dc:title" in p, len(p))).decode("utf-8", "replace")
        if packets
        else ""
    )
