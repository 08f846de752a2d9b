"""A small press: typesets the pages that the extraction tests read, so that a test shows what it is about."""

from __future__ import annotations

import io
from pathlib import Path

import reportlab
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 595.0, 842.0
SERIF, BOLD, ITALIC = "Times-Roman", "Times-Bold", "Times-Italic"

LOREM = (
    "Periodontal disease is frequent in adults and its treatment with plant extracts has been studied many times. "
    "The leaves hold essential oils whose main compound is eugenol, and several small trials reported less bleeding. "
    "Whether the effect lasts longer than a few weeks is not known, since most of the trials ended after one month. "
    "Earlier work was done with small numbers of volunteers, and the methods of measurement differed between centres. "
)


class Press:
    """Draws on pages of A4; y is counted from the top."""

    def __init__(self, path: Path, **options):
        self.path = path
        self.canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), **options)
        self.y = 60.0

    def info(self, title: str = "", subject: str = "", keywords: str = "") -> None:
        self.canvas.setTitle(title)
        self.canvas.setSubject(subject)
        self.canvas.setKeywords(keywords)

    def line(self, text: str, x: float = 60, y: float | None = None, font: str = SERIF, size: float = 10) -> None:
        """One line; without y it goes below the last one."""
        if y is None:
            self.y += 1.25 * size
            y = self.y
        else:
            self.y = y
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HEIGHT - y, text)

    def marked(self, pieces: list[tuple[str, str]], x: float = 60, font: str = SERIF, size: float = 10) -> None:
        """A line of (text, raised mark) pairs, as authors are set."""
        self.y += 1.4 * size
        for text, mark in pieces:
            self.canvas.setFont(font, size)
            self.canvas.drawString(x, HEIGHT - self.y, text)
            x += pdfmetrics.stringWidth(text, font, size)
            self.canvas.setFont(font, 0.6 * size)
            self.canvas.drawString(x, HEIGHT - self.y + 0.4 * size, mark)
            x += pdfmetrics.stringWidth(mark, font, 0.6 * size)

    def prose(
        self,
        text: str,
        x: float = 60,
        y: float | None = None,
        width: float = 475,
        font: str = SERIF,
        size: float = 10,
        hang: float = 0.0,
    ) -> None:
        """A paragraph set ragged in a column; `hang` indents all lines but the first."""
        if y is not None:
            self.y = y
        row, first = "", True
        for word in [*text.split(), None]:
            room = width - (0 if first else hang)
            if word is not None and pdfmetrics.stringWidth(f"{row} {word}".strip(), font, size) <= room:
                row = f"{row} {word}".strip()
                continue
            self.line(row, x + (0 if first else hang), font=font, size=size)
            row, first = word or "", False

    def heading(self, text: str, x: float = 60, size: float = 12) -> None:
        self.y += 0.8 * size
        self.line(text, x, font=BOLD, size=size)
        self.y += 0.3 * size

    def page(self) -> None:
        self.canvas.showPage()
        self.y = 60.0

    def picture(self, x: float, y: float, width: float, height: float) -> None:
        dot = io.BytesIO(
            bytes.fromhex(
                "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
            )
        )
        self.canvas.drawImage(ImageReader(dot), x, HEIGHT - y - height, width, height)

    def save(self) -> str:
        self.canvas.save()
        return str(self.path)


def letters_font() -> str:
    """A TrueType font that has the fi ligature."""
    pdfmetrics.registerFont(TTFont("Vera", str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")))
    return "Vera"


def chinese_font() -> str:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    return "STSong-Light"


def encryption(user: str, owner: str) -> StandardEncryption:
    return StandardEncryption(user, owner, canPrint=0)


def article(
    press: Press,
    *,
    title: str = "Effect of holy basil extract on gingival bleeding in adults",
    doi: str | None = "10.1234/jpr.2019.0042",
    authors: list[tuple[str, str]] | None = None,
    abstract: str | None = None,
    body: str = "",
    references: list[str] = (),
    methods: str = "",
    ends: list[tuple[str, str]] = (),
) -> Press:
    """A whole paper of one column: head, title, authors, addresses, abstract, sections, references."""
    press.line("Journal of Plant Research 2019; 12(3): 45-52", y=40, size=8)
    if doi:
        press.line(f"https://doi.org/{doi}", y=50, size=8)
    press.y = 80
    press.line(title, font=BOLD, size=16)
    press.y += 8
    press.marked(authors or [("Maria A. Lopez", "1"), (", John van der Berg", "2"), (" and Wei Chen", "1,*")], size=11)
    press.y += 4
    press.marked([("", "1"), ("Department of Periodontology, University of Sevilla, Sevilla, Spain", "")], size=8)
    press.marked([("", "2"), ("Institute of Dental Research, Utrecht, The Netherlands", "")], size=8)
    press.line("*Correspondence: chen.wei@us.example", size=8)
    press.line("Received: 2 March 2019; Accepted: 5 May 2019; Published: 30 May 2019", size=8)
    press.heading("Abstract")
    press.prose(abstract or LOREM)
    press.line("Keywords: basil; bleeding; eugenol", size=9)
    press.heading("Introduction", size=13)
    press.prose(body or LOREM * 2)
    press.heading("Methods", size=13)
    press.prose(methods or LOREM)
    press.page()
    press.heading("Results", size=13)
    press.prose(LOREM)
    press.heading("Discussion", size=13)
    press.prose(LOREM * 2)
    for name, text in ends:
        press.heading(name, size=13)
        press.prose(text)
    if references:
        press.heading("References", size=13)
        for reference in references:
            press.prose(reference, size=9)
    return press
