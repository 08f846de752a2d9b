"""The record as a whole: plain, complete, and made without Django."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.unit.reading.press import BOLD, LOREM, article

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


def with_a_table(press):
    article(press, references=["1. Smith J. Basil. J Res 2011;4:1-9.", "2. Doe A. Gums. J Res 2012;5:1-9."])
    press.page()
    press.prose(LOREM, y=50)
    press.y += 14
    press.line("Table 1. Bleeding before and after the use of basil", font=BOLD, size=9)
    press.y += 4
    for row in (["Group", "Before", "After"], ["Basil", "12.1", "4.0"], ["Placebo", "11.9", "10.2"]):
        press.y += 12
        y = press.y
        for column, cell in enumerate(row):
            press.line(cell, x=70 + 130 * column, y=y, size=8)
    press.y += 20
    press.prose(LOREM)
    press.y += 120
    press.line("Figure 2. The gums of a volunteer, from the side and from above.", size=8)
    return press


def test_a_record_has_all_keys_and_is_plain_json(press, read):
    record = read(with_a_table(press))
    assert set(record) == KEYS
    assert json.loads(json.dumps(record)) == record
    assert (record["pages"], len(record["page_text"]), len(record["page_sizes"]), record["language"]) == (3, 3, 3, "en")


def test_fields_have_all_their_parts(press, read):
    for field in read(article(press))["fields"]:
        assert {"name", "value", "unit", "page", "quote", "box", "boxes", "verified", "confidence", "status"} <= set(
            field
        )
        assert 0 <= field["confidence"] <= 1 and field["page"] >= 1


def test_a_table_has_caption_and_cells(press, read):
    record = read(with_a_table(press))
    table = record["tables"][0]
    assert (table["label"], table["page"]) == ("Table 1", 3)
    assert table["caption"] == "Table 1. Bleeding before and after the use of basil"
    assert table["rows"] == [["Group", "Before", "After"], ["Basil", "12.1", "4.0"], ["Placebo", "11.9", "10.2"]]
    assert [(c["kind"], c["label"]) for c in record["captions"]] == [("table", "Table 1"), ("figure", "Figure 2")]


def test_a_sentence_about_a_table_is_no_caption(press, read):
    article(press)
    press.prose("Table 1 shows that the bleeding was less, and it was less in all of them. " + LOREM)
    assert read(press)["captions"] == []


def test_markdown_has_title_abstract_sections_table_and_references(press, read):
    text = read(with_a_table(press))["markdown"]
    assert text.startswith("# Effect of holy basil extract on gingival bleeding in adults\n")
    places = [
        text.index(part)
        for part in (
            "## Abstract",
            "## Introduction",
            "## Methods",
            "## Results",
            "## Discussion",
            "## References",
            "1. Smith J.",
        )
    ]
    assert places == sorted(places)
    assert "| Basil | 12.1 | 4.0 |" in text


def test_the_licence_of_the_text_is_not_that_of_its_data(press, read):
    article(
        press,
        ends=[
            (
                "Publisher’s note",
                "This article is distributed under the Creative Commons Attribution 4.0 International License. "
                "The waiver "
                "(http://creativecommons.org/publicdomain/zero/1.0/) applies to the data made available in this "
                "article.",
            )
        ],
    )
    assert read(press)["licence"] == "CC BY"


def test_extraction_imports_no_django_and_starts_fast():
    code = (
        "import sys, time; t = time.perf_counter(); import tasks.kinds.literature.reading; took = "
        "time.perf_counter() - t;"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('django', 'psycopg', 'numpy', 'PIL')]; print(bad, "
        "took < 5)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "True"]
