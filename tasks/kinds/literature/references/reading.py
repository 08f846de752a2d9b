"""Reads a list of references, whatever its format, and makes sure that no record is lost on the way."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from . import (
    bibtex,
    csl_json,
    delimited,
    endnote_tagged,
    endnote_xml,
    identifier_list,
    labelled,
    medline,
    mods,
    opendocument,
    ovid,
    pubmed_text,
    refworks,
    ris,
    web_of_science,
    workbook,
)
from .encoding import decode
from .formats import HEAD, Format, name_of, sniff
from .record import REPAIRED, UNREADABLE, WARNED, Reading, refused
from .xml_tree import RefusedXml

_READERS = {
    Format.RIS: ris.read_ris,
    Format.BIBTEX: bibtex.read_bibtex,
    Format.MEDLINE: medline.read_medline,
    Format.ENDNOTE_TAGGED: endnote_tagged.read_endnote_tagged,
    Format.WEB_OF_SCIENCE: web_of_science.read_web_of_science,
    Format.PUBMED_TEXT: pubmed_text.read_pubmed_text,
    Format.IDENTIFIERS: identifier_list.read_identifiers,
    Format.CSL_JSON: csl_json.read_csl,
    Format.REFWORKS: refworks.read_refworks,
    Format.OVID: ovid.read_ovid,
    Format.LABELLED: labelled.read_labelled,
}
#: How many records a file says it has, by the first line of each alone.
_STARTS = {
    Format.RIS: ris.START,
    Format.MEDLINE: re.compile(r"\s*PMID\s?-\s?\S"),
    Format.ENDNOTE_TAGGED: endnote_tagged.START,
    Format.WEB_OF_SCIENCE: web_of_science.START,
    Format.REFWORKS: refworks.START,
    Format.OVID: ovid.START,
}
_XML = {
    Format.ENDNOTE_XML: endnote_xml.read_endnote_xml,
    Format.PUBMED_XML: endnote_xml.read_pubmed_xml,
    Format.MODS: mods.read_mods,
    Format.ZOTERO_RDF: mods.read_zotero_rdf,
}


@dataclass(frozen=True)
class Limits:
    """What one file may cost. Beyond ``records`` the rest is counted, not read; beyond ``file_bytes`` nothing is."""

    file_bytes: int = 50 * 2**20
    records: int = 50_000
    cells: int = 2_000_000
    columns: int = 512


def format_of(path: str | os.PathLike) -> Format:
    """``sniff`` for a file on disk; where the parts of an office file stand in an unusual order, by its directory."""
    with open(path, "rb") as file:
        found = sniff(file.read(HEAD))
    return workbook.office_format(path) if found == Format.ZIP else found


def read(source: bytes | str | os.PathLike, *, format: Format | None = None, limits: Limits = Limits()) -> Reading:
    """The records of a list of references, given as bytes or as a path. Raises OSError only."""
    if isinstance(source, bytes):
        data = source
    else:
        if os.path.getsize(source) > limits.file_bytes:
            return refused(format or "unknown", "list_too_large", limit_mib=limits.file_bytes >> 20)
        with open(source, "rb") as file:
            data = file.read()
    if len(data) > limits.file_bytes:
        return refused(format or "unknown", "list_too_large", limit_mib=limits.file_bytes >> 20)
    found = Format(format) if format else sniff(data[:HEAD])
    if found == Format.ZIP and format is None:
        found = workbook.office_format(data)
    if found == Format.EMPTY:
        return refused(found, "empty_file")
    if found == Format.OLE:
        return refused(found, workbook.ole_code(data))
    if not found.is_list:
        return refused(found, "not_a_list", found=name_of(data[:HEAD]) or str(found))
    reading = Reading(str(found))
    if found == Format.XLSX:
        workbook.read_workbook(data, reading, limits)
    elif found == Format.ODS:
        opendocument.read_opendocument(data, reading, limits)
    elif found in _XML:
        _read_xml(data, reading, found)
    else:
        _read_text(data, reading, found, limits)
    return _checked(reading, limits)


def read_file(path: str, *, format: str | None = None, **limits: int) -> dict:
    """``read`` of a path as plain values; the keywords are the fields of Limits."""
    return read(path, format=Format(format) if format else None, limits=Limits(**limits)).as_dict()


def _read_text(data: bytes, reading: Reading, format: Format, limits: Limits) -> None:
    decoded = decode(data)
    reading.encoding = decoded.encoding
    for code, detail, line in decoded.repairs:
        reading.tell(line, code, WARNED if code == "undecodable" else REPAIRED, **detail)
    if format in (Format.CSV, Format.TSV):
        delimited.read_delimited(decoded.text, delimited.vote(decoded.text) or ",", reading, limits.records)
        return
    _READERS[format](decoded.text, reading)
    starts = 0
    if format in _STARTS:
        starts = sum(1 for line in decoded.text.split("\n") if _STARTS[format].match(line))
    elif format == Format.BIBTEX:
        starts = bibtex.count_starts(decoded.text)
    # More can be read than is counted this way (a record without its first line), never fewer.
    reading.counted = max(reading.counted, starts)


def _read_xml(data: bytes, reading: Reading, format: Format) -> None:
    try:
        _XML[format](data, reading)
    except RefusedXml as error:
        reading.problems[:] = refused(format, error.code, error.message).problems


def _checked(reading: Reading, limits: Limits) -> Reading:
    """Holds the reading to its count, and to the limit."""
    if reading.refused:
        return reading
    over = reading.records[limits.records :]
    if over:
        del reading.records[limits.records :]
        for record in over[:1000]:
            reading.tell(
                record.source_line, "over_the_limit", UNREADABLE, record.title or record.doi or "", limit=limits.records
            )
        reading.counted -= len(over[1000:])
        if over[1000:]:
            reading.tell(
                over[1000].source_line, "too_many_records", WARNED, limit=limits.records, left=len(over) - 1000
            )
    accounted = len(reading.records) + len(reading.unreadable)
    if accounted < reading.counted:
        reading.tell(0, "count_differs", WARNED, counted=reading.counted, accounted=accounted)
    if not reading.records and not reading.unreadable:
        reading.tell(0, "no_records", WARNED)
    reading.problems.sort(key=lambda p: p.line)
    return reading
