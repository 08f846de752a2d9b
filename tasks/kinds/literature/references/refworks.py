"""RefWorks Tagged ("RT Journal Article", "A1 Moll,Karl"), which Chinese databases export as well."""

from __future__ import annotations

import re

from .people import people, split_people
from .record import UNREADABLE, WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of

START = re.compile(r"RT\s+[^\W\d]")
_TAG = re.compile(r"([A-Z][A-Z0-9])(?:\s+(.*)|)$")
_TAGS = set(
    "RT SR ID A1 A2 A3 A4 A5 A6 AB AD AN AV CA CL CN CR CT DB DO DS ED ED FD FL IS JF JO K1 L1 L2 LA LK LL NO OL OP PA "
    "PB PM PP RD RP SF SL SN SP ST T1 T2 T3 TA U1 U2 U3 U4 U5 UL VO WP WT WV YR".split()
)


def is_refworks(lines: list[str]) -> bool:
    """Whether lines have RefWorks' first tag and enough of its others, with one space and no dash."""
    others = {match[1] for line in lines if (match := _TAG.match(line)) and match[1] in _TAGS}
    return any(START.match(line) for line in lines) and len(others & {"SR", "ID", "A1", "T1", "JF", "YR", "K1"}) >= 2


def read_refworks(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading. RT begins a record; so does an empty line before a second title."""
    for tagged in _gather(text, reading):
        reading.counted += 1
        _import(tagged, reading)


def _gather(text: str, reading: Reading):
    current: Tagged | None = None
    stray, gap = Stray(reading), False
    for number, line in numbered(text):
        if not line.strip():
            gap = True
            continue
        match = _TAG.match(line)
        if match is None or match[1] not in _TAGS:
            if current is None:
                stray.put(number, line)
            else:
                current.go_on(line.strip())
                current.raw.append(line)
            continue
        tag = match[1]
        unmarked = gap and current is not None and current.has("T1") and tag in ("SR", "ID", "A1", "T1")
        if tag == "RT" or current is None or (unmarked and current.has(tag)):
            if current is not None:
                yield current
            stray.end()
            current = Tagged(number, begun=tag == "RT")
            if not current.begun:
                reading.tell(number, "missing_start", "repaired", line)
        gap = False
        current.put(tag, (match[2] or "").strip(), number)
        current.raw.append(line)
    if current is not None:
        yield current
    stray.end()


def _import(tagged: Tagged, reading: Reading) -> None:
    if len(tagged.tags) <= 1:
        reading.tell(tagged.line, "empty_record", UNREADABLE, tagged.text)
        return
    base = " ".join(tagged.all("DB", "DS")).casefold()
    accession = tagged.first("AN", "ID") if "medline" in base or "pubmed" in base else ""
    record = Record(
        title=tidy_title(tagged.first("T1", "CT")),
        authors=_people(tagged, "A1") or _people(tagged, "A2"),
        journal=tidy(tagged.first("JF", "JO", "T2")),
        volume=tidy(tagged.first("VO")),
        issue=tidy(tagged.first("IS")),
        pages=pages_of(tagged.first("SP"), tagged.first("OP")),
        doi=doi_of(tagged.first("DO")) or doi_of(tagged.first("UL", "LK")),
        pmid=pmid_of(tagged.first("PM")) or (pmid_of(accession) if re.fullmatch(r"[0-9]{5,8}", accession) else None),
        pmcid=pmcid_of(" ".join(tagged.all("UL", "LK", "U1", "NO"))),
        abstract=tidy(tagged.first("AB")),
        keywords=split_keywords(tagged.all("K1")),
        type=type_of(tagged.first("RT")),
        language=tidy(tagged.first("LA")),
        url=tidy(tagged.first("UL", "LK")),
        notes=tidy("\n".join(tagged.all("NO"))),
        source_line=tagged.line,
    )
    printed = tagged.first("YR", "FD")
    record.year = year_of(printed) or year_of(tagged.first("FD"))
    if printed and record.year is None:
        reading.tell(tagged.at("YR"), "year_unreadable", WARNED, printed, record=tagged.line)
    if tagged.has("DO") and doi_of(tagged.first("DO")) is None:
        reading.tell(tagged.at("DO"), "doi_unreadable", WARNED, tagged.first("DO"), record=tagged.line)
    reading.add(record, tagged.text)


def _people(tagged: Tagged, tag: str) -> list[dict]:
    """One name a tag; Chinese databases put all of them into one, between semicolons."""
    found: list[dict] = []
    for line in tagged.lines_of(tag):
        found += split_people(line) if re.search(r"[;；]", line) else people([line])
    return found
