"""The charts of the sample papers, drawn straight on the page: bars, forest plot, lines.

Rows of a ``::figure``:  bars   label | value low high | value low high ...  (one cell a series)
                         forest label | estimate low high
                         lines  series name | x y | x y ...
"""

from __future__ import annotations

from reportlab.lib.colors import Color, HexColor, black, white
from reportlab.platypus import Flowable

from .manuscript import Block

GREY = HexColor("#9aa3ad")
FONT, SIZE = "Helvetica", 6.4


def _numbers(cell: str) -> list[float]:
    return [float(word.replace("–", "-")) for word in cell.split()]


class Chart(Flowable):
    """A chart as wide as the column. ``accent`` fills the first series."""

    def __init__(self, block: Block, accent: Color) -> None:
        super().__init__()
        self.block = block
        self.accent = accent if accent != black else HexColor("#3b4a5a")
        self.axis = block.fields.get("axis", "")
        self.low, self.high, self.step = _numbers(block.fields["range"])
        self.spaceBefore = 4

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = min(width, 330)
        self.shift = (width - self.width) / 2
        rows = len(self.block.rows)
        self.height = 30 + 15 * rows if self.block.fields["variety"] == "forest" else 132
        return width, self.height

    def draw(self) -> None:
        self.canv.translate(self.shift, 0)
        self.canv.setFont(FONT, SIZE)
        self.canv.setLineWidth(0.5)
        getattr(self, f"draw_{self.block.fields['variety']}")()

    def fill(self, series: int) -> Color:
        return (self.accent, GREY, white)[series % 3]

    def ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [self.low + self.step * index for index in range(count + 1)]

    def upright(self, left: float, bottom: float, top: float) -> None:
        """A vertical value axis with its title and light grid lines."""
        c = self.canv
        for value in self.ticks():
            y = self.place(value, bottom, top)
            c.setStrokeColor(HexColor("#dde1e5"))
            c.line(left, y, self.width, y)
            c.setFillColor(black)
            c.drawRightString(left - 3, y - 2.2, f"{value:g}")
        c.setStrokeColor(black)
        c.line(left, bottom, left, top)
        c.line(left, bottom, self.width, bottom)
        c.saveState()
        c.translate(6, (bottom + top) / 2)
        c.rotate(90)
        c.drawCentredString(0, 0, self.axis)
        c.restoreState()

    def place(self, value: float, start: float, end: float) -> float:
        return start + (value - self.low) / (self.high - self.low) * (end - start)

    def legend(self, names: list[str]) -> None:
        c, x = self.canv, 30.0
        for index, name in enumerate(names):
            c.setFillColor(self.fill(index))
            c.rect(x, self.height - 9, 7, 6, fill=1, stroke=1)
            c.setFillColor(black)
            c.drawString(x + 10, self.height - 8.4, name)
            x += 22 + c.stringWidth(name, FONT, SIZE)

    def draw_bars(self) -> None:
        c, left, bottom, top = self.canv, 30.0, 16.0, self.height - 16
        self.upright(left, bottom, top)
        groups = self.block.rows
        slot = (self.width - left) / len(groups)
        for position, (label, *cells) in enumerate(groups):
            bar = slot * 0.7 / len(cells)
            x = left + slot * (position + 0.15)
            for series, cell in enumerate(cells):
                value, *interval = _numbers(cell)
                y = self.place(value, bottom, top)
                c.setFillColor(self.fill(series))
                c.rect(x, bottom, bar, y - bottom, fill=1, stroke=1)
                if interval:
                    low, high = (self.place(end, bottom, top) for end in interval)
                    middle = x + bar / 2
                    c.line(middle, low, middle, high)
                    c.line(middle - 2, low, middle + 2, low)
                    c.line(middle - 2, high, middle + 2, high)
                x += bar
            c.setFillColor(black)
            c.drawCentredString(left + slot * (position + 0.5), bottom - 9, label)
        self.legend(self.block.fields["series"].split("; "))

    def draw_forest(self) -> None:
        c, left, right = self.canv, self.width * 0.4, self.width * 0.74
        floor = 22.0
        c.line(left, floor, right, floor)
        for value in self.ticks():
            x = self.place(value, left, right)
            c.line(x, floor, x, floor - 3)
            c.drawCentredString(x, floor - 10, f"{value:g}")
        c.drawCentredString((left + right) / 2, 2, self.axis)
        none = self.place(1, left, right)
        c.setDash(2, 2)
        c.line(none, floor, none, self.height - 4)
        c.setDash()
        for position, (label, cell) in enumerate(self.block.rows):
            y = self.height - 12 - 15 * position
            value, low, high = _numbers(cell)
            c.setFillColor(black)
            c.drawString(0, y - 2, label)
            c.drawRightString(self.width, y - 2, f"{value:.2f} ({low:.2f}–{high:.2f})")
            c.line(self.place(low, left, right), y, self.place(high, left, right), y)
            c.setFillColor(self.accent)
            x = self.place(value, left, right)
            if label.lower().startswith(("overall", "pooled")):
                shape = c.beginPath()
                shape.moveTo(self.place(low, left, right), y)
                for px, py in ((x, y + 4), (self.place(high, left, right), y), (x, y - 4)):
                    shape.lineTo(px, py)
                shape.close()
                c.drawPath(shape, fill=1)
            else:
                c.rect(x - 2.5, y - 2.5, 5, 5, fill=1, stroke=0)

    def draw_lines(self) -> None:
        c, left, bottom, top = self.canv, 30.0, 24.0, self.height - 16
        self.upright(left, bottom, top)
        points = [[_numbers(cell) for cell in cells] for _, *cells in self.block.rows]
        across = sorted({x for series in points for x, _ in series})
        begin, end = across[0], across[-1]
        for x in across:
            place = left + 6 + (x - begin) / (end - begin) * (self.width - left - 14)
            c.drawCentredString(place, bottom - 8, f"{x:g}")
        c.drawCentredString((left + self.width) / 2, 4, self.block.fields["series"])
        for index, series in enumerate(points):
            spots = [
                (left + 6 + (x - begin) / (end - begin) * (self.width - left - 14), self.place(y, bottom, top))
                for x, y in series
            ]
            c.setStrokeColor(self.accent if index == 0 else black)
            c.setLineWidth(1)
            if index:
                c.setDash(3, 2)
            for (x0, y0), (x1, y1) in zip(spots, spots[1:], strict=False):
                c.line(x0, y0, x1, y1)
            c.setDash()
            c.setLineWidth(0.5)
            for x, y in spots:
                c.setFillColor(self.fill(index))
                c.circle(x, y, 2, fill=1)
        c.setStrokeColor(black)
        self.legend([row[0] for row in self.block.rows])
