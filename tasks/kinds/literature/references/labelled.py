"""Records of lines with a label in words: NoteExpress ("{Title}: ..."), the own format of Chinese databases
("Title-题名: ..."), and text exports such as ProQuest's ("Title: ..."), whose labels the vocabulary of tables knows.
"""

from __future__ import annotations

import re

from .people import split_people
from .record import WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import field_of, type_of

_NOTEEXPRESS = re.compile(r"\{([^{}:]{2,60})\}[:：]\s?(.*)$")
_CHINESE = re.compile(r"([A-Z][A-Za-z]{1,30}-[\u4e00-\u9fff]{1,12})[:：]\s?(.*)$")
_PLAIN = re.compile(r"([A-Z][A-Za-z /-]{1,38}[a-z]|DOI|PMID|PMCID|URL|[\u4e00-\u9fff]{1,8})\s?[:：](?:\s+|$)(.*)$")
_RULE = re.compile(r"\s*[_=*-]{4,}\s*$")


def dialect(lines: list[str]) -> str:
    """ "noteexpress", "cnki" or "labelled" for lines that are mostly labels we know, a title among them; else "" ."""
    filled = [line for line in lines if line.strip() and not _RULE.match(line)]
    for name, pattern, share in (
        ("noteexpress", _NOTEEXPRESS, 0.3),
        ("cnki", _CHINESE, 0.3),
        ("labelled", _PLAIN, 0.5),
    ):
        labels = [match[1] for line in filled if (match := pattern.match(line))]
        known = {found for label in labels if (found := _field(label))}
        if len(labels) >= share * len(filled) and "title" in known and len(known) >= 3:
            return name
    return ""


def read_labelled(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading. A label that begins records, or a second title, begins the next."""
    lines = text.split("\n")
    pattern = {"noteexpress": _NOTEEXPRESS, "cnki": _CHINESE}.get(dialect(lines[:4000]), _PLAIN)
    for tagged in _gather(text, pattern, reading):
        reading.counted += 1
        _import(tagged, reading)


def _field(label: str) -> str:
    """The field that a label means: "type" for "Reference Type", "" for what is none of ours."""
    if re.match(r"(?:SrcDatabase|Reference Type)", label):
        return "type"
    found = field_of(re.sub(r"^(?:Author|Publication) (?=Names?$)", "", label))
    return found[0] if found else ""


def _gather(text: str, pattern: re.Pattern, reading: Reading):
    current: Tagged | None = None
    first, stray, gap = "", Stray(reading), False
    for number, line in numbered(text):
        if not line.strip() or _RULE.match(line):
            gap = True
            continue
        match = pattern.match(line)
        name = (_field(match[1]) or f"?{match[1]}") if match else ""
        if not match:
            if current is None:
                stray.put(number, line)
            else:
                current.go_on(line.strip())
                current.raw.append(line)
            continue
        first = first or name
        again = current is not None and current.has(name)
        if current is None or again and (name == first or (gap and name == "title")):
            if current is not None:
                yield current
            stray.end()
            current = Tagged(number, begun=True)
        gap = False
        current.put(name, match[2].strip(), number)
        current.raw.append(line)
    if current is not None:
        yield current
    stray.end()


def _import(tagged: Tagged, reading: Reading) -> None:
    pages = tagged.first("pages")
    record = Record(
        title=tidy_title(tagged.first("title")),
        authors=[one for line in tagged.lines_of("authors") for one in split_people(line)],
        year=year_of(tagged.first("year")) or next((y for one in tagged.all("year") if (y := year_of(one))), None),
        journal=tidy(tagged.first("journal")),
        volume=tidy(tagged.first("volume")),
        issue=tidy(tagged.first("issue")),
        pages=pages_of(pages) if pages else pages_of(tagged.first("first_page"), tagged.first("last_page")),
        doi=doi_of(tagged.first("doi")) or doi_of(tagged.first("url")),
        pmid=pmid_of(tagged.first("pmid")),
        pmcid=pmcid_of(tagged.first("pmcid"), bare=True),
        abstract=tidy(tagged.first("abstract")),
        keywords=split_keywords(tagged.all("keywords")),
        type=type_of(tagged.first("type")),
        language=tidy(tagged.first("language")),
        url=tidy(tagged.first("url")),
        notes=tidy("\n".join(tagged.all("notes"))),
        source_line=tagged.line,
    )
    for name, value, code in (("year", record.year, "year_unreadable"), ("doi", record.doi, "doi_unreadable")):
        if tagged.has(name) and value is None:
            reading.tell(tagged.at(name), code, WARNED, tagged.first(name), record=tagged.line)
    reading.add(record, tagged.text)
