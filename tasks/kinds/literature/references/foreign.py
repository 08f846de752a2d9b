"""Formats that are known and not read: their names, so that a receipt says what it refuses instead of guessing."""

from __future__ import annotations

import re

from .csl_json import BEGINS as JSON

_BYTES = (
    (re.compile(rb"\d{5}[acdnp][a-z]{2}[ a-z0-9]{2}22\d{5}"), "MARC 21"),
    (re.compile(rb"Rar!"), "RAR"),
    (re.compile(rb"7z\xbc\xaf"), "7z"),
    (re.compile(rb"\x1f\x8b"), "gzip"),
    (re.compile(rb"BZh[1-9]"), "bzip2"),
    (re.compile(rb"\xfd7zXZ"), "xz"),
    (re.compile(rb"SQLite format 3"), "SQLite"),
)
_ROOTS = {
    "CitaviExchangeData": "Citavi XML",
    "collection": "MARCXML",
    "rdf": "RDF",
    "RDF": "RDF",
    "b:Sources": "Word sources",
    "Sources": "Word sources",
    "feed": "Atom",
    "rss": "RSS",
    "opml": "OPML",
    "svg": "SVG",
    "refbib": "Refbib XML",
    "database": "XML database",
    "xml": "XML",
}
_LINES = (
    (re.compile(r"START_RECORD\s*$|FIELD [^:]{1,60}:", re.M), "SciFinder tagged"),
    (re.compile(r"cff-version:\s", re.M), "CITATION.cff"),
    (re.compile(r"(?:Template-Type|Handle):\s*(?:ReDIF|RePEc)", re.M), "ReDIF"),
    (re.compile(r"=LDR\s\s|=245\s\s", re.M), "MARC text"),
    (re.compile(r"(?:- |)(?:type|title|author|id):[^\n]*\n(?:[ -]+\w[\w-]*:[^\n]*\n)+", re.M), "YAML"),
    (re.compile(r"\\(?:bibitem|begin\{thebibliography\})", re.M), "LaTeX bibliography"),
    (re.compile(r"\{\\rtf", re.M), "RTF"),
)
_SHORT_TAG = re.compile(r"\s{0,3}(?:[A-Z][A-Z0-9]{1,3}|[A-Z]{1,3}\d?)(?:\s{0,4}[-:]\s|\s{1,4})\S")


def name_of(head: bytes, text: str) -> str:
    """The name of a format that is not read, from the beginning of a file as bytes and text; "" for none known."""
    for pattern, name in _BYTES:
        if pattern.match(head):
            return name
    text = text.lstrip()
    if text.startswith("<"):
        root = re.search(r"<(?![?!])([\w.:-]+)", text)
        return _ROOTS.get(root[1]) or _ROOTS.get(root[1].rpartition(":")[2], "") if root else ""
    if JSON.match(text) or re.match(r"\[\s*(?:\[|\d+\s*[,\]])", text):
        return "JSON"
    return next((name for pattern, name in _LINES if pattern.search(text[:8000])), "")


def is_tagged(lines: list[str]) -> bool:
    """Whether most lines begin with a short tag in capitals that comes back: a tagged format of some kind."""
    filled = [line for line in lines[:400] if line.strip()]
    tagged = [match[0].split()[0] for line in filled if (match := _SHORT_TAG.match(line))]
    return len(tagged) >= 5 and len(tagged) >= 0.6 * len(filled) and len(set(tagged)) >= 4
