"""Text drawn in odd ways: turned, letter by letter, without spaces, without meaning; pages that are no front."""

from __future__ import annotations

import pytest
from reportlab.pdfbase import pdfmetrics

from tasks.kinds.literature.reading import ExtractionError
from tasks.kinds.literature.reading.document import open_document
from tasks.kinds.literature.reading.paper import Paper
from tasks.kinds.literature.reading.provenance import Provenance
from tests.unit.reading.press import HEIGHT, LOREM, SERIF, article


@pytest.mark.parametrize("way", [90, -90])
def test_a_page_whose_text_runs_up_or_down_is_read_and_its_boxes_are_where_it_stands(press, read, way):
    article(press)
    press.page()
    canvas = press.canvas
    canvas.rotate(way)
    canvas.setFont(SERIF, 10)
    for n in range(20):
        text = "The table of this page is wider than it is tall, and so it is turned."
        if n == 9:
            text = "We enrolled 84 adults in two hospitals of the town."
        canvas.drawString(100 if way > 0 else 100 - HEIGHT, (-100 - 14 * n) if way > 0 else 400 - 14 * n, text)
    record = read(press)
    assert "We enrolled 84 adults in two hospitals of the town." in record["page_text"][-1].replace("\n", " ")
    assert record["page_sizes"][-1] == [595.0, 842.0]
    paper = Paper(open_document(str(press.path), 10, 10**7))
    seen = [(p.turn, p.width, p.height) for p in paper.document.pages]
    field = Provenance(paper.pages, seen).field("x", 84, len(seen), "enrolled 84 adults", 1.0)
    x0, y0, x1, y1 = field["box"]
    row = 100 + 14 * 9 if way > 0 else 400 - 14 * 9
    assert row - 12 < x0 < x1 < row + 12  # a narrow box, standing upright
    assert y1 - y0 > 60 and (y1 < 742 if way > 0 else y0 > 100)


def test_letters_drawn_one_by_one_become_words(press, read):
    article(press)
    press.page()
    x = 60.0
    for letter in "Walking early is safe and shortens the stay.":
        press.canvas.setFont(SERIF, 10)
        press.canvas.drawString(x, HEIGHT - 100, letter)
        x += pdfmetrics.stringWidth(letter, SERIF, 10)
    assert "Walking early is safe and shortens the stay." in read(press)["page_text"][-1]


def test_a_text_whose_font_has_lost_its_meaning_is_refused_as_no_text(press):
    shifted = "".join(chr((ord(c) - 97 + 3) % 26 + 97) if c.islower() else c for c in LOREM * 4)
    press.prose(shifted)
    with pytest.raises(ExtractionError) as refused:
        from tasks.kinds.literature.reading import extract_file

        extract_file(press.save())
    assert refused.value.code == "no_text"


def test_a_paper_without_its_first_page_gives_no_title_authors_or_abstract(press, read):
    press.line("Journal of Plant Research 2019; 12(3): 46", y=40, size=8)
    press.y = 60
    for name in ("2.2 Treatment", "2.3 Statistics", "Results"):
        press.heading(name, size=13)
        press.prose(LOREM * 2)
    record = read(press)
    assert record["title"] is None
    assert record["authors"] == []
    assert record["abstract"] is None
    assert record["doi"] is None


def test_line_numbers_in_the_margin_are_no_words(press, read):
    article(press)
    press.page()
    press.y = 60
    for n in range(30):
        press.line("The treatment of gum disease with extracts of plants has been studied", 80)
        press.line(str(n + 1), 40, y=press.y, size=8)
    assert read(press)["page_text"][-1].count("studied The treatment") == 29
