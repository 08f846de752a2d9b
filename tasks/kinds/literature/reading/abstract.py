"""The abstract and the keywords.

The abstract stands under its heading, or after a run-in "Abstract", or, without either, is the paragraph between the
addresses and the first heading or keywords.
"""

import re

from .lines import Line
from .names import NUMBERING, part_of, unspace
from .text import Spelling

_RUN_IN = re.compile(
    r"^\W{0,3}(?:abstract|a b s t r a c t|summary|摘\s?要|内容提要|resumen|resumo|résumé)\W{0,2}(?:[:：.—–-]+|\s|"
    r"(?=【))\s*(?=\S)",
    re.I,
)
_STOP = re.compile(
    r"^\W*(?:(?:author )?key ?words?(?: and phrases)?\b|index terms|categories and subject descriptors|general "
    r"terms|ccs concepts|jel\b|abbreviations\s*:|"
    r"©|copyright\b|\*?correspond(?:ence|ing (?:author|to))\b|received\b|accepted\b|cite this|citation:|how to cite|doi:|https?://|"
    r"关键词|\W?关键字|中图分类号|文献标志码|文章编号|基金项目|通信作者|DOI：|introduction\s*$|trial registration "
    r"number:?\s*$|please cite|article history|pacs\b|msc\b|"
    r"author(?:s[’']|[’']s)? summary\b|author affiliations?\b|lay summary|plain[- ]language summary|highlights\s*$|"
    r"why was this study done|key ?(?:points?|messages?)\b|what (?:is|was) (?:already )?known|"
    r"(?:article )?summary strengths|strengths and limitations|supplemental content|"
    r"graphical abstract|visual abstract|\(?continued on next page)",
    re.I,
)
_CITATION = re.compile(
    r"\b(?:19|20)\d\d;\s?\d+(?:\(\d+\))?\s?:|\bdoi:\s?10\.|https?://(?:dx\.)?doi\.org/10\.|^\W{0,3}key ?points\b", re.I
)
_CONTINUED = re.compile(r"^\W*continued from (?:the )?previous page\W*$", re.I)
_EAST = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_KEYWORDS = re.compile(
    r"^\W*(?:author )?(?:key ?-?words?(?: and phrases)?|index terms?|关键词|关键字|palabras clave|palavras-chave|"
    r"descriptores|descritores|mots-clés|key ?-?terms|subject headings|mesh terms)\W?\s*(?:[:：.;—–-]+\s*|\s+(?=\S)|$)",
    re.I,
)
_LABELS = re.compile(
    r"^(importance|exposures?|question|rationale|hypothesis|aims?/hypothesis|data sources|study selection|"
    r"data extraction|interventions?|measurements|main results|trial design|recent findings|statement of significance|"
    r"background|objectives?|objective\(s\)|aims?|purpose|methods?|materials? and methods?|patients and methods|"
    r"results?|conclusions?|design|setting|participants|main outcome measures?|"
    r"introduction|significance|discussion|findings|interpretation|context|study design|statement of problem|"
    r"trial registration)\b",
    re.I,
)


def find_abstract(
    lines: list[Line], after: list[Line], next_page: list[Line], spelling: Spelling
) -> tuple[str, list[Line]]:
    """(text, lines). `lines`: front page in order; `after`: below the authors; `next_page`: for one that runs over."""
    for n, line in enumerate(lines):
        text = unspace(line.text.strip())
        if line.role in ("head", "foot"):
            continue
        heading = part_of(text) == "abstract" and len(text) < 40 or text.lower() in ("abstract", "summary")
        if heading and n + 1 < len(lines):
            taken = _take(lines, n + 1, None)
            if _long(taken):
                return _finish(taken, next_page, spelling, "")
        cells = line.cells[0].text if line.cells else ""
        match = _RUN_IN.match(text)
        if match and (
            line.words[0].bold
            or line.words[0].font != line.words[-1].font
            or part_of(cells) == "abstract"
            or re.match(r"\W{0,3}(abstract|summary|摘\s?要|resumen|resumo)\W?\s*[:：.—–【-]", text, re.I)
            or line.words[0].italic
            or line.words[0].text.isupper()
        ):
            taken = [line] + _take(lines, n + 1, line)
            if _long(taken):
                return _finish(taken, next_page, spelling, text[: match.end()])
    start = next(
        (
            n
            for n, line in enumerate(after[:80])
            if _opens_structure(line) or _label_only(line) and line.text.isupper() and _labels_below(after, n)
        ),
        None,
    )
    if start is not None:
        taken = _take(after, start, None)
        if _long(taken) and sum(bool(_LABELS.match(k.text)) for k in taken) >= 2:
            return _finish(taken, next_page, spelling, "")
    return _unlabelled(after, next_page, spelling)


def _opens_structure(line: Line) -> bool:
    """`Background: ...`, `IMPORTANCE ...`, or a label in another face than the words after it."""
    match = _LABELS.match(line.text)
    if not match or line.role or len(line.text) < 30:
        return False
    first = line.words[0]
    return bool(
        re.match(r"\s*[:.—–-]\s*\S", line.text[match.end() :])
        or match[0].isupper()
        or first.bold
        and not line.words[-1].bold
        or first.font != line.words[-1].font
        and first.italic
    )


def _labels_below(after, n) -> bool:
    """Two more label lines in the same face: the parts of an abstract, each under its own small heading."""
    same = [k for k in after[n + 1 : n + 40] if _label_only(k) and k.font == after[n].font and k.text.isupper()]
    return len(same) >= 2 and same[0].y0 - after[n].y0 < 15 * after[n].size and part_of(after[n].text) != "introduction"


def _long(lines) -> bool:
    return sum(len(k.text) + 2 * len(_EAST.findall(k.text)) for k in lines) > 150


def _take(lines, start, first):
    """Lines of an abstract from `start` on, until something else begins."""
    taken: list[Line] = []
    for line in lines[start:]:
        text = unspace(line.text.strip())
        if line.role in ("head", "foot", "note"):
            continue
        model = next((k for k in taken if not _label_only(k)), None) if taken else first
        if _STOP.match(text) or len(taken) > 2 and _CITATION.search(text):
            if taken or first is not None:
                break
            continue
        if model is None and taken and line.y0 - taken[-1].y1 > 2.6 * line.size:
            break
        if model is not None:
            if _other_block(line, taken[-1] if taken else first, model):
                break
            labels = [k for k in taken if _label_only(k)]
            labelled = any(abs(k.size - line.size) < 0.02 * k.size and k.font == line.font for k in labels)
            if part_of(text) in ("introduction", "methods") and _opens_body(line, model) and not labelled:
                break
            if NUMBERING.match(text) and part_of(text) in ("introduction", "methods"):
                break
        taken.append(line)
    return taken


def _label_only(line) -> bool:
    return bool(_LABELS.match(line.text)) and len(line.text) < 40


def _other_block(line, last, model) -> bool:
    if line.region != last.region:
        below = line.y0 > last.y0 and line.x0 < model.x1 and line.x1 > model.x0
        alike = abs(line.size - model.size) < 0.05 * model.size and line.font == model.font
        if not alike or not (
            below
            and line.y0 - last.y1 < 1.2 * line.size
            or re.search(r"[^.!?:]$", last.text)
            and line.text[:1].islower()
        ):
            return True
    if line.y0 - last.y1 > 2.6 * line.size:
        return True
    if line.y0 < last.y0 - 3 * line.size and line.x0 < model.x1 - 5:  # went up again in the same column
        return True
    return abs(line.size - model.size) > 0.12 * model.size and not _label_only(line)


def _opens_body(line, model) -> bool:
    """A bare "Introduction" or "Background" line: the body's, unless it stands in the abstract's own measure."""
    return not (
        abs(line.size - model.size) < 0.03 * model.size
        and line.region == model.region
        and line.y0 - model.y1 < 3 * line.size
    )


def _finish(lines, next_page, spelling, lead):
    lines = lines + _carried_over(lines[-1], next_page) if lines else lines
    text = spelling.text(lines)[len(lead) :] if lead else spelling.text(lines)
    return re.sub(r"\s+", " ", text).strip(), lines


def _carried_over(last: Line, next_page: list[Line]) -> list[Line]:
    """The rest of an abstract on the next page: said so there, or a sentence that goes on in the same face."""
    body = [k for k in next_page if k.role not in ("head", "foot")]
    told = next((n for n, k in enumerate(body[:6]) if _CONTINUED.match(k.text)), None)
    if told is None and re.search(r"[.!?)\]”\"]\s*$", last.text):
        return []
    more: list[Line] = []
    for line in body[told + 1 if told is not None else 0 :]:
        if more and (line.region != more[-1].region or line.y0 - more[-1].y1 > 2.2 * line.size):
            break
        label = _label_only(line) and line.y0 - (more[-1].y1 if more else line.y0) < 2.6 * line.size
        if not label and (
            abs(line.size - last.size) > 0.05 * line.size
            or line.font != last.font
            or _STOP.match(line.text)
            or part_of(line.text)
        ):
            break
        more.append(line)
    goes_on = more and (told is not None or more[0].text[:1].islower() or not more[0].text[:1].isalpha())
    return more if goes_on and len(more) < 120 else []


def _unlabelled(after, next_page, spelling):
    runs: list[list[Line]] = []
    for line in after:
        text = line.text.strip()
        if line.role in ("head", "foot", "note"):
            continue
        if (
            part_of(text) in ("introduction", "methods")
            or _KEYWORDS.match(text)
            or NUMBERING.match(text)
            and len(text) < 60
            and line.bold
        ):
            break
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and line.region == last.region
            and abs(line.size - last.size) < 0.04 * last.size
            and line.y0 - last.y1 < 0.75 * line.size
            and line.y1 > last.y1
            and (line.bold == last.bold or line.italic or last.italic)
        ):
            runs[-1].append(line)
        else:
            runs.append([line])
    small_print = re.compile(
        r"creative commons|©|copyright|@|licen[cs]e|correspond|universit.*universit|"
        r"received .*accepted|et al\.? "
        r"\(?\d{4}|cite this",
        re.I,
    )
    letter = re.compile(r"\W*(?:to the editors?\b|dear (?:sir|editor|dr)|sir[,:]|editor[,:—–-])", re.I)
    if any(letter.match(k.text) for k in after[:40]):
        return "", []
    good = [r for r in runs if _prose(spelling.text(r)) and not small_print.search(spelling.text(r))]
    if not good:
        return "", []
    return _finish(good[0], next_page, spelling, "")


def _prose(text: str) -> bool:
    """Long enough, and no list of addresses."""
    words = len(text.split())
    places = len(re.findall(r"universit|hospital|institut|department|college|\d{5,6}\b|republic of", text, re.I))
    return words >= 45 and not re.match(r"abbreviations?\s*:", text, re.I) and (places < 3 or words > 14 * places)


def find_keywords(lines: list[Line], spelling: Spelling) -> tuple[list[str], list[Line]]:
    """Keywords of the front page and the lines they stand in."""
    for n, line in enumerate(lines):
        match = _KEYWORDS.match(unspace(line.text))
        if not match or line.role in ("head", "foot"):
            continue
        block = [line]
        listed = not line.text[match.end() :].strip()
        for other in lines[n + 1 : n + 12]:
            last = block[-1]
            if (
                other.region != line.region
                or abs(other.size - line.size) > (0.25 if listed else 0.06) * line.size
                or other.y0 - last.y1 > 0.8 * other.size
                or _STOP.match(other.text)
                or part_of(other.text)
                or re.match(r"^(abbreviations|\d+\.? introduction|pacs|correspond|jel\b|msc\b)", other.text, re.I)
            ):
                break
            if (
                not listed
                and last.x1 < line.column[1] - 0.25 * (line.column[1] - line.column[0])
                and last.text.rstrip().endswith(".")
            ):
                break
            block.append(other)
        commas = sum("," in k.text for k in block[1:])
        if listed and len(block) > 1 and not any(";" in k.text for k in block) and commas <= 0.3 * len(block[1:]):
            return [k.text.strip(" .") for k in block[1:]], block
        text = _KEYWORDS.sub("", spelling.text([_spread(k) for k in block]), count=1)
        parts = re.split(r"\s*[;；,，、•·|⋅]\s*|\s+[-–—]\s+|\s{3,}", text)
        words = [re.sub(r"\s+", " ", p).strip(" .") for p in parts]
        return [w for w in words if 1 < len(w) < 90][:30], block
    return [], []


def _spread(line: Line) -> Line:
    """Separate cells of a row are separate keywords (a bullet that has no character of its own)."""
    if len(line.cells) < 3 or ";" in line.text or "," in line.text:
        return line
    copy = Line(line.page, line.words, text=line.cells[0].text + " " + " • ".join(c.text for c in line.cells[1:]))
    return copy
