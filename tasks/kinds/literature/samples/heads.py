"""Running heads and page numbers of each look, drawn beside the text."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from .looks import Look
from .manuscript import Manuscript


def _et_al(paper: Manuscript) -> str:
    family = paper.authors[0].family
    return f"{family} et al." if len(paper.authors) > 2 else " and ".join(author.family for author in paper.authors)


def _reference(paper: Manuscript) -> str:
    return f"{paper['abbrev']} {paper['year']};{paper['volume']}({paper['issue']}):{paper['pages']}"


def _cited(paper: Manuscript) -> str:
    return f"{_et_al(paper)} {paper['journal']} ({paper['year']}) {paper['volume']}:{paper.first_page}"


def _ends(canvas: Canvas, look: Look, y: float, left: str, right: str, font: str, size: float = 7.6) -> None:
    canvas.setFont(font, size)
    canvas.drawString(look.left, y, left)
    canvas.drawRightString(look.page[0] - look.right, y, right)


def _line(canvas: Canvas, look: Look, y: float, width: float = 0.5) -> None:
    canvas.setLineWidth(width)
    canvas.line(look.left, y, look.page[0] - look.right, y)


def first(canvas: Canvas, look: Look, paper: Manuscript, number: int) -> None:
    """The opening page: where the paper appeared, and its DOI."""
    top = look.page[1] - look.top + 9
    plain, bold, italic = look.display
    if look.front == "boxed":
        _ends(canvas, look, top + 10, _cited(paper), "", plain)
        _ends(canvas, look, top, f"https://doi.org/{paper['doi']}", "", plain)
        canvas.setFillColor(look.accent)
        canvas.setFont(bold, 11)
        canvas.drawRightString(look.page[0] - look.right, top + 3, paper["journal"])
    elif look.front == "info":
        canvas.setFont(plain, 7.8)
        canvas.drawCentredString(
            look.page[0] / 2, top, f"{paper['journal']} {paper['volume']} ({paper['year']}) {paper['pages']}"
        )
    elif look.front == "lead":
        canvas.setFont(bold, 9)
        canvas.drawString(look.left, top + 4, paper["journal"])
        _ends(
            canvas,
            look,
            top + 4,
            "",
            f"Vol. {paper['volume']} No. {paper['issue']}, {paper['year']} · doi:{paper['doi']}",
            plain,
        )
    elif look.front == "centred":
        canvas.setFont(italic, 9)
        canvas.drawString(look.left, top + 8, paper["journal"])
        canvas.setFont(plain, 9)
        canvas.drawRightString(
            look.page[0] - look.right,
            top + 8,
            f"Vol. {paper['volume']}, No. {paper['issue']} ({paper['year']}), {paper['pages']}",
        )
        _line(canvas, look, top + 3)
        canvas.drawString(look.left, top - 8, f"doi: {paper['doi']}")
    elif look.front == "in_column":
        volume = f"VOL. {paper['volume']}, NO. {paper['issue']}, {paper['year']}"
        _ends(canvas, look, top + 4, f"{paper['journal'].upper()}, {volume}", str(number), plain, 7)
    elif look.front == "chinese":
        _ends(canvas, look, top + 4, f"{paper['journal']} {paper['year']}年第{paper['volume']}卷第{paper['issue']}期",
              f"· {paper['kind']} ·", plain, 8)  # fmt: skip
        _line(canvas, look, top)
    if look.front != "in_column":
        _foot(canvas, look, paper, number)


def later(canvas: Canvas, look: Look, paper: Manuscript, number: int) -> None:
    """Every page after it."""
    top = look.page[1] - look.top + 11
    plain, _, italic = look.display
    if look.front == "boxed":
        _ends(canvas, look, top, _cited(paper), f"Page {number - paper.first_page + 1}", plain)
        _line(canvas, look, top - 4, 0.3)
    elif look.front == "info":
        _ends(canvas, look, top, _et_al(paper), _reference(paper), italic)
    elif look.front == "lead":
        _ends(canvas, look, top, paper["short"], f"{paper['journal']} · {paper['year']}", plain)
        canvas.setStrokeColor(look.accent)
        _line(canvas, look, top - 4, 0.8)
    elif look.front == "centred":
        _ends(canvas, look, top, _et_al(paper), paper["short"], italic, 9)
    elif look.front == "in_column":
        left, right = (
            (str(number), paper["journal"].upper())
            if number % 2 == 0
            else (f"{_et_al(paper)}: {paper['short']}".upper(), str(number))
        )
        _ends(canvas, look, top, left, right, plain, 7)
        return
    elif look.front == "chinese":
        _ends(
            canvas,
            look,
            top,
            f"{paper['journal']} {paper['year']}年第{paper['volume']}卷第{paper['issue']}期",
            str(number),
            plain,
            8,
        )
        _line(canvas, look, top - 4)
        return
    _foot(canvas, look, paper, number)


def _foot(canvas: Canvas, look: Look, paper: Manuscript, number: int) -> None:
    low = look.bottom - 18
    canvas.setFillColorRGB(0, 0, 0)
    if look.front == "lead":
        _ends(canvas, look, low, _reference(paper), str(number), look.display[0])
    elif look.front != "boxed":
        canvas.setFont(look.serif[0], 8.6)
        canvas.drawCentredString(look.page[0] / 2, low, str(number))
