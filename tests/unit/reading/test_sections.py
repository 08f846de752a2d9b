"""Headings are found by name, number and face, with their level and page; prose is no heading."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.names import part_of, unspace
from tests.unit.reading.press import BOLD, ITALIC, LOREM, article


def titles(record, level=None):
    return [s["title"] for s in record["sections"] if level in (None, s["level"])]


def test_the_parts_of_a_paper_are_top_level_with_their_pages(press, read):
    record = read(
        article(press, references=["1. Smith J. Basil. J Res 2011;4:1-9.", "2. Doe A. Gums. J Res 2012;5:1-9."])
    )
    assert [(s["title"], s["level"], s["page"]) for s in record["sections"]] == [
        ("Introduction", 1, 1),
        ("Methods", 1, 1),
        ("Results", 1, 2),
        ("Discussion", 1, 2),
        ("References", 1, 2),
    ]


def test_numbers_tell_the_level(press, read):
    press.line("A paper with numbered parts for a test", y=60, font=BOLD, size=16)
    press.heading("1. Introduction")
    press.prose(LOREM)
    press.heading("2. Materials and Methods")
    press.prose(LOREM)
    press.heading("2.1. Animals", size=10)
    press.prose(LOREM)
    press.heading("2.1.1. Housing", size=10)
    press.prose(LOREM)
    press.heading("3. Results")
    press.prose(LOREM)
    assert [(s["title"], s["level"]) for s in read(press)["sections"]] == [
        ("1. Introduction", 1),
        ("2. Materials and Methods", 1),
        ("2.1. Animals", 2),
        ("2.1.1. Housing", 3),
        ("3. Results", 1),
    ]


def test_smaller_headings_without_numbers_are_deeper(press, read):
    press.line("A paper without numbered parts for a test", y=60, font=BOLD, size=17)
    press.heading("Introduction", size=13)
    press.prose(LOREM)
    press.heading("Methods", size=13)
    press.y += 4
    press.line("Leaves and their oils", font=ITALIC)
    press.y += 2
    press.prose(LOREM)
    press.heading("Results", size=13)
    press.prose(LOREM)
    sections = read(press)["sections"]
    assert [(s["title"], s["level"] > 1) for s in sections] == [
        ("Introduction", False),
        ("Methods", False),
        ("Leaves and their oils", True),
        ("Results", False),
    ]


def test_a_heading_of_two_lines_is_one(press, read):
    press.line("A paper with a long heading in its middle", y=60, font=BOLD, size=17)
    press.heading("Introduction", size=13)
    press.prose(LOREM)
    press.y += 12
    press.line("Mechanisms of the anti-inflammatory effect of eugenol", font=BOLD, size=13)
    press.line("in gingival tissue", font=BOLD, size=13)
    press.y += 4
    press.prose(LOREM)
    assert "Mechanisms of the anti-inflammatory effect of eugenol in gingival tissue" in titles(read(press))


def test_a_line_of_italic_words_within_a_paragraph_is_no_heading(press, read):
    press.heading("Introduction", size=13)
    press.prose(LOREM)
    press.line(
        "Ocimum sanctum, Ocimum basilicum, Ocimum gratissimum and Ocimum canum, and in two of them the", font=ITALIC
    )
    press.prose("oil was rich in eugenol. " + LOREM)
    press.heading("Methods", size=13)
    press.prose(LOREM)
    assert titles(read(press)) == ["Introduction", "Methods"]


def test_a_bold_paragraph_is_no_heading(press, read):
    press.heading("Introduction", size=13)
    press.prose(LOREM * 2, font=BOLD)
    press.prose(LOREM * 4)
    assert titles(read(press)) == ["Introduction"]


def test_the_end_matter_set_in_small_print_counts(press, read):
    article(press)
    for name in ("Funding", "Competing interests"):
        press.y += 6
        press.line(name, font=BOLD, size=8)
        press.prose("The authors declare that this is in small print. " * 3, size=8)
    assert titles(read(press), 1)[-2:] == ["Funding", "Competing interests"]


def test_a_caption_is_no_heading(press, read):
    article(press)
    press.y += 12
    press.line("Table 1. Bleeding before and after", font=BOLD)
    assert all("Table" not in t for t in titles(read(press)))


@pytest.mark.parametrize(
    ("printed", "part"),
    [
        ("INTRODUCTION", "introduction"),
        ("1. Introduction", "introduction"),
        ("I. INTRODUCTION", "introduction"),
        ("M E T H O D S", "methods"),
        ("2 Materials & Methods:", "methods"),
        ("Ref erences", "references"),
        ("Authors’ contributions", "contributions"),
        ("参考文献", "references"),
        ("Conflict of Interest Statement", "conflicts"),
        ("methods", ""),
        ("Leaves", ""),
        ("The results of this study were clear", ""),
    ],
)
def test_parts_are_known_by_their_names(printed, part):
    assert part_of(printed) == part


def test_spaced_letters_are_a_word():
    assert unspace("A B S T R A C T") == "ABSTRACT"
    assert unspace("A leaf") == "A leaf"
