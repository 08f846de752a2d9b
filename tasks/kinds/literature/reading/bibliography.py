"""The bibliographic values as fields, each with the words it was read from and where they stand."""

import re

from .identifiers import find_dois, join_broken
from .paper import Paper
from .provenance import Provenance
from .text import squash

_LICENCES = [
    ("CC BY-NC-ND", r"creative\s*commons[^.]{0,60}non-?commercial[- ]+no-?deriv\w*|by-nc-nd"),
    ("CC BY-NC-SA", r"by-nc-sa|non-?commercial[- ]+share-?alike"),
    ("CC BY-NC", r"creative\s*commons[^.]{0,60}non-?commercial|by-nc(?!-)|\bCC BY[- ]NC\b"),
    ("CC BY-SA", r"by-sa|share-?alike"),
    ("CC BY-ND", r"by-nd(?!\w)|attribution[- ]no-?deriv"),
    # The waiver that stands under every BMC paper is for its data, so the licence of the text comes first.
    ("CC BY", r"creative\s*commons\s*attribution|licenses/by/|\bCC[- ]BY\b"),
    ("CC0", r"publicdomain/zero(?!.{0,80}\bdata\b)|\bCC0\b(?!.{0,80}\bdata\b)"),
    ("all rights reserved", r"all rights reserved"),
]


def find_licence(text: str) -> tuple[str | None, str]:
    """(licence, the words that say so)."""
    for name, pattern in _LICENCES:
        match = re.search(pattern, text, re.I)
        if match:
            return name, match[0]
    return None, ""


def bibliographic_fields(paper: Paper, provenance: Provenance, licence: str | None, licence_words: str) -> list[dict]:
    """Fields in the order in which a reader wants them; absent values give none."""
    page = paper.front.page + 1
    fields = []
    if paper.front.title:
        fields.append(provenance.field("title", paper.front.title, page, paper.front.title, paper.front.confidence))
    if paper.authors:
        fields.append(_authors(paper, provenance, page))
    fields += _doi(paper, provenance)
    for name, value in (("pmid", paper.pmid), ("pmcid", paper.pmcid)):
        if value:
            fields.append(printed_where(paper, provenance, name, value, value, 0.95))
    if paper.year:
        total = sum(paper.year_votes.values())
        fields.append(
            printed_where(
                paper,
                provenance,
                "year",
                paper.year,
                str(paper.year),
                round(min(0.98, 0.4 + 0.58 * paper.year_votes[paper.year] / total), 2),
            )
        )
    if paper.journal:
        fields.append(
            printed_where(paper, provenance, "journal", paper.journal, paper.journal, paper.journal_confidence)
        )
    for name in ("volume", "issue", "first_page", "last_page"):
        if name in paper.numbers:
            fields.append(_number(paper, provenance, name, paper.numbers[name]))
    if paper.abstract:
        fields.append(_abstract(paper, provenance))
    if paper.keywords:
        fields.append(
            provenance.field("keywords", paper.keywords, paper.keyword_lines[0].page, _plain(paper.keyword_lines), 0.9)
        )
    if licence:
        fields.append(printed_where(paper, provenance, "licence", licence, licence_words, 0.9))
    return fields


def _plain(lines) -> str:
    return " ".join(k.text for k in lines)


def _authors(paper, provenance, page):
    """The list with the words from the first name to the last; verified when each name stands on the page as one."""
    names = [f"{p['given']} {p['family']}".strip() for p in paper.authors]
    ids = [n for n, k in enumerate(paper.front.lines) if any(k is line for line in paper.author_lines)]
    span = _plain(paper.front.lines[ids[0] : ids[-1] + 1]) if ids else _plain(paper.author_lines)
    quotes = [span, _plain(paper.author_lines), paper.author_lines[0].text]
    quote = next((q for q in quotes if len(q) < 1500 and provenance.page(page).find(q)), quotes[-1])
    field = provenance.field("authors", names, page, quote, paper.authors_confidence)
    if field["verified"] and not all(provenance.page(page).find(p["printed"]) for p in paper.authors):
        field.update(verified=False, confidence=min(field["confidence"], 0.3))
    return field


def _doi(paper, provenance):
    if paper.doi:
        for number in [paper.front.page + 1, *range(1, len(paper.pages) + 1)]:
            if provenance.page(number).find(paper.doi):
                return [
                    provenance.field(
                        "doi",
                        paper.doi,
                        number,
                        paper.doi,
                        round(min(0.99, 0.8 + 0.03 * paper.doi_votes[paper.doi]), 2),
                    )
                ]
        return [provenance.field("doi", paper.doi, paper.front.page + 1, paper.doi, 0.6)]
    if not paper.doi_votes:
        return []
    field = provenance.field("doi", None, paper.front.page + 1, next(iter(paper.doi_votes)), 0.3)
    candidates = [{"value": doi, "page": _page_of(paper, doi), "quote": doi} for doi in paper.doi_votes]
    field.update(status="ambiguous", confidence=0.3, candidates=candidates)
    return [field]


def _page_of(paper, doi):
    for number, lines in enumerate(paper.pages, 1):
        if any(d == doi for d, _ in find_dois(join_broken(_plain(lines)))):
            return number
    return paper.front.page + 1


#: How a citation line prints each number: a bare "4" proves nothing.
ROLES = {
    "volume": r"\b(?:vol(?:ume)?\.?|v\.)\s*{n}\b|(?<![\d.]){n}\s*[(:]\s*\d|[;,]\s*{n}\s*[:(,]"
    r"|第\s*{n}\s*卷|(?<![\d.]){n}\s*卷",
    "issue": r"\d\s*\(\s*{n}\s*\)|\b(?:no|issue|iss|number|n)\b[.°º]?\s*{n}\b|第\s*{n}\s*期|(?<![\d.]){n}\s*期",
    "first_page": r"(?<![\d.]){n}\s*[-–—]\s*\d|\bpages?\s*{n}\b|\bpp?\.\s*{n}\b|[:;,]\s*{n}\b"
    r"|\barticle (?:id|no\.?|number)?\s*{n}\b",
    "last_page": r"\d\s*[-–—]\s*{n}(?!\d)",
}
CITATION = r"©|copyright|\bvol|\bissue\b|\d+\s*\(\d+\)|\d\s*[:;]\s*\d|\bdoi\b|\bpages?\b|\bpp\.|[卷期]"


def _number(paper, provenance, name, value):
    """A number of the citation, with the front-matter line that prints it in its role; unverified where none does
    (it is then known from the file's own metadata alone)."""
    role = ROLES[name].replace("{n}", re.escape(value))
    home = squash(paper.journal or "")
    for number in dict.fromkeys([paper.front.page + 1, min(paper.front.page + 2, len(paper.pages))]):
        for line in paper.pages[number - 1]:
            own = paper.doi and paper.doi in line.text.lower() or str(paper.year or "-") in line.text
            own = own or len(home) > 4 and home in squash(line.text)
            if own and re.search(CITATION, line.text, re.I) and re.search(role, line.text, re.I):
                if len(line.text) < 200:
                    return provenance.field(name, value, number, line.text, 0.8)
    field = provenance.field(name, value, paper.front.page + 1, value, 0.5)
    field.update(quote="", verified=False, box=None)
    if "boxes" in field:
        field["boxes"] = []
    return field


def printed_where(paper, provenance, name, value, words, confidence):
    """The field with the printed line that holds `words`: of the front page, else of the first page that has it."""
    wanted = squash(words)
    for number in [paper.front.page + 1, *range(1, min(len(paper.pages), 12) + 1), len(paper.pages)]:
        lines = paper.pages[number - 1]
        hits = [k for k in lines if re.search(rf"(?<![\w.]){re.escape(words)}(?!\w)", k.text, re.I)]
        if not hits:
            hits = [k for k in lines if len(wanted) > 6 and wanted in squash(k.text)]
        if hits:
            cue = [
                k
                for k in hits
                if re.search(r"published|©|copyright|\bvol|\d+\s*\(\d+\)|\d:\s*\d|doi|\bjournal\b", k.text, re.I)
            ]
            quote = (cue or hits)[0].text
            return provenance.field(name, value, number, quote if len(quote) < 300 else words, confidence)
    spread = next(
        (
            n
            for n in [paper.front.page + 1, *range(1, len(paper.pages) + 1)]
            if len(wanted) > 6 and provenance.page(n).find(words)
        ),
        paper.front.page + 1,
    )
    return provenance.field(name, value, spread, words, confidence)


def _abstract(paper, provenance):
    first = paper.abstract_lines[0].page
    whole = all(k.page == first for k in paper.abstract_lines)
    quote = paper.abstract if whole else paper.abstract[:300].rsplit(" ", 1)[0]
    field = provenance.field("abstract", paper.abstract, first, quote, 0.9)
    if not field["verified"]:
        field = provenance.field("abstract", paper.abstract, first, paper.abstract[:120].rsplit(" ", 1)[0], 0.8)
    return field
