"""What a file is shows in its content; its name may say anything."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from tasks.kinds.literature.references import Format, format_of, sniff

RIS = b"TY  - JOUR\nTI  - A\nER  - \n"
JATS = (
    b'<?xml version="1.0"?>\n<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "x.dtd">\n'
    b'<article article-type="x"><front/></article>'
)


def workbook() -> bytes:
    out = io.BytesIO()
    openpyxl.Workbook().save(out)
    return out.getvalue()


def archive(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in names:
            packed.writestr(name, "x")
    return out.getvalue()


CASES = {
    "pdf": (b"%PDF-1.7\n", Format.PDF),
    "pdf with a mail header before it": (b"From: a\r\n\r\n%PDF-1.4", Format.PDF),
    "zip": (archive("a.pdf", "word/x.txt"), Format.ZIP),
    "docx": (archive("[Content_Types].xml", "_rels/.rels", "word/document.xml"), Format.DOCX),
    "xlsx": (workbook(), Format.XLSX),
    "powerpoint": (archive("[Content_Types].xml", "ppt/presentation.xml"), Format.UNKNOWN),
    "old or encrypted office": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), Format.OLE),
    "ris": (RIS, Format.RIS),
    "ris with a search strategy above": (b"Database: Ovid\nSearch: a and b\n1.\n" + RIS, Format.RIS),
    "ris in UTF-16": (b"\xff\xfe" + RIS.decode().encode("utf-16-le"), Format.RIS),
    "ris in UTF-16 without a mark": (RIS.decode().encode("utf-16-be"), Format.RIS),
    "ris with old Mac line ends": (RIS.replace(b"\n", b"\r"), Format.RIS),
    "ris without TY": (b"TI  - A\nAU  - B\nPY  - 2001\nER  - \n", Format.RIS),
    "bibtex": (b"% exported\n@article{a, title={A}}", Format.BIBTEX),
    "bibtex in parentheses": (b"@Article ( a, title={A} )", Format.BIBTEX),
    "nbib": (b"\nPMID- 123\nOWN - NLM\nTI  - A\n", Format.MEDLINE),
    "eric's nbib": (b"OWN - ERIC\nTI  - A\nAU  - B, C\nDP  - 2000\n", Format.MEDLINE),
    "endnote's own export": (b"%0 Journal Article\n%T A\n%A B\n", Format.ENDNOTE_TAGGED),
    "web of science": (
        b"\xef\xbb\xbfFN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU A, B\nTI C\nER\n\nEF",
        Format.WEB_OF_SCIENCE,
    ),
    "pubmed's abstracts": (
        b"1. J A. 2011 Jun;5(6):3-9. doi: 10.1000/1.\n\nTitle.\n\nA B(1).\n\nPMID: 123 [Indexed for MEDLINE]\n",
        Format.PUBMED_TEXT,
    ),
    "csv": (b"Title,Authors,Year\na,b,2001\n", Format.CSV),
    "csv with semicolons": (b"Titel;Autoren;Jahr\na;b;2001\n", Format.CSV),
    "tsv": (b"PMID\tTitle\n1\ta\n", Format.TSV),
    "csv of one column": (b"DOI\n10.1000/1\n10.1000/2\n", Format.CSV),
    "csv without heads": (b"a one,2001,x\nb two,2002,y\nc three,2003,z\n", Format.CSV),
    "dois": (b"10.1000/1\nhttps://doi.org/10.1000/2\n", Format.IDENTIFIERS),
    "pubmed numbers": (b"31452104\n29459515\n", Format.IDENTIFIERS),
    "running text with a doi": (b"See the paper of Smith (doi:10.1000/1), which is good.\n", Format.IDENTIFIERS),
    "endnote xml": (
        b'<?xml version="1.0"?><xml><records><record><titles/></record></records></xml>',
        Format.ENDNOTE_XML,
    ),
    "pubmed xml": (
        b'<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "x" "y"><PubmedArticleSet/>',
        Format.PUBMED_XML,
    ),
    "jats": (JATS, Format.JATS),
    "tei": (b'<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/></TEI>', Format.TEI),
    "html": (b"<!DOCTYPE html>\n<html><body>x</body></html>", Format.HTML),
    "html without a head": (b"  <div><p>Sign in</p></div>", Format.HTML),
    "an html page's article": (b"<article class='x'><p>Hi</p></article>", Format.HTML),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", Format.UNKNOWN),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(100), Format.UNKNOWN),
    "noise": (bytes(range(256)) * 20, Format.UNKNOWN),
    "prose": (b"Dear all,\n\nplease find attached the minutes.\n", Format.UNKNOWN),
    "nothing": (b"", Format.EMPTY),
    "white space": (b"\xef\xbb\xbf \r\n\n", Format.EMPTY),
    "zeros": (bytes(1000), Format.EMPTY),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("called", ["list.pdf", "paper.ris"])
def test_it_is_told_by_content(name, called):
    data, expected = CASES[name]
    assert sniff(data, called) == expected


def test_an_office_file_with_its_parts_at_the_end_is_told_from_its_directory(tmp_path):
    path = tmp_path / "x.bin"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("media.bin", bytes(100_000))
        packed.writestr("[Content_Types].xml", "x")
        packed.writestr("word/document.xml", "x")
    assert sniff(path.read_bytes()[:65536]) == Format.ZIP
    assert format_of(path) == Format.DOCX


@pytest.mark.parametrize("length", range(0, 60, 7))
def test_a_head_cut_anywhere_raises_nothing(length):
    for data, _ in CASES.values():
        sniff(data[:length])
