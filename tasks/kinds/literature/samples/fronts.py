"""How a paper opens: one function for each kind of journal.

Each returns an Opening: what stands across the page, what stands at the foot of the
first column, and what comes before the introduction inside the first column.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor, white
from reportlab.platypus import Flowable, HRFlowable, Spacer, Table

from .manuscript import Manuscript
from .styles import CENTRE, Sheet


@dataclass
class Opening:
    across: list[Flowable] = field(default_factory=list)
    foot: list[Flowable] = field(default_factory=list)
    column: list[Flowable] = field(default_factory=list)


def rule(thickness: float = 0.6, colour: object = None, before: float = 3, after: float = 3) -> HRFlowable:
    return HRFlowable(
        width="100%", thickness=thickness, color=colour or HexColor("#222222"), spaceBefore=before, spaceAfter=after
    )


def _keywords(sheet: Sheet, paper: Manuscript, size: float, label: str = "Keywords:") -> Flowable:
    words = escape(paper["keywords"])
    return sheet.marked(f"<b>{label}</b> {words}", fontSize=size, leading=size * 1.3, alignment=0, spaceBefore=4)


def _letters(paper: Manuscript) -> str:
    return f"* Correspondence: {paper['email']}"


def boxed(sheet: Sheet, paper: Manuscript, width: float) -> Opening:
    """A coloured bar with the kind of article, title in sans, the abstract in a tinted box."""
    look = sheet.look
    bar = Table(
        [[
            sheet.display(paper["kind"].upper(), 8.5, textColor=white),
            sheet.display("Open Access", 8.5, textColor=white, alignment=2),
        ]],
        colWidths=[width * 0.6, width * 0.4],
        style=[("BACKGROUND", (0, 0), (-1, -1), look.accent), ("TOPPADDING", (0, 0), (-1, -1), 3),
               ("BOTTOMPADDING", (0, 0), (-1, -1), 4)],
    )  # fmt: skip
    inside: list[Flowable] = [sheet.display("Abstract", 11, textColor=look.accent, spaceAfter=3)]
    for label, text in paper.abstract:
        lead = f"<b>{escape(label)}:</b> " if label else ""
        inside.append(sheet.marked(lead + sheet.inline(text), fontSize=9.2, leading=11.6, spaceAfter=2))
    inside.append(_keywords(sheet, paper, 8.8))
    box = Table(
        [[inside]],
        colWidths=[width],
        style=[("BACKGROUND", (0, 0), (-1, -1), look.tint), ("LINEABOVE", (0, 0), (-1, 0), 1.2, look.accent),
               ("LINEBELOW", (0, -1), (-1, -1), 0.5, look.accent), ("LEFTPADDING", (0, 0), (-1, -1), 9),
               ("RIGHTPADDING", (0, 0), (-1, -1), 9), ("TOPPADDING", (0, 0), (-1, -1), 6),
               ("BOTTOMPADDING", (0, 0), (-1, -1), 8)],
    )  # fmt: skip
    small = {"fontSize": 7.4, "leading": 9, "alignment": 0}
    return Opening(
        across=[
            bar,
            Spacer(0, 9),
            sheet.display(paper["title"], look.title_size, spaceAfter=7),
            sheet.authors(paper, 10.4, spaceAfter=9),
            box,
            Spacer(0, 11),
        ],
        foot=[
            rule(0.5, before=2),
            sheet.marked(_letters(paper), **small),
            *sheet.affiliations(paper, 7.4),
            sheet.marked(escape(paper["licence"]), spaceBefore=3, **small),
        ],
    )


def info(sheet: Sheet, paper: Manuscript, width: float) -> Opening:
    """The journal's name in a banner, the article's history beside the abstract."""
    look = sheet.look
    banner = Table(
        [[sheet.display(paper["journal"], 15, bold=False, alignment=CENTRE)]],
        colWidths=[width],
        style=[("BACKGROUND", (0, 0), (-1, -1), HexColor("#eef0f2")), ("TOPPADDING", (0, 0), (-1, -1), 9),
               ("BOTTOMPADDING", (0, 0), (-1, -1), 13), ("LINEBELOW", (0, 0), (-1, -1), 2, look.accent)],
    )  # fmt: skip
    small = {"fontSize": 7.8, "leading": 10, "alignment": 0}
    left = [
        sheet.marked("A R T I C L E &nbsp; I N F O", spaceAfter=5, **small),
        sheet.marked("<i>Article history:</i>", **small),
        *(
            sheet.marked(f"{word.capitalize()} {paper[word]}", **small)
            for word in ("received", "accepted")
            if paper[word]
        ),
        sheet.marked("<i>Keywords:</i>", spaceBefore=6, **small),
        *(sheet.marked(escape(word), **small) for word in paper["keywords"].split("; ")),
    ]
    right: list[Flowable] = [sheet.marked("A B S T R A C T", spaceAfter=5, **small)]
    for label, text in paper.abstract:
        lead = f"<i>{escape(label)}:</i> " if label else ""
        right.append(sheet.marked(lead + sheet.inline(text), fontSize=8.8, leading=10.8))
    columns = Table(
        [[left, right]],
        colWidths=[width * 0.29, width * 0.71],
        style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("LINEABOVE", (0, 0), (-1, 0), 0.6, HexColor("#222222")),
               ("LINEBELOW", (0, 0), (-1, 0), 0.6, HexColor("#222222")), ("LEFTPADDING", (0, 0), (0, 0), 0),
               ("RIGHTPADDING", (1, 0), (1, 0), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 8),
               ("TOPPADDING", (0, 0), (-1, -1), 6)],
    )  # fmt: skip
    return Opening(
        across=[
            banner,
            Spacer(0, 12),
            sheet.display(paper["kind"], 9, bold=False, spaceAfter=5),
            sheet.display(paper["title"], look.title_size, bold=False, spaceAfter=8),
            sheet.authors(paper, 11.5, spaceAfter=5),
            *sheet.affiliations(paper, 7.8, fontName=look.serif[2]),
            Spacer(0, 9),
            columns,
            Spacer(0, 10),
        ],
        foot=[
            rule(0.4, before=2),
            sheet.marked(_letters(paper), fontSize=7.6, leading=9.2, alignment=0),
            sheet.marked(f"https://doi.org/{paper['doi']}", fontSize=7.6, leading=9.2, alignment=0),
            sheet.marked(escape(paper["licence"]), fontSize=7.6, leading=9.2, alignment=0),
        ],
    )


def lead(sheet: Sheet, paper: Manuscript, _width: float) -> Opening:
    """A large title after a short coloured rule; the abstract bold across the page, without labels."""
    look = sheet.look
    text = sheet.inline(paper.abstract_text)
    return Opening(
        across=[
            HRFlowable(width=60, thickness=3.2, color=look.accent, hAlign="LEFT", spaceAfter=7),
            sheet.display(paper["kind"], 9.5, textColor=look.accent, spaceAfter=5),
            sheet.display(paper["title"], look.title_size, spaceAfter=9),
            sheet.authors(paper, 11, bold=True, spaceAfter=9),
            sheet.display("Abstract", 10.5, textColor=look.accent, spaceAfter=2),
            sheet.marked(text, fontName="Times-Bold", fontSize=9.8, leading=12.4),
            _keywords(sheet, paper, 8.6),
            rule(0.5, look.accent, 7, 9),
        ],
        foot=[
            rule(0.4, before=2),
            *sheet.affiliations(paper, 7.4),
            sheet.marked(_letters(paper), fontSize=7.4, leading=9.2, alignment=0),
            sheet.marked(
                f"Received {paper['received']}; accepted {paper['accepted']}. {escape(paper['licence'])}",
                fontSize=7.4, leading=9.2, alignment=0,
            ),
        ],
    )  # fmt: skip


def centred(sheet: Sheet, paper: Manuscript, _width: float) -> Opening:
    """A quarterly in one column: everything centred, the abstract set in from both sides."""
    look = sheet.look
    story: list[Flowable] = [
        Spacer(0, 14),
        sheet.display(paper["title"], look.title_size, alignment=CENTRE, spaceAfter=12),
        sheet.authors(paper, 11.5, alignment=CENTRE, spaceAfter=6),
        *sheet.affiliations(paper, 9, alignment=CENTRE, fontName=look.serif[2]),
        sheet.marked(_letters(paper), fontSize=9, leading=11.5, alignment=CENTRE, spaceAfter=12),
        sheet.display("Abstract", 11, alignment=CENTRE, spaceAfter=4),
    ]
    for label, text in paper.abstract:
        mark = f"<b>{escape(label)}.</b> " if label else ""
        story.append(sheet.marked(mark + sheet.inline(text), fontSize=9.8, leading=12.4, leftIndent=26, rightIndent=26))
    story.append(
        sheet.marked(
            f"<b>Keywords:</b> {escape(paper['keywords'])}",
            fontSize=9.4, leading=12, leftIndent=26, rightIndent=26, spaceBefore=6, spaceAfter=12, alignment=0,
        )
    )  # fmt: skip
    return Opening(column=story)


def in_column(sheet: Sheet, paper: Manuscript, _width: float) -> Opening:
    """Proceedings and society journals: a centred title, the abstract at the top of the first column."""
    look = sheet.look
    across = [
        Spacer(0, 6),
        sheet.display(paper["title"], look.title_size, bold=False, alignment=CENTRE, spaceAfter=11),
        sheet.authors(paper, 11, alignment=CENTRE, spaceAfter=5),
        *sheet.affiliations(paper, 8.4, alignment=CENTRE),
        sheet.marked(_letters(paper), fontSize=8.4, leading=10.6, alignment=CENTRE, spaceBefore=2),
        Spacer(0, 15),
    ]
    column: list[Flowable] = []
    for number, (label, text) in enumerate(paper.abstract):
        mark = f"<i>{escape(label)}:</i> " if label else ""
        opening = "<i>Abstract</i>—" if number == 0 else ""
        markup = f"<b>{opening}{mark}{sheet.inline(text)}</b>"
        column.append(sheet.marked(markup, fontSize=9, leading=10.8))
    words = escape(paper["keywords"])
    column.append(
        sheet.marked(
            f"<b><i>Keywords</i>—{words}</b>", fontSize=9, leading=10.8, alignment=0, spaceBefore=5, spaceAfter=4
        )
    )
    foot = [
        rule(0.4, before=2),
        sheet.marked(
            f"Manuscript received {paper['received']}; accepted {paper['accepted']}. "
            f"DOI: {paper['doi']}. {escape(paper['licence'])}",
            fontSize=7.4, leading=9, alignment=0,
        ),
    ]  # fmt: skip
    return Opening(across=across, column=column, foot=foot)


def chinese(sheet: Sheet, paper: Manuscript, _width: float) -> Opening:
    """A Chinese journal: names and abstract under a centred title, labels in black brackets."""
    look = sheet.look
    parts = "".join(f"【{label}】{escape(text)}" for label, text in paper.abstract)
    small = {"fontSize": 8.6, "leading": 13}
    across = [
        Spacer(0, 6),
        sheet.display(paper["title"], look.title_size, alignment=CENTRE, leading=24, spaceAfter=8),
        sheet.authors(paper, 11, alignment=CENTRE, spaceAfter=4),
        *sheet.affiliations(paper, 8.4, alignment=CENTRE),
        sheet.marked(
            f"通信作者：{paper['corresponding']}，E-mail：{paper['email']}", alignment=CENTRE, spaceAfter=8, **small
        ),
        rule(0.5, look.accent),
        sheet.marked(f"摘要：{parts}", **small),
        sheet.marked(f"关键词：{escape(paper['keywords'])}", spaceBefore=3, **small),
        sheet.marked(f"DOI：{paper['doi']}", **small),
        rule(0.5, look.accent, 3, 10),
    ]
    return Opening(across=across)


def typed(sheet: Sheet, paper: Manuscript, _width: float) -> Opening:
    """A departmental report from a typewriter, for the scanned sample."""
    names = ", ".join(f"{author.given} {author.family}" for author in paper.authors)
    return Opening(
        column=[
            sheet.marked(escape(paper["journal"]), alignment=CENTRE, spaceAfter=26),
            sheet.marked(f"<u>{escape(paper['title']).upper()}</u>", alignment=CENTRE, spaceAfter=14),
            sheet.marked(escape(names), alignment=CENTRE, spaceAfter=4),
            sheet.marked(escape(paper.affiliations[0][1]), alignment=CENTRE, spaceAfter=22),
            sheet.marked(f"SUMMARY. {escape(paper.abstract_text)}", alignment=0, spaceAfter=12),
        ]
    )


FRONTS = {f.__name__: f for f in (boxed, info, lead, centred, in_column, chinese, typed)}
