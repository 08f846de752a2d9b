"""Text comes in the order a person reads it, and without what belongs to the page."""

from __future__ import annotations

from tasks.kinds.literature.reading import extract_file
from tests.unit.reading.press import BOLD, LOREM, Press

LEFT = "The left column says alpha first and goes on for many lines until it ends with the word omega. " * 6
RIGHT = "The right column begins with gamma and says other things, line after line, down to its last word delta. " * 6


def in_order(text, *words):
    places = [text.index(w) for w in words]
    return places == sorted(places)


def two_columns(press, top=120):
    press.prose(LEFT, x=50, y=top, width=235)
    press.prose(RIGHT, x=310, y=top, width=235)


def test_two_columns_are_read_one_after_the_other(press, read):
    two_columns(press)
    text = read(press)["page_text"][0]
    assert text.rindex("omega") < text.index("gamma")


def test_rows_drawn_across_both_columns_are_untangled(press, read):
    """A word processor writes line by line over the page: left, right, left, right."""
    rows = zip(LEFT.split(". "), RIGHT.split(". "), strict=True)
    for n, (a, b) in enumerate(rows):
        for k in range(4):
            press.line(a[k * 24 : (k + 1) * 24] + " left", x=50, y=120 + 12 * (4 * n + k))
            press.line(b[k * 24 : (k + 1) * 24] + " right", x=310, y=120 + 12 * (4 * n + k))
    text = read(press)["page_text"][0]
    assert text.rindex(" left") < text.index(" right")


def test_a_title_across_the_page_comes_before_the_columns(press, read):
    press.line("A title that stands over both of the columns below", x=80, y=70, font=BOLD, size=16)
    press.prose("An abstract as wide as the page. " * 14, x=50, y=85, width=495)
    two_columns(press, top=press.y + 14)
    text = read(press)["page_text"][0]
    assert in_order(text, "A title", "An abstract", "alpha", "gamma")


def test_a_side_bar_beside_the_abstract_does_not_run_into_it(press, read):
    press.prose(
        "Article history: received in May and accepted in June. Edited by somebody. " * 3,
        x=50,
        y=100,
        width=110,
        size=8,
    )
    press.prose("The abstract stands beside the bar and is read as one. " * 10, x=190, y=100, width=355)
    two_columns(press, top=260)
    text = read(press)["page_text"][0]
    bar = text.index("Article history")
    assert text[bar : text.index("The abstract stands")].count("abstract") == 0
    assert text.index("alpha") > text.rindex("read as one")


def test_numbers_of_a_list_are_no_column_of_their_own(press, read):
    press.prose(LEFT, x=50, y=120, width=235)
    press.y = 120
    for n in range(1, 13):
        press.line(f"{n}.", x=308, size=9)
        press.line(f"Author{n} A, Writer B. A study of leaf number {n} and", x=330, y=press.y, size=9)
        press.line("of its oils. J Leaf Res 2011;4:11-19.", x=330, size=9)
    text = read(press)["page_text"][0]
    assert text.rindex("omega") < text.index("1. Author1")
    assert in_order(text, "3. Author3", "4. Author4", "12. Author12")


def test_a_table_keeps_its_rows(press, read):
    press.prose(LOREM, y=60)
    press.y += 20
    for row in range(9):
        press.y += 13
        y = press.y
        for column in range(5):
            press.line(f"r{row}c{column}", x=60 + 95 * column, y=y)
    press.prose(LOREM)
    text = read(press)["page_text"][0]
    assert in_order(text, "r0c0", "r0c4", "r1c0", "r1c4", "r8c4")


def test_running_heads_and_page_numbers_are_left_out(press, read):
    for number, opening in enumerate(
        ["Oils came first.", "Then came leaves and stems.", "Roots followed much later.", "Seeds were last."], 1
    ):
        press.line("Lopez et al. Journal of Plant Research 2019", y=30, size=8)
        press.prose(f"{opening} {LOREM}", y=70)
        press.line(str(number), x=300, y=815, size=8)
        press.page()
    texts = read(press)["page_text"]
    assert all("Journal of Plant Research" not in t for t in texts)
    assert all(not t.rstrip().endswith(str(n)) for n, t in enumerate(texts, 1))
    assert "Roots followed" in texts[2]


def test_a_word_drawn_up_the_margin_is_not_text(press, read):
    press.prose(LOREM)
    press.canvas.saveState()
    press.canvas.translate(20, 200)
    press.canvas.rotate(90)
    press.canvas.drawString(0, 0, "Downloaded yesterday")
    press.canvas.restoreState()
    assert read(press)["page_text"][0] == LOREM.strip()


def test_a_turned_page_is_read_as_it_is_seen(tmp_path):
    press = Press(tmp_path / "turned.pdf")
    press.canvas.setPageRotation(90)
    press.canvas.saveState()
    press.canvas.translate(0, 0)
    press.canvas.rotate(90)
    press.canvas.setFont("Times-Roman", 11)
    for n, text in enumerate(
        ["The first line of a turned page.", "The second line stands below it.", "The third line is the last one."]
    ):
        press.canvas.drawString(60, -60 - 14 * n, text)
    press.canvas.restoreState()
    record = extract_file(press.save())
    assert record["page_sizes"] == [[595.0, 842.0]]
    assert in_order(record["page_text"][0], "first line", "second line", "third line")
