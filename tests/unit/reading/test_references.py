"""The reference list is split where an entry begins, and an entry into its parts."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.references import parse_reference
from tests.unit.reading.press import article

NAMES = ["Smith J, Doe A", "Brown C", "Kaur G, Jaggi AS, Singh N", "Ahmed T", "Lopez M, Chen W"]
TITLES = [
    "Basil and gums in adults of forty towns and some more villages far away",
    "Oils of leaves",
    "Pain in rats that were fed with extracts of leaves over many weeks",
    "Trials of mouth rinses",
    "The bleeding of gums in volunteers of both sexes who had been without treatment",
]
VANCOUVER = [
    f"{n}. {t}. J Oral Res. {2010 + k};{k + 1}({k + 2}):1{k}-2{k}."
    for k, (n, t) in enumerate(zip(NAMES, TITLES, strict=True))
]


@pytest.mark.parametrize("number", ["{}. ", "[{}] ", "({}) ", "{} "])
def test_numbered_lists_are_split_at_their_numbers(press, read, number):
    record = read(article(press, references=[number.format(n) + text for n, text in enumerate(VANCOUVER, 1)]))
    assert [r["year"] for r in record["references"]] == [2010, 2011, 2012, 2013, 2014]
    assert record["references"][2]["text"] == VANCOUVER[2]


def test_a_list_without_numbers_is_split_at_its_hanging_indent(press, read):
    article(press)
    press.heading("References", size=13)
    for n, (names, title) in enumerate(zip(NAMES * 3, TITLES * 3, strict=True)):
        press.prose(
            f"{names} ({2000 + n}) {title} and what it is good for in the end. J Oral Res {n + 1}:11-{n + 20}",
            hang=14,
            size=9,
            width=260,
        )
    assert [r["year"] for r in read(press)["references"]] == list(range(2000, 2015))


def test_numbers_inside_an_entry_do_not_cut_it(press, read):
    texts = [
        "1. Smith J. Basil and other herbs of the kitchen garden. Edition number",
        "12. Springer of Berlin and Heidelberg, 2011.",
        "2. Doe A. Gums. J Res 2012;5:1-9.",
    ]
    article(press)
    press.heading("References", size=13)
    for text in texts:
        press.line(text, size=9)
    assert len(read(press)["references"]) == 2


def test_the_list_ends_where_the_end_matter_begins(press, read):
    article(press, references=[f"{n}. {t}" for n, t in enumerate(VANCOUVER, 1)])
    press.heading("Competing interests", size=13)
    press.prose("The authors declare that they have no competing interests.")
    record = read(press)
    assert len(record["references"]) == 5
    assert record["references"][-1]["text"] == VANCOUVER[-1]


def test_a_paper_without_a_list_has_no_references(press, read):
    assert read(article(press))["references"] == []


@pytest.mark.parametrize(
    ("text", "authors", "title", "journal", "year", "doi"),
    [
        (
            "Kaur G, Jaggi AS. Exploring the potential of basil in rats. J Brachial Plex. 2010;5(3):1-9. "
            "doi:10.1186/1749-7221-5-3.",
            ["Kaur G", "Jaggi AS"],
            "Exploring the potential of basil in rats",
            "J Brachial Plex",
            2010,
            "10.1186/1749-7221-5-3",
        ),
        (
            "R. Solecki and A. B. Ross, “Shanidar IV, a flower burial,” Science, vol. 190, no. 4217, pp. 880–881, "
            "1975.",
            ["R. Solecki", "A. B. Ross"],
            "Shanidar IV, a flower burial",
            "Science",
            1975,
            None,
        ),
        (
            "Adams, R. P., and Brown, C. (2007). Identification of oils by chromatography. J. Food Prot. 73, "
            "1124–1128. doi: 10.1016/j.x.2007.1",
            ["Adams R. P.", "Brown C."],
            "Identification of oils by chromatography",
            "J. Food Prot",
            2007,
            "10.1016/j.x.2007.1",
        ),
    ],
)
def test_an_entry_is_parsed(text, authors, title, journal, year, doi):
    entry = parse_reference(text)
    assert (entry["authors"], entry["title"], entry["journal"], entry["year"], entry["doi"]) == (
        authors,
        title,
        journal,
        year,
        doi,
    )


def test_what_cannot_be_told_is_none():
    entry = parse_reference("Personal communication")
    assert (entry["doi"], entry["year"], entry["journal"]) == (None, None, None)
