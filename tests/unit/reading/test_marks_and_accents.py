"""Marks drawn apart from the names they belong to, and accents drawn apart from their letters."""

from __future__ import annotations

import pytest

from tests.unit.reading.press import BOLD, HEIGHT, LOREM, article


def page_with_names(press, draw):
    """A front page whose names `draw` sets at y 100; the abstract follows below."""
    press.line("Journal of Plant Research 2019; 12(3): 45-52", y=40, size=8)
    press.line("Holy basil and gingival bleeding in adults", y=70, font=BOLD, size=17)
    press.y = 100
    draw(press)
    press.y = 150
    press.line("1 Institute of Dental Research, Utrecht, The Netherlands", size=8)
    press.heading("Abstract")
    press.prose(LOREM)
    press.heading("Introduction")
    press.prose(LOREM * 2)
    return press


def families(record):
    return [author["family"] for author in record["authors"]]


def test_an_asterisk_as_large_as_the_letters_and_half_above_them_parts_no_names(press, read):
    def draw(press):
        canvas = press.canvas
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(60, HEIGHT - 110, "Ana Ruiz, MD, ")
        x = 60 + canvas.stringWidth("Ana Ruiz, MD, ", "Times-Roman", 10)
        canvas.drawString(x, HEIGHT - 110 + 5, "*")
        canvas.drawString(x + 5, HEIGHT - 110, ", Li Wei Chen, PhD,")
        canvas.drawString(60, HEIGHT - 123, "Omar Haddad, MD, and Eva Novak, PhD")

    record = read(page_with_names(press, draw))
    assert families(record) == ["Ruiz", "Chen", "Haddad", "Novak"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Euloge S. Adjou . Mara G. Lund . Edwige Ahoussi .", ["Adjou", "Lund", "Ahoussi"]),
        ("KanglanLI1, ShouchaoWEI2, HuHOU2, JiajingPENG2, YingrenMAI2", ["LI", "WEI", "HOU", "PENG", "MAI"]),
        ("Paolo RodiID, Werner ObermeyerID and Mario C. Raviglione", ["Rodi", "Obermeyer", "Raviglione"]),
        ("MarcusAlvarenga Soares, LuisCarlos Lund and M.Q.Tang", ["Soares", "Lund", "Tang"]),
        ("Elizabeth M. Darby, Christina B. Schroeter and Julia M. Schaepe", ["Darby", "Schroeter", "Schaepe"]),
        (
            "Masaya Misaki Ph.D.a,b*, Kymberly D. Young M.D.c and Salvador Guinjoan M.D. Ph.D.a",
            ["Misaki", "Young", "Guinjoan"],
        ),
        ("Angus MacDonald, Mary FitzGerald and Rory McElvaney", ["MacDonald", "FitzGerald", "McElvaney"]),
    ],
)
def test_spaces_lost_and_icons_read_as_letters_do_not_join_names(press, read, line, names):
    record = read(page_with_names(press, lambda press: press.line(line, size=11)))
    assert families(record) == names


def test_a_name_may_go_on_in_the_next_line(press, read):
    def draw(press):
        press.line("Rosany Lopes Martins, Ranggel Costa, Alex Bruno Lobato and Lourivaldo Brito da Silva de", size=12)
        press.line("Almeida", size=12)

    assert families(read(page_with_names(press, draw)))[-1].endswith("de Almeida")


def test_lines_that_cut_a_name_at_both_ends_are_lines_of_names(press, read):
    def draw(press):
        press.line("ROBERT STEINBACH5, DAGMAR LUND1, MORITZ", size=10)
        press.line("METELMANN10, JENNY NORDEN1, RUHAN KOC1, PAUL", size=10)
        press.line("WEYDT7, EVA BAUM10 & ANDREAS MAIER1", size=10)

    names = ["Steinbach", "Lund", "Metelmann", "Norden", "Koc", "Weydt", "Baum", "Maier"]
    assert families(read(page_with_names(press, draw))) == names


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        (("Jos", "e", "\u00b4"), "José"),  # the accent after its letter in the stream
        (("Lleix", "a", "`"), "Lleixà"),
        (("Dwight G", "o", "\u00a8"), "Dwight Gö"),
    ],
)
def test_an_accent_drawn_over_its_letter_is_set_on_it(press, read, drawn, meant):
    before, letter, accent = drawn

    def draw(press):
        canvas = press.canvas
        canvas.setFont("Helvetica", 11)
        width = canvas.stringWidth
        x = 60 + width(before, "Helvetica", 11)
        shift = (width(letter, "Helvetica", 11) - width(accent, "Helvetica", 11)) / 2
        canvas.drawString(60, HEIGHT - 115, before + letter)
        canvas.drawString(x + shift, HEIGHT - 115, accent)
        canvas.drawString(x + width(letter, "Helvetica", 11), HEIGHT - 115, "ry Lund, Wei Chen and Eva Novak")

    record = read(page_with_names(press, draw))
    assert record["page_text"][0].find(meant + "ry Lund") > 0
    assert families(record) == ["Lund", "Chen", "Novak"]


def test_a_prime_or_an_apostrophe_is_no_accent(press, read):
    record = read(article(press, methods="The primer 5\u00b4-ACGT-3\u00b4 and the patients\u00b4 own words were kept."))
    text = " ".join(record["page_text"])
    assert "patients\u00b4 own" in text and "5\u00b4-ACGT" in text
