"""RIS as programs and people leave it: every record is imported or listed, and what was mended is told."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read

TWO = (
    "TY  - JOUR\nTI  - First title\nAU  - Smith, Anna\nPY  - 2011\nER  - \n\nTY  - JOUR\n"
    "TI  - Second title\nAU  - Doe, B.\nPY  - 2012\nER  - \n"
)


def ris(text: str | bytes):
    reading = read(text.encode() if isinstance(text, str) else text)
    assert reading.format == "ris"
    assert reading.counted == len(reading.records) + len(reading.unreadable)
    return reading


def titles(reading) -> list[str]:
    return [record.title for record in reading.records]


def codes(reading) -> dict[str, str]:
    return {problem.code: problem.severity for problem in reading.problems}


def test_clean_records_leave_no_problem():
    reading = ris(TWO)
    assert titles(reading) == ["First title", "Second title"]
    assert [record.source_line for record in reading.records] == [1, 7]
    assert reading.problems == []


def test_all_fields():
    record = ris(
        "TY  - JOUR\nT1  - On basil\nAU  - van der Berg, Jan\nAU  - WHO Group\n"
        "JF  - J of Basil\nJA  - J Bas\nVL  - 3\nIS  - 4\nSP  - 12\nEP  - 19\n"
        "DO  - 10.1000/ABC\nC2  - PMC123456\nAN  - 7654321\nDB  - Medline\nN2  - Because.\nKW  - a\n"
        "KW  - b\nLA  - eng\nUR  - http://x.org/1\nPY  - 2011/05/03/\nER  - "
    ).records[0]
    assert record.title == "On basil"
    assert record.authors == [{"family": "van der Berg", "given": "Jan"}, {"family": "WHO Group", "given": ""}]
    assert (record.journal, record.volume, record.issue, record.pages, record.year) == (
        "J of Basil",
        "3",
        "4",
        "12-19",
        2011,
    )
    assert (record.doi, record.pmid, record.pmcid) == ("10.1000/abc", "7654321", "PMC123456")
    assert (record.abstract, record.keywords, record.language, record.url, record.type) == (
        "Because.",
        ["a", "b"],
        "eng",
        "http://x.org/1",
        "article-journal",
    )
    assert record.raw.startswith("TY  - JOUR\nT1  - On basil")


@pytest.mark.parametrize("which", [0, 1])
def test_a_record_whose_end_is_missing_ends_where_the_next_begins(which):
    parts = TWO.split("ER  - \n")
    parts[which] += "" if which else "\n"
    text = parts[0] + ("ER  - \n" if which else "") + parts[1] + ("" if which else "ER  - \n")
    reading = ris(text)
    assert titles(reading) == ["First title", "Second title"]
    assert codes(reading) == {"missing_end": "repaired"}
    assert reading.problems[0].line == reading.records[which].source_line


def test_an_end_before_the_first_record_is_told():
    reading = ris("ER  - \n" + TWO)
    assert titles(reading) == ["First title", "Second title"]
    assert codes(reading) == {"stray_end": "repaired"}


def test_a_record_without_its_first_line_is_read():
    reading = ris(TWO.replace("\nTY  - JOUR\nTI  - Second", "\nTI  - Second"))
    assert titles(reading) == ["First title", "Second title"]
    assert codes(reading) == {"missing_start": "repaired"}


@pytest.mark.parametrize("loose", ["{} - ", "{}   - ", " {}  - "])
def test_tags_with_other_spaces_are_read(loose):
    text = "\n".join(loose.format(line[:2]) + line[6:] if line else "" for line in TWO.split("\n"))
    reading = ris(text)
    assert titles(reading) == ["First title", "Second title"]
    assert {record.year for record in reading.records} == {2011, 2012}


def test_one_space_tags_are_told_once_for_all_lines():
    reading = ris(TWO.replace("  - ", " - "))
    [problem] = reading.problems
    assert (problem.code, problem.severity, problem.detail["count"]) == ("odd_tags", "repaired", 10)


def test_in_a_well_formed_file_a_dash_in_prose_is_no_tag():
    reading = ris(TWO.replace("First title", "First\nAB - and more"))
    assert titles(reading) == ["First AB - and more", "Second title"]


@pytest.mark.parametrize(
    ("encode", "code"),
    [
        (lambda text: b"\xef\xbb\xbf" + text.encode(), "byte_order_mark"),
        (lambda text: text.encode("utf-16"), "encoding"),
        (lambda text: text.encode("utf-16-le"), "encoding"),
        (lambda text: text.replace("\n", "\r").encode(), "line_ends"),
        (lambda text: text.replace("Smith", "Müller").encode("cp1252"), "encoding"),
        (lambda text: text.replace("First", "Fir\x90\x07st").encode(), "control_characters"),
        (lambda text: ("Provider: X\n\n1.\n" + text).encode(), "text_outside"),
    ],
    ids=["mark", "utf16", "utf16 without mark", "cr", "cp1252", "controls", "text before"],
)
def test_repairs_are_told_and_lose_nothing(encode, code):
    reading = ris(encode(TWO))
    assert titles(reading) == ["First title", "Second title"]
    assert codes(reading)[code] == "repaired"


def test_windows_line_ends_are_no_repair():
    assert ris(TWO.replace("\n", "\r\n")).problems == []


def test_a_search_strategy_and_stray_tags_between_records_are_told_not_imported():
    text = TWO.replace("ER  - \n\n", "ER  - \n\nC1  - 12 results\nSearch: basil AND gums\n\n")
    reading = ris(text)
    assert titles(reading) == ["First title", "Second title"]
    [problem] = reading.problems
    assert problem.code == "text_outside" and "12 results" in problem.text and "basil AND gums" in problem.text


def test_lines_without_a_tag_go_on_with_their_value():
    record = ris("TY  - JOUR\nTI  - A long\n      title\nKW  - Animals\nHumans\nAB  - One,\nER of two\nER  - ").records[
        0
    ]
    assert (record.title, record.keywords, record.abstract) == ("A long title", ["Animals", "Humans"], "One, ER of two")


def test_a_doi_given_as_an_address_is_a_doi():
    reading = ris("TY  - JOUR\nTI  - A\nDO  - https://doi.org/10.1000/XYZ.\nER  - ")
    assert reading.records[0].doi == "10.1000/xyz"
    assert codes(reading) == {"doi_with_address": "repaired"}


def test_a_doi_that_is_none_is_told_with_its_line():
    reading = ris("TY  - JOUR\nTI  - A\nDO  - forthcoming\nER  - ")
    assert reading.records[0].doi is None
    assert [(p.code, p.line, p.text) for p in reading.problems] == [("doi_unreadable", 3, "forthcoming")]


@pytest.mark.parametrize("written", ["10 15", "in press", "0", "99999", "1890-1995"])
def test_a_year_that_is_none_stays_empty_and_is_told(written):
    reading = ris(f"TY  - JOUR\nTI  - A\nPY  - {written}\nER  - ")
    assert reading.records[0].year is None
    assert [(p.code, p.line, p.text) for p in reading.problems] == [("year_unreadable", 3, written)]


def test_a_year_within_a_date_is_told():
    reading = ris("TY  - JOUR\nTI  - A\nPY  - 2020/01/02\nER  - ")
    assert reading.records[0].year == 2020
    assert codes(reading) == {"year_from_date": "repaired"}


def test_a_record_that_names_no_paper_is_listed_with_its_line():
    reading = ris(TWO + "TY  - JOUR\nVL  - 3\nER  - \nTY  - JOUR\nER  - \n")
    assert titles(reading) == ["First title", "Second title"]
    assert [(p.code, p.line) for p in reading.unreadable] == [("nothing_identifies", 12), ("empty_record", 15)]


def test_the_journal_of_a_chapter_is_its_book():
    record = ris("TY  - CHAP\nTI  - A chapter\nT2  - The book\nER  - ").records[0]
    assert (record.journal, record.type) == ("The book", "chapter")


def test_numbers_of_other_databases_are_no_pubmed_numbers():
    record = ris("TY  - JOUR\nTI  - A\nAN  - 22149914\nDB  - PsycINFO\nER  - ").records[0]
    assert record.pmid is None


def test_a_file_cut_in_half_keeps_what_it_has():
    text = TWO * 20
    for length in range(30, len(text), 97):
        reading = ris(text[:length])
        assert reading.counted == text[:length].count("TY  -")


def test_many_records_are_read_in_time_that_grows_with_their_number():
    reading = ris(TWO * 5000)
    assert len(reading.records) == 10_000 and reading.problems == []


def test_tags_that_databases_add_are_values_of_their_own():
    [one] = ris(
        "TY  - JOUR\nAU  - Lund, Ada\nQF  - no name\nTI  - Moss on roofs\nWC  - Botany\nT2  - Annals of Roofing\nPU  - MOSS HOUSE\n"
        "LA  - English\nPI  - MOSSFORD\nPY  - 2018\nKW  - moss\nSC  - Plants\nAB  - Roofs.\nGA  - X1\nER  - \n"
    ).records
    assert (one.title, one.journal, one.language, one.abstract) == (
        "Moss on roofs",
        "Annals of Roofing",
        "English",
        "Roofs.",
    )
    assert (one.authors, one.keywords) == ([{"family": "Lund", "given": "Ada"}], ["moss"])


@pytest.mark.parametrize(
    ("lines", "families"),
    [
        ("A1  - Lund, Ada\nAU  - Oke, Tom", ["Lund", "Oke"]),
        ("AU  - Oke, Tom\nA1  - Lund, Ada", ["Oke", "Lund"]),
        ("AU  - Lund, A.\nAU  - Oke, T.\nA1  - Lund, Ada\nA1  - Oke, Tom", ["Lund", "Oke"]),
    ],
)
def test_both_tags_of_authors_keep_the_order_of_the_file(lines, families):
    [one] = ris(f"TY  - JOUR\nTI  - Moss\n{lines}\nPY  - 2018\nER  - \n").records
    assert [a["family"] for a in one.authors] == families
    assert one.authors[0]["given"] in ("Ada", "Tom")


def test_notes_are_kept():
    [one] = ris("TY  - JOUR\nTI  - Moss\nN1  - read twice\nN1  - ask Bo\nAB  - Roofs.\nER  - \n").records
    assert (one.notes, one.abstract) == ("read twice ask Bo", "Roofs.")


def test_a_cochrane_number_behind_its_database_is_a_pubmed_number():
    [one] = ris("TY  - JOUR\nTI  - Moss\nAN  - CN-01234567\nXR  - PUBMED 30000001\nER  - \n").records
    assert one.pmid == "30000001"
