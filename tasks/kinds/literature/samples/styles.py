"""Paragraph styles and inline marks of a look."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from reportlab.lib import textsplit
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import Paragraph, paragraph

from .hyphenation import hyphenate
from .looks import Look
from .manuscript import Author, Manuscript

_ITALIC = re.compile(r"\*([^*]+)\*")
# "p < 0.001" and "n = 12" stay on one line.
_EQUATION = re.compile(r"\b([pPn]) ([<=]|&lt;) (?=\d)")
_CITATION = re.compile(r" ?\[(\d+(?:[,–]\d+)*)\]")

_NO_LINE_BEGINS_WITH = "，；：？！）】”％"


def register_fonts() -> None:
    """Chinese needs a font that PDF readers bring along; it has one cut for all weights.

    reportlab keeps all of this for the whole process, and somebody else may have registered the font alone: each part
    is seen to by itself, or the same paper would come out differently.
    """
    if "STSong-Light" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    pdfmetrics.registerFontFamily("STSong-Light", *("STSong-Light",) * 4)
    # reportlab's list of marks that may not begin a line is Japanese; Chinese has a few more.
    for module in (textsplit, paragraph):
        if _NO_LINE_BEGINS_WITH not in module.ALL_CANNOT_START:
            module.ALL_CANNOT_START += _NO_LINE_BEGINS_WITH


class Sheet:
    """Makes paragraphs in one look."""

    def __init__(self, look: Look) -> None:
        self.look = look

    def style(self, **changes: object) -> ParagraphStyle:
        look = self.look
        settings = {
            "name": "text",
            "fontName": look.serif[0],
            "fontSize": look.size,
            "leading": look.leading,
            "alignment": TA_LEFT if look.front == "typed" else TA_JUSTIFY,
            "allowWidows": 0,
            "allowOrphans": 0,
            "embeddedHyphenation": 1,
            "hyphenationMinWordLength": 7,
            "splitLongWords": 0,
            "wordWrap": look.wrap,
        }
        return ParagraphStyle(**(settings | changes))

    def inline(self, text: str, *, hyphens: bool = True) -> str:
        """Marks to markup: italics, citations, soft hyphens."""
        text = escape(text)
        if hyphens and self.look.hyphens:
            # Not inside italics: reportlab measures a word broken between two fonts wrongly.
            parts = text.split("*")
            text = "*".join(part if number % 2 else hyphenate(part) for number, part in enumerate(parts))
        text = _EQUATION.sub("\\1\u00a0\\2\u00a0", text)
        text = _ITALIC.sub(r"<i>\1</i>", text)
        if self.look.superscript:
            size = self.look.size
            return _CITATION.sub(rf"<super size={size * 0.68:.1f} rise={size * 0.36:.1f}>\1</super>", text)
        return text

    def text(self, text: str, *, hyphens: bool = True, **changes: object) -> Paragraph:
        return Paragraph(self.inline(text, hyphens=hyphens), self.style(**changes))

    def marked(self, markup: str, **changes: object) -> Paragraph:
        """A paragraph whose markup is already there."""
        return Paragraph(markup, self.style(**changes))

    def display(self, text: str, size: float, *, bold: bool = True, **changes: object) -> Paragraph:
        """A title or heading: ragged, never hyphenated."""
        font = self.look.display[1 if bold else 0]
        settings = {"fontName": font, "fontSize": size, "leading": size * 1.2, "alignment": TA_LEFT}
        return Paragraph(
            self.inline(text, hyphens=False), self.style(**(settings | {"embeddedHyphenation": 0} | changes))
        )

    def authors(self, paper: Manuscript, size: float, *, bold: bool = False, **changes: object) -> Paragraph:
        """All names with their affiliation numbers above the line."""

        def one(author: Author) -> str:
            # a name is never broken in the middle
            name = author.family + author.given if self.look.wrap else f"{author.given} {author.family}"
            raised = (
                f"<super size={size * 0.65:.1f} rise={size * 0.35:.1f}>{author.marks}</super>" if author.marks else ""
            )
            return escape(name).replace(" ", "\u00a0") + raised

        names = [one(author) for author in paper.authors]
        last = f" and {names[-1]}" if len(names) > 1 and not self.look.wrap else ""
        line = "，".join(names) if self.look.wrap else ", ".join(names[:-1] if last else names) + last
        settings = {"fontName": self.look.display[1 if bold else 0], "fontSize": size, "leading": size * 1.35}
        return Paragraph(line, self.style(**(settings | {"alignment": TA_LEFT} | changes)))

    def affiliations(self, paper: Manuscript, size: float, **changes: object) -> list[Paragraph]:
        settings = {"fontSize": size, "leading": size * 1.25, "alignment": TA_LEFT} | changes
        return [
            self.marked(
                f"<super size={size * 0.7:.1f} rise={size * 0.3:.1f}>{number}</super> {escape(name)}", **settings
            )
            for number, name in paper.affiliations
        ]


CENTRE = TA_CENTER
