"""Lists of references as houses set them: no heading, three columns, numbers apart, a notice of the house beside."""

from __future__ import annotations

from tests.unit.reading.press import BOLD, LOREM, SERIF, article

WORDS = "walking hips wards nurses falls nights sleep stairs canes frames doctors towns rooms shoes floors".split()


def entry(n: int) -> str:
    return (
        f"{n}. Berg {chr(64 + n)}, Lund T, Ito K. {WORDS[n % 15].title()} in hospitals of several towns and what "
        f"came of them in the end. Ageing Care. {2000 + n};{n}:1{n}-2{n}."
    )


def read_in_columns(press, entries, xs, width, top, bottom=780.0, size=8.0, hang=10.0):
    """Entries flow through columns whose left edges are `xs`."""
    column, press.y = 0, top
    for text in entries:
        if press.y > bottom - 60 and column + 1 < len(xs):
            column, press.y = column + 1, top
        press.prose(text, xs[column], width=width, size=size, hang=hang)


def years(record):
    return [reference["year"] for reference in record["references"]]


def test_a_numbered_list_at_the_end_needs_no_heading(press, read):
    article(press)
    press.page()
    press.prose("We thank the nurses of all wards.", 60, size=9)
    press.y += 20
    for n in range(1, 13):
        press.prose(entry(n), 60, width=470, size=8, hang=12)
    record = read(press)
    assert years(record) == list(range(2001, 2013))
    assert record["sections"][-1]["title"] == "Discussion"


def test_a_list_in_three_columns_with_hanging_numbers_is_read_column_by_column(press, read):
    article(press)
    press.page()
    for x in (48, 306):  # the text above it stands in two
        press.prose(LOREM * 2, x, y=60, width=240, size=9.5)
    press.line("References", 48, y=press.y + 24, font=BOLD, size=10)
    read_in_columns(press, [entry(n) for n in range(1, 22)], (48, 217, 386), 158, press.y + 10)
    assert years(read(press)) == list(range(2001, 2022))


def test_numbers_in_a_column_of_their_own_belong_to_the_entries(press, read):
    article(press)
    press.heading("References", size=13)
    for n in range(1, 11):
        y = press.y + 11
        press.line(str(n), 60, y=y, size=6.5)
        press.y = y - 10
        press.prose(entry(n).split(". ", 1)[1], 76, width=430, size=8)
    assert years(read(press)) == list(range(2001, 2011))


def test_the_notice_of_the_house_below_two_columns_ends_no_list(press, read):
    article(press)
    press.page()
    press.line("References", 48, y=60, font=BOLD, size=11)
    read_in_columns(press, [entry(n) for n in range(1, 17)], (48, 306), 240, 70, bottom=420)
    press.line("Norrby Research is an international, peer-reviewed journal of ageing.", 48, y=700, size=8)
    press.line("Submit your manuscript here: https://www.example.org/submit", 48, y=712, size=8)
    press.line("Publish your work in this journal", 306, y=700, size=8)
    record = read(press)
    assert years(record) == list(range(2001, 2017))
    assert "Norrby Research" not in record["references"][-1]["text"]


def test_numbers_of_entries_in_the_margin_are_no_line_numbers(press, read):
    article(press)
    press.page()
    press.line("References", 80, y=60, font=BOLD, size=11)
    for n in range(1, 13):
        y = press.y + 12
        press.line(str(n), 60, y=y, size=8)
        press.y = y - 10
        press.prose(f"{entry(n).split('. ', 1)[1]} {LOREM[:150]}", 80, width=300, size=8)
    assert len(read(press)["references"]) == 12


def test_a_justified_line_with_wide_spaces_is_a_line_and_no_row_of_a_table(press, read):
    article(press)
    press.page()
    press.line("Results of the second year", 60, y=60, font=BOLD, size=12)
    words = "effects of repeated training differ widely".split()
    for column in (60, 320):
        y = 80.0
        for _ in range(4):
            press.prose(LOREM[:200], column, y=y, width=220, size=9)
            y = press.y + 11.5
            x = float(column)
            for word in words:
                press.line(word, x, y=y, size=9)
                x += press.canvas.stringWidth(word, SERIF, 9) + 11.0
    text = read(press)["page_text"][2]
    assert text.count(" ".join(words)) == 8


def cells(press, y, xs, rows, size=8.0):
    for n, row in enumerate(rows):
        for x, text in zip(xs, row, strict=True):
            press.line(text, x, y=y + 13 * n, size=size)


ROWS = [("Study", "Year", "Early", "Late"), ("Berg", "2011", "14/60", "21/61"), ("Lund", "2012", "9/44", "12/45")]


def test_a_table_across_the_page_belongs_to_the_caption_in_its_left_column(press, read):
    article(press)
    press.page()
    press.prose(LOREM * 3, 48, y=60, width=240, size=9.5)
    press.prose(LOREM * 3, 306, y=60, width=240, size=9.5)
    y = press.y + 24
    press.line("Table 1. Falls in two years", 48, y=y, font=BOLD, size=8)
    rows = [(a, b, f"{c} on the orthopaedic wards", d) for a, b, c, d in ROWS]
    cells(press, y + 16, (48, 150, 240, 470), rows)
    tables = read(press)["tables"]
    assert [table["rows"] for table in tables] == [[list(row) for row in rows]]


def test_captions_below_their_tables_take_the_rows_above_them(press, read):
    article(press)
    press.page()
    press.prose(LOREM, 60, y=60, width=470)
    cells(press, 160, (60, 180, 300, 420), ROWS)
    press.line("Table 1. Falls in two years", 60, y=202, font=BOLD, size=8)
    cells(press, 260, (60, 180, 300, 420), [("Town", *ROWS[0][1:]), *ROWS[1:]])
    press.line("Table 2. Falls in towns", 60, y=302, font=BOLD, size=8)
    press.prose(LOREM, 60, y=340, width=470)
    assert [table["rows"][0][0] for table in read(press)["tables"]] == ["Study", "Town"]
