"""Web of Science plain text: "PT J" to "ER", continuation lines indented by three spaces, "EF" at the end."""

from __future__ import annotations

import re

from .people import people
from .record import WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, pages_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of

START = re.compile(r"PT(?: [A-Z])?\s*$")
_TAG = re.compile(r"([A-Z][A-Z0-9])(?: (.*)|\s*)$")
_HEAD = ("FN", "VR")
_TYPES = {"J": "article-journal", "B": "book", "S": "book", "P": "patent", "C": "paper-conference"}


def read_web_of_science(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading."""
    for tagged in _gather(text, reading):
        reading.counted += 1
        _import(tagged, reading)
    if re.search(r"^FN\b", text, re.M) and not re.search(r"^EF\s*$", text, re.M):
        reading.tell(text.count("\n") + 1, "cut_short", WARNED, text[-80:].strip())


def _gather(text: str, reading: Reading):
    current: Tagged | None = None
    stray = Stray(reading)
    for number, line in numbered(text):
        match = _TAG.match(line)
        if match is None:
            if current is None:
                stray.put(number, line)
            else:
                current.go_on(line.strip())
                current.raw.append(line)
            continue
        tag = match[1]
        if tag in _HEAD and (current is None or number == 1):
            continue
        if tag in ("PT", "ER", "EF") and current is not None:
            if tag == "ER":
                current.raw.append(line)
            else:
                reading.tell(current.line, "missing_end", "repaired", current.raw[0])
            yield current
            current = None
        if tag in ("ER", "EF"):
            continue
        if current is None:
            stray.end()
            current = Tagged(number, begun=tag == "PT")
            if not current.begun:
                reading.tell(number, "missing_start", "repaired", line)
        current.put(tag, (match[2] or "").strip(), number)
        current.raw.append(line)
    if current is not None:
        reading.tell(current.line, "missing_end", "repaired", current.raw[0])
        yield current
    stray.end()


def _import(tagged: Tagged, reading: Reading) -> None:
    record = Record(
        title=tidy_title(tagged.first("TI")),
        authors=people(tagged.lines_of("AF") or tagged.lines_of("AU") or tagged.lines_of("CA", "BE")),
        year=year_of(tagged.first("PY")) or (year_of(tagged.first("EA", "PD")) if not tagged.has("PY") else None),
        journal=tidy(tagged.first("SO", "JI", "J9")),
        volume=tidy(tagged.first("VL")),
        issue=tidy(tagged.first("IS")),
        pages=pages_of(tagged.first("BP", "AR"), tagged.first("EP")),
        doi=doi_of(tagged.first("DI")),
        pmid=pmid_of(tagged.first("PM")),
        abstract=tidy(tagged.first("AB")),
        keywords=split_keywords(tagged.all("DE") or tagged.all("ID")),
        type="review"
        if tagged.first("DT") == "Review"
        else _TYPES.get(tagged.first("PT")) or type_of(tagged.first("DT")),
        language=tidy(tagged.first("LA")),
        source_line=tagged.line,
    )
    for tag, value, code in (("PY", record.year, "year_unreadable"), ("DI", record.doi, "doi_unreadable")):
        if tagged.has(tag) and value is None:
            reading.tell(tagged.at(tag), code, WARNED, tagged.first(tag), record=tagged.line)
    reading.add(record, tagged.text)
