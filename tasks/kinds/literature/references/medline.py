"""MEDLINE ("PMID- 123", ".nbib"), as PubMed writes it, and ERIC's dialect of it without numbers."""

from __future__ import annotations

import re

from .people import people
from .record import WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import notice_of_types, type_of

START = re.compile(r"PMID\s?-\s?\S")
_TAG = re.compile(r"([A-Z][A-Z0-9]{1,4})\s{0,3}-(?:\s(.*)|)$")


def read_medline(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading. A record begins with PMID, or after an empty line."""
    with_numbers = bool(re.search(r"^[ \t]*PMID\s?-", text, re.M))
    for tagged in _gather(text, reading, with_numbers):
        reading.counted += 1
        _import(tagged, reading)


def _gather(text: str, reading: Reading, with_numbers: bool):
    current: Tagged | None = None
    stray, gap = Stray(reading), False
    for number, line in numbered(text):
        if not line.strip():
            gap = True
            if current is not None:
                current.raw.append(line)
            continue
        begins = START.match(line.lstrip())
        match = re.match(r"(PMID)\s?-\s?(.*)$", line.lstrip()) if begins else _TAG.match(line)
        if match is None:
            if current is None:
                stray.put(number, line)
            elif gap and not line.startswith(" ") and with_numbers and current.has("PMID"):
                stray.put(number, line)  # a heading between records, not the end of the last value
            else:
                if not line.startswith("      "):
                    reading.tell_again(number, "odd_lines", text=line)
                current.go_on(line.strip())
                current.raw.append(line)
            continue
        tag = match[1]
        # A record that has lost its number begins with these, after an empty line.
        unnumbered = (
            gap
            and current is not None
            and (current.has(tag) and tag in ("TI", "OWN") if with_numbers else current.has("TI"))
        )
        fresh = tag == "PMID" or unnumbered
        if current is None or fresh:
            if current is not None:
                yield current
            stray.end()
            current = Tagged(number, begun=tag == "PMID")
        gap = False
        current.put(tag, (match[2] or "").strip(), number)
        current.raw.append(line)
    if current is not None:
        yield current
    stray.end()


def _import(tagged: Tagged, reading: Reading) -> None:
    identifiers = tagged.all("LID", "AID")
    marked = [v for v in identifiers if "[doi]" in v.lower()] or identifiers
    record = Record(
        title=tidy_title(tagged.first("TI", "BTI", "TT")),
        authors=people(_authors(tagged)),
        journal=tidy(tagged.first("JT", "TA")),
        volume=tidy(tagged.first("VI")),
        issue=tidy(tagged.first("IP")),
        pages=_whole_pages(pages_of(tagged.first("PG"))),
        doi=next((doi for v in marked if (doi := doi_of(v))), None) or doi_of(tagged.first("SO")),
        pmid=pmid_of(tagged.first("PMID")),
        pmcid=pmcid_of(tagged.first("PMC")),
        abstract=tidy(tagged.first("AB", "OAB")),
        keywords=split_keywords([v.lstrip("*") for v in tagged.all("OT") or tagged.all("MH")]),
        type="review" if "Review" in tagged.all("PT") else type_of(tagged.first("PT")),
        language=tidy(tagged.first("LA")),
        url=next((v for v in tagged.all("URL", "LID", "AID") if v.startswith("http") and not doi_of(v)), None),
        notice=notice_of_types(tagged.all("PT")),
        source_line=tagged.line,
    )
    printed = tagged.first("DP", "DEP")
    record.year = year_of(printed[:4]) or year_of(printed)
    if printed and record.year is None:
        reading.tell(tagged.at("DP"), "year_unreadable", WARNED, printed, record=tagged.line)
    if tagged.has("PMID") and record.pmid is None:
        reading.tell(tagged.at("PMID"), "pmid_unreadable", WARNED, tagged.first("PMID"), record=tagged.line)
    reading.add(record, tagged.text)


def _authors(tagged: Tagged) -> list[str]:
    """Persons and groups (CN) in the order of the file; editors for a book without authors."""
    persons = next((tag for tag in ("FAU", "AU") if tagged.has(tag)), "FED" if not tagged.has("CN") else "")
    return tagged.in_order(persons, "CN")


def _whole_pages(pages: str | None) -> str | None:
    """ "349-69" as "349-369": MEDLINE leaves out the digits that do not change."""
    match = re.fullmatch(r"(\d+)-(\d+)", pages or "")
    if not match or len(match[2]) >= len(match[1]):
        return pages
    return f"{match[1]}-{match[1][: len(match[1]) - len(match[2])]}{match[2]}"
