"""The samples that can't be read: a scan without text, half a file, one behind a password."""

from __future__ import annotations

import io
import random
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from .manuscript import Manuscript
from .typeset import typeset

SCAN_DPI = 110
PASSWORD = "karsel-2022"


def scanned(paper: Manuscript, path: Path) -> None:
    """Pictures of the pages, as a flatbed scanner makes them: grey, a little crooked, no text layer."""
    with tempfile.TemporaryDirectory() as folder:
        clean = Path(folder) / "clean.pdf"
        typeset(paper, clean)
        with pypdfium2.PdfDocument(clean) as document:
            pictures = [page.render(scale=SCAN_DPI / 72, grayscale=True).to_pil() for page in document]
    canvas = Canvas(str(path), invariant=1)
    for number, picture in enumerate(pictures):
        dots = random.Random(number)
        width, height = picture.size
        # Grain is made small and blown up: quick, and more like paper than single pixels are.
        grain = Image.frombytes("L", (width // 2, height // 2), dots.randbytes((width // 2) * (height // 2)))
        grain = grain.resize(picture.size).point(lambda value: 226 + value // 9)
        page = picture.rotate(0.7 - 1.1 * number, fillcolor=255, resample=Image.Resampling.BICUBIC)
        page = ImageChops.multiply(page.filter(ImageFilter.GaussianBlur(0.6)), grain)
        jpeg = io.BytesIO()
        page.save(jpeg, "JPEG", quality=55)
        points = (width * 72 / SCAN_DPI, height * 72 / SCAN_DPI)
        canvas.setPageSize(points)
        canvas.drawImage(ImageReader(io.BytesIO(jpeg.getvalue())), 0, 0, *points)
        canvas.showPage()
    canvas.save()


def damaged(paper: Manuscript, path: Path) -> None:
    """The first half of a file, as a broken download leaves it."""
    typeset(paper, path, look="meridian")  # not the same bytes as the good one, were it whole
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def locked(paper: Manuscript, path: Path) -> None:
    """A whole paper that opens with ``PASSWORD`` alone."""
    typeset(paper, path, look="quarterly", user_password=PASSWORD)
