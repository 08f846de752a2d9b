"""What is known and not read is refused by its name; tagged text that nobody knows is no table and no list of numbers."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import Format, name_of, read, sniff

TAGGED = (
    "XX 1\nYT Moss, roofs, and 10.5555/roof.7\nYA Lund, Ada\nYJ Annals, of Roofing\nYY 2018, November\n\n"
    "XX 2\nYT Lichens, walls, and 10.5555/roof.8\nYA Oke, Tom\nYJ Moss, Letters\nYY 2020, May\n"
)
CASES = {
    "an unknown tagged format": (TAGGED.encode(), ""),
    "SciFinder": (
        b"START_RECORD\nFIELD Copyright:(C) 2020\nFIELD Title:Moss, on roofs\nFIELD Authors:Lund, Ada\nEND_RECORD\n",
        "SciFinder tagged",
    ),
    "a citation file": (b"cff-version: 1.2.0\ntitle: Moss\nauthors:\n  - family-names: Lund\n", "CITATION.cff"),
    "MARC": (b"00714cam a2200205 a 4500001001300000" + b"\x1e" * 5 + b"x" * 600, "MARC 21"),
    "LaTeX": (
        b"\\begin{thebibliography}{9}\n\\bibitem{a} A. Lund, Moss, 2018. doi:10.5555/roof.7\n\\end{thebibliography}\n",
        "LaTeX bibliography",
    ),
    "ReDIF": (b"Template-Type: ReDIF-Paper 1.0\nAuthor-Name: Ada Lund\nHandle: RePEc:x:y:1\n", "ReDIF"),
    "RAR": (b"Rar!\x1a\x07\x01\x00" + bytes(60), "RAR"),
    "7z": (b"7z\xbc\xaf\x27\x1c" + bytes(60), "7z"),
    "gzip": (b"\x1f\x8b\x08\x00" + bytes(60), "gzip"),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused_by_name(name):
    data, called = CASES[name]
    assert sniff(data) == Format.UNKNOWN
    assert name_of(data) == called
    assert read(data).refused.code == "not_a_list"
    assert read(data).refused.detail["found"] == (called or "unknown")


@pytest.mark.parametrize(
    "text",
    [
        "10.5555/1\n10.5555/2\n",
        "Title,Year\nAB testing of moss,2018\n",
        "See Lund (doi:10.5555/1).\n",
        "PMID 30000001\nPMID 30000002\n",
    ],
)
def test_lists_and_tables_stay_what_they_were(text):
    assert sniff(text.encode()).is_list
