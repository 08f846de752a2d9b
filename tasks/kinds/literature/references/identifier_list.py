"""A pasted list of DOIs and PubMed numbers: one a line, several a line, or in running text."""

from __future__ import annotations

import re

from .record import UNREADABLE, Reading, Record
from .tagged import Stray, numbered
from .values import dois_in, pmcid_of, pmid_of

_WORD = re.compile(r"[\s,;|]+")
_PMID_IN_TEXT = re.compile(
    r"\bPMID\s*[:=]?\s*[0-9]{1,8}(?![0-9])|pubmed(?:\.ncbi\.nlm\.nih\.gov)?/(?:\?term=)?[0-9]{1,8}(?![0-9])", re.I
)
_PMCID_IN_TEXT = re.compile(r"\bPMC[0-9]{3,9}\b", re.I)
_LABEL = re.compile(r"(?:doi|pmid|pmcid|id|https?://(?:dx\.)?doi\.org/?|and|und|等)s?[:.]?", re.I)
_LIKE_DOI = re.compile(r"\b(?:doi[:.\s]\s*|doi\.org/)\S+|\b10\.\S+/\S*", re.I)


def identifiers(line: str) -> list[tuple[str, str]]:
    """[("doi" | "pmid" | "pmcid", value), ...] of one line in order. Bare numbers count only if all is numbers."""
    found = [(line.lower().find(doi), "doi", doi) for doi in dois_in(line)]
    rest = re.sub(r"(?:https?://\S{0,300}?)?10\.[0-9]{4,9}/\S+", " ", line)
    found += [(m.start(), "pmid", pmid_of(m[0])) for m in _PMID_IN_TEXT.finditer(rest)]
    found += [(m.start(), "pmcid", pmcid_of(m[0])) for m in _PMCID_IN_TEXT.finditer(line)]
    words = [word for word in _WORD.split(rest.strip()) if word and not _LABEL.fullmatch(word)]
    if words and all(re.fullmatch(r"[0-9]{4,8}", word) for word in words):
        found += [(line.find(word), "pmid", pmid_of(word)) for word in words]
    return [(kind, value) for _, kind, value in sorted(found) if value]


def is_list(text: str) -> bool:
    """Whether a text is a list of identifiers: they are in it, and most of its lines are nothing else."""
    lines = [line for line in text.split("\n")[:400] if line.strip()]
    return bool(lines) and sum(only_identifiers(line) for line in lines) >= 0.5 * len(lines)


def only_identifiers(line: str) -> bool:
    """Whether a line holds identifiers and no prose."""
    if not identifiers(line):
        return False
    rest = re.sub(r"(?:https?://\S{0,300}?|doi:\s*)?10\.[0-9]{4,9}/\S+|https?://\S+", " ", line)
    words = [
        w
        for w in _WORD.split(rest)
        if w and not _LABEL.fullmatch(w) and not re.fullmatch(r"(?:PMC)?[0-9]+[.)]?|[-•*–.]+", w, re.I)
    ]
    return len(words) <= 2


def read_identifiers(text: str, reading: Reading) -> None:
    """Add a record for each identifier, once; text around them and what only looks like one is told."""
    seen: dict[tuple[str, str], int] = {}
    stray = Stray(reading)
    for number, line in numbered(text):
        found = identifiers(line)
        if not found and _LIKE_DOI.search(line):
            stray.end()
            reading.counted += 1
            reading.tell(number, "doi_unreadable", UNREADABLE, line.strip())
            continue
        if not found:
            stray.put(number, line)
            continue
        stray.end()
        for kind, value in found:
            if (kind, value) in seen:
                reading.tell_again(number, "listed_twice", "warned", value, first=seen[kind, value])
                continue
            seen[kind, value] = number
            reading.counted += 1
            record = Record(source_line=number)
            setattr(record, kind, value)
            record.raw = line.strip()[:500]
            reading.records.append(record)
    stray.end()
