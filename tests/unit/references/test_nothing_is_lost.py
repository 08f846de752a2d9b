"""Files spoilt at random, the same each time: reading raises nothing, and every record counted is accounted for."""

from __future__ import annotations

import io
import random

import pytest

from tasks.files.unpacking import BadArchive, Limits, members
from tasks.kinds.literature.reading.errors import ExtractionError
from tasks.kinds.literature.references import read
from tasks.kinds.literature.references.fulltext import read_paper
from tests.unit.references.papers import JATS, PAGE, TEI, manuscript
from tests.unit.references.test_bibtex import GOOD
from tests.unit.references.test_ris import TWO
from tests.unit.references.test_tables import HEAD, ROW
from tests.unit.references.test_tagged_lists import ENW, NBIB, PUBMED, WOS
from tests.unit.references.test_unpacking import packed
from tests.unit.references.test_workbook import book
from tests.unit.references.test_xml_lists import endnote, record

LISTS = {
    "ris": TWO.encode() * 3,
    "ris in UTF-16": TWO.encode("utf-16"),
    "bibtex": GOOD.encode() * 3,
    "nbib": NBIB.encode(),
    "enw": ENW.encode(),
    "wos": WOS.encode(),
    "pubmed": PUBMED.encode(),
    "csv": (HEAD + ROW * 5).encode(),
    "endnote xml": endnote(record("a"), record("b")),
    "xlsx": book(["Title", "Year"], ["A", 2011], ["B", 2012]),
    "dois": b"10.1000/1\n10.1000/2\nPMID: 31452104\n",
}
PAPERS = {"jats": JATS.encode(), "tei": TEI.encode(), "html": PAGE.encode(), "docx": manuscript()}
PIECES = (
    b'"',
    b"{",
    b"}",
    b"\n",
    b"\r",
    b"@article{",
    b"TY  - ",
    b"ER  - ",
    b",",
    b";",
    b"<",
    b">",
    b"&",
    b"\x00",
    b"\xff",
    b"PMID- ",
    b"%0 ",
    b"PT J\n",
    b"=",
    b"#",
    b"(",
    b"<record>",
)


def spoilt(data: bytes, seed: int) -> bytes:
    chance, out = random.Random(seed), bytearray(data)
    for _ in range(chance.choice((1, 3, 10, 40))):
        at = chance.randrange(len(out) or 1)
        what = chance.random()
        if what < 0.3 and out:
            out[at] = chance.randrange(256)
        elif what < 0.5:
            del out[at : at + chance.choice((1, 5, 50))]
        elif what < 0.7:
            start = chance.randrange(len(out) or 1)
            out[at:at] = out[start : start + chance.choice((1, 10, 100))]
        elif what < 0.9:
            out[at:at] = chance.choice(PIECES)
        else:
            del out[at:]
    return bytes(out)


@pytest.mark.parametrize("name", LISTS)
def test_lists(name):
    for seed in range(120):
        found = read(spoilt(LISTS[name], seed))
        assert found.refused or found.counted == len(found.records) + len(found.unreadable), seed


@pytest.mark.parametrize("name", PAPERS)
def test_papers(name, tmp_path):
    path = tmp_path / "paper"
    for seed in range(40):
        path.write_bytes(spoilt(PAPERS[name], seed))
        try:
            assert read_paper(str(path))["pages"] == 1
        except ExtractionError as error:
            assert error.code


def test_archives():
    whole = packed(("a.pdf", b"%PDF"), ("x/b.zip", packed(("c", b"d")).getvalue())).getvalue()
    for seed in range(150):
        try:
            for member in members(io.BytesIO(spoilt(whole, seed)), Limits()):
                assert member.file or member.refused or member.ignored
        except BadArchive as error:
            assert error.code.startswith("archive_")
