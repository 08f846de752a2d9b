"""The title on the front page: the printed block of lines that most evidence speaks for.

Evidence: drawn large, high on the page, worded like a title, names below it, the same as the metadata of the file.
Metadata alone is never believed: files carry the title of a template, of another paper, or a file name.
"""

import re

from .authors import marked_text, names_in
from .bylines import find_byline
from .captions import LABEL
from .decide import Candidate, decide
from .frontmatter import front_evidence, is_label
from .language import language
from .lines import Line
from .names import part_of
from .persons import is_name
from .text import Spelling, squash

WEIGHTS = {
    "drawn_large": 2.2,
    "drawn_as_text": 0.6,
    "bold": 0.5,
    "high": 0.6,
    "low": -1.2,
    "of_a_titles_length": 0.5,
    "short_or_long": -0.8,
    "very_short": -0.3,
    "words_of_other_front_matter": -1.6,
    "running": -1.2,
    "many_lines": -1.5,
    "named_like_a_journal": -2.4,
    "masthead": -2.5,
    "list_of_names": -2.2,
    "marks_of_addresses": -1.0,
    "same_as_metadata": 3.0,
    "begins_as_metadata": 1.5,
    "names_below": 0.7,
    "label_of_a_form": -2.0,
}
_OTHER_FRONT_MATTER = re.compile(
    r"@|https?:|www\.|\bdoi\b|issn|©|copyright|\breceived\b|\baccepted\b.*\d{4}|university|department of|"
    r"^\W*abstract\b|^keywords?\b|volume \d|^\W*running head|to appear in|do not (?:quote|cite)|^\W*(?:удк|udc|ббк)\b|"
    r"университет|кафедра|大学|学院|^draft\b|technical report|^\W*(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\s+(?:\d{1,2},?\s+)?(?:19|20)\d\d\W*$",
    re.I,
)
_JOURNAL = re.compile(
    r"(?:[\w&,’'. -]*\b(?:journal|letters|annals|archives|proceedings|bulletin|frontiers|revista|zeitschrift|"
    r"transactions|magazine|acta)\b[\w&,’' -]*)$",
    re.I,
)
_FORM = re.compile(
    r"^(?:学校代码|学\s*号|院\s*系|专\s*业|姓\s*名|指\s*导|完\s*成|本\s*科|硕\s*士|博\s*士|毕\s*业|分类号|密\s*级|"
    r"(?:bachelor|master|doctoral|phd|honou?rs|diploma|final)\b.{0,40}\b(?:thesis|report|project|dissertation)$|"
    r"(?:master|bachelor|diplom|doktor|studien)arbeit$|dissertation$|thesis$|trabalho de conclusão|"
    r"выпускная|курсовая|дипломная|магистерская|диссертация)",
    re.I,
)


def find_title(
    lines: list[Line],
    height: float,
    info_titles: list[str],
    spelling: Spelling,
    body: float,
    mastheads: set[str] = frozenset(),
) -> tuple[str, list[Line], float]:
    """(title, its lines, confidence before calibration); ("", [], 0) when no block looks like one."""
    groups = _groups([k for k in lines if k.text.strip()], body)
    wanted = [squash(t) for t in info_titles if len(squash(t)) >= 12]
    sized = [g for g in groups if _words(g) >= 3 and not _JOURNAL.fullmatch(spelling.text(g))]
    largest = max((g[0].size for g in sized), default=body)
    candidates = []
    for group in groups:
        text = spelling.text(group)
        if _may_be_title(text):
            evidence = _evidence(group, text, height, largest, body, wanted, mastheads)
            candidates.append(Candidate(text, group, evidence))
    for candidate in sorted(candidates, key=lambda c: -c.score(WEIGHTS))[:3]:
        if find_byline(lines, candidate.lines).units:
            candidate.evidence["names_below"] = 1.0
    best, score, second = decide(candidates, WEIGHTS)
    if best is None or score < 1.0:
        return "", [], 0.0
    key = squash(best.value)
    known = any(title == key or len(key) > 20 and (key in title or title in key) for title in wanted)
    first = best.lines[0]
    signs = (first.size > 1.12 * body) + (first.size > 1.5 * body and _words(best.lines) >= 5)
    signs += 2 * ("names_below" in best.evidence and (first.bold or first.size > 1.12 * body or first.text.isupper()))
    if not known and (front_evidence(lines, body) + signs < 2 or LABEL.match(first.text) or first.text[:1].islower()):
        return "", [], 0.0
    text, printed = best.value, list(best.lines)
    below = _subtitle(groups, best.lines)
    if below:
        text = f"{text.rstrip(' :')}: {spelling.text(below)}"
        printed += below
    confidence = min(0.99, 0.55 + 0.12 * (score - max(second, 0.0)))
    return _clean(re.sub(r"\s+", " ", text).strip()), printed, round(confidence, 2)


def _may_be_title(text: str) -> bool:
    key = squash(text)
    if len(key) < (4 if re.search("[\u3040-\u30ff\u3400-\u9fff]", text) else 8) or len(text) > 500:
        return False
    if is_label(text) or part_of(text) or not re.search(r"[^\W\d_]{3}", text):
        return False
    return not (text.isupper() and len(key) < 3 * len(text.split()))  # a label in spaced letters


def _evidence(group, text, height, largest, body, wanted, mastheads) -> dict[str, float]:
    first, words = group[0], _words(group)
    found: dict[str, float] = {}
    if first.size > 1.05 * body:
        found["drawn_large"] = min(first.size / largest, 1.0)
    else:
        found["drawn_as_text"] = min(first.size / largest, 1.0)
    found["bold"] = float(first.bold)
    found["high"] = float(first.y0 < 0.45 * height)
    found["low"] = float(first.y0 > 0.6 * height)
    long_enough = 4 <= words <= 40 or len(re.findall("[\u3400-\u9fff]", text)) >= 6
    found["of_a_titles_length"] = float(long_enough)
    found["short_or_long"] = float(not long_enough)
    found["very_short"] = float(words < 2 and not long_enough)
    found["words_of_other_front_matter"] = float(bool(_OTHER_FRONT_MATTER.search(text)))
    found["running"] = float(first.role in ("head", "foot") or first.y1 < 0.05 * height)
    found["many_lines"] = float(len(group) > 7)
    found["named_like_a_journal"] = float(words <= 9 and bool(_JOURNAL.fullmatch(text)))
    found["masthead"] = float(squash(text) in mastheads)
    found["list_of_names"] = float(_is_list_of_names(group))
    found["marks_of_addresses"] = float(_marks(group) >= 2)
    found["label_of_a_form"] = float(bool(_FORM.match(text)))
    found.update(_agrees_with(wanted, squash(text)))
    return {name: strength for name, strength in found.items() if strength}


def _agrees_with(wanted: list[str], key: str) -> dict[str, float]:
    for title in wanted:
        part = len(key) > 20 and (key in title or title in key)
        if title == key or part and min(len(key), len(title)) > 0.6 * max(len(key), len(title)):
            return {"same_as_metadata": 1.0}
        if len(key) > 25 and (title.startswith(key) or key.startswith(title)):
            return {"begins_as_metadata": 1.0}
    return {}


def _is_list_of_names(group: list[Line]) -> bool:
    """Several names with signs, marks or initials that set them apart, or one name with an initial."""
    pieces = [name for k in group for name in names_in(marked_text(k.words))]
    names = [piece for piece in pieces if is_name(piece) and len(piece.split()) <= 5]
    initials = any(re.search(r"(?:^|\s)[^\W\d_]\.", name) for name in names)
    if len(pieces) == 1:
        return bool(names) and initials and len(group) == 1
    parted = len(pieces) > len(group) or initials or _marks(group) >= 2 or any(len(k.cells) > 1 for k in group)
    return len(names) >= 2 and len(names) > 0.6 * len(pieces) and parted


def _marks(group) -> int:
    """Raised digits and signs; a footnote mark at the end of a title is one."""
    return sum(w.raised and bool(re.search(r"[\d*†‡,]", w.text)) for k in group for w in k.words)


def _words(group) -> int:
    return sum(len(k.text.split()) for k in group)


def _groups(lines: list[Line], body: float) -> list[list[Line]]:
    """Lines of one face standing close below each other; a running head may stand between them in reading order."""
    groups: list[list[Line]] = []
    for line in lines:
        group = next((g for g in reversed(groups[-4:]) if _continues(g, line, body)), None)
        if group is not None and (group is groups[-1] or line.size > 11):
            group.append(line)
        else:
            groups.append([line])
    return groups


def _continues(group: list[Line], line: Line, body: float) -> bool:
    last = group[-1]
    if is_label(line.text) or is_label(last.text) or last.role != line.role:
        return False
    if _beside(last, line, body):
        return True
    across = line.x0 < max(k.x1 for k in group) and line.x1 > min(k.x0 for k in group)
    gap = line.y0 - last.y1
    alike = abs(line.size - last.size) < 0.07 * last.size or _shared_face(last, line)
    same = line.bold == last.bold or line.italic or last.italic
    same = same and (line.text.isupper() == last.text.isupper() or last.text.endswith(":"))
    near = -0.4 * line.size < gap < 0.95 * line.size
    return across and alike and same and (near or _double_spaced(group, line, gap))


def _beside(last: Line, line: Line, body: float) -> bool:
    """The rest of a row that a wide gap cut: large type on one baseline."""
    return (
        line.size > 1.3 * body
        and abs(line.y1 - last.y1) < 0.2 * line.size
        and abs(line.size - last.size) < 0.04 * last.size
        and line.font == last.font
        and 0 < line.x0 - last.x1 < 2.5 * line.size
        and line.bold == last.bold
    )


def _double_spaced(group: list[Line], line: Line, gap: float) -> bool:
    """A manuscript's title: bold lines set with one and a half or two lines of space between them."""
    last = group[-1]
    if not (0 < gap < 2.0 * line.size and line.bold and last.bold and line.font == last.font and len(group) < 5):
        return False
    centred = abs((line.x0 + line.x1) - (last.x0 + last.x1)) < 12
    full = last.x1 - last.x0 > 0.55 * (last.column[1] - last.column[0])
    return centred and full and abs(line.size - last.size) < 0.02 * last.size and not re.search(r"[.!?]$", last.text)


def _shared_face(last: Line, line: Line) -> bool:
    """Both have words of one font and size: a Greek letter or italics in another font may be drawn taller."""
    if abs(line.size - last.size) > 0.35 * last.size:
        return False
    faces = {(w.font, round(w.size)) for w in last.words if len(w.text) > 2}
    return any((w.font, round(w.size)) in faces for w in line.words if len(w.text) > 2)


def _subtitle(groups: list[list[Line]], title: list[Line]) -> list[Line]:
    """The block right below the title in a smaller cut of its face: no names, no label, not in another language."""
    last, first = title[-1], title[0]
    for group in groups:
        line = group[0]
        if not 0 <= line.y0 - last.y1 < 1.4 * line.size or group is title:
            continue
        text = " ".join(k.text for k in group)
        same_face = line.font == first.font and line.bold == first.bold and line.italic == first.italic
        smaller = 0.66 * first.size < line.size < 0.97 * first.size
        if not (same_face and smaller and first.bold and len(group) <= 3 and _words(group) >= 3):
            continue
        if abs(line.x0 - first.x0) > 3 and abs((line.x0 + line.x1) - (first.x0 + first.x1)) > 12:
            continue
        tongue, own = language(text), language(" ".join(k.text for k in title))
        if _is_list_of_names(group) or _OTHER_FRONT_MATTER.search(text) or re.search(r"\d{4}", text):
            continue
        if is_label(text) or part_of(text) or tongue and own and tongue != own:
            continue
        return group
    return []


def _clean(text: str) -> str:
    text = re.sub(
        r"^(?:(?:Original|Research|Review|Short) (?:Article|Paper|Communication)|Title)\s*:\s*", "", text, flags=re.I
    )
    text = re.sub(r"[\s*†‡§¶∗]+$", "", text)
    ends_in_stop = text.endswith(".") and text.count(".") == 1
    return text[:-1] if ends_in_stop and not re.search(r"\b(spp|sp|L|var|subsp|cv|Linn|Willd|al)\.$", text) else text
