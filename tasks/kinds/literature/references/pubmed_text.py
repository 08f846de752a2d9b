"""What PubMed saves as "Abstract (text)" and "Summary (text)": numbered paragraphs that end with a PMID."""

from __future__ import annotations

import re

from .people import split_people
from .record import Reading, Record
from .tagged import Stray, numbered
from .values import doi_of, pages_of, pmcid_of, pmid_of, tidy, tidy_title, year_of

START = re.compile(r"(\d{1,6})[.:]\s+\S")
_CITATION = re.compile(
    r"(?P<journal>[^.]{2,200}(?:\.(?=\s\D)[^.]{2,80})?)\.\s+(?P<date>(?:1[89]|20)\d\d\b[^;:.]*)(?:;(?P<where>[^.]*))?\."
)
_WHERE = re.compile(r"(?P<volume>[^(:]*)(?:\((?P<issue>[^)]*)\))?(?::(?P<pages>[\w\s,–-]+))?")


def read_pubmed_text(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading: a paragraph that begins with the next number begins a record."""
    expected, block, begin = 0, [], 0
    stray = Stray(reading)
    blank = True
    for number, line in numbered(text):
        match = START.match(line) if blank else None
        blank = not line.strip()
        if match and (expected == 0 or int(match[1]) == expected + 1):
            if block:
                _import(block, begin, reading)
            stray.end()
            expected, block, begin = int(match[1]), [line], number
        elif block:
            block.append(line)
        else:
            stray.put(number, line)
    if block:
        _import(block, begin, reading)
    stray.end()


def _import(block: list[str], begin: int, reading: Reading) -> None:
    reading.counted += 1
    raw = "\n".join(block).strip()
    paragraphs = [re.sub(r"\s+", " ", one).strip() for one in re.split(r"\n\s*\n", raw)]
    paragraphs[0] = re.sub(r"^\d+[.:]\s+", "", paragraphs[0])
    ids = next((p for p in reversed(paragraphs) if re.search(r"\bPMID: ?\d", p)), "")
    record = _long(paragraphs) if len(paragraphs) >= 3 else _short(paragraphs[0])
    record.doi = doi_of(next(iter(re.findall(r"\bdoi: ?\S+", ids, re.I)), "")) or doi_of(
        next(iter(re.findall(r"\bdoi: ?\S+", raw, re.I)), "")
    )
    record.pmid, record.pmcid = pmid_of(ids), pmcid_of(ids)
    record.source_line = begin
    reading.add(record, raw)


def _long(paragraphs: list[str]) -> Record:
    """Citation, title, authors, addresses, abstract: a paragraph each."""
    record = _cited(paragraphs[0])
    record.title = tidy_title(paragraphs[1])
    rest = paragraphs[2:]
    if rest and not rest[0].startswith(("Author information", "Comment", "DOI:", "PMID:")):
        record.authors = _people(rest.pop(0))
    prose = [
        p
        for p in rest
        if not re.match(
            r"Author information:|Comment (?:in|on)|Update (?:in|of)|Erratum|Collaborators|DOI:|PMCID:|PMID:|"
            r"©|Copyright|Conflict of interest|\[Article|\[Indexed",
            p,
        )
    ]
    record.abstract = tidy(" ".join(prose))
    return record


def _short(text: str) -> Record:
    """ "Authors. Title. Journal. 2011 Jun;50(6):349-69. doi: ..." in one paragraph."""
    match = re.match(
        r"(?P<authors>[^.]{2,2000}?)\.\s+(?P<title>.+?[.?!])\s+(?=[A-Z][^.]{1,120}\.\s+(?:1[89]|20)\d\d\b)", text
    )
    if not match:
        return _cited(text)
    record = _cited(text[match.end() :])
    record.authors, record.title = _people(match["authors"]), tidy_title(match["title"])
    return record


def _people(text: str) -> list[dict]:
    return split_people(re.sub(r"(?<!\s)\s*+\((?:\d+|#)\)", "", text).rstrip("."))


def _cited(text: str) -> Record:
    record = Record(type="article-journal")
    match = _CITATION.match(text)
    if match:
        where = _WHERE.match(match["where"] or "")
        record.journal, record.year = tidy(match["journal"]), year_of(match["date"][:4])
        record.volume, record.issue = tidy(where["volume"]), tidy(where["issue"])
        record.pages = pages_of(where["pages"])
    return record
