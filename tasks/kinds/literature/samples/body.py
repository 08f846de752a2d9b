"""The body of a paper as flowables: headings, text, tables, figures, references."""

from __future__ import annotations

import re

from reportlab.lib.colors import black
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Paragraph, Table

from .figures import Chart
from .manuscript import Block, Manuscript, Reference
from .styles import Sheet


class Body:
    def __init__(self, sheet: Sheet, paper: Manuscript) -> None:
        self.sheet, self.look, self.paper = sheet, sheet.look, paper
        self.chapter = self.part = 0

    def flowables(self) -> list[Flowable]:
        story: list[Flowable] = []
        after_heading = True
        for block, following in zip(self.paper.body, [*self.paper.body[1:], None], strict=True):
            if block.kind in ("heading", "subheading"):
                # Room for the heading, a subheading below it if there is one, and two lines of text.
                lines = 7.5 if following is not None and following.kind == "subheading" else 4.5
                story += [CondPageBreak(lines * self.look.leading), self.heading(block)]
            elif block.kind == "paragraph":
                story.append(self.paragraph(block, after_heading))
            else:
                story.append(self.table(block) if block.kind == "table" else self.figure(block))
            after_heading = block.kind in ("heading", "subheading")
        return story + self.references()

    def heading(self, block: Block) -> Paragraph:
        look, text, top = self.look, block.text, block.kind == "heading"
        if look.numbered and "unnumbered" not in block.fields:
            self.chapter, self.part = (self.chapter + 1, 0) if top else (self.chapter, self.part + 1)
            dot = "" if look.wrap else "."
            text = f"{self.chapter}{dot} {text}" if top else f"{self.chapter}.{self.part}{dot} {text}"
        if top:
            centre = look.front == "in_column"
            return self.sheet.display(
                text.upper() if look.capitals else text,
                look.heading_size,
                textColor=look.accent,
                spaceBefore=9,
                spaceAfter=3.5,
                alignment=1 if centre else 0,
                leading=max(look.heading_size * 1.2, look.leading),
            )
        font = look.display[2] if look.front in ("info", "in_column") else look.display[1]
        return self.sheet.display(
            text, look.size + 0.2, fontName=font, spaceBefore=5, spaceAfter=1.5, leading=look.leading
        )

    def paragraph(self, block: Block, first: bool) -> Paragraph:
        # The first line after a heading starts at the margin, as English books do; not so in Chinese.
        indent = 0 if first and not self.look.wrap else self.look.indent
        return self.sheet.text(block.text, firstLineIndent=indent)

    def caption(self, block: Block) -> Paragraph:
        label, rest = re.match(r"((?:Fig\.|Figure|Table|图|表) ?\d+\.? )(.*)", block.fields["caption"]).groups()
        markup = f"<b>{label}</b>{self.sheet.inline(rest, hyphens=False)}"
        size = self.look.size - 1.2
        font = {"fontName": self.look.display[0]} if self.look.front in ("boxed", "lead") else {}
        return self.sheet.marked(
            markup, fontSize=size, leading=size * 1.25, alignment=0, spaceBefore=5, spaceAfter=4, **font
        )

    def table(self, block: Block) -> Flowable:
        """Three rules, no vertical lines; numbers to the right of their labels."""
        size = self.look.size - 1.5
        sans = self.look.front in ("boxed", "lead")
        plain, bold = (self.look.display if sans else self.look.serif)[:2]

        def cell(text: str, column: int, font: str) -> Paragraph:
            style = {"fontSize": size, "leading": size * 1.2, "alignment": 1 if column else 0, "fontName": font}
            # A group's size stays on one line: (n = 597)
            text = re.sub(r"\(([^()]{1,14})\)", lambda found: found.group().replace(" ", "\u00a0"), text)
            return self.sheet.text(text, hyphens=False, **style)

        rows = [
            [cell(text, column, plain if number else bold) for column, text in enumerate(row)]
            for number, row in enumerate(block.rows)
        ]
        # Wide cells get more, but no column starves; the first, of labels, has a little extra.
        longest = [max(len(row[column]) for row in block.rows) for column in range(len(rows[0]))]
        shares = [min(max(length, 8), 24) * (1.0 if column else 1.15) for column, length in enumerate(longest)]
        width = _column_width(self.look)
        table = Table(
            rows,
            colWidths=[width * share / sum(shares) for share in shares],
            repeatRows=1,
            style=[("LINEABOVE", (0, 0), (-1, 0), 1, black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, black),
                   ("LINEBELOW", (0, -1), (-1, -1), 1, black), ("TOPPADDING", (0, 0), (-1, -1), 1.6),
                   ("BOTTOMPADDING", (0, 0), (-1, -1), 1.8), ("LEFTPADDING", (0, 0), (-1, -1), 2),
                   ("RIGHTPADDING", (0, 0), (-1, -1), 2), ("VALIGN", (0, 0), (-1, -1), "TOP")],
        )  # fmt: skip
        parts: list[Flowable] = [self.caption(block), table]
        if "note" in block.fields:
            parts.append(
                self.sheet.text(
                    block.fields["note"], hyphens=False, fontSize=size - 0.4, leading=size * 1.15, spaceBefore=2
                )
            )
        return KeepTogether([*parts, _Gap()])

    def figure(self, block: Block) -> Flowable:
        return KeepTogether([_Gap(), Chart(block, self.look.accent), self.caption(block), _Gap()])

    def references(self) -> list[Flowable]:
        if not self.paper.references:
            return []
        title = "参考文献" if self.look.wrap else "References"
        room = CondPageBreak(5 * self.look.leading)
        story: list[Flowable] = [room, self.heading(Block("heading", title, {"unnumbered": ""}))]
        size = self.look.reference_size
        bracketed = self.look.reference == "bracketed"
        hang = size * (2.2 if bracketed else 1.9)
        for number, reference in enumerate(self.paper.references, 1):
            label = f"[{number}]" if bracketed else f"{number}."
            style = self.sheet.style(
                fontSize=size, leading=size * 1.2, leftIndent=hang, bulletIndent=0, alignment=0, spaceAfter=1,
                bulletFontName=self.look.serif[0], bulletFontSize=size, embeddedHyphenation=0,
            )  # fmt: skip
            markup = self.sheet.inline(cite(reference, self.look.reference, bool(self.look.wrap)), hyphens=False)
            story.append(Paragraph(markup, style, bulletText=label))
        return story


def cite(reference: Reference, manner: str, chinese: bool = False) -> str:
    """A reference as its journal prints it, without its number; ``*`` marks italics."""
    r = reference
    doi = f" doi:{r.doi}" if r.doi else ""
    stop = "" if r.title.endswith("?") else "."
    if chinese:
        return f"{r.authors}. {r.title}[J]. {r.journal}, {r.year}, {r.volume}: {r.pages}.{doi}"
    if manner == "bracketed":
        return f"{r.authors}, {r.title}, *{r.journal}* {r.volume} ({r.year}) {r.pages}.{doi}"
    if manner == "plain":
        return f"{r.authors}. {r.title}{stop} *{r.journal}* {r.volume}, {r.pages} ({r.year}).{doi}"
    return f"{r.authors}. {r.title}{stop} {r.journal}. {r.year};{r.volume}:{r.pages}.{doi}"


def _column_width(look) -> float:
    return (look.page[0] - look.left - look.right - look.gutter * (look.columns - 1)) / look.columns


class _Gap(Flowable):
    """White space around a table or figure that survives being kept together with it."""

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        return width, 5

    def draw(self) -> None:
        return
