"""The page on which a paper begins, and what tells it from a cover sheet and from any other page."""

import re
from dataclasses import dataclass

from .affiliations import AFFILIATION
from .lines import Line
from .names import part_of
from .text import squash

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
    r"published version\b.{0,30}\bcitation|empfohlene zitierung|suggested citation|nutzungsbedingungen|"
    r"citación recomendada|conteúdo disponível|repositorio institucional|repositório institucional|"
    r"archive ouverte|zur verfügung gestellt|diese version ist zitierbar|this version is available|"
    r"peer[- ]reviewed version|postprint|version of record|graphical abstract.*\bhighlights\b",
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


_DATES = re.compile(
    r"^\W*\(?(?:article history|received|accepted|submitted|published(?: online)?|available online|收稿日期)\b", re.I
)
_KEYWORDS = re.compile(
    r"^\W*(?:key ?-?words?|index terms|abstract|summary|摘\s?要|关键词|resumen|resumo|аннотация|реферат|"
    r"ключевые слова|zusammenfassung|résumé|要旨|概要)\b",
    re.I,
)
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
        elif re.match(r"\W*(?:удк|udc|ббк|中图分类号|分类号|文章编号)\b", text, re.I):
            signs.add("class mark")
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
