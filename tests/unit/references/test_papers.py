"""JATS, TEI, DOCX and HTML papers come out in the shape of a PDF's record."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest

from tasks.kinds.literature.reading.errors import ExtractionError
from tasks.kinds.literature.references.fulltext import read_paper
from tests.unit.references.papers import JATS, PAGE, TEI, manuscript

#: The keys of extraction.record.build_record.
KEYS = {
    "title",
    "authors",
    "doi",
    "pmid",
    "pmcid",
    "year",
    "journal",
    "volume",
    "issue",
    "first_page",
    "last_page",
    "abstract",
    "keywords",
    "licence",
    "language",
    "sections",
    "references",
    "captions",
    "tables",
    "pages",
    "page_sizes",
    "markdown",
    "page_text",
    "fields",
    "warnings",
}


@pytest.fixture
def read(tmp_path):
    def one(data: bytes | str, **limits) -> dict:
        path = tmp_path / "paper.pdf"  # the name is no help
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return read_paper(str(path), **limits)

    return one


def field(record: dict, name: str) -> dict:
    return next(one for one in record["fields"] if one["name"] == name)


@pytest.mark.parametrize("data", [JATS, TEI, PAGE, manuscript()], ids=["jats", "tei", "html", "docx"])
def test_every_format_has_the_same_shape_and_the_same_story(read, data):
    record = read(data)
    assert set(record) == KEYS
    assert record["title"] == "Basil and gums in adults"
    assert [(p["family"], p["given"]) for p in record["authors"]] == [("Smith", "Anna"), ("de Vries", "Bo")]
    assert all(set(p) == {"family", "given", "affiliations", "email", "orcid"} for p in record["authors"])
    assert [s["title"] for s in record["sections"] if s["level"] == 1] == ["Introduction", "Methods"]
    assert [(s["title"], s["level"]) for s in record["sections"]][2:] == [("Patients", 2)]
    assert record["abstract"].startswith("We ran a randomised controlled trial")
    assert [(r["title"], r["year"], r["journal"]) for r in record["references"]] == [
        ("Leaves of grass and other plants", 2010, "J Res")
    ]
    assert "# Basil and gums in adults" in record["markdown"] and "### Patients" in record["markdown"]
    assert record["language"] == "en" and record["pages"] == 1


@pytest.mark.parametrize("data", [JATS, TEI, PAGE, manuscript()], ids=["jats", "tei", "html", "docx"])
def test_study_facts_are_found_and_looked_up(read, data):
    record = read(data)
    assert field(record, "design")["value"] == "randomised controlled trial"
    assert field(record, "sample_size")["value"] == 120
    assert field(record, "registration")["value"] == "NCT01234567"
    assert all(one["verified"] and one["page"] == 1 and one["boxes"] == [] for one in record["fields"])


@pytest.mark.parametrize("data", [JATS, TEI, PAGE], ids=["jats", "tei", "html"])
def test_what_is_marked_is_taken(read, data):
    record = read(data)
    assert (record["doi"], record["year"], record["journal"]) == ("10.1234/abc.5", 2019, "J Test")
    assert (record["volume"], record["first_page"], record["last_page"]) == ("3", "1", "9")
    assert record["keywords"] == ["basil", "gums"]


@pytest.mark.parametrize("data", [JATS, TEI, PAGE, manuscript()], ids=["jats", "tei", "html", "docx"])
def test_tables_come_as_cells(read, data):
    [table] = read(data)["tables"]
    assert table["label"] == "Table 1" and "Ages" in table["caption"]
    assert table["rows"][-2:] == [["Group", "Mean"], ["Basil", "41"]]


def test_jats_knows_addresses_licence_numbers_and_named_entities(read):
    record = read(JATS)
    assert record["authors"][0]["affiliations"] == ["Dept of Gums, Univ of Oslo, Norway"]
    assert (record["authors"][0]["orcid"], record["authors"][0]["email"]) == ("0000-0002-1825-0097", "a@uio.no")
    assert (record["pmid"], record["pmcid"], record["licence"]) == ("31452104", "PMC6710000", "CC BY")
    assert record["captions"][0] == {"kind": "figure", "label": "Figure 1", "text": "Flow – of patients", "page": 1}


def test_two_articles_in_one_file_are_told(read):
    body = JATS[JATS.index("<article ") :]
    assert "more_papers_in_file" in read(f"<pmc-articleset>{body}{body}</pmc-articleset>")["warnings"]


def test_damaged_xml_is_read_as_far_as_it_goes_and_told(read):
    record = read(JATS[: JATS.index("<back>")])
    assert record["title"] == "Basil and gums in adults" and "xml_damaged" in record["warnings"]


def test_menus_and_scripts_of_a_page_are_left_out(read):
    text = read(PAGE)["page_text"][0]
    assert "Sign in" not in text and "alert" not in text and "Cookies" not in text


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_pages_in_other_encodings(read, encoding):
    page = PAGE.replace("Smith, Anna", "Müller, Anna").replace(
        "charset=utf-8", f"charset={'windows-1252' if encoding == 'cp1252' else encoding}"
    )
    assert read(page.encode(encoding))["authors"][0]["family"] == "Müller"


def test_text_deleted_under_tracking_is_gone_and_a_document_without_marks_has_no_invented_authors(read):
    document = docx.Document()
    document.add_paragraph("A long paragraph without any style, which says this and that about the world. " * 3)
    out = io.BytesIO()
    document.save(out)
    plain = out.getvalue()
    edited = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as old, zipfile.ZipFile(edited, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "word/document.xml":
                part = part.replace(
                    b"</w:p>",
                    b'<w:del w:id="1" w:author="x"><w:r><w:delText>deleted words</w:delText></w:r></w:del></w:p>',
                    1,
                )
            new.writestr(name, part)
    record = read(edited.getvalue())
    assert (record["title"], record["authors"], record["doi"], record["year"]) == (None, [], None, None)
    assert "no_title" in record["warnings"] and "deleted" not in record["markdown"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"TY  - JOUR\nTI  - A\nER  - \n", "not_a_paper"),
        ("<!doctype html><html><body><h1>Sign in</h1></body></html>", "no_text"),
        (
            JATS.replace("<!DOCTYPE article PUBLIC", '<!DOCTYPE article [<!ENTITY a "b">]><!-- PUBLIC').replace(
                '"x.dtd">', "-->"
            ),
            "xml_entities",
        ),
        (manuscript()[:900], "not_a_paper"),
    ],
    ids=["empty", "a list", "a page that says nothing", "entities", "half a document"],
)
def test_what_is_no_paper_has_a_code(read, data, code):
    with pytest.raises(ExtractionError) as caught:
        read(data)
    assert caught.value.code == code


def test_a_file_over_the_limit_is_refused(read):
    with pytest.raises(ExtractionError) as caught:
        read(JATS, max_bytes=1000)
    assert caught.value.code == "too_large"


def test_a_page_nested_a_hundred_thousand_deep_ends(read):
    page = "<!doctype html><html><body>" + "<div>" * 100_000 + "<p>" + "Words of a paper. " * 10 + "</p></body></html>"
    try:
        assert read(page)["pages"] == 1
    except ExtractionError as error:
        assert error.code in ("no_text", "damaged")


def test_an_address_that_nobody_is_marked_with_is_everybodys(read):
    plain = JATS.replace('<xref ref-type="aff" rid="a1">1</xref>', "")
    assert [p["affiliations"] for p in read(plain)["authors"]] == [["Dept of Gums, Univ of Oslo, Norway"]] * 2


def test_a_reference_to_a_journal_without_a_title_invents_none(read):
    cited = JATS.replace("<article-title>Leaves of grass and other plants</article-title>", "")
    [one] = read(cited.replace("<element-citation>", '<element-citation publication-type="journal">'))["references"]
    assert (one["title"], one["journal"], one["text"]) == (None, "J Res", "Doe A. J Res 2010;4:1")
    [one] = read(cited.replace("<element-citation>", '<element-citation publication-type="book">'))["references"]
    assert (one["title"], one["journal"]) == ("J Res", None)
