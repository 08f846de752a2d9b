"""The papers as RIS for Zotero, EndNote and other reference managers, in UTF-8 with CRLF.

Tags follow what EndNote and Zotero read: AN is the PubMed number, C2 the PubMed Central number, N1 the name of the
file. Each value is one line; fields without a value have no tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tasks.kinds.literature.exports.plain import is_reference, one_line

CONTENT_TYPE = "application/x-research-info-systems; charset=utf-8"


def _tags(record: dict) -> Iterator[tuple[str, object]]:
    yield "TI", record["title"]
    for author in record["authors"]:
        yield "AU", ", ".join(filter(None, (author.get("family"), author.get("given"))))
    yield "PY", record["year"]
    for tag, name in (
        ("JO", "journal"),
        ("VL", "volume"),
        ("IS", "issue"),
        ("SP", "first_page"),
        ("EP", "last_page"),
        ("DO", "doi"),
        ("AN", "pmid"),
        ("C2", "pmcid"),
        ("LA", "language"),
        ("AB", "abstract"),
    ):
        yield tag, record[name]
    for word in record["keywords"]:
        yield "KW", word
    if record["doi"]:
        yield "UR", f"https://doi.org/{record['doi']}"
    yield "N1", record["file"]


def pieces(records: Iterable[dict]) -> Iterator[str]:
    """The file, one record at a time. Records that are no reference are skipped."""
    for record in records:
        if not is_reference(record):
            continue
        lines = ["TY  - JOUR"]
        lines += [f"{tag}  - {text}" for tag, value in _tags(record) if (text := one_line(value))]
        yield "\r\n".join([*lines, "ER  - ", "", ""])
