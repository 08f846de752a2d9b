"""The lines of names under a title, in the order in which they are read, whatever stands beside them."""

import re

from .authors import MARKS, alone, cut, is_name, strip_marks
from .frontmatter import AFFILIATION
from .lines import Line
from .names import part_of

_STOP = re.compile(
    r"^\W*(abstract|summary|background|introduction|keywords?|key words|received|accepted|published|correspond|"
    r"address|e-?mail|doi|edited by|reviewed by|academic editor|"
    r"copyright|©|https?:|www|article (info|history)|citation|how to cite|to cite|please cite|editor|open access|"
    r"available|\(?received|submitted|department|the author)",
    re.I,
)

_SIDE = re.compile(
    r"^\W*(?:received|revised|accepted|published(?: online)?|available online|check for\b|updates$|open access)\b"
    r".{0,40}$",
    re.I,
)
_CONTACT = re.compile(r"^\W*(?:correspond|received|e-?mail\b|tel\b|address for)", re.I)
_ONLY_MARKS = re.compile(rf"^(?:[\s\d,;.{re.escape(MARKS)}€]|\b[a-z]\b)+$")


def part_side_notes(lines: list[Line]) -> list[Line]:
    """Rows whose first cell is a date or a badge of the margin (`Received: 12 May  Maria Lenza,`) become two."""
    out: list[Line] = []
    for line in lines:
        line = _without_small_print(line, out)
        first = line.cells[0] if len(line.cells) > 1 else None
        if first is None or not _SIDE.match(first.text) or line.cells[1].x0 - first.x1 < 2 * line.size:
            out.append(line)
            continue
        rest = Line(line.page, [w for cell in line.cells[1:] for w in cell.words]).settle()
        rest.cells = line.cells[1:] if len(line.cells) > 2 else []
        for part, column in ((first, (line.column[0], first.x1)), (rest, (rest.x0, line.column[1]))):
            part.column, part.region, part.role = column, line.region, line.role
            out.append(part)
    return out


def _without_small_print(line: Line, out: list[Line]) -> Line:
    """The row without a last cell in much smaller type (a licence in the right margin), which goes before it."""
    if len(line.cells) < 2:
        return line
    last, before = line.cells[-1], line.cells[-2]
    if last.size > 0.86 * before.size or last.x0 - before.x1 < line.size or len(before.text) < 40:
        return line
    last.column, last.region, last.role = (last.x0, line.column[1]), line.region, line.role
    out.append(last)
    rest = Line(line.page, [w for cell in line.cells[:-1] for w in cell.words]).settle()
    rest.cells = line.cells[:-1] if len(line.cells) > 2 else []
    rest.column, rest.region, rest.role = (line.column[0], before.x1), line.region, line.role
    return rest


def author_lines(lines: list[Line], title_lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """(lines of names, lines after them up to the abstract) below the title.

    What stands beside the title's own measure (a side bar), dates and badges of the margin, and rows of nothing but
    marks part no names.
    """
    if not title_lines:
        return [], []
    ids = {id(k) for k in title_lines}
    at = max(i for i, k in enumerate(lines) if id(k) in ids) + 1
    left, right = min(k.x0 for k in title_lines), max(k.x1 for k in title_lines)
    below = [k for k in lines[at:] if k.x1 > left + 2 and k.x0 < right - 2]
    names = _names_in(below, max(k.y1 for k in title_lines))
    if not names:
        names = _names_in(lines[at:], max(k.y1 for k in title_lines))
    if not names:
        names = _above(lines, title_lines)
    if names and all(alone(k) for k in names):
        names = _row_mates(lines[at:], names)
    elif names:
        names = _in_rows(lines[at:], names)
    found = {id(k) for k in names}
    start = at + max((i for i, k in enumerate(lines[at:]) if id(k) in found), default=-1) + 1
    return names, lines[start:]


def _above(lines: list[Line], title_lines: list[Line]) -> list[Line]:
    """Names set over the title, as some houses do: two or more in one block that ends right above it."""
    top, size = title_lines[0].y0, title_lines[0].size
    block = [k for k in lines if k.y1 <= top + 3 and k.role not in ("head", "foot") and k.y1 > top - 5 * size]
    names = [
        k for k in block if _share(k) >= 0.6 and not _address(k, []) and not re.search(r"\b(?:19|20)\d\d\b", k.text)
    ]
    several = sum(is_name(p) for k in names for p in (strip_marks(c)[0] for c in cut(k)))
    return names if several >= 2 and names[-1].y1 > top - 2 * size else []


def _names_in(lines: list[Line], bottom: float) -> list[Line]:
    names: list[Line] = []
    style, passed = None, 0
    for line in lines[:60]:
        if line.y0 < bottom - 2 or line.role in ("head", "foot"):
            if names and line.role not in ("head", "foot"):
                break
            continue
        text = line.text.strip()
        if _ONLY_MARKS.match(text):
            continue
        if _SIDE.match(text) and (not names or line.x1 < names[-1].x0 or line.x0 > names[-1].x1):
            continue
        if not names and _CONTACT.match(text):
            passed += 1  # some houses put the contact and the dates between the title and the names
            continue
        if _STOP.match(text) or part_of(text) in ("abstract", "introduction", "keywords"):
            break
        if names:
            same = abs(line.size - style[0]) < 0.13 * style[0] and (line.font == style[1] or line.bold == style[2])
            last = names[-1]
            open_end = bool(re.search(r"(?:,|\band|&|;|•|·)\s*\W*\d*$", last.text)) or last.x1 > last.column[
                1
            ] - 0.12 * (last.column[1] - last.column[0])
            if (
                not same
                or line.y0 - last.y1 > (2.0 if open_end else 1.1) * line.size
                or not (_share(line) > 0.55 or open_end and (_share(line) > 0.3 or _rest_of_name(last, line)))
                or _address(line, names)
            ):
                break
            names.append(line)
        elif _share(line) >= 0.6 and not _address(line, names):
            names.append(line)
            style = (line.size, line.font, line.bold)
        else:
            passed += 1
            if passed > 7:
                break
    return names


def _rest_of_name(last: Line, line: Line) -> bool:
    """`... Susan de` / `Almeida1*`: the name goes on in the next line, which holds no more than that."""
    words = [w.text for w in line.words if not w.raised]
    return (
        len(words) <= 2
        and not re.search(r"[,;&.]\W*$|\band$", last.text)
        and bool(words)
        and is_name(f"Ann {strip_marks(' '.join(words))[0]}")
    )


def _in_rows(lines: list[Line], names: list[Line]) -> list[Line]:
    """With the pieces of the same rows that a wide gap (an icon, a mark) put into a column of their own."""
    model, bottom = names[0], names[-1].y1
    mates = [
        k
        for k in lines
        if k not in names
        and abs(k.size - model.size) < 0.05 * model.size
        and k.font == model.font
        and k.role in ("", "note")
        and any(abs(k.y1 - n.y1) < 0.35 * n.size and (k.x0 >= n.x1 - 1 or k.x1 <= n.x0 + 1) for n in names)
        and k.y1 <= bottom + 2
        and _share(k) > 0.3
        and not _address(k, names)
    ]
    jumps = any(b.y1 < a.y1 - 0.5 * a.size for a, b in zip(names, names[1:], strict=False))
    if not mates and not jumps:
        return names
    return sorted([*names, *mates], key=lambda k: (round(k.y1 / (0.8 * model.size)), k.x0))


def _row_mates(lines: list[Line], names: list[Line]) -> list[Line]:
    """Names set side by side, each above its own address: all lines in their face down to the abstract."""
    model = names[0]
    stop = min((k.y0 for k in lines if _STOP.match(k.text) or part_of(k.text)), default=model.y0 + 200)
    mates = [
        k
        for k in lines
        if k in names
        or abs(k.size - model.size) < 0.05 * model.size
        and k.font == model.font
        and model.y0 - 2 <= k.y0 < stop
        and _share(k) > 0.6
        and not AFFILIATION.search(k.text)
        and k.role not in ("head", "foot")
    ]
    listed = [k for k in mates if abs(k.x0 - names[0].x0) < 2]
    if len(listed) > len(names) and all(
        _address_between(lines, a, b) for a, b in zip(listed, listed[1:], strict=False)
    ):
        return listed  # a list of names, each with its address below it
    if not any(k not in names and abs(k.y1 - model.y1) < 3 for k in mates):
        return names
    return sorted(mates, key=lambda k: (round(k.y1 / 6), k.x0))


def _address_between(lines: list[Line], name: Line, other: Line) -> bool:
    between = [k for k in lines if name.y1 - 2 < k.y0 and k.y1 < other.y0 + 2]
    return 1 <= len(between) <= 4 and not any(is_name(strip_marks(k.text)[0]) and "," in k.text for k in between)


def signature(flow: list[Line], headings) -> list[Line]:
    """The names under a letter: short lines of names right above an address or the references."""
    stop = next((h.start for h in headings if h.part == "references"), len(flow))
    block: list[Line] = []
    for line in reversed(flow[max(0, stop - 10) : stop]):
        if len(line.text) > 75 and not AFFILIATION.search(line.text):
            break
        block.insert(0, line)
    return [k for k in block if _share(k) >= 0.6 and not _address(k, []) and len(k.text) < 75][:4]


def _address(line, names) -> bool:
    first = line.words[0]
    return (
        bool(AFFILIATION.search(line.text))
        or "@" in line.text
        and not names
        or bool(names and first.raised and first.text.strip(",") == "1" and "1" in names[0].text)
    )


def _share(line: Line) -> float:
    """Share of the pieces of a line that look like names."""
    pieces = [p for p in (strip_marks(p)[0] for p in cut(line)) if p]
    if len(pieces) > 2:  # the line's first and last may be halves of names
        halves = [n for n in (0, len(pieces) - 1) if " " not in pieces[n] and is_name(f"Ann {pieces[n]}")]
        pieces = [p for n, p in enumerate(pieces) if n not in halves]
    return sum(is_name(p) for p in pieces) / len(pieces) if pieces else 0.0
