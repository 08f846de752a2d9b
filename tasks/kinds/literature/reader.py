"""Reads one paper of any format, chosen by its content; runs in the killable child, so there is no Django here."""

from __future__ import annotations

from tasks.files import sniff
from tasks.kinds.literature.reading import extract_file


def read_any(path: str, *, max_pages: int, max_bytes: int) -> dict:
    """The record of a PDF, JATS, TEI, DOCX or HTML file. Raises ExtractionError."""
    with open(path, "rb") as file:
        head = file.read(sniff.HEAD)
    if not head or sniff.is_pdf(head):
        return extract_file(path, max_pages=max_pages, max_bytes=max_bytes)
    from tasks.kinds.literature.references.fulltext import read_paper

    return read_paper(path, max_bytes=max_bytes)
