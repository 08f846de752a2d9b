"""The lines of a reference list, split into entries.

Houses mark where an entry begins in different ways: a number, a label in brackets, a hanging indent, an indented first
line, a gap, or nothing but the look of a name. Each way gives a candidate; the candidate whose entries look most like
references wins. One rule alone fails on the next house: the second line of an entry may begin like a name, and the
first line of a column may be the middle of an entry.
"""

import re
import statistics
from collections import Counter

from .lines import Line
from .text import Spelling

NUMBER = re.compile(r"^\s*[\[(]?(\d{1,3})(?:[\]).:]+\s*|\s+)(?=[^\s\d.,;:)\]])")
YEAR = re.compile(r"(?<![\d.])(?:1[5-9]\d\d|20\d\d)(?!\d)")
_LABEL = re.compile(r"^\[(?:[^\W\d_][\w+*’' .&,-]{0,60}?\d{2,4}[a-z]?|[A-Z][A-Za-z+]{1,9})\](?=\s|$)")
_NUMBERED = re.compile(r"^\s*\[?\d+[\].]")
_UPPER, _WORD = "[^\\W\\d_a-zß-öø-ÿа-яё]", "[\\w’'ʼ`´-]"
_PARTICLE = (
    r"(?:(?:[Vv]an|[Vv]on|[Dd]e[rnl]?|[Dd]ella|[Dd][aio]s?|[Dd]u|[Ll][ae]|[Aa]l|[Ee]l|[Tt]en|[Tt]er|[Zz]u|bin|ibn)[ -])"
)
_FAMILY = rf"{_PARTICLE}{{0,3}}(?:[dlDLO]['’])?{_UPPER}{_WORD}{{1,30}}"
#: How the names at the head of an entry are written; every pattern is anchored and bounded, hence linear.
_NAMES = re.compile(
    rf"(?:{_FAMILY}(?: (?:{_FAMILY}|[e&y])){{0,3}},? (?:{_UPPER}\.[ -]?){{1,4}}"  # Family, A. B.  Family A.
    rf"|{_FAMILY}(?: {_FAMILY})?,? {_UPPER}{{1,3}}(?=[,.;:]|\s\(?\d)"  # Family AB,
    rf"|(?:{_UPPER}{_WORD}?\.[ -]?){{1,4}}{_FAMILY}"  # A. B. Family
    rf"|{_FAMILY}(?: {_FAMILY}){{0,2}}, {_UPPER}{_WORD}{{1,30}}"  # Family, Given
    rf"|{_UPPER}{_WORD}{{1,30}}(?: {_UPPER}\.?){{0,3}}(?: {_FAMILY}){{1,2}}"  # Ada M. Family, ...
    r"(?:,| and | & |[.:;]\s|\s\()"
    r"|[_—–―-]{2,}[.,]?\s"  # the same author again
    rf"|{_UPPER}{{4,}}[\s,.]"  # AN ORGANISATION, or a name in capitals
    r"|[\u3040-\u30ff\u4e00-\u9fff]{2,4}(?:[,，、．.；;：:\s]))"
)
_GOES_ON = re.compile(
    r"(?:in|in:|proceedings|proc\.?|journal|conference|international|university|press|available|retrieved|springer|ieee|"
    r"acm|elsevier|wiley|pages?|pp?\.|vol\.?|volume|no\.|eds?\.?|editors?|doi|https?|www|"
    r"january|february|march|april|may|june|"
    r"july|august|september|october|november|december|transactions|and|&|of|the|for|on|technical report|"
    r"workshop|symposium|"
    r"annual meeting|association|computational|cambridge|new york|berlin|в|с\.|и|//)(?![\w’'])",
    re.I,
)
_BREAKS_OFF = re.compile(
    r"(?:[-,:;&(/]|\b(?:and|of|the|in|for|on|et|y|e|und|de|da|do|in:|и|в)|\b[Vv]ol\.|\bpp?\.|\bno\.|\b[Ii]n:?)$"
)
_CLOSES = re.compile(r"(?:[.!?)\]”\"»>。．]|\d|/\S*|\bURL\b|\w\.(?:html?|pdf|org|com))$")
_SHORTEST, _LONG = 22, 900


def split_references(lines: list[Line], spelling: Spelling) -> list[str]:
    """Entries of a reference list in order, numbers taken off."""
    groups = entries_of(lines)
    texts = [spelling.text(group) for group in groups]
    return [t for t in (NUMBER.sub("", t).strip() for t in texts) if sum(c.isalpha() for c in t) > 8]


def entries_of(lines: list[Line]) -> list[list[Line]]:
    """The lines of each entry; what follows the last one, and is none, is left out."""
    lines = _clean(lines)
    if not lines:
        return []
    groups = _by_label(lines) or _by_number(lines)
    if groups is None:
        bare = _without_margin(lines)
        found = [(trust, make(bare)) for make, trust in _WAYS]
        groups = _best([(trust, one) for trust, one in found if one])
    return _ended([_cut_long(group, groups) for group in groups])


def begins(text: str) -> bool:
    """Whether a text begins as an entry does: with a name, an organisation, a quotation; not in mid sentence."""
    text = NUMBER.sub("", text).lstrip("“\"«‘'[(*† ")
    return bool(text) and not _GOES_ON.match(text) and (bool(_NAMES.match(text)) or _opens(text))


def _opens(text: str) -> bool:
    return text[0].isupper() or text[0] > "\u2e80" or bool(re.match(rf"{_PARTICLE}{_UPPER}", text))


def named(text: str) -> bool:
    return bool(_NAMES.match(text)) and not _GOES_ON.match(text)


def ends(text: str) -> bool:
    """Whether a text ends as an entry does, and does not break off."""
    text = text.rstrip()
    return bool(_CLOSES.search(text[-40:])) and not _BREAKS_OFF.search(text[-12:])


def _clean(lines: list[Line]) -> list[Line]:
    """Without specks: a character of a logo or a mark in the margin."""
    lines = [k for k in lines if k.text.strip()]
    if not lines:
        return []
    size = statistics.median(k.size for k in lines)
    return [k for k in lines if not (len(k.text) < 4 and k.size < 0.7 * size)]


def _without_margin(lines: list[Line]) -> list[Line]:
    """A page number in the margin may share the baseline of an entry's line; it is taken off there."""
    usual = Counter(round(k.x0) for k in lines)
    out = []
    for k in lines:
        first = k.words[0]
        alone = len(k.words) > 1 and re.fullmatch(r"\d{1,4}", first.text) and k.words[1].x0 - first.x1 > 1.2 * k.size
        if alone and usual[round(k.x0)] <= 2 and usual[round(k.words[1].x0)] > 2:
            rest = Line(k.page, k.words[1:]).settle()
            rest.column, rest.region, rest.role = k.column, k.region, k.role
            k = rest
        out.append(k)
    return out


# -- ways to split -----------------------------------------------------------------------------------------------------


def _by_label(lines):
    """ "[BHS13] Berg, ..." and "[Berg and Lund, 2013] ..." begin entries."""
    starts = [bool(_LABEL.match(k.text)) for k in lines]
    if sum(starts) < 3 or not any(starts[:3]):
        return None
    return _grouped(lines, starts)


def _by_number(lines):
    groups, expected, stray = [], 1, 0
    for line in lines:
        match = NUMBER.match(line.text) or re.match(r"^\s*[\[(]?(\d{1,3})[\]).]+\s*$", line.text)
        number = int(match[1]) if match else -1
        if number == expected or (groups and expected < number <= expected + 2 and _NUMBERED.match(line.text)):
            groups.append([line])
            expected = number + 1
        elif groups:
            groups[-1].append(line)
        else:
            stray += 1
    if len(groups) < 2 and not (groups and stray == 0):
        return None
    if stray > 3:
        return None
    longest = max(sum(len(k.text) for k in g) for g in groups[:-1] or groups)
    return groups if longest < 2500 or len(groups) > 8 else None


def _offsets(lines):
    """How far each line stands right of the edge of its column, in points; None where the list has one edge only.

    A column may hold the rest of one entry and nothing else: then its only edge is the indent of the others.
    """
    size = statistics.median(k.size for k in lines)
    regions: dict[tuple[int, int], list[Line]] = {}
    for k in lines:
        regions.setdefault((k.page, k.region), []).append(k)
    edges = {key: _edge([k.x0 for k in group], size) for key, group in regions.items()}
    inside = Counter(
        round(o) for key, group in regions.items() for k in group if 0.4 * size < (o := k.x0 - edges[key]) < 6 * size
    )
    if not inside:
        return None, size
    indent = inside.most_common(1)[0][0]
    full = [edge for key, edge in edges.items() if any(k.x0 - edge > 0.4 * size for k in regions[key])]
    for key, edge in edges.items():
        shifted = any(abs(edge - indent - other) < 0.35 * size for other in full)
        if edge not in full and shifted and not any(abs(edge - other) < 0.35 * size for other in full):
            edges[key] = edge - indent
    return [k.x0 - edges[k.page, k.region] for k in lines], size


def _edge(places: list[float], size: float) -> float:
    """The leftmost place at which more than a stray line begins."""
    enough = 1 if len(places) < 8 else max(2, 0.05 * len(places))
    return next(
        (x for x in sorted(places) if sum(abs(x - other) < 0.35 * size for other in places) >= enough), min(places)
    )


def _by_hang(lines):
    offsets, size = _offsets(lines)
    if offsets is None or not 0.15 * len(lines) <= sum(o > 0.4 * size for o in offsets) <= 0.95 * len(lines):
        return None
    return _grouped(lines, [abs(o) <= 0.4 * size for o in offsets])


def _by_first_line(lines):
    offsets, size = _offsets(lines)
    if offsets is None or not 0.05 * len(lines) <= sum(o > 0.4 * size for o in offsets) <= 0.7 * len(lines):
        return None
    return _grouped(lines, [0.4 * size < o < 6 * size for o in offsets])


def _by_gap(lines):
    pairs = list(zip(lines, lines[1:], strict=False))
    gaps = [b.y0 - a.y1 for a, b in pairs if b.region == a.region and b.page == a.page and b.y0 > a.y0]
    if not gaps:
        return None
    usual, size = statistics.median(gaps), statistics.median(k.size for k in lines)
    wide = [
        b.y0 - a.y1 > usual + 0.2 * size
        if (b.region, b.page) == (a.region, a.page) and b.y0 > a.y0
        else ends(a.text) and begins(b.text)
        for a, b in pairs
    ]
    return _grouped(lines, [True, *wide]) if sum(wide) > 0.05 * len(lines) else None


def _by_name(lines):
    pairs = zip(lines, lines[1:], strict=False)
    return _grouped(lines, [True, *(named(b.text) and ends(a.text) for a, b in pairs)])


def _by_name_after_short_line(lines):
    """An entry begins with a name, or with a capital below a last line that leaves room."""
    right: dict[tuple[int, int], float] = {}
    for k in lines:
        right[k.page, k.region] = max(right.get((k.page, k.region), 0.0), k.x1)
    starts = [True]
    for a, b in zip(lines, lines[1:], strict=False):
        room = right[a.page, a.region] - a.x1 > 2.5 * a.size
        starts.append(ends(a.text) and (begins(b.text) if room else named(b.text) and YEAR.search(a.text) is not None))
    return _grouped(lines, starts)


#: (way, how much it is trusted beyond the quality of its entries)
_WAYS = ((_by_hang, 0.1), (_by_first_line, 0.05), (_by_gap, 0.08), (_by_name, 0.0), (_by_name_after_short_line, 0.0))


def _grouped(lines, starts):
    groups = []
    for line, start in zip(lines, starts, strict=True):
        if start or not groups:
            groups.append([line])
        else:
            groups[-1].append(line)
    return groups


# -- which way is right ------------------------------------------------------------------------------------------------


def _best(candidates):
    """The candidate of the highest quality; of nearly equal ones the one with more entries.

    Layout is trusted more than looks: an entry that ends without a full stop is missed by looks alone.
    """
    rated = [(quality(groups) + trust, len(groups), n) for n, (trust, groups) in enumerate(candidates)]
    most = max(quality for quality, _, _ in rated)
    _, first = max((count, -n) for quality, count, n in rated if quality >= most - 0.03)
    return candidates[-first][1]


def quality(groups) -> float:
    """The share of characters that stand in entries which begin and end well and have a year, less what was missed."""
    texts = [" ".join(k.text for k in group) for group in groups]
    usual = statistics.median(map(len, texts))
    good = sum(
        len(t) * (1.0 if ends(t) else 0.7)
        for t in texts
        if begins(t) and YEAR.search(t) and _SHORTEST < len(t) < max(_LONG, 5 * usual)
    )
    missed = sum(_missed(group) for group in groups)
    return good / max(1, sum(map(len, texts))) - 0.5 * min(1.0, missed / len(groups))


def _missed(group) -> int:
    """Lines inside an entry that look like the beginning of another, below one that ends early."""
    edge = max(k.x1 for k in group)
    return sum(
        named(b.text) and ends(a.text) and edge - a.x1 > 3 * a.size and bool(YEAR.search(a.text))
        for a, b in zip(group, group[1:], strict=False)
    )


# -- where the list ends -----------------------------------------------------------------------------------------------


def _cut_long(group, groups):
    """An entry that runs on (into an appendix, a table, the house's notice) is cut where it ends like one."""
    lengths = [sum(len(k.text) + 1 for k in g) for g in groups]
    most = max(_LONG, 4 * statistics.median(lengths))
    if sum(len(k.text) + 1 for k in group) <= most:
        return group
    size, length, cut = group[0].size, 0, len(group)
    for n, (a, b) in enumerate(zip(group, group[1:], strict=False), 1):
        length += len(a.text) + 1
        apart = (
            abs(b.size - size) > 0.08 * size
            or b.bold
            and not group[0].bold
            or b.y0 - a.y1 > 0.9 * size
            or (b.page, b.region) != (a.page, a.region)
        )
        if ends(a.text) and length > 40 and (apart or length > 120 and YEAR.search(a.text)):
            cut = n
            break
    return group[:cut]


def _ended(groups):
    """Without a tail of paragraphs that are no references; everything, when hardly anything is one."""
    total, most, stop = 0, 0, 0
    for n, group in enumerate(groups, 1):
        text = " ".join(k.text for k in group)
        looks = begins(text) and (
            bool(YEAR.search(text)) or len(text) < 400 and (named(NUMBER.sub("", text)) or "http" in text)
        )
        total += 1 if looks else -1
        if total >= most:
            most, stop = total, n
    while stop < len(groups) and len(groups) - stop <= 2 and sum(len(k.text) for k in groups[stop]) < 300:
        stop += 1  # one or two that are only unlike the others
    return groups[:stop] if most > 0 else []
