"""Retractions and corrections: what a title, a banner or a stamp across the pages says of the paper itself."""

import re

from .lines import Line
from .passages import Passage
from .provenance import Provenance

RETRACTION, CORRECTION, CONCERN, WITHDRAWAL = "retraction", "correction", "expression of concern", "withdrawal"
_IN_TITLE = (
    (RETRACTION, r"RETRACTED\b|[Rr]etracted(?: article| paper| chapter)?\s*[:：–—]|撤稿|撤回声明"),
    (
        RETRACTION,
        r"(?i:notice of retraction|retraction (?:note|notice|statement)|"
        r"retraction(?:\s*[:：–—]| (?:of|to):?\s*[“\"‘'«]))",
    ),
    (WITHDRAWAL, r"WITHDRAWN\b|[Ww]ithdrawn\s*[:：]|(?i:withdrawal notice|notice of withdrawal|withdrawal\s*[:：])"),
    (CONCERN, r"(?i:(?:editorial )?expression of concern\b)"),
    (
        CORRECTION,
        r"(?i:(?:corrigend(?:um|a)|errat(?:um|a)|addendum)\b|(?:author |publisher |editorial )?correction(?: to| of)?"
        r"(?:\s*[:：–—]|\s*[“\"‘'«]))|更正|勘误",
    ),
)
_TITLES = [(kind, re.compile(rf"\W*(?:{pattern})")) for kind, pattern in _IN_TITLE]
#: A line of its own in a margin, or a stamp: the words and nothing else.
_BANNER = re.compile(
    r"\W*(?:(?P<r>(?:this article has been |this paper has been )?retracted(?: article| paper)?)|"
    r"(?P<w>(?:this article has been )?withdrawn(?: article| paper)?)|(?P<c>expression of concern))\W*(?:$|"
    r"see the retraction)",
    re.I,
)


def of_title(title: str | None) -> str | None:
    """What the title of a notice, or of a paper that bears one, says it is; None for any other title.

    "Correction of teeth" and "Retraction of the tongue" are titles of papers: such words need a mark or a quotation
    behind them.
    """
    return next((kind for kind, pattern in _TITLES if title and pattern.match(title.strip())), None)


def find_notice(texts: list[Passage], pages: list[list[Line]], provenance: Provenance) -> list[dict]:
    """[field "notice"] when the title, or a banner on any page, says that the paper is retracted or corrects "
    "another."""
    for passage in texts:
        if passage.part == "title" and (kind := of_title(passage.text)):
            return [provenance.field("notice", kind, passage.page, passage.text, 0.95)]
    for number, lines in enumerate(pages, 1):
        for line in lines:
            match = _BANNER.match(line.text) if len(line.text) < 90 else None
            if match and (line.text.isupper() or line.role or line.size > 1.3 * _usual(lines)):
                kind = RETRACTION if match["r"] else WITHDRAWAL if match["w"] else CONCERN
                return [provenance.field("notice", kind, number, line.text, 0.9)]
    return []


def _usual(lines: list[Line]) -> float:
    sizes = sorted(k.size for k in lines)
    return sizes[len(sizes) // 2] if sizes else 0.0
