"""Line numbers in the margin of a manuscript: taken off before lines are made, or they would stand in sentences."""

from collections import defaultdict

from .chars import Word

_LEAST = 8  # numbers on a page; a table in the margin has fewer


def without_line_numbers(words: list[Word], width: float) -> list[Word]:
    """The words of a page without a column of rising numbers left or right of all other text."""
    numbers = [w for w in words if w.text.isdecimal() and len(w.text) <= 4]
    if len(numbers) < _LEAST:
        return words
    edges: dict[tuple[str, int], list[Word]] = defaultdict(list)
    for w in numbers:
        edges["right", round(w.x1 / 6)].append(w)
        edges["left", round(w.x0 / 6)].append(w)
    column = max(edges.values(), key=len)
    column = sorted(column, key=lambda w: w.y0)
    if len(column) < _LEAST:
        return words
    steps = [int(b.text) - int(a.text) for a, b in zip(column, column[1:], strict=False)]
    usual = max(set(steps), key=steps.count)
    if usual not in (1, 2, 5) or steps.count(usual) < 0.85 * len(steps):
        return words
    gone = {id(w) for w in column}
    left, right = min(w.x0 for w in column), max(w.x1 for w in column)
    others = [w for w in words if id(w) not in gone]
    top, bottom = column[0].y0, column[-1].y1
    rows = {round(w.y1 / (0.5 * w.size)) for w in others if top < w.y1 and w.y0 < bottom and w.size > 4}
    if len(rows) > 2.4 * usual * len(column):
        return words  # several lines to each number: the entries of a list
    beside = [w for w in others if w.x1 > left - 1 and w.x0 < right + 1]
    in_margin = right < 0.22 * width or left > 0.8 * width
    return others if in_margin and len(beside) <= 0.1 * len(others) else words
