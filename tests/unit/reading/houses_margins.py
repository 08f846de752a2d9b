"""Front pages with something in the margin of the names: side bars, dates, badges, contacts, names over the title."""

from __future__ import annotations

from tests.unit.reading.houses import ABSTRACT, BODY, SANS, SANS_BOLD, TITLE, Expected, columns, rest
from tests.unit.reading.press import BOLD, ITALIC, Press

NAMES = ("Lindqvist", "Tanaka", "Okafor", "Brandt", "Moreau")
SMALL = [
    "To cite: Lindqvist AB,",
    "Tanaka M, et al. Early",
    "walking after hip fracture.",
    "Norrby Med Open",
    "2021;11:e044190. doi:10.5555/",
    "ewhf.2021.0417",
    "Received 28 August 2020",
    "Accepted 8 January 2021",
    "1Norrby University, Sweden",
    "2Sakura University, Japan",
]


def cited_at_the_side(press: Press) -> Expected:
    """The side bar with citation and addresses is read between two lines of names, whose last lines it parts."""
    press.line("Open access", 48, y=30, font=SANS_BOLD, size=9)
    press.line("Original research", 470, y=30, font=SANS_BOLD, size=9)
    press.prose(TITLE, 150, y=50, width=400, font=SANS_BOLD, size=20)
    press.y += 8
    press.marked([("Anna B. Lindqvist", "1"), (", Mei Tanaka", "2"), (", Chidi Okafor", "1"), (",", "")], 150, size=11)
    press.marked([("Karl Brandt", "2"), (", Luc Moreau", "1")], 150, size=11)
    top = press.y + 22
    press.y = top + 20
    for text in SMALL:
        press.line(text, 40, font=SANS, size=7)
    press.line("ABSTRACT", 150, y=top, font=SANS_BOLD, size=10)
    press.prose(ABSTRACT, 150, width=390, size=9.5)
    press.line("INTRODUCTION", 150, font=SANS_BOLD, size=10)
    press.prose(BODY, 150, width=390, size=9.5)
    press.page()
    rest(press, "Lindqvist AB, et al. Norrby Med Open 2021;11:e044190. doi:10.5555/ewhf.2021.0417")
    return Expected(families=NAMES, journal="Norrby Med Open", sections=("INTRODUCTION", "Results", "Discussion"))


def dates_beside_names(press: Press) -> Expected:
    """Dates and a badge stand left of the names, on the same rows as these."""
    press.line("Norrby Communications | (2021) 12:882", 48, y=815, font=SANS, size=7.5)
    press.line("Article", 48, y=60, font=SANS, size=9)
    press.line("https://doi.org/10.5555/ewhf.2021.0417", 380, y=60, font=SANS, size=7.5)
    press.prose(TITLE, 48, y=74, width=500, font=BOLD, size=22)
    y = press.y + 34
    left = ["Received: 12 August 2020", "Accepted: 26 January 2021", "Check for updates"]
    rows = [
        [("Anna B. Lindqvist", "1,4"), (", Mei Tanaka", "2"), (",", "")],
        [("Chidi Okafor", "1"), (", Karl Brandt", "2,3"), (" &", "")],
        [("Luc Moreau", "1")],
    ]
    for n, (note, names) in enumerate(zip(left, rows, strict=True)):
        press.line(note, 48, y=y + 13 * n, font=SANS, size=8)
        press.y = y + 13 * n - 1.4 * 9.5
        press.marked(names, 220, size=9.5)
    press.y = y + 56
    press.prose(ABSTRACT, 220, width=340, size=10.5)
    columns(press, press.y + 20, [("", BODY * 2), ("Methods", BODY * 2)], size=9)
    rest(press, "Norrby Communications | (2021) 12:882")
    return Expected(families=NAMES, journal="Norrby Communications", sections=("Methods", "Results"))


def contact_first(press: Press) -> Expected:
    """Contact and dates stand between the title and the names; the abstract's parts are under small headings only."""
    press.line("Northern Journal of Clinical Gerontology (2021) 87 417-425", 300, y=30, size=8)
    press.line("doi: 10.5555/ewhf.2021.0417", 300, y=40, size=8)
    press.prose(TITLE, 48, y=90, width=500, size=20)
    press.y += 10
    press.line("Correspondence Anna B. Lindqvist, University of Norrby, Norrby, Sweden.", 48, size=8)
    press.line("E-mail: anna@norrby.example", 48, size=8)
    press.line("Received 2 June 2020; Revised 4 August 2020; Accepted 5 January 2021", 48, size=8)
    press.y += 8
    press.marked([("Anna B. Lindqvist", "1"), (", Mei Tanaka", "2"), (", Chidi Okafor", "1"), (",", "")], 48, BOLD, 10)
    press.marked([("Karl Brandt", "2"), (" and Luc Moreau", "1")], 48, BOLD, 10)
    press.line(
        "1Department of Orthopaedics, University of Norrby, 2Institute of Gerontology, Tokyo", 48, font=ITALIC, size=8
    )
    press.y += 16
    cut = [ABSTRACT.find("We assigned"), ABSTRACT.find("The median"), ABSTRACT.find("Early walking is")]
    parts = [ABSTRACT[: cut[0]], ABSTRACT[cut[0] : cut[1]], ABSTRACT[cut[1] : cut[2]], ABSTRACT[cut[2] :]]
    names = ("AIMS", "METHODS", "RESULTS", "CONCLUSIONS")
    for name, text in zip(names, parts, strict=True):
        press.y += 6
        press.line(name, 48, font=BOLD, size=10)
        press.prose(text.strip(), 48, width=500, font=SANS, size=9)
    press.page()
    columns(press, 60, [("Introduction", BODY * 2), ("Methods", BODY * 2)])
    rest(press, "418   Northern Journal of Clinical Gerontology (2021) 87 417-425")
    whole = " ".join(f"{name} {text.strip()}" for name, text in zip(names, parts, strict=True))
    return Expected(families=NAMES, journal="Northern Journal of Clinical Gerontology", abstract=whole)


def names_over_the_title(press: Press) -> Expected:
    """The names come first, then the title."""
    press.line("North. J. Gerontol. 2021; 47(7): 417-425", 48, y=36, size=8)
    press.y = 52
    press.marked([("Anna B. Lindqvist", "a"), (", Mei Tanaka", "b"), (", Chidi Okafor", "a"), (",", "")], 48, size=11)
    press.marked([("Karl Brandt", "b"), (" and Luc Moreau*", "")], 48, size=11)
    press.y += 4
    press.prose(TITLE, 48, width=480, font=SANS_BOLD, size=18)
    press.y += 10
    press.line("https://doi.org/10.5555/ewhf.2021.0417", 48, size=8)
    press.line("Received June 2, 2020; accepted January 5, 2021", 48, size=8)
    columns(press, press.y + 16, [("Abstract", ABSTRACT), ("Introduction", BODY * 2), ("Methods", BODY * 2)])
    rest(press, "Lindqvist et al.: Early walking after hip fracture   418")
    return Expected(families=NAMES, journal="North. J. Gerontol")


def name_and_address_in_turn(press: Press) -> Expected:
    """A preprint server's page: each name on a line, its address on the next."""
    press.prose(TITLE, 40, y=80, width=500, font=SANS, size=20)
    press.y += 12
    names = ("Anna B. Lindqvist", "Mei Tanaka", "Chidi Okafor", "Karl Brandt", "Luc Moreau ( luc@norrby.example )")
    for name in names:
        press.y += 3
        press.line(name, 40, font=SANS, size=11)
        press.line("University of Norrby", 48, font=SANS, size=11)
    press.y += 12
    press.line("Research Article", 40, font=SANS_BOLD, size=11)
    press.line("Keywords: hip fracture, early walking", 40, font=SANS, size=10)
    press.line("Posted Date: May 15th, 2021", 40, font=SANS, size=10)
    press.line("DOI: https://doi.org/10.5555/ewhf.2021.0417", 40, font=SANS, size=10)
    press.page()
    press.line("Abstract", 40, y=60, font=SANS_BOLD, size=13)
    press.prose(ABSTRACT, 40, width=500, font=SANS, size=10)
    press.heading("Introduction", 40)
    press.prose(BODY, 40, width=500, font=SANS, size=10)
    press.page()
    rest(press, "Page 3/9")
    return Expected(families=NAMES, sections=("Introduction", "Results"))


HOUSES = [cited_at_the_side, dates_beside_names, contact_first, names_over_the_title, name_and_address_in_turn]
