"""Finds the names under a title, whatever stands between and beside them, in the order in which they are read.

Below the title the page is cut into segments: pieces of a printed line with no wide gap in them. Each gets a role
(names, an address, mail, a label, prose, ...) from named predicates. The first segment of names gives the face of the
byline; later ones are taken in that face, row by row, until the abstract, the first heading or prose begins. An
address that looks like a name is told by where it stands: right below another line of its block.
"""

import re
from dataclasses import dataclass, field

from .affiliations import AFFILIATION
from .authors import MARKS, cut, marked_text, names_in, strip_marks
from .families import PARTICLES
from .lines import Line
from .names import part_of
from .persons import has_no_person, is_degree, is_name
from .text import squash

_STOP = re.compile(
    r"^\W*(?:abstract|summary|résumé|resumo|resumen|zusammenfassung|аннотация|реферат|摘\s?要|内容提要|要旨|概要|"
    r"background|introduction|keywords?|key words|index terms|ключевые слова|关键词|"
    r"categories and subject|ccs concepts|"
    r"contents|table of contents|目录)(?:\W|$)",
    re.I,
)
_LABEL = re.compile(
    r"^\W*(?:received|accepted|published|correspond|address|e-?mail|doi\b|edited by|reviewed by|academic editor|"
    r"copyright|©|https?:|www|article (?:info|history)|citation|how to cite|to cite|please cite|editor|open access|"
    r"available|submitted|the authors?\b|check for|updates$|revised|author note|running head|draft|version|"
    r"научный руководитель|指\s*导|supervis|advis[oe]r|betreuer|orientador|director\b|examiner|tutor)",
    re.I,
)
_SIDE = re.compile(
    r"^\W*(?:received|revised|accepted|published(?: online)?|available online|check for\b|updates$|open access)\b"
    r".{0,40}$",
    re.I,
)
_INTRODUCED = re.compile(
    r"^\W*(?:by|von|par|por|author(?:s|\(s\))?|автор(?:ы)?|выполнил[аи]?|vorgelegt von|presented by|submitted by|"
    r"written by|作\s*者|姓\s*名|学生姓名|autor(?:es|en)?|著\s*者)\s*[:：]?\s+(?=\S)",
    re.I,
)
_JOIN = re.compile(r"^\W*(?:and|by|und|y|e|et|and by|и|with|von|par|por|&)\W*$", re.I)
_ONLY_MARKS = re.compile(rf"^(?:[\s\d,;.{re.escape(MARKS)}€´`¨˜ˇ]|\b[a-z]\b)+$")
_OPEN = re.compile(r"(?:,|\band|&|;|•|·)\s*\W*\d*$")


@dataclass
class Byline:
    """`units`: marked texts for parse_authors; `lines`: the printed lines they stand in; `after`: what is not names.

    `doubts`: names of reasons why the list may not be whole.
    """

    units: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    after: list[Line] = field(default_factory=list)
    doubts: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Segment:
    """A piece of a printed line and what it is."""

    line: Line  # the piece itself
    home: Line  # the printed line
    row: int = 0
    role: str = ""

    @property
    def text(self) -> str:
        return marked_text(self.line.words)

    @property
    def plain(self) -> str:
        return self.line.text.strip()


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


def find_byline(lines: list[Line], title_lines: list[Line]) -> Byline:
    """The byline below the title, else the one right above it; empty when there is neither."""
    if not title_lines:
        return Byline()
    below = _below(lines, title_lines)
    segments = _segments(_before_stop(below))
    chosen, doubts = _choose(segments)
    if not chosen:
        above = _above(lines, title_lines)
        chosen, doubts = [Segment(k, k, n, "names") for n, k in enumerate(above)], set()
    homes = {id(s.home) for s in chosen}
    units = _units(chosen)
    printed = [k for k in lines if id(k) in homes]
    ids = {id(k) for k in below}
    start = next((n for n, k in enumerate(lines) if id(k) in homes), 0) if chosen else 0
    if not chosen:
        start = max(n for n, k in enumerate(lines) if k in title_lines) + 1
    last_title = max((n for n, k in enumerate(lines) if any(k is t for t in title_lines)), default=0)
    start = max(start, last_title + 1)
    after = [k for k in lines[start:] if id(k) not in homes or _carries_more(k, chosen)]
    return Byline(units, printed, after, doubts if ids else set())


def _carries_more(line: Line, chosen: list[Segment]) -> bool:
    """Not only names: an address or a mail stands in the same printed line."""
    mine = [s for s in chosen if s.home is line]
    return any(s.role == "named" for s in mine) or sum(len(s.line.words) for s in mine) < len(line.words)


def _below(lines: list[Line], title_lines: list[Line]) -> list[Line]:
    """Lines of the front page that begin below the title and do not stand left of its measure."""
    bottom, left = max(k.y1 for k in title_lines), min(k.x0 for k in title_lines)
    right = max(k.x1 for k in title_lines)
    edge = max(k.x1 for k in lines)
    centred = abs((left - min(k.x0 for k in lines)) - (edge - right)) < 0.12 * (edge - min(k.x0 for k in lines))
    return [
        k
        for k in lines
        if k.y0 > bottom - 2
        and k.role not in ("head", "foot")
        and not any(k is t for t in title_lines)
        and (centred or k.x1 > left + 2)
    ]


def _before_stop(lines: list[Line]) -> list[Line]:
    """The lines above the first one that opens the abstract, the keywords or the text."""
    opening = ("abstract", "introduction", "keywords", "references", "methods")
    stop = min((k.y0 for k in lines if _STOP.match(k.text) or part_of(k.text) in opening), default=1e9)
    return [k for k in lines if k.y0 < stop - 2][:70]


def _segments(lines: list[Line]) -> list[Segment]:
    """The lines cut at wide gaps, with rows and roles, from top to bottom and left to right."""
    pieces = [Segment(piece, line) for line in lines for piece in _cut_at_gaps(line)]
    pieces.sort(key=lambda s: (s.line.y1, s.line.x0))
    row, base = -1, -1e9
    for piece in pieces:
        if _ONLY_MARKS.match(piece.plain):
            piece.row = max(row, 0)
            continue
        if piece.line.y1 - base > 0.45 * piece.line.size:
            row, base = row + 1, piece.line.y1
        piece.row = row
    pieces.sort(key=lambda s: (s.row, s.line.x0))
    for before, piece in zip(pieces, pieces[1:], strict=False):
        if before.row == piece.row and _LABEL.match(before.plain) and before.plain.rstrip().endswith((":", "：")):
            piece.role = "label"
    said = [squash(s.plain) for s in pieces]
    for piece in pieces:
        piece.role = piece.role or _role(piece)
        if piece.role == "names" and said.count(squash(piece.plain)) > 1:
            piece.role = "place"  # two authors of one house; hardly two of one name
    return pieces


def _cut_at_gaps(line: Line) -> list[Line]:
    """Pieces of a line parted by gaps much wider than its spaces, where both sides can stand alone."""
    words = line.words
    gaps = [b.x0 - a.x1 for a, b in zip(words, words[1:], strict=False)]
    spaces = sorted(g for g, w in zip(gaps, words[1:], strict=True) if not w.glue and not w.raised and g > 0)
    usual = spaces[len(spaces) // 4] if spaces else 0.0
    runs, run = [], [words[0]]
    for gap, word in zip(gaps, words[1:], strict=True):
        if not word.glue and not word.raised and gap > max(0.5 * line.size, 1.9 * usual):
            runs.append(run)
            run = [word]
        else:
            run.append(word)
    runs.append(run)
    if len(runs) == 1:
        return [line]
    whole: list[list] = []
    for run in runs:
        near = whole and run[0].x0 - whole[-1][-1].x1 < 2.2 * line.size
        if near and (_fraction(run) or _fraction(whole[-1])):
            whole[-1] = whole[-1] + run
        else:
            whole.append(run)
    if len(whole) == 1:
        return [line]
    out = []
    for run in whole:
        piece = Line(line.page, run).settle()
        piece.column, piece.region, piece.role = line.column, line.region, line.role
        out.append(piece)
    return out


def _fraction(words) -> bool:
    """Less than a name: one word, marks, accents, or a list that goes on."""
    text = marked_text(words)
    letters = [w.text for w in words if not w.raised and any(c.isalpha() for c in w.text)]
    short = len(letters) < 2 and "@" not in text
    return short or bool(_OPEN.search(text)) or bool(re.match(r"\W*(?:and|&|,|·)\W", text))


def _role(segment: Segment) -> str:
    text, plain = segment.text, segment.plain
    if not plain or _ONLY_MARKS.match(plain):
        return "marks"
    if _JOIN.match(plain):
        return "join"
    if _LABEL.match(plain):
        return "label"
    if is_prose(plain):
        return "prose"
    introduced = _INTRODUCED.match(plain)
    if introduced and is_name(strip_marks(cut(plain[introduced.end() :])[0])[0]):
        return "introduced"
    if "@" in plain and not _leading_names(text):
        return "mail"
    if _address(segment.line):
        return "named" if _leading_names(text) else "place"
    share = name_share(text)
    if share >= 0.6:
        return "names"
    if _leading_names(text) and (share < 0.6):
        return "named"
    return "place" if has_no_person(plain) else "other"


def is_prose(text: str) -> bool:
    """Running text: long, and most of its words begin small."""
    words = [w for w in text.split() if w[:1].isalpha()]
    small = sum(w[0].islower() and len(w) > 1 for w in words)
    eastern = len(re.findall("[\u4e00-\u9fff]", text)) > 28
    return eastern or len(text) > 45 and len(words) >= 6 and small > 0.6 * len(words)


def _address(line: Line) -> bool:
    return bool(AFFILIATION.search(line.text)) or "@" in line.text or bool(re.search(r"\d{4,}", line.text))


def _leading_names(text: str) -> list[str]:
    """Pieces at the head of a segment that are names, before what describes them (`Ana Ruiz, University of ...`)."""
    taken = []
    for piece in cut(text):
        name = strip_marks(piece)[0]
        if not name or not is_name(name):
            break
        taken.append(piece)
    return taken if taken and not is_degree(strip_marks(taken[0])[0]) else []


def name_share(text: str) -> float:
    """Share of the pieces of a text that look like names; its first and last may be halves of names."""
    pieces = names_in(text)
    if len(pieces) > 2:
        halves = [n for n in (0, len(pieces) - 1) if " " not in pieces[n] and is_name(f"Ann {pieces[n]}")]
        pieces = [p for n, p in enumerate(pieces) if n not in halves]
    return sum(is_name(p) for p in pieces) / len(pieces) if pieces else 0.0


def _choose(segments: list[Segment]) -> tuple[list[Segment], set[str]]:
    """(segments with names, doubts)."""
    taken: list[Segment] = []
    doubts: set[str] = set()
    passed = prose = 0
    for n, segment in enumerate(segments):
        if segment.role == "prose":
            prose += 1
            if prose >= 2 and (taken or passed > 3):
                break
            continue
        if segment.role == "introduced":
            if not taken:
                taken.append(segment)
            continue
        if segment.role not in ("names", "named"):
            if not taken:
                passed += segment.role in ("other", "place")
                if passed > 7:
                    break
            elif segment.role in ("other", "place") and _continues_list(taken[-1], segment):
                taken.append(segment)
            continue
        if not taken:
            taken.append(segment)
        elif _same_face(taken[0], segment) and _caps_agree(taken[0], segment):
            if _in_place_of_name(segments, n, taken):
                taken.append(segment)
            elif segment.role == "names":
                doubts.add("names_passed")
        elif segment.role == "names" and not _same_face(taken[0], segment):
            doubts.add("other_face")
    return taken, doubts


def _continues_list(last: Segment, segment: Segment) -> bool:
    """A list that is open at its end goes on in the next row with the rest of a name or a few more."""
    if not 0 < segment.row - last.row <= 1 or not _same_face(last, segment) or _address(segment.line):
        return False
    words = [w.text for w in segment.line.words if not w.raised]
    rest = len(words) <= 2 and bool(words) and is_name(f"Ann {strip_marks(' '.join(words))[0]}")
    if _OPEN.search(last.plain):
        return rest or name_share(segment.text) > 0.3 or _rest_and_more(segment.text)
    if _ends_in_half_name(last.plain) and (rest or _rest_and_more(segment.text)):
        return True
    if "," in last.plain and last.line.x1 > segment.line.x1 and rest and not re.search(r"[&.]\W*$", last.plain):
        return True
    return "," in last.plain and last.line.x1 > segment.line.x0 + 200 and _rest_and_more(segment.text)


def _rest_and_more(text: str) -> bool:
    """`Farzaei, Roja Rahimi`: the end of a name, then whole ones."""
    pieces = names_in(text)
    if len(pieces) < 2 or " " in pieces[0] or not is_name(f"Ann {pieces[0]}"):
        return False
    return all(map(is_name, pieces[1:-1] or pieces[1:]))


def _ends_in_half_name(text: str) -> bool:
    """`... Susan de`, `... Mary E.`"""
    last = text.split()[-1].lower()
    return last.rstrip(".") in PARTICLES or bool(re.fullmatch(r"[^\W\d_]\.", last))


def _same_face(model: Segment, segment: Segment) -> bool:
    a, b = model.line, segment.line
    return abs(a.size - b.size) < 0.13 * a.size and (a.font == b.font or a.bold == b.bold and a.italic == b.italic)


def _caps_agree(model: Segment, segment: Segment) -> bool:
    """A byline in capitals goes on in capitals."""
    letters = re.sub(r"[^\w]|\d", "", model.plain)
    return not (letters.isupper() and len(letters) > 5) or re.sub(r"[^\w]|\d", "", segment.plain).isupper()


def _in_place_of_name(segments: list[Segment], n: int, taken: list[Segment]) -> bool:
    """Beside or below other names, or at the head of a block: not in the place where a block has its address."""
    segment = segments[n]
    above = _nearest_above(segments[:n], segment)
    if above is None or above.role in ("mail", "join", "marks", "label", "introduced"):
        return True
    gap = segment.line.y0 - above.line.y1
    if any(above is t for t in taken):
        return gap < 1.6 * segment.line.size and (segment.role == "names" or _listed(taken, segment))
    if gap > 0.55 * segment.line.size:
        return True
    model, other = taken[0].line, above.line
    if abs(model.size - other.size) > 0.05 * model.size or model.font != other.font or model.bold != other.bold:
        return True
    return _in_turn(segments, n, above, taken)


def _in_turn(segments: list[Segment], n: int, above: Segment, taken: list[Segment]) -> bool:
    """Name, address, name, address, a line each."""
    over = _nearest_above(segments[:n], above)
    below = next((s for s in segments[n + 1 :] if s.row > segments[n].row and s.line.x0 < segments[n].line.x1), None)
    named = over is not None and any(over is t for t in taken)
    return above.role == "place" and named and below is not None and below.role in ("place", "mail", "label")


def _listed(taken: list[Segment], segment: Segment) -> bool:
    """Names with a description, one below the other."""
    return taken[-1].role == "named" or len(_leading_names(segment.text)) > 0


def _nearest_above(before: list[Segment], segment: Segment) -> Segment | None:
    for other in reversed(before):
        if other.row < segment.row and other.line.x0 < segment.line.x1 and other.line.x1 > segment.line.x0:
            return other
    return None


def _units(chosen: list[Segment]) -> list[str]:
    """Marked texts, one for each run of segments that are one list."""
    units: list[str] = []
    last: Segment | None = None
    for segment in chosen:
        text = segment.text
        if segment.role == "named":
            text = ", ".join(_leading_names(text))
        elif segment.role == "introduced":
            text = segment.plain[_INTRODUCED.match(segment.plain).end() :]
        if units and last is not None and _runs_on(last, segment):
            units[-1] += " " + text
        else:
            units.append(text)
        last = segment
    return units


def _runs_on(last: Segment, segment: Segment) -> bool:
    """The second segment goes on with the list, or in the middle of a name, where the first ended."""
    if "named" in (last.role, segment.role) or last.role == "introduced":
        return False
    if segment.role in ("other", "place") or _OPEN.search(last.plain):
        return True
    if re.match(r"\W*(?:and\b|&|,|·|;|•)", segment.plain):
        return True
    if last.row == segment.row or segment.row > last.row + 1:
        return False
    first, second = names_in(last.text), names_in(segment.text)
    if not first or not second:
        return True
    if " " not in second[0] or " " not in first[-1]:
        return not re.search(r"[\u4e00-\u9fff]", first[-1])
    lists = "," in last.plain or ";" in last.plain or any(w.raised for w in last.line.words)
    return lists and last.text.rstrip()[-1:] != "\ue002" and len(first) > 1


def _above(lines: list[Line], title_lines: list[Line]) -> list[Line]:
    """Names set over the title, as some houses do: one block that ends right above it."""
    top, size = title_lines[0].y0, title_lines[0].size
    block = [k for k in lines if k.y1 <= top + 3 and k.role not in ("head", "foot") and k.y1 > top - 5 * size]
    names = [
        k
        for k in block
        if name_share(marked_text(k.words)) >= 0.6
        and not _address(k)
        and not _LABEL.match(k.text)
        and not re.search(r"\b(?:19|20)\d\d\b", k.text)
    ]
    found = [n for k in names for n in names_in(marked_text(k.words)) if is_name(n)]
    sure = len(found) >= 2 or found and any(re.search(r"\b[^\W\d_]\.", n) for n in found)
    return names if sure and names[-1].y1 > top - 2 * size else []


def signature(flow: list[Line], headings) -> list[Line]:
    """The names under a letter: short lines of names right above an address or the references."""
    stop = next((h.start for h in headings if h.part == "references"), len(flow))
    block: list[Line] = []
    for line in reversed(flow[max(0, stop - 10) : stop]):
        if len(line.text) > 75 and not AFFILIATION.search(line.text):
            break
        block.insert(0, line)
    return [k for k in block if name_share(marked_text(k.words)) >= 0.6 and not _address(k) and len(k.text) < 75][:4]
