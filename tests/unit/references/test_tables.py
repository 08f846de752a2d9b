"""CSV and TSV as they come: columns by meaning, broken quotes, any delimiter and encoding; no row vanishes."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read
from tasks.kinds.literature.references.delimited import cut
from tasks.kinds.literature.references.vocabulary import field_of

HEAD = "Title,Authors,Year,DOI,Abstract\n"
ROW = '"A title, with comma","Smith A, Doe B",2011,10.1000/abc,"He said ""yes"""\n'


def table(text: str | bytes, format: str = "csv"):
    found = read(text.encode() if isinstance(text, str) else text)
    assert found.format == format
    assert found.counted == len(found.records) + len(found.unreadable)
    return found


def codes(found) -> list[tuple[int, str, str]]:
    return [(p.line, p.code, p.severity) for p in found.problems]


def test_columns_are_known_by_their_heads():
    [record] = table(HEAD + ROW).records
    assert (record.title, record.year, record.doi, record.abstract) == (
        "A title, with comma",
        2011,
        "10.1000/abc",
        'He said "yes"',
    )
    assert record.authors == [{"family": "Smith", "given": "A"}, {"family": "Doe", "given": "B"}]


@pytest.mark.parametrize(
    ("heads", "field"),
    [
        (("Title", "TI", "Article Title", "题名", "document title", "Titel", "Title-题名", "标题(Title)"), "title"),
        (("Authors", "AU", "Author Names", "Author(s)", "作者", "Author full names"), "authors"),
        (("Year", "PY", "Publication Year", "年份", "publication_year"), "year"),
        (("Journal", "Source", "SO", "Source title", "刊名", "Journal/Book"), "journal"),
        (("AB", "Abstract", "摘要"), "abstract"),
        (("PMID", "PubMed ID"), "pmid"),
        (("DOI", "DI", "DOI Link"), "doi"),
        (("Volume", "VL", "卷"), "volume"),
    ],
)
def test_heads_mean_the_same_in_many_words(heads, field):
    assert {head: field_of(head) and field_of(head)[0] for head in heads} == dict.fromkeys(heads, field)


@pytest.mark.parametrize(("delimiter", "format"), [(";", "csv"), ("\t", "tsv"), ("|", "csv")])
def test_other_delimiters_are_voted_for(delimiter, format):
    text = f"Title{delimiter}Authors{delimiter}Year\nOne, and two; and three{delimiter}Smith A{delimiter}2011\n"
    if delimiter == ";":
        text = text.replace("; and", " and")
    [record] = table(text, format).records
    assert record.year == 2011 and record.title.startswith("One, and two")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(encoding):
    [record] = table("Title;Authors;Year\nÜber Ärzte in Genève;Müller, Jürgen;2011\n".encode(encoding)).records
    assert (record.title, record.authors[0]["family"]) == ("Über Ärzte in Genève", "Müller")


@pytest.mark.parametrize(
    ("encoding", "title"),
    [
        ("gb18030", "高血压患者的随机对照试验研究"),
        ("cp932", "高血圧についてのランダム化比較試験"),
        ("cp1251", "Состояние рецепторного аппарата"),
    ],
)
def test_old_code_pages(encoding, title):
    found = table(f"Title,Year\n{title},2011\n{title},2012\n".encode(encoding))
    assert [r.title for r in found.records] == [title, title]
    assert found.problems[0].detail == {"encoding": encoding}


def test_a_file_of_two_encodings_is_read_line_by_line():
    data = "Title,Year\nÉtude à Genève,2011\nÜbung à Paris,2012\n".encode() + "Müller in Köln,2013\n".encode("cp1252")
    found = table(data)
    assert [r.title for r in found.records] == ["Étude à Genève", "Übung à Paris", "Müller in Köln"]
    assert codes(found) == [(4, "mixed_encodings", "repaired")]


def test_a_quoted_cell_may_hold_lines():
    found = table(HEAD + '"One\ntitle","Smith A",2011,,"a\n\nb"\n' + ROW)
    assert [(r.title, r.source_line) for r in found.records] == [("One title", 2), ("A title, with comma", 6)]


@pytest.mark.parametrize(
    "cell",
    ['"The "best" basil"', '"The "best", basil"', '"The \\"best\\" basil"', 'The "best" basil', '"The ""best"" basil"'],
)
def test_quotes_that_are_not_doubled_leave_the_columns_right(cell):
    row = f'"Before",{cell},"2011"\n'
    [record] = table('"Authors","Title","Year"\n' + row).records
    assert record.year == 2011
    assert record.title.replace(",", "") == 'The "best" basil'


def test_a_quote_that_is_never_closed_swallows_no_rows():
    found = table(HEAD + '"An open title,Smith A,2011,10.1000/1,x\n' + ROW * 30)
    assert len(found.records) == 31
    assert [found.records[0].title, found.records[1].title] == ["An open title", "A title, with comma"]
    assert codes(found)[0] == (2, "stray_quotes", "repaired")


def test_a_row_with_too_many_columns_is_listed_with_its_line():
    found = table(HEAD + ROW + "One, two, three,Smith A, Doe B,2011,10.1000/x,abstract\n" + ROW)
    assert [r.source_line for r in found.records] == [2, 4]
    assert [(p.line, p.code, p.detail) for p in found.unreadable] == [
        (3, "row_too_wide", {"columns": 8, "expected": 5})
    ]


def test_a_short_row_is_read_and_told_and_empty_columns_are_shorn():
    found = table(HEAD + "Only a title,Smith A\nAnother,Doe B,2012,,,,,\n")
    assert [(r.title, r.year) for r in found.records] == [("Only a title", None), ("Another", 2012)]
    assert codes(found) == [(2, "row_short", "repaired")]


def test_lines_above_the_heads_are_told():
    found = table("Export of 1 May\n\n" + HEAD + ROW)
    assert len(found.records) == 1 and codes(found) == [(1, "text_outside", "repaired")]


def test_without_heads_columns_are_known_by_their_content():
    rows = "".join(
        f'{30000000 + n},A study of the effects of basil number {n},"Smith AB, Doe C",{2010 + n},10.1000/x.{n}\n'
        for n in range(4)
    )
    found = table(rows)
    assert [(r.pmid, r.year, r.doi) for r in found.records] == [
        (str(30000000 + n), 2010 + n, f"10.1000/x.{n}") for n in range(4)
    ]
    assert found.records[0].title == "A study of the effects of basil number 0"
    assert found.problems[0].code == "no_heads"


def test_formulas_are_text():
    [record] = table('Title,Year\n"=HYPERLINK(""http://evil"",""x"")",2011\n').records
    assert record.title == '=HYPERLINK("http://evil","x")'


def test_what_names_no_paper_is_listed():
    found = table("title;doi;other\n;10.4;x\nA;;x\n   ;   ;x\n")
    assert [(p.line, p.code) for p in found.unreadable] == [(2, "nothing_identifies"), (4, "nothing_identifies")]


def test_bad_numbers_are_told_with_their_row():
    found = table("Title,PMID,DOI,Year\nA,abc,none,soon\nB,00123456,10.1000/1,2011\nC,123456.0,,\n")
    assert codes(found) == [
        (2, "doi_unreadable", "warned"),
        (2, "pmid_unreadable", "warned"),
        (2, "year_unreadable", "warned"),
    ]
    assert [r.pmid for r in found.records] == [None, "123456", "123456"]


def test_gene_names_that_became_dates_are_told():
    found = table("Title,Gene,Year\nA,2-Sep,2011\nB,TP53,2012\nC,2.31E+19,2013\n")
    [problem] = found.problems
    assert (problem.code, problem.line, problem.detail["lines"], problem.detail["column"]) == (
        "gene_as_date",
        2,
        [2, 4],
        "Gene",
    )


def test_citations_in_one_column_are_taken_apart():
    [record] = table(
        "Title,Author Names,Source\nA,Smith A.,Endoscopic Ultrasound (2014) 3:3 (152-160). Date of Publication: 2014\n"
    ).records
    assert (record.journal, record.year, record.volume, record.issue, record.pages) == (
        "Endoscopic Ultrasound",
        2014,
        "3",
        "3",
        "152-160",
    )


@pytest.mark.parametrize(
    ("cell", "families"),
    [
        ("Smith, Anna; Doe, Bo", ["Smith", "Doe"]),
        ("Smith A., Adler D.G.", ["Smith", "Adler"]),
        ("Smith, A., Doe, B.", ["Smith", "Doe"]),
        ("Anna Smith and Bo de Vries", ["Smith", "de Vries"]),
        ("Smith, Anna", ["Smith"]),
        ("Anna Smith, Bo Doe, and Cy Roe", ["Smith", "Doe", "Roe"]),
        ("['Marx, Karl', 'Lindgren, Astrid']", ["Marx", "Lindgren"]),
        ("王小明;欧阳明", ["王", "欧阳"]),
        ("SMITH AB, DOE C", ["SMITH", "DOE"]),
        ("Smith A, et al.", ["Smith"]),
    ],
)
def test_authors_in_one_cell(cell, families):
    quoted = cell.replace('"', '""')
    [record] = table(f'Title,Authors,Year\nA,"{quoted}",2011\n').records
    assert [a["family"] for a in record.authors] == families


def test_more_rows_than_allowed_are_told():
    from tasks.kinds.literature.references import Limits

    found = read((HEAD + ROW * 100).encode(), limits=Limits(records=10))
    assert len(found.records) == 10
    assert (
        "too_many_records" in [p.code for p in found.problems]
        or len([p for p in found.problems if p.code == "over_the_limit"]) == 90
    )


def test_cutting_a_row_never_stands_still():
    for text in ('"', '""', '"a', 'a"b,"', '"a"b"c,d', ",,\n", '"\n"'):
        at = 0
        for _ in range(10):
            before = at
            _, at, _ = cut(text, at, ",")
            assert at > before
            if at >= len(text):
                break
        assert at >= len(text)
