"""EndNote's own export and Refer (".enw"): lines of "%0 Journal Article", "%A Family, Given"."""

from __future__ import annotations

import re

from .people import people
from .record import WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, is_plain_doi, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of

START = re.compile(r"%0(?:\s|$)")
_TAG = re.compile(r"(%[0-9A-Z@!#$&()*+=<>?\[\]^~|:])(?:\s+(.*)|)$")


def read_endnote_tagged(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading."""
    marked = bool(re.search(r"^%0(?:\s|$)", text, re.M))
    for tagged in _gather(text, reading, marked):
        reading.counted += 1
        _import(tagged, reading)


def _gather(text: str, reading: Reading, marked: bool):
    current: Tagged | None = None
    stray, gap = Stray(reading), False
    for number, line in numbered(text):
        if not line.strip():
            gap = True
            continue
        match = _TAG.match(line.lstrip())
        if match is None:
            if current is None:
                stray.put(number, line)
            else:
                current.go_on(line.strip())
                current.raw.append(line)
            continue
        tag = match[1]
        unmarked = (
            gap
            and current is not None
            and tag in ("%A", "%T")
            and current.has("%T")
            and (not marked or current.has(tag))
        )
        if tag == "%0" or current is None or unmarked:
            if current is not None:
                yield current
            stray.end()
            current = Tagged(number, begun=tag == "%0")
            if marked and not current.begun:
                reading.tell(number, "missing_start", "repaired", line)
        gap = False
        current.put(tag, (match[2] or "").strip(), number)
        current.raw.append(line)
    if current is not None:
        yield current
    stray.end()


def _import(tagged: Tagged, reading: Reading) -> None:
    accession = tagged.first("%M")
    record = Record(
        title=tidy_title(tagged.first("%T", "%!", "%Q")),
        authors=people(tagged.all("%A") or tagged.all("%E")),
        journal=tidy(tagged.first("%J", "%B")),
        volume=tidy(tagged.first("%V")),
        issue=tidy(tagged.first("%N")),
        pages=pages_of(tagged.first("%P")),
        pmid=pmid_of(accession) if re.fullmatch(r"(?:PMID:?\s*)?\d{5,8}", accession, re.I) else None,
        pmcid=pmcid_of(tagged.first("%2")),
        abstract=tidy(tagged.first("%X")),
        keywords=split_keywords(tagged.lines_of("%K")),
        type=type_of(tagged.first("%0")),
        language=tidy(tagged.first("%G")),
        url=tidy(next(iter(tagged.lines_of("%U")), "")),
        source_line=tagged.line,
    )
    printed = tagged.first("%D", "%8")
    record.year = year_of(printed)
    if printed and record.year is None:
        reading.tell(tagged.at("%D"), "year_unreadable", WARNED, printed, record=tagged.line)
    doi = tagged.first("%R")
    record.doi = doi_of(doi) or doi_of(tagged.first("%U"))
    if doi and doi_of(doi) is None:
        reading.tell(tagged.at("%R"), "doi_unreadable", WARNED, doi, record=tagged.line)
    elif doi and not is_plain_doi(doi):
        reading.tell_again(tagged.at("%R"), "doi_with_address", text=doi)
    reading.add(record, tagged.text)
