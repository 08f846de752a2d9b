"""BibTeX entries into records: names, LaTeX, crossref, and what the syntax found wrong."""

from __future__ import annotations

import re

from .bibtex_syntax import NOT_ENTRIES, START, Entry, entries
from .latex import plain
from .people import people
from .record import UNREADABLE, WARNED, Reading, Record
from .values import doi_of, is_plain_doi, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of

_INHERITED = ("year", "date", "booktitle", "publisher", "editor", "journal", "volume", "month", "address", "series")


def count_starts(text: str) -> int:
    """Entries by their first line alone."""
    return sum(match[1].lower() not in NOT_ENTRIES for match in START.finditer(text))


def read_bibtex(text: str, reading: Reading) -> None:
    """Add every entry of ``text`` to the reading."""
    found, between = entries(text)
    by_key: dict[str, Entry] = {}
    for entry in found:
        if entry.key and entry.key.lower() in by_key:
            reading.tell(entry.line, "duplicate_key", WARNED, entry.key, first=by_key[entry.key.lower()].line)
        by_key.setdefault(entry.key.lower(), entry)
    for line, words in between:
        if not all(one.lstrip().startswith("%") for one in words.split("\n")):
            reading.tell_again(line, "text_outside", text=words)
    for entry in found:
        reading.counted += 1
        for code, line, words in entry.faults:
            reading.tell(line, code, "repaired", words, record=entry.line)
        if not entry.fields:
            reading.tell(entry.line, "empty_record", UNREADABLE, entry.raw)
            continue
        _import(entry, by_key.get(plain(entry.fields.get("crossref", "")).lower()), reading)


def _import(entry: Entry, parent: Entry | None, reading: Reading) -> None:
    fields = dict(entry.fields)
    if "crossref" in fields and parent is None:
        reading.tell(entry.line, "crossref_missing", WARNED, fields["crossref"])
    if parent is not None and parent is not entry:
        inherited = {name: value for name, value in parent.fields.items() if name in _INHERITED}
        inherited.setdefault("booktitle", parent.fields.get("title", ""))
        fields = {**inherited, **{name: value for name, value in fields.items() if value}}

    def text(*names: str) -> str:
        return next((value for name in names if (value := plain(fields.get(name, "")))), "")

    whole = entry.kind in ("proceedings", "book", "collection", "mvbook", "mvproceedings", "periodical")
    title = text("title") or (text("booktitle", "journal") if whole else text("shorttitle"))
    if text("title") and text("subtitle"):
        title = f"{title}: {text('subtitle')}"
    record = Record(
        title=tidy_title(title),
        authors=_people(fields.get("author", "")) or (_people(fields.get("editor", "")) if whole else []),
        journal=tidy(
            text("journal", "journaltitle", "booktitle", "journal-full")
            if not whole or text("title")
            else text("journal", "journaltitle")
        ),
        volume=tidy(text("volume")),
        issue=tidy(text("number", "issue")),
        pages=pages_of(text("pages", "article-number", "eid", "articleno")),
        pmid=pmid_of(text("pmid")) or (pmid_of(text("eprint")) if text("eprinttype").lower() == "pubmed" else None),
        pmcid=pmcid_of(text("pmcid", "pmc"), bare=True),
        abstract=tidy(text("abstract")),
        keywords=split_keywords([words]) if (words := text("keywords", "keyword", "author_keywords")) else [],
        type=type_of(entry.kind),
        language=tidy(text("language", "langid")),
        notes=tidy(text("note", "annote", "annotation")),
        url=tidy(re.sub(r"\\(?=[_%&#~])|[{}]|\\url", "", fields.get("url", "")).strip()),
        source_line=entry.line,
    )
    printed = text("year", "date")
    record.year = year_of(printed)
    if printed and record.year is None:
        reading.tell(entry.line, "year_unreadable", WARNED, printed, record=entry.line)
    doi = re.sub(r"\\(?=[_%&#~<>])|[{}]", "", fields.get("doi", "")).strip()
    record.doi = doi_of(doi) or doi_of(record.url)
    if doi and doi_of(doi) is None:
        reading.tell(entry.line, "doi_unreadable", WARNED, doi, record=entry.line)
    elif doi and not is_plain_doi(doi):
        reading.tell_again(entry.line, "doi_with_address", text=doi)
    reading.add(record, entry.raw)


def _people(field: str) -> list[dict]:
    """The names between " and " that stands outside braces; a name in braces is an organisation's and stays whole."""
    names, depth, word = [], 0, []
    for token in re.split(r"((?<!\s)\s++and\s+|[{}])", re.sub(r"\s+", " ", f" {field} ".replace(" and and ", " and "))):
        if token in ("{", "}"):
            depth += 1 if token == "{" else -1
        if depth == 0 and token.strip() == "and":
            names.append("".join(word).strip())
            word = []
        else:
            word.append(token)
    names.append("".join(word).strip())
    found = []
    for name in names:
        if one := _by_parts(name):
            found.append(one)
            continue
        whole = re.fullmatch(r"\{([^{}]*)\}", name)
        if whole and " " in whole[1] and "," not in whole[1]:
            found.append({"family": plain(whole[1]), "given": ""})
        else:
            found += people([plain(name)])
    return found


_PART = re.compile(
    r"\s*(family|given|prefix|suffix|useprefix|(?:family|given|prefix|suffix)-i)\s*=\s*(.*)", re.S | re.I
)


def _by_parts(name: str) -> dict | None:
    """A name in BibLaTeX's long form, "family=Berg, given=Jan, prefix=van der"; None for any other."""
    parts = {}
    for piece in _by_comma(name):
        match = _PART.fullmatch(piece)
        if match is None:
            return None
        parts[match[1].lower()] = plain(match[2].strip().strip('"'))
    if not parts.get("family"):
        return None
    return {
        "family": " ".join(filter(None, (parts.get("prefix"), parts["family"]))),
        "given": " ".join(filter(None, (parts.get("given", ""), parts.get("suffix")))),
    }


def _by_comma(text: str) -> list[str]:
    """The pieces between commas that stand outside braces and quotes."""
    pieces, depth, quoted, piece = [], 0, False, []
    for character in text:
        depth += (character == "{") - (character == "}")
        quoted ^= character == '"' and depth == 0
        if character == "," and depth == 0 and not quoted:
            pieces.append("".join(piece))
            piece = []
        else:
            piece.append(character)
    return [*pieces, "".join(piece)]
