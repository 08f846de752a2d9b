"""Ovid's citations: numbered records ("<1>", "<1. Citation>") whose fields are names with indented values below them,
or tags with a dash.
"""

from __future__ import annotations

import re

from .people import people, split_people
from .record import WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of

START = re.compile(r"<(\d{1,6})(?:\.[^<>]{0,40})?>\s*$")
_NAME = re.compile(r"[A-Z][A-Za-z&/() -]{1,60}\.?$")
_TAG = re.compile(r"([A-Z][A-Z0-9])\s{0,3}-(?:\s(.*)|)$")
#: Ovid's tags and the names that its citations spell out, by our field.
_NAMES = {
    name: field
    for field, names in {
        "title": "ti|title",
        "authors": "au|fa|author|authors",
        "source": "so|source",
        "journal": "jn|journal name",
        "abstract": "ab|abstract",
        "doi": "do|digital object identifier",
        "number": "ui|unique identifier|accession number",
        "pmid": "pm|pmid",
        "keywords": "kw|keyword heading|author keywords|keywords|mh|mesh subject headings",
        "type": "pt|publication type",
        "language": "lg|la|language",
        "year": "yr|dp|year of publication|date of publication|publication year",
        "volume": "vo",
        "issue": "ip",
        "pages": "pg",
        "base": "db|database",
    }.items()
    for name in names.split("|")
}
_SOURCE = re.compile(
    r"(?P<journal>[^.]{2,200}(?:\.(?=\s[^\d])[^.]{2,80})?)\.\s*(?P<volume>[^\s(:,;]{1,12})?\s*(?:\((?P<issue>[^)]{1,40})\))?"
    r"(?::\s?(?P<pages>[\w–-]{1,20}))?"
)


def is_ovid(lines: list[str]) -> bool:
    """Whether lines have a numbered head and names or tags of Ovid's below it."""
    known = {name for line in lines if (name := _name(line)[0])}
    return any(START.match(line) for line in lines) and "title" in known and len(known) >= 2


def read_ovid(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading."""
    for tagged in _gather(text, reading):
        reading.counted += 1
        _import(tagged, reading)


def _name(line: str) -> tuple[str, str]:
    """(field, value on the same line) of a line that names one; ("", "") of any other. Unknown names are "?name"."""
    if match := _TAG.match(line):
        return _NAMES.get(match[1].lower(), f"?{match[1]}"), (match[2] or "").strip()
    if _NAME.match(line):
        name = line.strip().rstrip(".").lower()
        return _NAMES.get(name, f"?{name}"), ""
    return "", ""


def _gather(text: str, reading: Reading):
    current: Tagged | None = None
    stray = Stray(reading)
    for number, line in numbered(text):
        if START.match(line):
            if current is not None:
                yield current
            stray.end()
            current = Tagged(number, begun=True, raw=[line])
            continue
        if current is None:
            stray.put(number, line)
            continue
        current.raw.append(line)
        name, value = _name(line) if not line[:1].isspace() else ("", "")
        if name:
            current.put(name, value, number)
        else:
            current.go_on(line.strip())
    if current is not None:
        yield current
    stray.end()


def _import(tagged: Tagged, reading: Reading) -> None:
    source, base = tagged.first("source"), tagged.first("base").casefold()
    where = _SOURCE.match(source)
    number = tagged.first("number") if not base or "medline" in base else ""
    record = Record(
        title=tidy_title(tagged.first("title")),
        authors=_people(tagged.lines_of("authors")),
        year=year_of(tagged.first("year")) or _year(source),
        journal=tidy(tagged.first("journal")) or (tidy(where["journal"]) if where else None),
        volume=tidy(tagged.first("volume")) or (tidy(where["volume"]) if where else None),
        issue=tidy(tagged.first("issue")) or (tidy(where["issue"]) if where else None),
        pages=pages_of(tagged.first("pages") or (where["pages"] if where else "")),
        doi=doi_of(tagged.first("doi")) or doi_of(source),
        pmid=pmid_of(tagged.first("pmid")) or (pmid_of(number) if re.fullmatch(r"[0-9]{5,8}", number) else None),
        pmcid=pmcid_of(tagged.text),
        abstract=tidy(tagged.first("abstract")),
        keywords=split_keywords([line.lstrip("*") for line in tagged.lines_of("keywords")]),
        type=type_of(tagged.first("type")),
        language=tidy(tagged.first("language")),
        source_line=tagged.line,
    )
    if source and record.year is None:
        reading.tell(tagged.at("source"), "year_unreadable", WARNED, source, record=tagged.line)
    reading.add(record, tagged.text)


def _year(source: str) -> int | None:
    """The year of publication in a source line: behind the pages, where a volume or page can't be taken for it."""
    found = re.findall(r"[,.;]\s*(?:[A-Z][a-z]{2,8}[ ./-]*)?(?:\d{1,2},?\s)?((?:19|20)\d\d)\b", source)
    return year_of(found[-1]) if found else year_of(source)


def _people(lines: list[str]) -> list[dict]:
    """One name a line, or all on one: "Moll K. Ferro B." and "Moll, Karl; Ferro, Bea"."""
    found: list[dict] = []
    for line in lines:
        line = re.sub(r"\s+\((?:[^()]{1,200})\)\s*$", "", line.strip())
        if re.search(r"[;]", line):
            found += split_people(line)
        elif "," not in line and len(names := re.findall(r"[^\W\d_][\w'’ -]*? [A-Z]{1,4}\.(?=\s|$)", line)) > 1:
            found += people([name.rstrip(".") for name in names])
        else:
            found += people([line.rstrip(".") if not re.search(r"\b[A-Z]\.$", line) else line])
    return found
