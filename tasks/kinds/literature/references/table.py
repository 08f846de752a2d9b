"""Rows into references: which column is which, by its head or, without heads, by what stands in it; and gene names that
a spreadsheet has made into dates.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Collection
from dataclasses import dataclass, field

from .people import split_people
from .record import WARNED, Reading, Record
from .values import (
    doi_of,
    dois_in,
    is_plain_doi,
    pages_of,
    pmcid_of,
    pmid_of,
    split_keywords,
    tidy,
    tidy_title,
    year_of,
)
from .vocabulary import field_of, notice_of_types, squash, type_of

#: Rows that may stand above the heads (a title, the date of the export).
LOOK_FOR_HEADS = 20
_CITED = re.compile(
    r"(?P<journal>.{2,200}?)[.,]?\s*\((?P<year>(?:19|20)\d\d)\)\s*+(?P<volume>[\w-]+)?\s*+"
    r"(?::(?P<issue>[\w-]+))?\s*+(?:\((?P<pages>[\w-]+)\))?\.?(?:\s*+(?<=\s)Date of Publication.*)?$"
)
_PUBMED = re.compile(
    r"(?P<journal>[^.]+)\.\s+(?P<year>(?:19|20)\d\d)[^;.]*;(?P<volume>[\w ]*)(?:\((?P<issue>[^)]*)\))?"
    r"(?::(?P<pages>[\w-]+))?"
)
_GENE_DATE = re.compile(
    r"\d{1,2}-(?:mar|sep|sept|dec|oct|apr|feb|nov|mars)|(?:mar|sep|dec|oct|apr|feb|nov)-\d{1,2}|(?:19|20)\d\d-(?:03|09|12)-\d\d",
    re.I,
)
_GENE_NUMBER = re.compile(r"\d(?:\.\d+)?E[+-]?\d{1,3}", re.I)
_GENE_HEAD = re.compile(r"gene|symbol|locus|transcript|clone|protein", re.I)


@dataclass
class Columns:
    """``at`` is {field: [column, ...]} in order of preference."""

    at: dict[str, list[int]] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)

    def value(self, row: list[str], name: str) -> str:
        return next((text for n in self.at.get(name, ()) if n < len(row) and (text := row[n].strip())), "")

    def values(self, row: list[str], name: str) -> list[str]:
        return [text for n in self.at.get(name, ()) if n < len(row) and (text := row[n].strip())]


def head_row(rows: list[list[str]]) -> int | None:
    """Which of the first rows holds the heads: the one with most known names, at least two, or a single one that stands
    alone. None when no row does.
    """
    best, at = 0, None
    for n, row in enumerate(rows[:LOOK_FOR_HEADS]):
        cells = [cell for cell in row if cell.strip()]
        known = len({found[0] for cell in cells if (found := field_of(cell))})
        enough = (
            known >= 2
            or known == 1
            and (len(cells) == 1 or n == 0 and max(map(len, cells)) < 40 and not any(dois_in(c) for c in cells))
        )
        if enough and known > best:
            best, at = known, n
    return at


def by_heads(row: list[str]) -> Columns:
    """Columns by their names."""
    ranked: dict[str, list[tuple[int, int]]] = {}
    for n, cell in enumerate(row):
        found = field_of(cell)
        if found:
            ranked.setdefault(found[0], []).append((found[1], n))
    if "title" not in ranked:  # "Publication title" is the journal beside a title, and the title where there is none
        own = [(rank, n) for rank, n in ranked.get("journal", []) if squash(row[n]) == "publicationtitle"]
        if own:
            ranked["title"], ranked["journal"] = own, [one for one in ranked["journal"] if one not in own]
    return Columns(
        {name: [n for _, n in sorted(places)] for name, places in ranked.items() if places},
        [cell.strip() for cell in row],
    )


def _identified(columns: Columns) -> bool:
    """Whether the rows can be told without titles: by a number, or by a citation that has one."""
    return any(name in columns.at for name in ("doi", "pmid", "pmcid", "citation"))


def complete(columns: Columns, rows: list[list[str]]) -> str:
    """Finds the title, by content, among the columns whose heads are unknown, and with it what else is missing there.

    Changes ``columns``; returns the heads that were given a meaning, as "title=Name", or "" when none was.
    """
    if "title" in columns.at or _identified(columns):
        return ""
    known = {n for places in columns.at.values() for n in places}
    found = by_content(rows, known)
    added = {name: places for name, places in found.at.items() if name not in columns.at}
    columns.at.update(added)
    return ", ".join(
        f"{name}={columns.heads[places[0]] if places[0] < len(columns.heads) else places[0] + 1}"
        for name, places in sorted(added.items())
    )


def by_content(rows: list[list[str]], known: Collection[int] = ()) -> Columns:
    """Columns by what most of their cells are, without the ``known`` ones."""
    found = Columns()
    width = max(map(len, rows), default=0)
    texts: list[tuple[float, int]] = []
    for n in range(width):
        if n in known:
            continue
        cells = [row[n].strip() for row in rows if n < len(row) and row[n].strip()]
        if not cells:
            continue

        def most(test, cells=cells):
            return sum(1 for cell in cells if test(cell)) >= 0.6 * len(cells)

        if most(doi_of) and statistics.median(map(len, cells)) < 120:
            found.at.setdefault("doi", []).append(n)
        elif most(lambda c: re.fullmatch(r"PMC\d{4,9}", c, re.I)):
            found.at.setdefault("pmcid", []).append(n)
        elif most(lambda c: re.fullmatch(r"(?:19|20)\d\d", c)):
            found.at.setdefault("year", []).append(n)
        elif most(lambda c: re.fullmatch(r"\d{7,8}", c)) and len(set(cells)) == len(cells):
            found.at.setdefault("pmid", []).append(n)
        elif most(lambda c: re.match(r"https?://", c)):
            found.at.setdefault("url", []).append(n)
        elif most(_like_names):
            found.at.setdefault("authors", []).append(n)
        elif statistics.median(map(len, cells)) >= 15 and most(lambda c: " " in c):
            texts.append((statistics.median(map(len, cells)), n))
    _texts(found, texts)
    return found


def _texts(found: Columns, texts: list[tuple[float, int]]) -> None:
    """Of the columns of prose, the one far longer than a title is the abstract, the longest of the rest the title."""
    texts.sort()
    if texts and texts[-1][0] > 350:
        found.at["abstract"] = [texts.pop()[1]]
    if texts:
        found.at["title"] = [texts.pop()[1]]
    if texts:
        found.at["journal"] = [texts[0][1]]


def _like_names(cell: str) -> bool:
    parts = [part.strip() for part in re.split(r"[;,]| and ", cell) if part.strip()]
    short = [part for part in parts if len(part.split()) <= 3 and part[:1].isupper()]
    return (
        len(parts) >= 2
        and len(short) >= 0.8 * len(parts)
        and any(re.search(r"\b[A-Z]{1,3}\b\.?", part) for part in parts)
    )


def import_rows(rows: list[tuple[int, list[str]]], reading: Reading, part: str = "") -> None:
    """Add a record for each of the rows ((line, cells)) of one table. Rows without any text are none."""
    rows = [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]
    if not rows:
        return
    where = {"part": part} if part else {}
    head = head_row([cells for _, cells in rows])
    if head is None:
        columns = by_content([cells for _, cells in rows[:500]])
        reading.tell(rows[0][0], "no_heads", WARNED, " | ".join(rows[0][1])[:300], columns=_named(columns), **where)
        body = rows
    else:
        columns = by_heads(rows[head][1])
        for line, cells in rows[:head]:
            reading.tell_again(line, "text_outside", text=" ".join(cells).strip(), **where)
        body = rows[head + 1 :]
        if added := complete(columns, [cells for _, cells in body[:500]]):
            reading.tell(
                rows[head][0], "columns_by_content", WARNED, " | ".join(rows[head][1])[:300], columns=added, **where
            )
    if body and "title" not in columns.at and not _identified(columns):
        heads = ", ".join(head for head in columns.heads if head)[:300]
        reading.tell(rows[head or 0][0], "no_title_column", WARNED, heads, heads=heads, **where)
    mangled = _mangled(body, columns)
    for line, cells in body:
        reading.counted += 1
        _import(line, cells, columns, reading, part)
    for line, cell, column in mangled:
        reading.tell_again(line, "gene_as_date", WARNED, cell, column=column, **where)


def _named(columns: Columns) -> str:
    return ", ".join(f"{name}={places[0] + 1}" for name, places in sorted(columns.at.items()))


def _mangled(body, columns: Columns) -> list[tuple[int, str, str]]:
    """Cells like "2-Sep" and "2.31E+13" in columns of gene names."""
    genes = [n for n, head in enumerate(columns.heads) if _GENE_HEAD.search(head)]
    return [
        (line, cells[n].strip(), columns.heads[n])
        for line, cells in body
        for n in genes
        if n < len(cells) and (_GENE_DATE.fullmatch(cells[n].strip()) or _GENE_NUMBER.fullmatch(cells[n].strip()))
    ]


def _import(line: int, row: list[str], columns: Columns, reading: Reading, part: str) -> None:
    def at(name: str) -> str:
        return columns.value(row, name)

    where = {"record": line} | ({"part": part} if part else {})
    raw = " | ".join(
        f"{head}: {cell}" if head else cell
        for head, cell in zip(columns.heads + [""] * len(row), row, strict=False)
        if cell.strip()
    )
    pages = at("pages")
    journal = at("journal")
    record = Record(
        title=tidy_title(at("title")),
        authors=split_people(at("authors")) if at("authors") else [],
        journal=tidy(journal),
        volume=_whole(tidy(at("volume"))),
        issue=_whole(tidy(at("issue"))),
        pages=pages_of(pages)
        if pages and not re.fullmatch(r"[0-9]+", pages) or not at("first_page")
        else pages_of(at("first_page"), at("last_page")),
        pmcid=pmcid_of(at("pmcid"), bare=True),
        abstract=tidy(at("abstract")),
        keywords=split_keywords([_unlisted(at("keywords"))]) if at("keywords") else [],
        type=type_of(at("type")),
        language=tidy(at("language")),
        url=tidy(at("url")),
        source_line=line,
        part=part,
    )
    record.notes = tidy(at("notes"))
    record.notice = notice_of_types(re.split(r"[;|]\s*", at("type")))
    _identifiers(record, columns, row, reading, where)
    printed = at("year")
    record.year = year_of(printed) or next((y for v in columns.values(row, "year") if (y := year_of(v))), None)
    if printed and record.year is None:
        reading.tell(line, "year_unreadable", WARNED, printed, **where)
    _cited(record, journal, at("citation"))
    reading.add(record, raw)


def _identifiers(record: Record, columns: Columns, row: list[str], reading: Reading, where: dict) -> None:
    line = record.source_line
    doi, pmid = columns.value(row, "doi"), columns.value(row, "pmid")
    record.doi, record.pmid = doi_of(doi), pmid_of(pmid)
    if doi and record.doi is None:
        reading.tell(line, "doi_unreadable", WARNED, doi, **where)
    elif record.doi and not is_plain_doi(doi):
        reading.tell_again(line, "doi_with_address", text=doi)
    if pmid and record.pmid is None:
        reading.tell(line, "pmid_unreadable", WARNED, pmid, **where)
    if record.doi is None and not doi:
        record.doi = doi_of(record.url) or doi_of(columns.value(row, "citation"))


def _cited(record: Record, journal: str, citation: str) -> None:
    """Volume, issue and pages out of a column that holds the whole citation, as Embase and PubMed export it."""
    match = _CITED.match(journal)
    if match:
        record.journal = tidy(match["journal"])
    elif not (match := _PUBMED.match(citation)):
        return
    record.journal = record.journal or tidy(match["journal"])
    record.year = record.year or int(match["year"])
    record.volume = record.volume or tidy(match["volume"])
    record.issue = record.issue or tidy(match["issue"])
    record.pages = record.pages or pages_of(match["pages"])


def _unlisted(text: str) -> str:
    """ "['a', 'b']" as "a; b"."""
    match = re.fullmatch(r"\[(.*)\]", text.strip(), re.S)
    return (
        "; ".join(re.findall(r"['\"](.+?)['\"](?:,|$)", match[1])) if match and re.match(r"['\"]", match[1]) else text
    )


def _whole(text: str | None) -> str | None:
    return re.sub(r"^(\d+)\.0$", r"\1", text) if text else text
