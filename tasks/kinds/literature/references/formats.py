"""Tells what a file is by what stands in it. Its name is never believed; it is not even asked."""

from __future__ import annotations

import re
from enum import StrEnum

from . import (
    bibtex,
    csl_json,
    delimited,
    endnote_tagged,
    foreign,
    labelled,
    medline,
    ovid,
    pubmed_text,
    refworks,
    ris,
    web_of_science,
)
from .encoding import CONTROLS, decode
from .identifier_list import identifiers, is_list
from .opendocument import MIMETYPE
from .table import head_row

#: How much of a file is enough to tell.
HEAD = 64 * 1024


class Format(StrEnum):
    """What a file may be. The value is what receipts and exports say."""

    PDF = "pdf"
    ZIP = "zip"
    RIS = "ris"
    BIBTEX = "bibtex"
    MEDLINE = "nbib"
    ENDNOTE_XML = "endnote_xml"
    PUBMED_XML = "pubmed_xml"
    ENDNOTE_TAGGED = "enw"
    WEB_OF_SCIENCE = "wos"
    PUBMED_TEXT = "pubmed_text"
    CSL_JSON = "csl_json"
    REFWORKS = "refworks"
    OVID = "ovid"
    LABELLED = "labelled"
    MODS = "mods"
    ZOTERO_RDF = "zotero_rdf"
    CSV = "csv"
    TSV = "tsv"
    XLSX = "xlsx"
    ODS = "ods"
    DOCX = "docx"
    JATS = "jats"
    TEI = "tei"
    HTML = "html"
    IDENTIFIERS = "identifiers"
    OLE = "ole"
    EMPTY = "empty"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value

    @property
    def is_list(self) -> bool:
        """A list of references, for ``read``."""
        return self in _LISTS

    @property
    def is_paper(self) -> bool:
        """One paper: for ``read_paper``, or for the reading of PDFs."""
        return self in (Format.PDF, Format.JATS, Format.TEI, Format.DOCX, Format.HTML)


_LISTS = {
    Format.RIS, Format.BIBTEX, Format.MEDLINE, Format.ENDNOTE_XML, Format.PUBMED_XML, Format.ENDNOTE_TAGGED,
    Format.WEB_OF_SCIENCE,
    Format.PUBMED_TEXT, Format.CSV, Format.TSV, Format.XLSX, Format.ODS, Format.IDENTIFIERS, Format.CSL_JSON,
    Format.REFWORKS, Format.OVID, Format.LABELLED, Format.MODS, Format.ZOTERO_RDF,
}  # fmt: skip
_BINARY = (
    b"\x1f\x8b",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"II*\x00",
    b"MM\x00*",
    b"%!PS",
    b"{\\rtf",
    b"AT&TFORM",
    b"Rar!",
    b"7z\xbc\xaf",
    b"GIF8",
    b"\x7fELF",
    b"MZ",
    b"SQLite",
)
_ROOTS = {
    "article": Format.JATS, "pmc-articleset": Format.JATS, "TEI": Format.TEI,
    "teiCorpus": Format.TEI, "TEI.2": Format.TEI,
    "html": Format.HTML, "PubmedArticleSet": Format.PUBMED_XML, "PubmedArticle": Format.PUBMED_XML,
    "records": Format.ENDNOTE_XML, "record": Format.ENDNOTE_XML, "modsCollection": Format.MODS, "mods": Format.MODS,
}  # fmt: skip
_HTML = re.compile(
    r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|script|style|main)\b",
    re.I | re.S,
)


def sniff(head: bytes, name: str = "") -> Format:
    """The format of a file from its first HEAD bytes, or all if it is shorter. ``name`` is never used."""
    if not head.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        return Format.EMPTY
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zipped(head)  # before PDF: a paper that was packed without compression has its marker in there
    if head[257:262] == b"ustar" or (head.startswith(_BINARY) and not head.startswith(b"%!PS")):
        return Format.UNKNOWN  # also an archive with an uncompressed paper near its start
    if b"%PDF-" in head[:1024] or head.startswith(b"%!PS-Adobe") and b"PDF-" in head[:1024]:
        return Format.PDF
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return Format.OLE
    if head.startswith(_BINARY):
        return Format.UNKNOWN
    decoded = decode(head[:HEAD])
    if not decoded.encoding.startswith("utf-16") and len(CONTROLS.findall(head[:4096].decode("latin-1"))) - _c1(
        head
    ) > 0.05 * min(len(head), 4096):
        return Format.UNKNOWN
    text = decoded.text.lstrip()
    if text.startswith("<") and not ovid.START.match(text.partition("\n")[0]):
        return _marked_up(text)
    if csl_json.BEGINS.match(text):
        return Format.CSL_JSON if csl_json.is_csl(text) else Format.UNKNOWN
    return _tagged(text) or _listed(decoded.text)


def name_of(head: bytes) -> str:
    """The name of a format that is known but not read ("MARC 21", "JSON"), from the first HEAD bytes; else ""."""
    return foreign.name_of(head, decode(head[:HEAD]).text)


def _c1(head: bytes) -> int:
    return sum(0x80 <= b <= 0x9F for b in head[:4096])


def _zipped(head: bytes) -> Format:
    """Office files are zip archives with a list of content types; what they are shows in the names of their parts."""
    if b"[Content_Types].xml" in head:
        for mark, found in ((b"word/", Format.DOCX), (b"xl/", Format.XLSX)):
            if re.search(rb"PK\x03\x04.{26}" + mark, head, re.S) or re.search(rb"PK\x01\x02.{42}" + mark, head, re.S):
                return found
        if b"ppt/" in head:
            return Format.UNKNOWN
    if MIMETYPE in head[30:150]:
        return Format.ODS
    if b"mimetypeapplication/" in head[:100]:  # OpenDocument, EPUB
        return Format.UNKNOWN
    return Format.ZIP


def _marked_up(text: str) -> Format:
    body = re.sub(
        r"<\?(?:(?!<\?|\?>).)*+\?>|<!--(?:(?!<!--|-->).)*+-->|<!DOCTYPE[^<>\[]*+(?:\[(?:(?!<!DOCTYPE|\]).)*+\]\s*+)?>",
        " ",
        text,
        flags=re.S | re.I,
    ).lstrip()
    root = re.match(r"<(?:[\w.-]+:)?([\w.-]+)([^>]*)", body)
    doctype = re.search(r"<!DOCTYPE\s+(\w[\w.-]*)([^>\[]*)", text, re.I)
    if doctype and doctype[1].lower() == "html":
        return Format.HTML
    if root is None:
        return Format.HTML if _HTML.match(text) else Format.UNKNOWN
    if root[1] == "xml" and re.search(r"<record\b", body):
        return Format.ENDNOTE_XML
    if root[1] == "article" and not re.search(
        r"<(?:\w+:)?(?:front|article-meta|body|sub-article)\b|article-type|dtd-version", body
    ):
        return Format.HTML
    if root[1] == "OAI-PMH" and re.search(r"<(?:\w+:)?mods\b", body):
        return Format.MODS
    if root[1] == "RDF":
        return Format.ZOTERO_RDF if "z:itemType" in body or "purl.org/net/biblio" in text else Format.UNKNOWN
    if root[1] == "OAI-PMH" and re.search(r"<(?:\w+:)?article\b", body):
        return Format.JATS
    if root[1] in _ROOTS:
        return _ROOTS[root[1]]
    return Format.HTML if _HTML.match(text) or root[1].lower() == "html" else Format.UNKNOWN


def _tagged(text: str) -> Format | None:
    lines = text.split("\n")[:4000]

    def count(pattern) -> int:
        return sum(1 for line in lines if pattern.match(line))

    if count(ris.START):
        return Format.RIS
    if count(medline.START):
        return (
            Format.PUBMED_TEXT
            if not count(re.compile(r"(?:TI|AU|OWN|STAT)\s*- ")) and count(pubmed_text.START)
            else Format.MEDLINE
        )
    if count(endnote_tagged.START) or count(re.compile(r"%[ATDJ] \S")) >= 3:
        return Format.ENDNOTE_TAGGED
    if (
        count(re.compile(r"FN \S"))
        and count(re.compile(r"(?:PT [A-Z]|ER|VR [\d.]+)\s*$"))
        or count(web_of_science.START)
        and count(re.compile(r"(?:AU|TI|SO|UT) \S")) >= 2
    ):
        return Format.WEB_OF_SCIENCE
    if refworks.is_refworks(lines):
        return Format.REFWORKS
    if ovid.is_ovid(lines):
        return Format.OVID
    if bibtex.count_starts(text) or re.match(r"@(?:comment|string|preamble)\s*[{(]", text, re.I):
        return Format.BIBTEX
    dashed = count(re.compile(r"[A-Z][A-Z0-9]{1,3}\s{0,2}- \S"))
    if dashed >= 3 and dashed > 0.3 * sum(1 for line in lines if line.strip()):
        return Format.RIS if count(re.compile(r"ER\s{0,2}-")) else Format.MEDLINE
    if (
        re.search(r"^PMID: \d+", text, re.M)
        and count(pubmed_text.START)
        or re.search(r"\bPMID: \d+", text)
        and pubmed_text.START.match(text)
    ):
        return Format.PUBMED_TEXT
    if labelled.dialect(lines):
        return Format.LABELLED
    if foreign.is_tagged(lines) or foreign.name_of(b"", text):
        return Format.UNKNOWN  # never guessed to be a table or a list of identifiers
    return None


def _listed(text: str) -> Format:
    """A table, a list of identifiers, or neither."""
    lines = [line for line in text.split("\n") if line.strip()]
    delimiter = delimited.vote(text)
    rows = []
    at = 0
    while delimiter and at < len(text) and len(rows) < 20:
        cells, at, _ = delimited.cut(text, at, delimiter)
        rows.append(cells)
    if delimiter and (head := head_row(rows)) is not None and len(rows[head]) > 1:
        return Format.TSV if delimiter == "\t" else Format.CSV
    if len(lines) > 1 and head_row([[line] for line in lines[:1]]) == 0:
        return Format.CSV  # one column under its head
    if is_list(text):
        return Format.IDENTIFIERS
    widths = {len(row) for row in rows if any(cell.strip() for cell in row)}
    if delimiter and len(widths) == 1 and len(rows) > 1 and (len(rows[0]) > 2 or delimiter != ","):
        return Format.TSV if delimiter == "\t" else Format.CSV
    return Format.IDENTIFIERS if any(identifiers(line) for line in lines) else Format.UNKNOWN
