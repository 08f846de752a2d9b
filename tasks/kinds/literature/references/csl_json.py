"""CSL-JSON, as Zotero, Mendeley, Paperpile and doi.org write it, and the works of Crossref's answers, which share its
names (the schema: citation-style-language/schema, csl-data.json).

Objects are taken out of the text one by one, so a file that is cut off loses its last record and no other.
"""

from __future__ import annotations

import json
import re

from .people import people
from .record import UNREADABLE, WARNED, Reading, Record
from .values import doi_of, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of

#: How a JSON text begins; "[10.1000/1]" and the "{" of other formats are none.
BEGINS = re.compile(r"\s*(?:\[\s*)?\{\s*(?:\"|\})")
_KEYS = re.compile(r'"(title|author|issued|container-title|DOI|publisher|page|given|family)"\s*:')
_WORK = re.compile(r'"(?:title|DOI|PMID|abstract)"\s*:')
_ITEM = re.compile(r"\{\s*\"")
_DECODER = json.JSONDecoder()
#: Types that Crossref has and CSL has not, and CSL's that ours have under another word.
_TYPES = {
    "article-journal": "article-journal",
    "journal-article": "article-journal",
    "paper-conference": "paper-conference",
    "proceedings-article": "paper-conference",
    "book-chapter": "chapter",
    "posted-content": "article",
    "monograph": "book",
    "post-weblog": "webpage",
}


def is_csl(text: str) -> bool:
    """Whether a JSON text, or the beginning of one, holds works with the names of CSL."""
    found = set(_KEYS.findall(text))
    return bool(BEGINS.match(text)) and len(found) >= 2 and bool(found & {"title", "DOI"})


def read_csl(text: str, reading: Reading) -> None:
    """Add every object that is a work to the reading; one that can't be read is listed."""
    at = 0
    while (start := _ITEM.search(text, at)) is not None:
        try:
            item, at = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = _broken(text, start, reading)
            continue
        line = text.count("\n", 0, start.start()) + 1
        for work in _works(item):
            reading.counted += 1
            _import(work, line, reading)


def _broken(text: str, start: re.Match, reading: Reading) -> int:
    """Tells an object that is damaged, and gives the offset at which to look on: behind it, or inside a wrapper."""
    after = re.compile(r"\}\s*,\s*\{\s*\"(?:id|type|DOI|title|indexed|publisher)\"").search(text, start.end())
    wrapper = re.compile(r"\s*(?:\w|-){1,40}\"\s*:\s*[\[{]").match(text, start.end())
    if wrapper and not _WORK.search(text, start.start(), wrapper.end() + 2):
        return wrapper.end() - 1
    end = after.start() + 1 if after else len(text)
    reading.counted += 1
    line = text.count("\n", 0, start.start()) + 1
    reading.tell(line, "json_damaged", UNREADABLE, text[start.start() : min(end, start.start() + 300)])
    return end


def _works(item) -> list[dict]:
    """The works in an object: itself, or what it wraps ({"items": [...]}, {"message": {"items": [...]}})."""
    if not isinstance(item, dict):
        return []
    for _ in range(2):
        for name in ("items", "message", "references"):
            inner = item.get(name)
            if isinstance(inner, list) and all(isinstance(one, dict) for one in inner):
                return inner
            if isinstance(inner, dict):
                item = inner
                break
    return [item]


def _text(work: dict, *names: str) -> str:
    """The first of the values that has text; of a list its first member, as Crossref gives titles."""
    for name in names:
        value = work.get(name)
        if isinstance(value, list):
            value = next((one for one in value if isinstance(one, str) and one.strip()), "")
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _import(work: dict, line: int, reading: Reading) -> None:
    kind = _text(work, "type")
    title, subtitle = _text(work, "title", "title-short"), _text(work, "subtitle")
    record = Record(
        title=tidy_title(f"{title}: {subtitle}" if title and subtitle and subtitle not in title else title),
        authors=_people(work.get("author")) or _people(work.get("editor")),
        year=_year(work),
        journal=tidy(_text(work, "container-title", "collection-title", "container-title-short")),
        volume=tidy(_text(work, "volume")),
        issue=tidy(_text(work, "issue")),
        pages=pages_of(_text(work, "page", "article-number", "number")),
        doi=doi_of(_text(work, "DOI")) or doi_of(_text(work, "URL")),
        pmid=pmid_of(_text(work, "PMID")),
        pmcid=pmcid_of(_text(work, "PMCID"), bare=True),
        abstract=tidy(_text(work, "abstract")),
        keywords=split_keywords([words]) if (words := _text(work, "keyword")) else [],
        type=_TYPES.get(kind) or type_of(kind),
        language=tidy(_text(work, "language")),
        url=tidy(_text(work, "URL")),
        notes=tidy(_text(work, "note")),
        source_line=line,
    )
    if _text(work, "DOI") and record.doi is None:
        reading.tell(line, "doi_unreadable", WARNED, _text(work, "DOI"), record=line)
    reading.add(record, json.dumps(work, ensure_ascii=False)[:20_000])


def _people(names) -> list[dict]:
    """Names in parts as they are given, particles with the family name; "literal" and "name" are one string."""
    found: list[dict] = []
    for name in names if isinstance(names, list) else []:
        if not isinstance(name, dict):
            continue
        family = _text(name, "family")
        if not family:
            found += people([one for one in [_text(name, "literal", "name") or _text(name, "given")] if one])
            continue
        particle = _text(name, "non-dropping-particle", "dropping-particle")
        given = f"{_text(name, 'given')} {_text(name, 'suffix')}".strip()
        found.append({"family": tidy(f"{particle} {family}") or family, "given": tidy(given) or ""})
    return found


def _year(work: dict) -> int | None:
    """The year of "issued" and of its stand-ins; a date is parts, a string ("raw", "literal") or both."""
    for name in ("issued", "published-print", "published-online", "published", "event-date"):
        date = work.get(name)
        if not isinstance(date, dict):
            if year := year_of(_text(work, name)):
                return year
            continue
        parts = date.get("date-parts")
        while isinstance(parts, list) and parts:
            parts = parts[0]
        if year := year_of(str(parts)) or year_of(_text(date, "raw", "literal")):
            return year
    return None
