"""The reference list: split into entries, each parsed into authors, title, journal, year and DOI."""

import re
import statistics

from .lines import Line
from .text import Spelling

_NUMBER = re.compile(r"^\s*[\[(]?(\d{1,3})(?:[\]).:]+\s*|\s+)(?=[^\s\d.,;:)\]])")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"“”]+", re.I)
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)[a-z]?\b")
_FIRST = re.compile(r"^\s*[\[(]?1[\]).]*\s+(?:[a-z]\) )?[A-ZÀ-Þ]")
_AUTHOR_START = re.compile(
    r"^[A-ZÀ-Þ][\w’'`-]+(?: [A-ZÀ-Þ][\w’'-]+)?,? (?:[A-Z]\.?[ -]?){1,4}\b|^[A-ZÀ-Þ][\w’'-]+, [A-Z]"
)


AFTER_LIST = re.compile(
    r"^\W*(?:copyright\b|© ?(?:the )?\w+|publisher[’']s note|open access\b|submit your|publish with|ready to "
    r"submit|how to cite this|cite this article|this (?:article|work) is (?:licensed|distributed)|publish your work|"
    r"dovepress$|"
    r"[A-Z][\w ]+ is an international,? (?:peer|open))",
    re.I,
)
_BARE_NUMBER = re.compile(r"^[\[(]?\d{1,3}[\]).]*$")


def with_numbers(lines: list[Line]) -> list[Line]:
    """Lines whose number stands in a column of its own get it back."""
    alone = [k for k in lines if _BARE_NUMBER.match(k.text)]
    if len(alone) < 3:
        return lines
    gone = set()
    for number in alone:
        mates = [
            k
            for k in lines
            if k.page == number.page
            and abs((k.y0 + k.y1) - (number.y0 + number.y1)) < k.size
            and 0 < k.x0 - number.x1 < 4 * k.size
            and not _BARE_NUMBER.match(k.text)
        ]
        if mates:
            nearest = min(mates, key=lambda k: k.x0)
            nearest.text = f"{number.text.rstrip('.')}. {nearest.text}"
            gone.add(id(number))
    return [k for k in lines if id(k) not in gone] if len(gone) > 0.6 * len(alone) else lines


def unheaded_list(flow: list[Line]) -> int | None:
    """Where a numbered list of references begins that has no heading: in the last third, five entries or more."""
    for start in range(int(0.5 * len(flow)), len(flow)):
        if flow[start].role not in ("", "note") or not _FIRST.match(flow[start].text):
            continue
        groups = _by_number([k for k in flow[start:] if k.role in ("", "note") and not AFTER_LIST.match(k.text)])
        if groups and len(groups) >= 5:
            texts = [" ".join(k.text for k in g) for g in groups]
            if sum(bool(_YEAR.search(t)) for t in texts) > 0.8 * len(texts):
                return start
    return None


def split_references(lines: list[Line], spelling: Spelling) -> list[str]:
    """Entries of a reference list in order, numbers taken off."""
    lines = [k for k in lines if k.text.strip()]
    if not lines:
        return []
    groups = _by_number(lines) or _by_indent(lines) or _by_gap(lines)
    texts = [spelling.text(group) for group in groups]
    return [t for t in (_NUMBER.sub("", t).strip() for t in texts) if sum(c.isalpha() for c in t) > 8]


def _by_number(lines):
    groups, expected, stray = [], 1, 0
    for line in lines:
        match = _NUMBER.match(line.text) or re.match(r"^\s*[\[(]?(\d{1,3})[\]).]+\s*$", line.text)
        number = int(match[1]) if match else -1
        if number == expected or (
            groups and expected < number <= expected + 2 and re.match(r"^\s*\[?\d+[\].]", line.text)
        ):
            groups.append([line])
            expected = number + 1
        elif groups:
            groups[-1].append(line)
        else:
            stray += 1
    if len(groups) < 2 and not (groups and stray == 0):
        return None
    longest = max(sum(len(k.text) for k in g) for g in groups)
    return groups if stray <= 3 and (longest < 2500 or len(groups) > 8) else None


def _by_indent(lines):
    """Hanging indent: an entry begins at the left edge of its column, its other lines stand further right."""
    regions: dict[int, list[Line]] = {}
    for line in lines:
        regions.setdefault((line.page, line.region), []).append(line)
    first = {key: min(k.x0 for k in group) for key, group in regions.items()}
    offsets = [k.x0 - first[k.page, k.region] for k in lines]
    size = statistics.median(k.size for k in lines)
    inside = [o for o in offsets if 0.5 * size < o < 4.5 * size]
    if not 0.2 * len(lines) <= len(inside) <= 0.92 * len(lines):
        return None
    starts = [o <= 0.5 * size for o in offsets]
    looks = sum(1 for k, s in zip(lines, starts, strict=True) if s and _AUTHOR_START.match(k.text))
    indented = sum(1 for k, s in zip(lines, starts, strict=True) if not s and _AUTHOR_START.match(k.text))
    if indented > looks:  # first-line indent: the other way round
        starts = [not s for s in starts]
    return _grouped(lines, starts)


def _by_gap(lines):
    gaps = [
        b.y0 - a.y1
        for a, b in zip(lines, lines[1:], strict=False)
        if b.region == a.region and b.page == a.page and b.y0 > a.y0
    ]
    usual = statistics.median(gaps) if gaps else 0
    size = statistics.median(k.size for k in lines)
    wide = [False] + [
        b.y0 - a.y1 > usual + 0.25 * size or b.region != a.region and a.text.endswith((".", ")"))
        for a, b in zip(lines, lines[1:], strict=False)
    ]
    if 0.12 * len(lines) < sum(wide):
        return _grouped(lines, [True] + wide[1:])
    starts = [True] + [
        bool(_AUTHOR_START.match(b.text)) and bool(re.search(r"[.)\d]$", a.text))
        for a, b in zip(lines, lines[1:], strict=False)
    ]
    return _grouped(lines, starts)


def _grouped(lines, starts):
    groups = []
    for line, start in zip(lines, starts, strict=True):
        if start or not groups:
            groups.append([line])
        else:
            groups[-1].append(line)
    return groups


def trim_doi(doi: str) -> str:
    """A DOI as it stands in text, without the punctuation of the sentence around it."""
    doi = re.split(r"[<>{}|\\^`]|\.\s|https?:", doi)[0] if "<" not in doi or "sici" not in doi.lower() else doi
    while doi and (
        doi[-1] in ".,;:'\"”’*"
        or doi[-1] in ")]}"
        and doi.count(doi[-1]) > doi.count({")": "(", "]": "[", "}": "{"}[doi[-1]])
    ):
        doi = doi[:-1]
    return doi


def parse_reference(text: str) -> dict:
    """{text, doi, year, title, authors, journal}; what can't be told is None or []."""
    ref = {"text": text, "doi": None, "year": None, "title": None, "authors": [], "journal": None}
    match = _DOI.search(re.sub(r"(10\.\d{4,9}/)\s+", r"\1", text))
    if match:
        ref["doi"] = trim_doi(match[0]).lower()
    rest = re.sub(
        r"(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)?10\.\d{4,9}/\S+|https?://\S+|\[(?:PubMed|CrossRef|Google "
        r"Scholar|PMC.*?)\]",
        "",
        text,
        flags=re.I,
    )
    years = [m for m in _YEAR.finditer(rest)]
    marked = re.search(r"\((1[89]\d\d|20\d\d)[a-z]?[),]", rest) or re.search(
        r"[.,;] ?(1[89]\d\d|20\d\d)[a-z]?(?: [A-Z][a-z]{2})?[ \d-]{0,6}[;:.,]", rest
    )
    if marked:
        ref["year"] = int(marked[1])
    elif years:
        ref["year"] = int(years[-1][1])
    authors_end = _authors_end(rest)
    ref["authors"] = _authors(rest[:authors_end])
    _title_journal(ref, rest[authors_end:])
    return ref


_NAME = r"[A-ZÀ-Þ][\w’'`-]*(?: [A-Za-zÀ-ÿ][\w’'-]*){0,3}"
_LISTED = re.compile(rf"(?:[A-Z]\.[ -]?){{1,4}} ?{_NAME}|{_NAME},? (?:(?:[A-Z]\.[ -]?){{1,5}}|[A-Z]{{1,4}}\b\.?)")
_BETWEEN = re.compile(r"\s*(?:,\s*)?(?:and\b|&|;|et al\.?,?|\.\.\.|…)?\s*")


def _authors_end(text: str) -> int:
    """Where the names at the head of an entry end; name by name, for one pattern of all of them can take for ever."""
    quoted = re.search(r"[“\"]", text)
    end = 0
    while end < 1500:
        match = _LISTED.match(text, end, end + 80)
        if not match:
            break
        end = _BETWEEN.match(text, match.end()).end()
    etal = re.match(r"[^.]{3,400}?\bet al\.?,?\s*", text)
    if etal and etal.end() > end and (not quoted or etal.end() <= quoted.start()):
        end = etal.end()
    if quoted and quoted.start() < 500 and (end == 0 or quoted.start() < end + 40):
        end = quoted.start()
    return end


def _authors(text: str) -> list[str]:
    text = re.sub(r"\bet al\b\.?|\(?\b(?:1[89]|20)\d\d\b.*$|\(eds?\.?\)", "", text)
    if re.search(r"[A-Z]\.,", text) and re.match(rf"^{_NAME}, (?:[A-Z]\.)", text):  # Family, A. B., Family, C.
        found = re.findall(rf"({_NAME}), ((?:[A-Z]\.[ -]?)+)", text)
        return [f"{a} {b.strip()}" for a, b in found]
    parts = re.split(r"\s*(?:,|;|&|\band\b)\s*", text)
    return [p.strip(" .") for p in parts if re.search(r"[A-Za-zÀ-ÿ]{2}", p)]


def _title_journal(ref, rest):
    quoted = re.search(r"[“\"](.+?)[,.]?[”\"]\s*,?\s*(.*)", rest)
    if quoted:
        ref["title"] = quoted[1].strip(" ,.")
        ref["journal"] = _journal(quoted[2])
        return
    rest = re.sub(r"^\W*(?:\(?(?:1[89]|20)\d\d[a-z]?\)?)?[\s.:,)]*", "", rest)
    pieces = re.split(r"(?<=[a-z0-9)\]?*])[.?] +(?=[A-Z(\[])", rest, maxsplit=2)
    if pieces and len(pieces[0]) > 8:
        ref["title"] = pieces[0].strip(" .")
    if len(pieces) > 1:
        ref["journal"] = _journal(re.sub(r"^In: ?", "", rest[len(pieces[0]) :].lstrip(" .?")))


def _journal(text: str):
    match = re.match(r"(.{2,90}?)[\s,.;:(]*(?:vol\.?|\bno\.|\(?\b(?:1[89]|20)\d\d\b|\d)", text, re.I)
    name = (match[1] if match else "").strip(" ,.;:(")
    return name if 1 < len(name) < 90 and sum(c.isalpha() for c in name) > 1 else None
