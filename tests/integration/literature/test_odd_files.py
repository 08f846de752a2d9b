"""Files that nobody made in good faith, or that a program made in bad shape: each ends as one line with its reason.

They are made here, at a hundredth of the size that hurts, with the limits lowered as far. That memory is bounded is
the isolation's affair (tests/unit/sandbox): here it is asked for by what needs more than it is given.
"""

from __future__ import annotations

import io
import os
import struct
import tarfile
import zipfile
import zlib

import pytest
from asgiref.sync import async_to_sync

from tasks.files import store
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.reading.errors import ExtractionError
from tasks.sandbox.isolate import Isolate, IsolateError
from tests.integration.literature.papers import pdf_bytes

HAY = pdf_bytes("hay")
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PARTS = "http://schemas.openxmlformats.org/package/2006"


def zipped(*members, method=zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in members:
            file.writestr(name, data)
    return out.getvalue()


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        for name in ("one.pdf", "two.pdf"):
            entry = tarfile.TarInfo(name)
            entry.size = len(HAY)
            file.addfile(entry, io.BytesIO(HAY))
    return out.getvalue()


def zip64_that_lies() -> bytes:
    """Its directory claims 2^40 entries at 2^62."""
    good = zipped(("a.pdf", HAY))
    at = good.rfind(b"PK\x05\x06")
    end64 = b"PK\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 2**40, 2**40, 2**62, 2**62)
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, 2**62, 1)
    return good[:at] + end64 + locator + good[at : at + 8] + b"\xff" * 12 + good[at + 20 :]


def workbook(strings: str, head: str = "") -> bytes:
    kinds = "".join(
        f'<Override PartName="/xl/{part}.xml" '
        f'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
        for part, kind in (
            ("workbook", "sheet.main"),
            ("worksheets/sheet1", "worksheet"),
            ("sharedStrings", "sharedStrings"),
        )
    )
    cells = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>'
    sheet = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
    ties = f'<Relationships xmlns="{PARTS}/relationships">'
    return zipped(
        ("[Content_Types].xml", f'<Types xmlns="{PARTS}/content-types">{kinds}</Types>'),
        (
            "_rels/.rels",
            f'{ties}<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        ),
        ("xl/workbook.xml", f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}">{sheet}</workbook>'),
        (
            "xl/_rels/workbook.xml.rels",
            f'{ties}<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="r2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        ),
        ("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{SHEET}"><sheetData>{cells}</sheetData></worksheet>'),
        ("xl/sharedStrings.xml", f'{head}<sst xmlns="{SHEET}"><si><t>title</t></si>{strings}</sst>'),
    )


def document(body: str, head: str = "") -> bytes:
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = (
        f'<Types xmlns="{PARTS}/content-types"><Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    )
    tie = f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
    return zipped(
        ("[Content_Types].xml", types),
        ("_rels/.rels", f'<Relationships xmlns="{PARTS}/relationships">{tie}</Relationships>'),
        ("word/document.xml", f"{head}<w:document {WORD}><w:body>{body}</w:body></w:document>"),
    )


def pages(rest: bytes) -> bytes:
    catalog = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    return catalog + rest + b"\ntrailer<</Root 1 0 R/Size 6>>\n%%EOF"


def one_page(stream: bytes, filters: bytes) -> bytes:
    return pages(
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]"
        b"/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont"
        b"/Helvetica>>endobj\n4 0 obj<</Length "
        + str(len(stream)).encode()
        + filters
        + b">>stream\n"
        + stream
        + b"\nendstream endobj"
    )


STEALS = '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
LAUGHS = "<!ENTITY a '0123456789'>" + "".join(f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9))
JATS = (
    "<article><front><article-meta><title-group><article-title>{}</article-title></title-group></article-meta></front>"
)

REFUSED = {
    "a tar of two papers": (tarred(), "not_a_format", "tar"),
    "a RAR that stores a paper": (b"Rar!\x1a\x07\x01\x00" + bytes(90) + HAY, "not_a_format", "RAR"),
    "a 7z that stores a paper": (b"7z\xbc\xaf\x27\x1c" + bytes(26) + HAY, "not_a_format", "7z"),
    "a book": (zipped(("mimetype", "application/epub+zip"), method=zipfile.ZIP_STORED), "not_a_format", "EPUB"),
    "an OpenDocument": (
        zipped(("mimetype", "application/vnd.oasis.opendocument.text"), method=zipfile.ZIP_STORED),
        "not_a_format",
        "OpenDocument",
    ),
    "a zip64 whose directory lies": (zip64_that_lies(), "archive_too_many", "files"),
    "a workbook of one endless text": (workbook(f"<si><t>{'y' * 30_000}</t></si>" * 5000), "workbook_too_large", ""),
    "a table of 50,000 columns": (b",".join(b"c%d" % n for n in range(50_000)) + b"\n", "not_a_format", "TXT"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_at_the_door_with_a_reason_that_names_it(give, what):
    data, reason, named = REFUSED[what]
    paper = give(data, "paper.bin").json()["paper"]
    assert (paper["state"], paper["reason"]) == ("refused", reason), paper["message"]
    assert named in paper["message"] and paper["message"] != reason


def test_an_archive_of_far_too_many_entries_is_known_by_its_directory(give, settings):
    settings.SHEAF_MAX_SET_FILES = 10
    data = zipped(*((f"{n}.pdf", b"") for n in range(1100)), method=zipfile.ZIP_STORED)
    paper = give(data, "many.zip").json()["paper"]
    assert paper["reason"] == "archive_too_many" and "10 files" in paper["message"]


def test_nothing_of_the_machine_gets_into_a_record(give, draft):
    give(workbook("<si><t>&amp;e;</t></si><si><t>x</t></si>", head=STEALS), "e.xlsx")
    give(f"{STEALS.replace('<!DOCTYPE d', '<!DOCTYPE xml')}<xml><records/></xml>".encode(), "e.xml")
    assert draft.papers.exists()
    for row in Paper.objects.values():
        assert "root:" not in str(row)


RIS = "TY  - JOUR\r\nTI  - Hay für Ríos\r\nER  - \r\n"
LISTS = {
    "RIS in UTF-16 without a mark": (RIS.encode("utf-16-le"), "Hay für Ríos"),
    "the same, the other way round": (RIS.encode("utf-16-be"), "Hay für Ríos"),
    "BibTeX that never closes": (b"@article{a, title={Hay}, year=2020}\n@article{c, title=" + b"{" * 200_000, "Hay"),
    "BibTeX in 100,000 braces": (b"@article{c, title=" + b"{" * 100_000 + b"Hay" + b"}" * 100_000 + b"}", "Hay"),
    "RIS with a NUL": (b"TY  - JOUR\nTI  - H\x00ay\nER  - \n", "Hay"),
}


@pytest.mark.parametrize("what", LISTS)
def test_a_list_in_bad_shape_gives_what_is_in_it(give, draft, what):
    data, title = LISTS[what]
    source = give(data, "list.txt").json()["source"]
    assert source["counts"]["accepted"] == 1
    assert draft.papers.get(state="listed").listed["title"] == title


def test_a_record_without_an_end_costs_itself_and_its_line_is_named(give, draft):
    data = b"TY  - JOUR\nTI  - Hay\nER  - \nTY  - JOUR\nTI  - Straw\nAB  - " + b"x" * 600_000 + b"\nER  - \n"
    source = give(data, "list.ris").json()["source"]
    assert source["counts"] == {"given": 2, "accepted": 1, "duplicate": 0, "refused": 1}
    refused = draft.papers.get(state="refused")
    assert (refused.reason, refused.line) == ("record_too_long", 4) and "500000 characters" in refused.message


def test_a_list_whose_answer_would_be_too_large_is_refused_as_that(give, monkeypatch):
    from tasks.kinds.literature.intake import opening

    assert opening.LIST_CHARACTERS + 8 * 2**20 < 64 * 2**20  # what the child may answer
    path = "tests/integration/literature/test_odd_files.py"
    monkeypatch.setattr(opening, "LIST_CHARACTERS", 10)
    monkeypatch.setattr(
        "tasks.kinds.literature.references.read_file",
        lambda *_a, **_k: {"records": [{"source_line": 1, "title": "Hay and straw"}], "problems": [], "format": "ris"},
    )
    reading = opening.read_list(path, {})
    assert [one["code"] for one in reading["problems"]] == ["list_too_large"] and not reading["records"]


READ = {
    "a PDF that is a zip as well": (HAY + zipped(("inner.pdf", HAY)), ""),
    "a web page with a PDF in it": (b"<!doctype html><html><!--" + HAY + b"--></html>", "not_a_pdf"),
    "a PDF whose pages are their own parents": (
        pages(b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2000000000>>endobj"),
        "damaged",
    ),
    "a PDF that claims 100 million objects": (HAY.replace(b"/Size ", b"/Size 99999999"), ""),
    "a stream that unfolds three times": (
        one_page(
            zlib.compress(zlib.compress(zlib.compress(bytes(30_000_000), 9), 9), 9),
            b"/Filter[/FlateDecode/FlateDecode/FlateDecode]",
        ),
        "no_text",
    ),
    "a page of half a gigabyte of text": (
        one_page(zlib.compress(b"BT /F 12 Tf (hay) Tj ET\n" * 20_000_000, 9), b"/Filter/FlateDecode"),
        "out_of_memory",
    ),
    "a DOCX that asks for a file": (document("<w:p><w:r><w:t>Hay &e;</w:t></w:r></w:p>", head=STEALS), "xml_entities"),
    "a DOCX that unfolds": (document(f"<w:p><w:r><w:t>{'hay ' * 200}</w:t></w:r></w:p>" * 50_000), "too_large"),
    "a DOCX of tables in tables": (
        document("<w:tbl><w:tr><w:tc>" * 20_000 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 20_000),
        "no_text",
    ),
    "a web page a million deep": (
        b"<!doctype html><html><head><title>Hay</title></head><body>" + b"<div>" * 1_000_000 + b"</body></html>",
        "no_text",
    ),
    "a JATS of a billion laughs": (
        f"<!DOCTYPE article [{LAUGHS}]>{JATS.format('&j;')}<body><p>x</p></body></article>".encode(),
        "xml_entities",
    ),
    "a JATS of one long entity, often": (
        f"<!DOCTYPE article [<!ENTITY a '{'a' * 9000}'>]>{JATS.format('&a;' * 2000)}</article>".encode(),
        "xml_entities",
    ),
    "a JATS of sections in sections": (
        (JATS.format("Hay") + "<body>" + "<sec>" * 100_000 + "</sec>" * 100_000 + "</body></article>").encode(),
        "no_text",
    ),
}


@pytest.mark.parametrize("what", READ)
def test_it_passes_the_door_and_reading_it_ends_with_a_reason(give, what):
    data, code = READ[what]
    paper = give(data, "paper.pdf" if data.startswith(b"%PDF") else "paper").json()["paper"]
    assert paper["state"] == "accepted", paper["message"]
    path = store.write_out(paper["sha256"])
    try:
        assert async_to_sync(_end_of)(path) == code
    finally:
        os.unlink(path)


async def _end_of(path: str) -> str:
    """The code that reading it ends with; empty when it was read."""
    async with Isolate(size=1, memory_mib=512, modules=Literature.isolated) as child:
        try:
            await child.call(
                "tasks.kinds.literature.reader:read_any", path, timeout_s=60, max_pages=100, max_bytes=2**26
            )
        except (ExtractionError, IsolateError) as error:
            return error.code
    return ""
