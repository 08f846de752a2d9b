"""The front page, and the title on it.

The title is the printed block of lines that most cues vote for: drawn large, high on the page, worded like a title,
the same as the metadata of the file. Metadata alone is never believed: files carry the title of a template, of another
paper, or a file name.
"""

import re
from dataclasses import dataclass

from .affiliations import AFFILIATION
from .captions import LABEL
from .lines import Line
from .names import part_of
from .text import Spelling, squash

_COVER = re.compile(
    r"see discussions, stats|author profiles for this publication|hal is a multi-?disciplinary|to cite this "
    r"version|downloaded from|"
    r"this article was downloaded by|jstor is a not-for-profit|pdf hosted at|accepted manuscript\b(?! online)|"
    r"this is an? .{0,40}(accepted|author).{0,30}version|"
    r"citation for published version|terms of use|university repository|provided by the author|link to published "
    r"version|"
    r"this is a pdf file of an unedited manuscript|please be advised that this information was generated|open "
    r"research online|full terms & conditions of access|to link to this article|submit your article to this journal|"
    r"view related articles|article views:|follow this and additional works|recommended citation|"
    r"this is an open access (?:document|article) downloaded|view crossmark data|deposited (?:in|by)|repository copy|"
    r"published version\b.{0,30}\bcitation|graphical abstract.*\bhighlights\b",
    re.I,
)
_SURELY_COVER = re.compile(  # what is said on such a page only, whatever else stands there
    r"created a covid-19 resource cent|\bhighlights\b.*\bin brief\b|previously published works\b.*\bpermalink", re.I
)
_LABEL = re.compile(
    r"^\W*(open ?access|(?:original |brief |short |mini |systematic |invited |full |regular |nano |technical |"
    r"case )*(?:research|review|article|articles|report|communication|letter|paper|note|study|"
    r"contribution|express|commentary|editorial|hypothesis|perspective|protocol|methodology|correspondence)s?(?: "
    r"(?:article|paper|report))?|article in press|corrigendum|erratum|check for updates|crossmark|"
    r"(?:volume|vol\.?|issue) ?\d.*|www\..*|https?:.*|doi:?.*|issn.*|e?issn.*|page \d+.*|download(ed)? .*|"
    r"published( online)?:.*|received:?.*|accepted:?.*|"
    r"contents? lists? available.*|journal homepage.*|available online.*|research|open|article ?info.*|key ?points.*|"
    r"highlights|graphical abstract|in brief|at a glance|plain[- ]language summary|"
    r"what (?:is|was) already known.*|what this (?:study|paper) adds.*|significance(?: statement)?|full length "
    r"article|check for.*|"
    r"biomed ?central|bmc|springer.*|elsevier|hindawi.*|frontiers|academic editor.*|edited by.*|special issue.*|"
    r"copyright.*|©.*)\W*$",
    re.I,
)
_NOT_TITLE = re.compile(
    r"@|https?:|www\.|\bdoi\b|issn|©|copyright|\breceived\b|\baccepted\b.*\d{4}|university|department of|"
    r"^\W*abstract\b|^keywords?\b|volume \d",
    re.I,
)


@dataclass(slots=True)
class Front:
    """What the front page gave: its number, the lines in order, the title's lines and its confidence."""

    page: int
    lines: list[Line]
    title: str
    title_lines: list[Line]
    confidence: float


def front_page(pages: list[list[Line]]) -> int:
    """Index of the page the paper begins on: the first, unless that is a cover sheet (or two)."""
    limit = min(3, len(pages) - 1)
    for index in range(limit):
        text = " ".join(k.text for k in pages[index])
        own_abstract = any(
            part_of(k.text[:30]) == "abstract" or re.match(r"abstract\b", k.text, re.I) for k in pages[index]
        )
        if (
            not text.strip()
            or _SURELY_COVER.search(text)
            and len(text) < 1500
            or (
                _COVER.search(text)
                and not own_abstract
                and len(text) < 4500
                and any(_repeats_title(pages[index], following) for following in pages[index + 1 : index + 3])
                and not _runs_on(pages[index])
            )
        ):
            continue
        return index
    return limit


def _runs_on(lines) -> bool:
    """Small type in which a paper states its kind, dates and addresses: a stamp alone makes no cover of such a page."""
    return front_evidence(lines, 1000.0) >= 3 or sum(len(k.text) > 60 for k in lines) > 30


def _repeats_title(cover, following) -> bool:
    """The page prints a large line of the cover again, or has the abstract."""
    after = squash(" ".join(k.text for k in following[:60] if k.role not in ("head", "foot")))
    big = sorted((k for k in cover if len(k.text) > 15), key=lambda k: -k.size)[:4]
    return any(squash(k.text) in after for k in big) or bool(re.search(r"abstract", after))


def find_title(
    lines: list[Line],
    height: float,
    info_titles: list[str],
    spelling: Spelling,
    body: float,
    mastheads: set[str] = frozenset(),
) -> tuple[str, list[Line], float]:
    """(title, its lines, confidence); ("", [], 0) when no block looks like one."""
    groups = _groups([k for k in lines if k.text.strip()])
    wanted = [squash(t) for t in info_titles if len(squash(t)) >= 12]
    largest = max((g[0].size for g in groups if _words(g) >= 3), default=body)
    best, best_score, second = None, 0.0, 0.0
    for group in groups:
        score = _title_score(group, height, largest, body, wanted, spelling)
        if score and squash(spelling.text(group)) in mastheads:
            score -= 2.5  # the journal's name, however large
        if score > best_score:
            best, best_score, second = group, score, best_score
        elif score > second:
            second = score
    if best is None or best_score < 1.0:
        return "", [], 0.0
    key = squash(spelling.text(best))
    known = any(title == key or len(key) > 20 and (key in title or title in key) for title in wanted)
    larger = (best[0].size > 1.12 * body) + (best[0].size > 1.5 * body and _words(best) >= 5)
    if not known and (
        front_evidence(lines, body) < 2 - larger or LABEL.match(best[0].text) or best[0].text[:1].islower()
    ):
        return "", [], 0.0
    text = re.sub(r"\s+", " ", spelling.text(best)).strip()
    confidence = min(0.99, 0.55 + 0.12 * (best_score - second))
    return _clean_title(text), best, round(confidence, 2)


_DATES = re.compile(
    r"^\W*\(?(?:article history|received|accepted|submitted|published(?: online)?|available online|收稿日期)\b", re.I
)
_KEYWORDS = re.compile(r"^\W*(?:key ?-?words?|index terms|abstract|summary|摘\s?要|关键词|resumen|resumo)\b", re.I)
_KIND = re.compile(
    r"^\W*(?:(?:original|full|short|brief|mini|systematic|case|rapid|regular|research)[ -])*(?:research|review|"
    r"article|paper|report|"
    r"communication|letter|correspondence|correction|corrigendum|erratum|editorial|commentary|perspective|"
    r"open access|to the editor.*|original investigation.*)(?: article| paper)?s?\W*$",
    re.I,
)


def front_evidence(lines: list[Line], body: float) -> int:
    """How many signs there are that this is the page on which a paper begins (without them a title is a heading)."""
    signs = set()
    for line in lines:
        text = line.text.strip()
        if part_of(text) == "abstract" or _KEYWORDS.match(text):
            signs.add("abstract")
        elif _DATES.match(text):
            signs.add("dates")
        elif _KIND.match(text):
            signs.add("kind")
        elif "@" in text or re.match(r"\W*(?:corresponding author|correspondence|\*?address)\b", text, re.I):
            signs.add("mail")
        elif (
            AFFILIATION.search(text)
            and (line.words[0].raised or line.size < 0.95 * body or line.italic)
            and len(text) < 200
        ):
            signs.add("address")
    return len(signs)


def _clean_title(text: str) -> str:
    text = re.sub(
        r"^(?:(?:Original|Research|Review|Short) (?:Article|Paper|Communication)|Title)\s*:\s*", "", text, flags=re.I
    )
    text = re.sub(r"[\s*†‡§¶]+$", "", text)
    return (
        text[:-1]
        if text.endswith(".")
        and not re.search(r"\b(spp|sp|L|var|subsp|cv|Linn|Willd|al)\.$", text)
        and text.count(".") == 1
        else text
    )


_SPREAD = re.compile(
    r"(?:original|brief|short|case|technical|methodology|study|research|review|systematic|clinical|data|software|meta)*"
    r"(?:article|report|paper|protocol|review|note|communication|letter|commentary|editorial|debate|hypothesis|"
    r"correspondence|research|methodology|correction|erratum|analysis)s?(?:openaccess)?"
)


def _spread_label(text: str) -> bool:
    """`R E S EAR CH A R TIC L E Open Access`: a label set wide, which pdfium cuts where it likes."""
    tokens = text.split()
    return len(tokens) > 3 and len(text) < 5 * len(tokens) and bool(_SPREAD.fullmatch(squash(text)))


def is_label(text: str) -> bool:
    """A kind of article, a licence badge, a publisher's or a running label: never a title or a heading of the text."""
    return _spread_label(text) or bool(_LABEL.match(re.sub(r"^(?:\S ){4,}\S$", lambda m: m[0].replace(" ", ""), text)))


def _words(group) -> int:
    return sum(len(k.text.split()) for k in group)


def _groups(lines):
    """Lines of one face standing close below each other; a running head may stand between them in reading order."""
    groups: list[list[Line]] = []
    for line in lines:
        group = next((g for g in reversed(groups[-4:]) if _continues(g[-1], line)), None)
        if group is not None and (group is groups[-1] or line.size > 11):
            group.append(line)
        else:
            groups.append([line])
    return groups


def _continues(last: Line, line: Line) -> bool:
    return (
        -0.4 * line.size < line.y0 - last.y1 < 0.95 * line.size
        and line.x0 < last.x1
        and line.x1 > last.x0
        and (abs(line.size - last.size) < 0.07 * last.size or _shared_face(last, line))
        and (line.bold == last.bold or line.italic or last.italic)
        and last.role == line.role
        and not _LABEL.match(line.text)
        and not _LABEL.match(last.text)
        and line.text.isupper() == last.text.isupper()
    )


def _shared_face(last: Line, line: Line) -> bool:
    """Both have words of one font and size: a Greek letter or italics in another font may be drawn taller."""
    if abs(line.size - last.size) > 0.35 * last.size:
        return False
    faces = {(w.font, round(w.size)) for w in last.words if len(w.text) > 2}
    return any((w.font, round(w.size)) in faces for w in line.words if len(w.text) > 2)


def _title_score(group, height, largest, body, wanted, spelling) -> float:
    text = spelling.text(group)
    key = squash(text)
    words = _words(group)
    if len(key) < 8 or len(text) > 500 or is_label(text) or part_of(text) or not re.search(r"[^\W\d_]{3}", text):
        return 0.0
    if text.isupper() and len(key) < 3 * len(text.split()):
        return 0.0  # a label in spaced letters
    first = group[0]
    score = 2.2 * min(first.size / largest, 1.0) if first.size > 1.05 * body else 0.6 * first.size / largest
    score += 0.5 * first.bold
    score += 0.6 if first.y0 < 0.45 * height else -1.2 if first.y0 > 0.6 * height else 0.0
    score += 0.5 if 4 <= words <= 40 else -0.8
    if _NOT_TITLE.search(text):
        score -= 1.6
    if first.role in ("head", "foot") or first.y1 < 0.05 * height:
        score -= 1.2
    if len(group) > 7:
        score -= 1.5
    if (
        re.match(
            r"^[\w&,’' -]*\b(journal|letters|annals|archives|proceedings|bulletin|frontiers)\b[\w&,’' -]*$", text, re.I
        )
        and words <= 9
    ):
        score -= 1.5
    if text.count(",") >= 2 and re.search(r"\band\b|\d", text) and words / (text.count(",") + 1) < 4.2:
        score -= 0.7  # a list of names
    if sum(w.raised and bool(re.search(r"[\d*†‡,]", w.text)) for k in group for w in k.words) >= 2:
        score -= 1.0  # names with the marks of their addresses
    for title in wanted:
        if title == key or (
            len(key) > 20
            and (key in title or title in key)
            and min(len(key), len(title)) > 0.6 * max(len(key), len(title))
        ):
            score += 3.0
            break
        if len(key) > 25 and (title.startswith(key) or key.startswith(title)):
            score += 1.5
            break
    return score
