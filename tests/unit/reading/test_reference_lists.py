"""Lists that no number divides: hanging indents, first lines set in, gaps, labels; and where a list begins and ends."""

# ruff: noqa: E501  lists have the lines they have

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.entries import begins, ends
from tasks.kinds.literature.reading.reference_list import names_references
from tests.unit.reading.press import BOLD, LOREM, article

GIVEN = "Ada Karl Bea Tom Ida Otto Eva Max Ina Paul Mia Jan".split()
FAMILY = "Lund Moll Ferro Oke Brandt Teller Okoro Weiss Kranz Pohl Adler Borg".split()
TOPIC = "ferns mosses lichens ivy slates gutters chimneys tiles attics balconies cellars stairs".split()


def full(n: int) -> str:
    """Given names first, and names inside the entry as well: a second line may begin like an author."""
    k = n % 12
    return (
        f"{GIVEN[k]} {FAMILY[k]}, {GIVEN[k - 1]} {FAMILY[k - 1]}, and {GIVEN[k - 2]} {FAMILY[k - 2]}. {2000 + n}. Growing "
        f"{TOPIC[k]} on northern roofs of old houses. In {GIVEN[k - 3]} {FAMILY[k - 3]} and {GIVEN[k - 4]} "
        f"{FAMILY[k - 4]}, editors, Proceedings of the {n + 3}th Meeting of Roof Gardeners, pages {n}1–{n}9, Mossford, UK."
    )


def semicolons(n: int) -> str:
    """Names between semicolons, initials, an address at the end that is broken in the middle."""
    k = n % 12
    return (
        f"{FAMILY[k]}, {GIVEN[k][0]}. M.; {FAMILY[k - 1]}, {GIVEN[k - 1][0]}. Crecimiento de {TOPIC[k]} en los techos de las "
        f"casas antiguas del norte. Revista de Techos, v. {n}, n. 2, p. {n}1-{n}9, {2000 + n}. Doi: https://doi.org/10.5555/"
        f"techos.{2000 + n}.{n}."
    )


def in_columns(press, entries, hang=0.0, gap=0.0, first=0.0, top=80.0, bottom=700.0, width=215.0, xs=(60, 310)):
    """Sets entries into two columns, line by line, so that a column may begin in the middle of an entry."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    column, y = 0, top
    for text in entries:
        row, rows, indent = "", [], first
        for word in [*text.split(), None]:
            if word and stringWidth(f"{row} {word}".strip(), "Times-Roman", 9) <= width - indent:
                row = f"{row} {word}".strip()
                continue
            rows.append((indent, row))
            row, indent = word or "", hang
        for indent, words in rows:
            if y > bottom and column + 1 < len(xs):
                column, y = column + 1, top
            press.line(words, xs[column] + indent, y=y, size=9)
            y += 11
        y += gap


def listed(press, read, entries, heading="References", **layout):
    article(press)
    press.page()
    press.line(heading, 60, y=60, font=BOLD, size=12)
    in_columns(press, entries, **layout)
    return [r["text"] for r in read(press)["references"]]


@pytest.mark.parametrize("entry", [full, semicolons])
@pytest.mark.parametrize(
    "layout",
    [{"hang": 11}, {"gap": 5}, {"first": 12}, {"hang": 20, "gap": 3}],
    ids=["hang", "gap", "first line", "both"],
)
def test_two_columns_without_numbers(press, read, entry, layout):
    entries = [entry(n) for n in range(1, 12)]
    found = listed(press, read, entries, **layout)
    assert [text[:25] for text in found] == [text[:25] for text in entries]
    assert [text.replace(" ", "")[-12:] for text in found] == [text.replace(" ", "")[-12:] for text in entries]


def test_a_column_that_holds_the_rest_of_an_entry_only(press, read):
    entries = [full(n) for n in range(1, 9)]
    found = listed(press, read, entries, hang=11, bottom=80 + 11 * 37)
    assert [text[:25] for text in found] == [text[:25] for text in entries]


@pytest.mark.parametrize("label", ["[{name}{year}]", "[{name} and {other}, 19{year}]", "[{name}+{year}]"])
def test_labels_in_brackets(press, read, label):
    entries = [
        f"{label.format(name=FAMILY[n], other=FAMILY[n - 1], year=80 + n)} {GIVEN[n][0]}. {FAMILY[n]}. Growing {TOPIC[n]} on "
        f"northern roofs of old houses and what they need. Roof Journal, {n}(2):1–9, {1980 + n}."
        for n in range(1, 9)
    ]
    assert len(listed(press, read, entries, hang=14)) == 8


def test_nothing_but_the_look_of_names(press, read):
    entries = [semicolons(n) for n in range(1, 9)]
    found = listed(press, read, entries)
    assert [text[:20] for text in found] == [text[:20] for text in entries]


def test_a_page_number_in_the_margin_belongs_to_no_entry(press, read):
    article(press)
    press.page()
    press.line("Referencias", 60, y=60, font=BOLD, size=12)
    press.line("17", 25, y=80 + 11 * 9 + 16, size=9)
    in_columns(press, [semicolons(n) for n in range(1, 9)], gap=4)
    found = [r["text"] for r in read(press)["references"]]
    assert len(found) == 8
    assert not any(" 17 " in text for text in found)


@pytest.mark.parametrize("heading", ["Appendix A", "A. Proofs of the theorems", "Anexo 1", "About the authors"])
def test_a_list_ends_before_an_appendix(press, read, heading):
    article(press)
    press.heading("References", size=13)
    for n in range(1, 9):
        press.prose(full(n), width=450, size=9, hang=12)
    press.heading(heading, size=13)
    for _ in range(6):
        press.prose(LOREM)
    found = read(press)["references"]
    assert [r["year"] for r in found] == list(range(2001, 2009))
    assert found[-1]["text"].endswith("UK.")


def test_text_that_runs_on_behind_the_last_entry_is_no_entry(press, read):
    article(press)
    press.heading("References", size=13)
    for n in range(1, 9):
        press.prose(f"[{n}] {full(n)}", width=450, size=9, hang=12)
    press.y += 20
    for _ in range(5):
        press.prose(LOREM)
        press.y += 8
    found = read(press)["references"]
    assert [r["year"] for r in found] == list(range(2001, 2009))
    assert found[-1]["text"].endswith("UK.")


def test_a_list_without_heading_and_numbers(press, read):
    article(press)
    press.page()
    press.prose(LOREM)
    press.y += 30
    for n in range(1, 15):
        press.prose(full(n), width=450, size=9, hang=12)
    assert [r["year"] for r in read(press)["references"]] == list(range(2001, 2015))


def test_a_heading_that_looks_like_text_is_one_when_a_list_follows(press, read):
    article(press)
    press.page()
    press.line("Literatura citada", 60, size=10)
    for n in range(1, 9):
        press.prose(full(n), width=450, size=10, hang=12)
    assert len(read(press)["references"]) == 8


@pytest.mark.parametrize(
    "heading",
    [
        "References",
        "REFERENCES",
        "7 References",
        "VI. References",
        "R E F E R E N C E S",
        "Literature Cited",
        "Works Cited",
        "Bibliography",
        "Literaturverzeichnis",
        "Literatur",
        "Quellenverzeichnis",
        "Referencias bibliográficas",
        "Bibliografía",
        "Referências",
        "REFERÊNCIAS BIBLIOGRÁFICAS",
        "Literatura citada",
        "Références bibliographiques",
        "Bibliographie",
        "Литература",
        "Список литературы",
        "СПИСОК ИСПОЛЬЗОВАННОЙ ЛИТЕРАТУРЫ",
        "Библиографический список",
        "Литература:",
        "Ссылки на источники/References",
        "参考文献",
        "参 考 文 献",
        "九、参考文献",
        "§9 参考文献",
        "引用文献",
        "참고문헌",
    ],
)
def test_names_of_lists(heading):
    assert names_references(heading)


@pytest.mark.parametrize(
    "text",
    [
        "The references are listed below",
        "references",
        "Reference values of the method",
        "Sources of error",
        "文",
        "Literary theory",
        "",
    ],
)
def test_what_names_no_list(text):
    assert not names_references(text)


@pytest.mark.parametrize(
    "text",
    [
        "Lund, A. M., and Moll, K. 2008.",
        "Lund AM, Moll K. Ferns",
        "A. M. Lund and K. Moll",
        "Ada Lund, Karl Moll, and",
        "Ada M. Lund. 2008.",
        "van der Berg, J.",
        "de Souza MA,",
        "O’Dell, J.",
        "LUND, A. Ferns",
        "WORLD FERN CENTRE.",
        "______. Mosses",
        "Петров Д. А. Анализ",
        "Petrović, M.",
        "孙信昕. 众包环境下",
        "“Ferns under glass,” 2008.",
        "[3] Lund, A.",
    ],
)
def test_beginnings_of_entries(text):
    assert begins(text)


@pytest.mark.parametrize(
    "text",
    [
        "machine translation. In Proceedings",
        "Proceedings of the 46th",
        "In Lund, A., editor",
        "pages 146–168. Springer",
        "and Moll, K.",
        "Conference on Ferns",
        "https://doi.org/10.5555/1",
        "(3):471–501, 2010.",
        "",
    ],
)
def test_no_beginnings_of_entries(text):
    assert not begins(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mossford, UK.", True),
        ("pp. 11–19", True),
        ("https://example.org/ferns.html", True),
        ("(in press)", True),
        ("Annals of the", False),
        ("Lund, A.,", False),
        ("Infor-", False),
        ("Proc. of", False),
        ("vol.", False),
    ],
)
def test_ends_of_entries(text, expected):
    assert ends(text) == expected


@pytest.mark.parametrize(
    "text", ["A" * 5000, "A. " * 3000, "Van " * 3000, "[" + "a" * 5000, "A-" * 4000, "Ж " * 4000, "_" * 9000]
)
def test_hostile_lines_cost_little(text):
    """Every pattern is anchored and bounded; one that tries every way to split such a text would never return."""
    for long in (text, text * 20):
        assert begins(long) in (True, False)
        assert ends(long) in (True, False)
        assert not names_references(long)
