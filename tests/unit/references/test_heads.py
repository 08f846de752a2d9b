"""Columns of tables as other tools head them, and as nobody does: by variants, and by what they hold."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read
from tasks.kinds.literature.references.vocabulary import field_of

ROWS = [
    ("Moss on northern roofs of old houses", "Lund A, Oke TB", "2018"),
    ("Lichens indoors and what they live on", "Ferro B, Moll K", "2020"),
    ("A survey of ivy on southern walls", "Lund A, Moll K", "2019"),
]


def table(heads: str, *rows: str, separator: str = ","):
    found = read("\n".join([heads, *rows]).encode())
    assert found.format in ("csv", "tsv")
    return found


@pytest.mark.parametrize(
    ("head", "field"),
    [
        ("Authors, Primary", "authors"),
        ("Title Primary", "title"),
        ("Periodical Full", "journal"),
        ("Other Pages", "last_page"),
        ("authorships.author.display_name", "authors"),
        ("primary_location.source.display_name", "journal"),
        ("biblio.volume", "volume"),
        ("ids.pmid", "pmid"),
        ("Title of the paper", "title"),
        ("Study authors", "authors"),
        ("Journal / Conference", "journal"),
        ("Publication", "journal"),
        ("Publication Title", "journal"),
        ("Заглавие", "title"),
        ("Notes", "notes"),
    ],
)
def test_variants(head, field):
    assert field_of(head)[0] == field


@pytest.mark.parametrize(
    "head",
    ["10.5555/a", "https://doi.org/10.5555/a", "Record number", "Reference Id", "Study", "The", "", "a/b/c/d/e/f"],
)
def test_what_is_no_head(head):
    assert field_of(head) is None


def test_openalex():
    [one] = table(
        "id,display_name,publication_year,authorships.author.display_name,primary_location.source.display_name,doi,ids.pmid",
        "W1,Moss on roofs,2018,Ada Lund|Tom Oke,Annals of Roofing,https://doi.org/10.5555/roof.7,https://pubmed.ncbi.nlm.nih.gov/30000001",
    ).records
    assert (one.title, one.journal, one.year, one.doi, one.pmid) == (
        "Moss on roofs",
        "Annals of Roofing",
        2018,
        "10.5555/roof.7",
        "30000001",
    )
    assert [a["family"] for a in one.authors] == ["Lund", "Oke"]


def test_cochrane_writes_the_database_before_the_number():
    [one] = table(
        "Title,Author(s),Year,PubMed ID", 'Moss on roofs,"Lund, A",2018,"PUBMED 30000001,EMBASE 620000001"'
    ).records
    assert one.pmid == "30000001"


def test_a_publication_title_is_the_title_where_there_is_no_other():
    [one] = table("Publication Title,Authors,Year", 'Moss on roofs,"Lund, A",2018').records
    assert (one.title, one.journal) == ("Moss on roofs", None)
    [one] = table("Title,Publication Title,Year", "Moss on roofs,Annals of Roofing,2018").records
    assert (one.title, one.journal) == ("Moss on roofs", "Annals of Roofing")


def test_a_title_under_a_strange_head_is_found_by_what_the_column_holds():
    found = table("Year,What it is called,Who", *(f'{year},{title},"{who}"' for title, who, year in ROWS))
    assert [r.title for r in found.records] == [title for title, _, _ in ROWS]
    assert [a["family"] for a in found.records[0].authors] == ["Lund", "Oke"]
    [problem] = found.problems
    assert (problem.code, problem.detail["columns"]) == ("columns_by_content", "authors=Who, title=What it is called")


def test_a_table_without_titles_asks_for_them():
    found = table("Year,Volume,Code", "2018,3,x1", "2019,4,x2")
    assert [p.code for p in found.problems if p.severity == "warned"] == ["no_title_column"]
    assert found.problems[0].detail["heads"] == "Year, Volume, Code"


def test_a_table_of_numbers_asks_nothing():
    assert "no_title_column" not in [p.code for p in table("DOI,Year", "10.5555/1,2018", "10.5555/2,2019").problems]


def test_a_short_row_with_lines_in_its_cells_is_one_row():
    found = table(
        "id,abstract,title,authors,tags,notes",
        '1,"Roofs,\nand moss.","Moss on roofs","Lund, A.\n and Oke, T.\n"',
        "not sorted yet",
        '2,"Walls\nonly.","Ivy on walls","Ferro, B.\n"',
    )
    assert [(r.title, r.source_line) for r in found.records] == [("Moss on roofs", 2), ("Ivy on walls", 7)]
    assert [a["given"] for a in found.records[0].authors] == ["A.", "T."]
    assert {p.code: p.detail["lines"] for p in found.problems} == {"row_short": [2, 7], "label_row": [6]}


def test_a_title_alone_in_the_first_column_is_a_record():
    found = table("Title,Authors,Year", "Moss on roofs", '"Ivy on walls","Lund, A",2018')
    assert [r.title for r in found.records] == ["Moss on roofs", "Ivy on walls"]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("Lund, A.\nand Oke, T.", ["A.", "T."]),
        ("Lund, A.; and Oke, T.", ["A.", "T."]),
        ("Lund, A. &\nOke, T.", ["A.", "T."]),
        ("And, Metin; Oke, T.", ["Metin", "T."]),
    ],
)
def test_and_is_part_of_no_name(cell, expected):
    [one] = table("Title,Authors,Year", f'Moss,"{cell}",2018').records
    assert [a["given"] for a in one.authors] == expected
