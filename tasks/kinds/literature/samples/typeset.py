"""Sets a manuscript as journal pages.

The first page holds the opening across all columns and, below it, the columns; the
last page's columns are brought to one height, as a compositor would. The same
manuscript gives the same bytes every time (reportlab's ``invariant``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, FrameBreak, NextPageTemplate, PageTemplate

from . import heads
from .body import Body
from .fronts import FRONTS, Opening
from .looks import LOOKS, Look
from .manuscript import Manuscript
from .styles import Sheet, register_fonts

# What the last page's columns grow by until all fits.
STEP = 9.0


def typeset(paper: Manuscript, path: Path, *, look: str = "", user_password: str = "") -> None:
    """Write ``paper`` to ``path`` as a PDF, in its own look or another one."""
    register_fonts()
    chosen = LOOKS[look or paper["look"]]
    first = _Pages(paper, chosen, path, user_password)
    first.make()
    pages, used = first.page, first.used_on_last_page()
    paper.head["pages"] = f"{paper.first_page}–{paper.first_page + pages - 1}"
    if chosen.columns == 1 or pages == 1:
        _Pages(paper, chosen, path, user_password).make()  # once more, now that its page numbers are known
        return
    full = first.body_height
    height = used / chosen.columns + 2 * STEP
    while height < full:
        balanced = _Pages(paper, chosen, path, user_password, last=(pages, height))
        balanced.make()
        if balanced.page == pages:
            return
        height += STEP
    _Pages(paper, chosen, path, user_password).make()


class _Pages(BaseDocTemplate):
    """One run over the manuscript. ``last``: the last page's number and its columns' height in points."""

    def __init__(
        self, paper: Manuscript, look: Look, path: Path, user_password: str, last: tuple[int, float] | None = None
    ) -> None:
        # Without an owner's password of its own, reportlab would draw one at random.
        lock = StandardEncryption(user_password, "editor-" + user_password, strength=128) if user_password else None
        super().__init__(
            str(path),
            pagesize=look.page,
            invariant=1,
            encrypt=lock,
            title=paper["title"],
            author="; ".join(f"{author.given} {author.family}" for author in paper.authors),
            subject=f"{paper['journal']}. {paper['year']};{paper['volume']}({paper['issue']}):{paper['pages']}",
            keywords=paper["keywords"],
            creator="Typesetting of sample papers",
        )
        self.paper, self.look, self.last = paper, look, last
        self.sheet = Sheet(look)
        self.text_width = look.page[0] - look.left - look.right
        self.column = (self.text_width - look.gutter * (look.columns - 1)) / look.columns
        self.body_height = look.page[1] - look.top - look.bottom
        self.end = (0, 0.0)
        opening = FRONTS[look.front](self.sheet, paper, self.text_width)
        self.story = self._story(opening)
        self.addPageTemplates([self._first(opening), self._later("later", self.body_height)])
        if last:
            self.addPageTemplates(self._later("last", last[1]))

    def make(self) -> None:
        self.build(self.story)

    def used_on_last_page(self) -> float:
        """Height of text on the last page, all columns added up."""
        column, y = self.end
        return column * self.body_height + (self.look.page[1] - self.look.top - y)

    def afterFlowable(self, _flowable: Flowable) -> None:
        columns = [frame for frame in self.pageTemplate.frames if frame.id.startswith("column")]
        if self.frame in columns:
            self.end = (columns.index(self.frame), self.frame._y)

    def handle_pageBegin(self) -> None:
        super().handle_pageBegin()
        if self.last and self.page == self.last[0] - 1:
            self.handle_nextPageTemplate("last")

    def _story(self, opening: Opening) -> list[Flowable]:
        story: list[Flowable] = [NextPageTemplate("last" if self.last and self.last[0] == 2 else "later")]
        if opening.across:
            story += [*opening.across, FrameBreak()]
        if opening.foot:
            story += [*opening.foot, FrameBreak()]
        return story + opening.column + Body(self.sheet, self.paper).flowables()

    def _columns(self, height: float, lift: float = 0.0) -> list[Frame]:
        """Frames below the top margin, each ``height`` high; ``lift`` shortens the first one from below."""
        top = self.look.page[1] - self.look.top
        return [
            _frame(
                f"column{number}",
                self.look.left + number * (self.column + self.look.gutter),
                top - height + (lift if number == 0 else 0),
                self.column,
                height - (lift if number == 0 else 0),
            )
            for number in range(self.look.columns)
        ]

    def _first(self, opening: Opening) -> PageTemplate:
        look = self.look
        across = _height(opening.across, self.text_width)
        foot = _height(opening.foot, self.column)
        frames = []
        if opening.across:
            frames.append(_frame("across", look.left, look.page[1] - look.top - across, self.text_width, across))
        if opening.foot:
            frames.append(_frame("foot", look.left, look.bottom, self.column, foot))
        below = self.body_height - across
        for frame in self._columns(below, foot + 6 if foot else 0):
            # These begin below the opening, not at the top margin.
            frames.append(_frame(frame.id, frame._x1, frame._y1 - across, frame._width, frame._height))
        return PageTemplate("first", frames, onPage=self._decorate(heads.first))

    def _later(self, name: str, height: float) -> PageTemplate:
        return PageTemplate(name, self._columns(height), onPage=self._decorate(heads.later))

    def _decorate(self, draw: Callable[[Canvas, Look, Manuscript, int], None]) -> Callable[..., None]:
        def on_page(canvas: Canvas, _doc: BaseDocTemplate) -> None:
            canvas.saveState()
            draw(canvas, self.look, self.paper, self.paper.first_page + self.page - 1)
            canvas.restoreState()

        return on_page


def _frame(name: str, x: float, y: float, width: float, height: float) -> Frame:
    return Frame(x, y, width, height, id=name, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)


def _height(flowables: list[Flowable], width: float) -> float:
    """What a frame needs to hold them, with a hair's breadth to spare."""
    total, gap = 0.0, 0.0
    for number, flowable in enumerate(flowables):
        before = flowable.getSpaceBefore() if number else 0
        total += max(gap, before) + flowable.wrap(width, 10_000)[1]
        gap = flowable.getSpaceAfter()
    return total + gap + 0.5 if flowables else 0.0
