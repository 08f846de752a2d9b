"""Reading order of a page: a recursive search for gutters between columns of prose.

A gutter is an x that few fragments cross, with prose on both sides of it. Fragments that cross it (a title, an abstract
across the page, a wide table) cut the region into zones; a zone of them is searched again, for it may have a gutter of
its own elsewhere (a side bar beside the abstract). Columns of table cells are no columns of prose: their rows are
mostly white, so a table keeps its rows.
"""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate

from .lines import Line
from .names import part_of

_LEAST = 2.4  # lines side by side that make a gutter
_STEP = 3.0  # points; resolution of the search for a gutter


def reading_order(lines: list[Line]) -> list[Line]:
    """Rows in reading order; fragments of a row inside one column are merged. Sets `column` and `region`."""
    ordered: list[Line] = []
    _order([line for line in lines if line.text.strip()], ordered, 0)
    return ordered


def _order(lines, out, depth):
    if not lines:
        return
    rows = _rows(lines)
    gutter = _gutter(lines, rows) if len(lines) >= 6 and depth < 6 else None
    if gutter is None:
        _emit(lines, out)
        return
    for crossing, zone in _zones(lines, gutter, rows):
        if crossing:
            _order(zone, out, depth + 1) if len(zone) < len(lines) else _emit(zone, out)
            continue
        for part in _balanced(zone, gutter):
            _order([k for k in part if (k.x0 + k.x1) / 2 < gutter], out, depth + 1)
            _order([k for k in part if (k.x0 + k.x1) / 2 >= gutter], out, depth + 1)


def _rows(lines) -> dict[int, int]:
    """id of a fragment -> number of its row, rows counted from the top of the region."""
    rows, row, base = {}, -1, -1e9
    for k in sorted(lines, key=lambda k: k.y1):
        if k.y1 - base > 0.4 * k.size:
            row, base = row + 1, k.y1
        rows[id(k)] = row
    return rows


def _gutter(lines, rows):
    """x of the best gutter, or None."""
    left, right = min(k.x0 for k in lines), max(k.x1 for k in lines)
    width = right - left
    if width < 120:
        return None
    cells = int(width / _STEP) + 1
    crowded = _crowded(rows)
    crossed = [0.0] * (cells + 2)
    starts = [0] * (cells + 8)  # a column starts at one x many times
    ended, begun = [0.0] * (cells + 8), [0.0] * (cells + 8)  # heights of what ends left of a cell, and begins in it
    for k in lines:
        crossed[int((k.x0 + 1 - left) / _STEP) + 1] += k.y1 - k.y0
        crossed[max(int((k.x1 - 1 - left) / _STEP), 0)] -= k.y1 - k.y0
        starts[int((k.x0 - left) / _STEP)] += 1
        ended[int((k.x1 - left) / _STEP)] += k.y1 - k.y0
        begun[int((k.x0 - left) / _STEP)] += k.y1 - k.y0
    ended, begun = list(accumulate(ended)), list(accumulate(begun))
    heights, total = [], 0.0
    for value in crossed[:cells]:
        total += value
        heights.append(total)
    candidates = []
    i = 0
    while i < cells:
        x = left + i * _STEP
        if not 0.12 * width < x - left < 0.88 * width or (i and heights[i] > heights[i - 1] + 0.5):
            i += 1
            continue
        j = i
        while j + 1 < cells and abs(heights[j + 1] - heights[i]) < 0.5:
            j += 1
        if sum(starts[max(j - 3, 0) : j + 7]) >= 3:
            middle = left + (i + j + 1) / 2 * _STEP
            off = abs((middle - left) / width - 0.5)
            most = min(ended[min(j + 3, cells + 7)], begun[-1] - begun[max(i - 3, 0)]) * (1 - 0.4 * off)
            candidates.append((most, middle, off))
        i = j + 1
    # No gutter can score more than the lower of its sides: the likeliest first, and most need not be looked at.
    best, best_score = None, 0.0
    for most, middle, off in sorted(candidates, key=lambda c: (-c[0], c[1])):
        if most < best_score or most < _LEAST * lines[len(lines) // 2].size * (1 - 0.4 * off):
            continue
        score = _score(lines, rows, crowded, middle, off < 0.14, width < 330) * (1 - 0.4 * off)
        if score > best_score or score and score == best_score and middle < best:
            best, best_score = middle, score
    return best


def _crowded(rows) -> set[int]:
    """Rows of six fragments or more: only these can be rows of a table across the page."""
    counts = Counter(rows.values())
    return {row for row, count in counts.items() if count >= 6}


def _tabular(sides, rows, crowded, x) -> set[int]:
    """Rows with several cells on both sides of x, next to another such row: a table across the page."""
    if not crowded:
        return crowded
    counts: dict[int, list[int]] = {}
    for k in sides:
        row = rows[id(k)]
        if row in crowded:
            counts.setdefault(row, [0, 0])[(k.x0 + k.x1) / 2 >= x] += 1
    wide = {row for row, (a, b) in counts.items() if a >= 3 and b >= 3 or a + b >= 7 and a and b}
    return {row for row in wide if row - 1 in wide or row + 1 in wide}


def _score(lines, rows, crowded, x, central, narrow) -> float:
    """Height of the text that stands side by side, left and right of x, with nothing across it."""
    walls, sides, hanging = [], [], 0.0
    for k in lines:
        if k.x0 < x - 3 and k.x1 > x + 3:
            walls.append((k.y0 + k.y1) / 2)
            if k.x0 > x - 2.5 * k.size:
                hanging += k.y1 - k.y0  # the first line of an entry: x is no gutter but the indent right of one
        else:
            sides.append(k)
    tabular = _tabular(sides, rows, crowded, x)
    if tabular:
        walls += [(k.y0 + k.y1) / 2 for k in sides if rows[id(k)] in tabular]
        sides = [k for k in sides if rows[id(k)] not in tabular]
    walls.sort()
    bands: dict[int, tuple[list, list]] = {}
    for k in sides:
        band = bands.setdefault(bisect_right(walls, (k.y0 + k.y1) / 2), ([], []))
        band[(k.x0 + k.x1) / 2 >= x].append(k)
    score = 0.0
    for left, right in bands.values():
        if len(left) < 2 or len(right) < 2:
            continue
        top = max(min(k.y0 for k in left), min(k.y0 for k in right))
        bottom = min(max(k.y1 for k in left), max(k.y1 for k in right))
        if bottom <= top:
            continue
        prose_left, prose_right = _prose(left, rows), _prose(right, rows)
        if narrow and not (_lettered(left) and _lettered(right)):
            continue  # cells of a table inside a column
        # One side may hold a table or a figure if the other is a solid column of text in half the page.
        if prose_left and prose_right or central and (prose_left and _solid(left) or prose_right and _solid(right)):
            height = min(_height(left, rows, top, bottom), _height(right, rows, top, bottom))
            score += height if prose_left and prose_right else 0.8 * height
    score -= 2 * hanging
    return score if score >= _LEAST * lines[len(lines) // 2].size else 0.0


def _height(lines, rows, top, bottom) -> float:
    """Height of the rows between top and bottom, cells of a row counted once."""
    return sum({rows[id(k)]: k.y1 - k.y0 for k in lines if k.y0 < bottom and k.y1 > top}.values())


def _prose(lines, rows) -> bool:
    """Most rows of a column are filled with ink for more than half of its width; rows of cells are not."""
    ink: dict[int, float] = {}
    for k in lines:
        row = rows[id(k)]
        ink[row] = ink.get(row, 0.0) + k.x1 - k.x0
    widths = sorted(ink.values())
    full = widths[int(0.9 * (len(widths) - 1))]
    extent = max(k.x1 for k in lines) - min(k.x0 for k in lines)
    letters = sum(len(k.text) for k in lines)
    if letters < 9 * len(lines) or len(lines) > 2.2 * len(ink) or full < 0.5 * extent:
        return False
    return sum(w > 0.5 * full for w in widths) >= 0.5 * len(widths)


def _lettered(lines) -> bool:
    """Lines as long as those of the narrowest columns of prose; the cells of a table are shorter."""
    return sum(len(k.text) for k in lines) >= 20 * len(lines) and len(lines) >= 3


def _solid(lines) -> bool:
    return len(lines) >= 12 and sum(len(k.text) for k in lines) >= 26 * len(lines)


def _zones(lines, gutter, rows):
    """[(crossing?, fragments)] from top to bottom."""
    sides = [k for k in lines if not (k.x0 < gutter - 3 and k.x1 > gutter + 3)]
    tabular = _tabular(sides, rows, _crowded(rows), gutter)
    crossing = sorted(
        (k for k in lines if (k.x0 < gutter - 3 and k.x1 > gutter + 3) or rows[id(k)] in tabular), key=lambda k: k.y0
    )
    crossers = set(map(id, crossing))
    rest = [k for k in lines if id(k) not in crossers]
    rights = [k for k in rest if k.x0 >= gutter - 3]
    bands: list[list[float]] = []
    for k in crossing:
        gap_free = bands and not any(bands[-1][1] - 1 < (r.y0 + r.y1) / 2 < k.y0 + 1 for r in rights)
        if bands and (k.y0 - bands[-1][1] < 2.2 * k.size or gap_free):
            bands[-1][1] = max(bands[-1][1], k.y1)
        else:
            bands.append([k.y0, k.y1])
    for n, band in enumerate(bands):
        _lengthen(band, crossing, rest, bands[n + 1][0] if n + 1 < len(bands) else 1e9)
    zones = [(True, []) for _ in bands]
    between: list[list[Line]] = [[] for _ in range(len(bands) + 1)]
    for k in lines:
        middle = (k.y0 + k.y1) / 2
        index = next((n for n, (top, bottom) in enumerate(bands) if top <= middle <= bottom), None)
        if index is not None:
            zones[index][1].append(k)
        else:
            between[sum(middle > bottom for _, bottom in bands)].append(k)
    ordered = []
    for n, group in enumerate(between):
        if n < len(bands):
            heading = _last_heading(group)
            if heading is not None:  # set in fewer columns than the list below it
                group = [k for k in group if k is not heading]
                zones[n][1].append(heading)
        if group:
            ordered.append((False, group))
        if n < len(bands):
            ordered.append(zones[n])
    return ordered


def _lengthen(band, crossing, rest, limit):
    """A band that is the middle one of three columns reaches as far down as the column left of it."""
    middle = [k for k in crossing if band[0] <= (k.y0 + k.y1) / 2 <= band[1]]
    left = min((k.x0 for k in rest), default=0.0)
    start = min(k.x0 for k in middle)
    if len(middle) < 4 or start < left + 60:
        return
    for k in sorted(rest, key=lambda k: k.y0):
        if k.x1 < start and band[1] - 2 < k.y1 and k.y0 - band[1] < 1.2 * k.size and k.y1 < limit:
            band[1] = max(band[1], k.y1)


def _last_heading(group):
    """A heading "References" with nothing below it in its own column."""
    for k in group:
        if len(k.text) < 30 and part_of(k.text) == "references":
            if not any(o.y0 > k.y0 and o.x0 < k.x1 and o.x1 > k.x0 for o in group):
                return k
    return None


def _balanced(zone, gutter):
    """Cut above "References" where both columns end and start anew at one height (columns balanced before the list)."""
    for k in zone:
        if k.x1 < gutter and len(k.text) < 30 and part_of(k.text) == "references":
            above = [r for r in zone if r.y1 <= k.y0 + 2]
            below = [r for r in zone if r.y1 > k.y0 + 2]
            right_above = [r for r in above if r.x0 >= gutter - 3]
            right_below = [r for r in below if r.x0 >= gutter - 3]
            if (
                right_above
                and right_below
                and k.y0 - max(r.y1 for r in right_above) > 0.9 * k.size
                and min(r.y0 for r in right_below) >= k.y0 - 2
            ):
                return [above, below]
    return [zone]


def _emit(lines, out):
    """One column: fragments to rows, top to bottom."""
    region = out[-1].region + 1 if out else 1
    edges = (min(k.x0 for k in lines), max(k.x1 for k in lines))
    rows: list[list[Line]] = []
    for k in sorted(lines, key=lambda k: k.y1):
        row = rows[-1] if rows else None
        if row and min(k.y1, row[0].y1) - max(k.y0, row[0].y0) > 0.55 * min(k.size, row[0].size):
            row.append(k)
        else:
            rows.append([k])
    for row in rows:
        row.sort(key=lambda k: k.x0)
        line = row[0]
        if len(row) == 2 and _side_note(row, rows):
            row[0].column, row[0].region = (edges[0], row[0].x1), region
            out.append(row[0])
            edges, line, row = (row[1].x0, edges[1]), row[1], row[1:]
        if len(row) > 1:
            line = Line(row[0].page, [w for k in row for w in k.words]).settle()
            line.cells = row
        line.column, line.region = edges, region
        out.append(line)


def _side_note(row, rows) -> bool:
    """The first of two fragments is small print of the margin, left of where the lines of the text begin."""
    left, right = row
    if left.size > 0.88 * right.size or right.x0 - left.x1 < right.size:
        return False
    return sum(len(r) == 1 and abs(r[0].x0 - right.x0) < 1.5 for r in rows) >= max(5, 0.4 * len(rows))
