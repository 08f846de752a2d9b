"""Small real PDFs, and how a program asks for JSON."""

from __future__ import annotations

import hashlib
import io

from django.core.files.base import ContentFile
from reportlab.pdfgen.canvas import Canvas

from tasks.files import store

JSON = {"HTTP_ACCEPT": "application/json"}


def pdf_bytes(words: str = "A paper about hay", pages: int = 1) -> bytes:
    """A small PDF with text on each page; other words, other bytes."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    for page in range(pages):
        canvas.drawString(72, 720, f"{words} {page + 1}")
        canvas.drawString(72, 700, "It has enough words on its page to count as text, and says nothing of note.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def keep_json(value, task_id: int | None = None) -> str:
    """Store a value as reading stores the large parts of a record; its address."""
    data, address = store.encoded(value)
    store.refer(address, task_id)
    store.put(ContentFile(data), address)
    return address
