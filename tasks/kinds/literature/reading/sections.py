"""Headings: found by name, number and style; their level by number, else by the style of the headings known by name."""

import re
from collections import Counter
from dataclasses import dataclass

from .captions import LABEL
from .lines import Line
from .names import NUMBERING, bare, part_of, unspace

_TOP = {"introduction", "methods", "results", "discussion", "conclusion", "references"}
_ONE_WORD = {
    "references",
    "introduction",
    "abstract",
    "methods",
    "results",
    "discussion",
    "conclusion",
    "conclusions",
    "acknowledgements",
    "acknowledgments",
}
_END_MATTER = {
    "abbreviations",
    "funding",
    "conflicts",
    "ethics",
    "availability",
    "contributions",
    "acknowledgements",
    "supplementary",
    "declarations",
}


@dataclass(slots=True)
class Heading:
    title: str
    level: int
    page: int
    part: str  # key of names.part_of, "" when it is none of them
    start: int  # index of its first line in the flow
    end: int  # index of the first line of its text
    run_in: bool = False  # the text goes on in the same line
    style: tuple = ()


def find_headings(flow: list[Line], body: float, body_bold: bool) -> list[Heading]:
    """Headings of the flow (body lines of all pages in reading order), with levels."""
    headings: list[Heading] = []
    telling = _telling_fonts(flow, body)
    numbers: list[tuple[int, ...]] = []
    i = 0
    while i < len(flow):
        line = flow[i]
        heading = None
        if not line.role:
            before = flow[i - 1] if i else None
            after_heading = bool(headings) and headings[-1].end == i and not headings[-1].run_in
            heading = (
                _own_line(flow, i, before, body, telling, body_bold, after_heading)
                or _run_in(line, i, before, body)
                or _next_number(flow, i, body, numbers)
            )
        if heading:
            headings.append(heading)
            number = _number(heading.title)
            if number:
                numbers.append(number)
            i = max(heading.end, i + 1)
        else:
            i += 1
    return _levels(_plausible(headings, flow))


def _number(text: str) -> tuple[int, ...]:
    match = NUMBERING.match(text)
    return tuple(int(n) for n in match[1].split(".")) if match and match[1] and match[1][0].isdigit() else ()


def _next_number(flow, i, body, numbers) -> "Heading | None":
    """A short line in the face of the text that carries the next number: `2.1 Study area` after `2 Methods`."""
    line = flow[i]
    text = line.text.strip()
    number = _number(text)
    if len(number) < 2 or not numbers or len(text) > 90 or len(line.cells) > 1 or line.size < 0.9 * body:
        return None
    last = numbers[-1]
    due = {last + (1,)} | {last[: k + 1][:-1] + (last[k] + 1,) for k in range(len(last))}
    name = bare(text)
    if (
        number not in due
        or not name
        or text.endswith((",", ";", "。", "；"))
        or not (name[0].isupper() or name[0] > "\u2e80")
    ):
        return None
    if line.x1 - line.x0 > 0.85 * (line.column[1] - line.column[0]) or re.search(r"[。；]|[=<>]\s?\d", text):
        return None
    return Heading(_clean(text), len(number), line.page, part_of(text), i, i + 1, style=_style(line))


def _letters(text: str) -> int:
    """Letters, where one of a script of syllables or words counts as two."""
    count = sum(map(str.isalpha, text))
    return count if count > 2 else 2 * count if text > "\u2e80" or text[-1:] > "\u2e80" else count


def _in_capitals(text: str) -> bool:
    """Most letters are capitals, and not just those of a formula in a Chinese sentence."""
    if not text.isupper():
        return False
    cased = [c for c in text if c.isupper()]
    return len(cased) >= 5 and 2 * len(cased) > sum(map(str.isalnum, text))


def _telling_fonts(flow, body) -> set[int]:
    """Fonts that whole short lines are set in and running text is not: a heading's, where no font calls itself bold."""
    inside, alone = Counter(), Counter()
    for line in flow:
        if line.role or abs(line.size - body) > 0.25 * body:
            continue
        fonts = {w.font for w in line.words}
        short = line.x1 - line.x0 < 0.8 * (line.column[1] - line.column[0])
        for font in fonts:
            (alone if len(fonts) == 1 and short else inside)[font] += 1
    return {font for font, count in alone.items() if count >= 2 and inside[font] <= 0.5 * count}


def _amid_prose(flow, i, after_heading) -> bool:
    """A line in another face (italic words) that fills its column, or goes on from the line before or into the next."""
    line = flow[i]
    width = line.column[1] - line.column[0]
    before = flow[i - 1] if i else None
    after = flow[i + 1] if i + 1 < len(flow) else None
    if line.x1 - line.x0 > 0.9 * width:
        return True
    if (
        before is not None
        and not after_heading
        and not before.role
        and not re.search(r"[.:?!)\]]\s*$", before.text)
        and abs(before.size - line.size) < 0.03 * line.size
        and not (before.font == line.font)
    ):
        return True
    return after is not None and not after.role and after.text[:1].islower()


def _style(line: Line) -> tuple:
    letters = [c for c in line.text if c.isalpha()]
    caps = bool(letters) and sum(c.isupper() for c in letters) > 0.85 * len(letters)
    return (round(line.size * 2) / 2, line.font, line.bold, caps, line.italic)


def _own_line(flow, i, before, body, telling, body_bold, after_heading):
    line = flow[i]
    text = unspace(line.text.strip())
    if len(text) > 130 or len(line.cells) > 2:
        return None
    part = part_of(text)
    plain = (
        abs(line.size - body) < 0.05 * body and line.bold == body_bold and line.font not in telling and not line.italic
    )
    if plain and not part and not _in_capitals(text) or _letters(text) < 3 or LABEL.match(text):
        return None
    numbered = NUMBERING.match(text)
    distinct = (
        line.size > 1.08 * body and line.size < 2.6 * body,
        line.bold and not body_bold,
        line.font in telling
        and not line.size < 0.93 * body
        or line.italic
        and all(w.italic or w.raised for w in line.words),
        _in_capitals(text),
    )
    fresh = (
        before is None
        or before.region != line.region
        or before.page != line.page
        or line.y0 - before.y1 > 0.35 * line.size
        or bool(before.role)
    )
    if part and part not in ("abstract", "keywords"):
        if not (any(distinct) or fresh):
            return None
    else:
        if not any(distinct) or not (distinct[0] or distinct[1] or fresh):
            return None
        first = bare(text)[:1]
        if not (first.isupper() or first.isdigit() or ord(first or " ") > 0x2E80) or line.size < 0.84 * body:
            return None
        if (
            text.endswith((",", ";", "-"))
            and not numbered
            or "@" in text
            or re.search(r"https?:|www\.|doi:|^\W*$", text, re.I)
        ):
            return None
        if text.endswith(".") and not numbered and not line.bold or re.search(r"[。；，]", text):
            return None
        if (
            line.words[0].bold
            and not line.words[-1].bold
            or not any((distinct[0], distinct[1], distinct[3]))
            and _amid_prose(flow, i, after_heading)
        ):
            return None
        if re.match(r"^\[?\d+[\].)]?\s+[A-Z][\w'-]+ [A-Z]{1,3}[,.]", text):
            return None
    end = i + 1
    title = text
    while end < len(flow) and end - i < 3 and not part and _continues(flow[end - 1], flow[end], line):
        title = f"{title[:-1] if title.endswith('-') else title + ' '}{flow[end].text.strip()}"
        end += 1
    if end < len(flow) and not part and _continues(flow[end - 1], flow[end], line):
        return None  # four lines alike are a paragraph
    return Heading(_clean(title), 1, line.page, part, i, end, style=_style(line))


def _continues(a: Line, b: Line, first: Line) -> bool:
    return (
        not b.role
        and b.page == a.page
        and b.region == a.region
        and abs(b.size - first.size) < 0.05 * first.size
        and b.font == first.font
        and b.bold == first.bold
        and b.y0 - a.y1 < 0.45 * first.size
        and b.y1 > a.y1
        and not NUMBERING.match(b.text)
        and not part_of(b.text)
        and len(b.cells) < 2
    )


def _run_in(line, i, before, body):
    """`Funding: This work ...` with the lead in another face than the rest of its line."""
    words = line.words
    if len(words) < 3 or line.size < 0.7 * body:
        return None
    lead = 0
    while lead < len(words) and lead < 14 and words[lead].font == words[0].font and not words[lead].raised:
        lead += 1
    if lead == len(words) or lead == 0 or not (words[0].bold or words[0].italic or words[lead].font != words[0].font):
        return None
    title = _spoken(words[:lead])
    for cut in range(1, min(lead, 8) + 1):
        piece = _spoken(words[:cut])
        if part_of(piece) and (cut == lead or piece.endswith((":", "."))):
            title = piece
            break
    part = part_of(title)
    numbered = re.match(r"^\d{1,2}(\.\d{1,2}){1,3}\.?\s", line.text)
    stopped = title.endswith((".", ":")) and len(title) > 6
    lead_bold = (
        words[0].bold and not words[lead].bold and words[lead].text[:1].isupper() and stopped and line.size > 0.9 * body
    )
    if part in ("abstract", "keywords") or not part and not (numbered and stopped or lead_bold):
        return None
    if not numbered and not title.endswith((":", ".", "—", "–")) and not words[0].bold and not line.cells:
        return None
    if (
        before is not None
        and before.region == line.region
        and not before.text.rstrip().endswith((".", ":", "]", ")", "?"))
        and line.y0 - before.y1 < 0.3 * line.size
    ):
        return None
    return Heading(
        _clean(title),
        2,
        line.page,
        part,
        i,
        i,
        True,
        (round(line.size * 2) / 2, -1, words[0].bold, False, words[0].italic),
    )


def _spoken(words) -> str:
    return "".join(w.text if w.glue else " " + w.text for w in words).strip()


def _clean(title: str) -> str:
    title = re.sub(r"\s+", " ", title).strip(" :■•►|").rstrip(".")
    whole = title.replace(" ", "")
    return whole if " " in title and whole.lower() in _ONE_WORD else title  # a space that kerning made


def _plausible(headings, flow):
    """A heading is followed by text; the same words over and over are a running head that was missed."""
    often = Counter(h.title.lower() for h in headings)
    return [h for h in headings if often[h.title.lower()] < 3 and (h.run_in or h.end < len(flow) or h.part)]


def _levels(headings: list[Heading]) -> list[Heading]:
    named = [h for h in headings if h.part in _TOP and not h.run_in]
    top = Counter(h.style for h in named).most_common()
    tops = {style for style, count in top if count >= 2} or {style for style, _ in top}
    order = sorted({h.style for h in headings if not h.run_in}, key=lambda s: (-s[0], not s[2], not s[3]))
    rank = {}
    for style in order:
        if style not in tops and not any(style[0] > t[0] + 0.4 and style[2] >= t[2] for t in tops):
            rank[style] = 2 + sum(1 for s in rank)
    numbered = sum(bool(re.match(r"^\d{1,2}\.?\s", h.title)) for h in headings if h.part in _TOP) >= 2
    for h in headings:
        number = NUMBERING.match(h.title)
        if numbered and number and number[1] and number[1][0].isdigit():
            h.level = 1 + number[1].count(".")
        elif h.part in _END_MATTER or h.part in _TOP and not h.run_in:
            h.level = 1 if not h.run_in else 2
        elif not h.run_in:
            h.level = 1 if not tops else min(rank.get(h.style, 1), 3)
    return headings
