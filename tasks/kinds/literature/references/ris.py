"""RIS: records from "TY  -" to "ER  -", as Embase, Ovid, ProQuest, EndNote, Rayyan, Zotero, ... write them.

Read more leniently than the specification: a record whose end is missing ends where the next begins, tags may have one
space, lines without a tag go on with the value above them.
"""

from __future__ import annotations

import re

from .people import people
from .record import UNREADABLE, WARNED, Reading, Record
from .tagged import Stray, Tagged, numbered
from .values import doi_of, is_plain_doi, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import notice_of_types, squash, type_of

START = re.compile(r"\s*TY\s{0,3}-(?:\s|$)")
_END = re.compile(r"\s*ER\s{0,3}-\s*$")
_STRICT = re.compile(r"\s?([A-Z][A-Z0-9])  -(?:\s(.*)|)$")
_LOOSE = re.compile(r"\s*([A-Z][A-Z0-9])\s{0,3}-(?:\s(.*)|)$")
_TAGS = set(
    "TY ER A1 A2 A3 A4 AB AD AN AU AV BT C1 C2 C3 C4 C5 C6 C7 C8 CA CL CN CP CT CY DA DB DI DO DP ED EP ET FD H1 "
    "H2 ID IS J1 J2 JA JF JO K1 KW L1 L2 L3 L4 LA LB LK LL M1 M2 M3 N1 N2 NO NV OP PA PB PM PMID PP PY Q2 RD RI "
    "RN RP RT SE SF SL SN SO SP SR ST T1 T2 T3 TA TI TT U1 U2 U3 U4 U5 UR UT VL VO WP WT WV Y1 Y2 YR".split()
)
_CORE = ("TI", "T1", "AU", "A1", "DO", "PY", "JO")


def read_ris(text: str, reading: Reading) -> None:
    """Add every record of ``text`` to the reading."""
    strict = len(re.findall(r"^\s?[A-Z][A-Z0-9]  -", text, re.M)) >= len(
        re.findall(r"^\s*[A-Z][A-Z0-9](?: |\s{3,})?-\s", text, re.M)
    )
    for record in _gather(text, reading, strict):
        _import(record, reading)


def _tag_of(line: str, strict: bool) -> tuple[str, str, bool] | None:
    """(tag, value, whether it is well formed) of a line, None when it has no tag."""
    match = _STRICT.match(line)
    if match and (strict or match[1] in _TAGS):  # databases add tags of their own ("WC  - Botany")
        return match[1], (match[2] or "").strip(), True
    if START.match(line):
        return "TY", line.split("-", 1)[1].strip(), False
    if _END.match(line):
        return "ER", "", bool(re.match(r"ER  -", line))
    if not strict and (match := _LOOSE.match(line)) and match[1] in _TAGS:
        return match[1], (match[2] or "").strip(), False
    return None


def _gather(text: str, reading: Reading, strict: bool):
    current: Tagged | None = None
    stray = Stray(reading)
    for number, line in numbered(text):
        found = _tag_of(line, strict)
        if found is None:
            if current is not None and not current.begun and not current.has(*_CORE):
                yield from _closed(current, reading, stray, ended=False)  # tags that belong to no record
                current = None
            if current is None:
                stray.put(number, line)
            else:
                current.go_on(line.strip())
                current.raw.append(line)
            continue
        tag, value, well_formed = found
        if not well_formed:
            reading.tell_again(number, "odd_tags", text=line)
        if tag == "TY":
            if current is not None and (current.begun or current.has(*_CORE)):
                yield from _closed(current, reading, stray, ended=False)
                current = None
            elif current is not None:  # an ID or the like before the TY of its record
                current.begun = True
            stray.end()
            if current is None:
                current = Tagged(number, begun=True)
            reading.counted += 1
        elif tag == "ER":
            if current is None:
                reading.tell_again(number, "stray_end", text=line)
            else:
                current.raw.append(line)
                yield from _closed(current, reading, stray, ended=True)
                current = None
            continue
        elif current is None:
            current = Tagged(number)
        current.put(tag, value, number)
        current.raw.append(line)
    if current is not None:
        yield from _closed(current, reading, stray, ended=False)
    stray.end()


def _closed(record: Tagged, reading: Reading, stray: Stray, ended: bool):
    """The record, if it is one; what is missing about it is told."""
    if not record.begun and not record.has(*_CORE):
        for offset, line in enumerate(record.raw):
            stray.put(record.line + offset, line)
        return
    if not record.begun:
        stray.end()
        reading.counted += 1
        reading.tell(record.line, "missing_start", "repaired", record.raw[0])
    if not ended:
        reading.tell(record.line, "missing_end", "repaired", record.raw[0])
    yield record


def _import(tagged: Tagged, reading: Reading) -> None:
    if len(tagged.tags) <= 1:
        reading.tell(tagged.line, "empty_record", UNREADABLE, tagged.text)
        return
    kind = type_of(tagged.first("TY"))
    inside = kind in (
        "article-journal",
        "paper-conference",
        "chapter",
        "article",
        "article-magazine",
        "article-newspaper",
        "review",
    )
    journal = tagged.first("JF", "T2", "JO", "JA", "J2", "J1") if inside else tagged.first("JF", "JO", "JA", "J2", "T2")
    record = Record(
        title=tidy_title(tagged.first("TI", "T1", "CT", "BT", "TT", "ST")),
        authors=_authors(tagged) or (people(tagged.lines_of("A2", "ED")) if kind == "book" else []),
        journal=tidy(journal),
        volume=tidy(tagged.first("VL", "VO")),
        issue=tidy(tagged.first("IS", "CP") if inside else tagged.first("IS")),
        pages=pages_of(tagged.first("SP"), tagged.first("EP")),
        abstract=tidy(tagged.first("AB", "N2")),
        keywords=split_keywords(tagged.lines_of("KW", "K1")),
        type=kind,
        language=tidy(tagged.first("LA")),
        url=tidy(next(iter(tagged.lines_of("UR", "LK", "L2", "L1")), "")),
        notes=tidy("\n".join(tagged.all("N1", "NO", "RN"))),
        notice=notice_of_types(tagged.all("M3", "PT")),
        source_line=tagged.line,
    )
    _year(record, tagged, reading)
    _identifiers(record, tagged, reading)
    reading.add(record, tagged.text)


def _authors(tagged: Tagged) -> list[dict]:
    """AU and A1 mean the same. Some programs mix them, some give each author under both: the order is the file's, and
    of two that may be one person the fuller name stays.
    """
    lines = [line for tag, value, _ in tagged.tags if tag in ("AU", "A1") for line in value if line.strip()]
    found = people(lines)
    if not (tagged.has("AU") and tagged.has("A1")):
        return found
    kept: list[dict] = []
    for one in found:
        same = next((other for other in kept if _may_be_one(one, other)), None)
        if same is None:
            kept.append(one)
        elif len(one["given"]) > len(same["given"]):
            same["given"] = one["given"]
    return kept


def _may_be_one(one: dict, other: dict) -> bool:
    return one["family"].casefold() == other["family"].casefold() and (
        one["given"][:1].casefold() == other["given"][:1].casefold()
    )


def _year(record: Record, tagged: Tagged, reading: Reading) -> None:
    printed = tagged.first("PY", "Y1", "YR")
    record.year = year_of(printed)
    if printed and record.year is None:
        record.year = year_of(tagged.first("Y1", "DA"))
        line = tagged.at("PY" if tagged.has("PY") else "Y1")
        reading.tell(line, "year_unreadable", WARNED, printed, record=tagged.line)
    elif not printed:
        record.year = year_of(tagged.first("DA"))
    elif not re.fullmatch(r"\d{4}/*", printed):
        reading.tell_again(tagged.at("PY"), "year_from_date", text=printed)


def _identifiers(record: Record, tagged: Tagged, reading: Reading) -> None:
    printed = tagged.first("DO", "DI")
    record.doi = doi_of(printed)
    if printed and record.doi is None:
        reading.tell(tagged.at("DO"), "doi_unreadable", WARNED, printed, record=tagged.line)
    elif record.doi and not is_plain_doi(printed):
        reading.tell_again(tagged.at("DO"), "doi_with_address", text=printed)
    if record.doi is None:
        elsewhere = {
            doi for name in ("M3", "L3", "UR", "L2", "LK", "N1") for value in tagged.all(name) if (doi := doi_of(value))
        }
        record.doi = elsewhere.pop() if len(elsewhere) == 1 else None
    base = squash(" ".join(tagged.all("DB", "DP")))
    number = tagged.first("PM", "PMID")
    if not number and re.search(r"nlm|pubmed|medline", base):
        number = next((v for v in tagged.all("AN", "C5") if re.fullmatch(r"\d{4,8}", v)), "")
    named = tagged.all("N1", "UR", "ID", "XR", "C3", "AN")
    record.pmid = pmid_of(number) or next(
        (p for v in named if re.search(r"PMID|pubmed", v, re.I) and (p := pmid_of(v))), None
    )
    record.pmcid = next((one for v in tagged.all("C2", "AN", "UR", "L1", "N1") if (one := pmcid_of(v))), None)
