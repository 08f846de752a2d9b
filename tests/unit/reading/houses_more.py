"""More front pages: weeklies without a heading over the abstract, conferences, letters, corrections, odd titles."""

from __future__ import annotations

from tests.unit.reading.houses import ABSTRACT, BODY, SANS, SANS_BOLD, TITLE, Expected, columns, rest
from tests.unit.reading.press import BOLD, ITALIC, LOREM, SERIF, Press

REFERENCES = [
    "1. Ito K, Berg L. Walking in hospital. Ageing Care. 2015;12:14-9. doi:10.5555/ac.2015.014",
    "2. Novak P. Rest and muscle. Surg Recov. 2012;3:201-8. https://doi.org/10.5555/sr.2012.201",
]


def bare_abstract(press: Press) -> Expected:
    """A weekly: the abstract is a bold paragraph without heading; the DOI is broken over two lines at the foot."""
    press.line("REVIEW OF AGEING SCIENCE | VOL 33 | JANUARY 2021 | 417-425 | www.example.org/ras", 48, y=810, size=8)
    press.line("ARTICLES", 48, y=40, font=SANS_BOLD, size=10)
    press.line("https://doi.org/10.5555/ewhf.2021.0417", 380, y=40, font=SANS, size=8)
    press.prose(TITLE, 48, y=70, width=480, font=SANS_BOLD, size=20)
    press.y += 4
    press.marked([("Anna B. Lindqvist", "1,2"), (", Carlos de la Fuente", "2"), (" & Mei Tanaka", "3✉")], 48, BOLD, 10)
    press.y += 12
    press.prose(ABSTRACT, 48, width=480, font=BOLD, size=10)
    columns(press, press.y + 24, [("", BODY * 2), ("Results", BODY * 2), ("", BODY)])
    press.line(
        "1Department of Orthopaedics, University of Norrby, Norrby, Sweden. 2Hospital General del Sur, Sevilla, Spain.",
        48,
        y=50,
        size=7.5,
    )
    press.y = 80
    press.heading("Methods")
    press.prose(BODY, 48, width=480)
    press.heading("References")
    for ref in REFERENCES:
        press.prose(ref, 48, width=480, size=8.5)
    return Expected(journal="Review of Ageing Science", sections=("Results", "Methods"))


def conference(press: Press) -> Expected:
    """Proceedings: the authors in three columns with their addresses below them, roman numerals, a run-in abstract."""
    press.prose("Early Walking after Hip Fracture Surgery in Older", 70, y=60, width=480, size=22)
    press.prose("Adults: a Randomised Controlled Trial", 120, width=480, size=22)
    for x, name, lines in (
        (
            60,
            "Anna B. Lindqvist",
            ("Department of Orthopaedics", "University of Norrby", "Norrby, Sweden", "abl@norrby.example"),
        ),
        (
            235,
            "Carlos de la Fuente",
            ("Cirugia Ortopedica", "Hospital General del Sur", "Sevilla, Spain", "cdlf@hgs.example"),
        ),
        (420, "Mei Tanaka", ("Institute of Gerontology", "Sakura University", "Tokyo, Japan", "mt@sakura.example")),
    ):
        press.line(name, x, y=150, size=11)
        for text in lines:
            press.line(text, x, font=ITALIC, size=9)
    press.prose("Abstract—" + ABSTRACT, 48, y=230, width=240, font=BOLD, size=9)
    press.y += 8
    press.prose("Index Terms—hip fracture, early walking, older adults", 48, width=240, font=BOLD, size=9)
    press.line("I. INTRODUCTION", 120, y=press.y + 20, size=10)
    press.y += 4
    press.prose(BODY, 48, width=240)
    press.line("II. METHODS", 385, y=242, size=10)
    press.y += 4
    press.prose(BODY * 2, 306, width=240)
    press.line("978-0-0000-0000-0/21/$31.00 ©2021", 48, y=810, size=8)
    press.page()
    press.line("III. RESULTS", 130, y=60, size=10)
    press.y += 4
    press.prose(BODY * 2, 48, width=240)
    press.prose(LOREM * 2, 306, y=60, width=240)
    return Expected(doi=None, sections=("I. INTRODUCTION", "II. METHODS", "III. RESULTS"))


def short_letter(press: Press) -> Expected:
    """A letter of one page: no abstract, DOIs in its references, its own in small print at the foot only."""
    press.line("CORRESPONDENCE", 48, y=40, font=SANS_BOLD, size=9)
    press.prose("Walking on the first day is not too early", 48, y=60, width=480, font=BOLD, size=16)
    press.y += 4
    press.prose("To the Editor: " + BODY + LOREM, 48, width=480)
    press.prose(LOREM, 48, width=480)
    press.y += 6
    press.line("Anna B. Lindqvist, M.D.", 48)
    press.line("University of Norrby, Norrby, Sweden", 48, size=9)
    press.y += 6
    press.line("References", 48, font=BOLD, size=10)
    for ref in REFERENCES:
        press.prose(ref, 48, width=480, size=8.5)
    press.line("Annals of Recovery 2021; 33: 417. DOI: 10.5555/ewhf.2021.0417", 48, y=800, size=8)
    return Expected(
        title="Walking on the first day is not too early",
        families=("Lindqvist",),
        journal="Annals of Recovery",
        abstract="",
        sections=("References",),
    )


def correction(press: Press) -> Expected:
    """A correction: the DOI of the original article stands beside its own."""
    press.line("Lindqvist et al. Nordic Journal of Surgery (2021) 21:588", 48, y=36, font=SANS, size=8)
    press.line("https://doi.org/10.5555/ewhf.2021.0588", 48, font=SANS, size=8)
    press.line("CORRECTION", 48, y=70, font=SANS_BOLD, size=9)
    press.line("Open Access", 480, y=70, font=SANS_BOLD, size=9)
    title = "Correction to: Early walking after hip fracture surgery in older adults"
    press.prose(title, 48, y=86, width=480, font=SANS_BOLD, size=19)
    press.y += 4
    press.marked([("Anna B. Lindqvist", "1*"), (", Carlos de la Fuente", "2"), (" and Mei Tanaka", "1")], 48, SANS, 11)
    press.y += 10
    press.prose(
        "Following publication of the original article [1], the authors noticed that a number in Table 2 was wrong.",
        48,
        width=480,
    )
    press.prose(
        "The original article can be found online at https://doi.org/10.5555/ewhf.2021.0417",
        48,
        y=740,
        width=480,
        size=8,
    )
    press.line("1Department of Orthopaedics, University of Norrby, Norrby, Sweden", 48, size=8)
    press.line("References", 48, y=300, font=BOLD, size=10)
    press.prose(
        "1. Lindqvist AB, de la Fuente C, Tanaka M. Early walking after hip fracture surgery. Nord J Surg. "
        "2021;21:417. "
        "https://doi.org/10.5555/ewhf.2021.0417",
        48,
        width=480,
        size=8.5,
    )
    return Expected(
        title=title,
        doi="10.5555/ewhf.2021.0588",
        journal="Nordic Journal of Surgery",
        abstract="",
        sections=("References",),
    )


def capitals(press: Press) -> Expected:
    """A society's journal: the title in capitals over five lines, names in capitals, degrees, structured abstract."""
    press.line("Karoo Journal of Surgical Recovery, Vol. 33, No. 4, January 2021, pp. 417-425", 60, y=40, size=9)
    press.line("DOI: 10.5555/ewhf.2021.0417.", 60, size=9)
    press.line("ORIGINAL RESEARCH ARTICLE", 60, y=80, font=BOLD, size=9)
    for row in ("EARLY WALKING AFTER HIP", "FRACTURE SURGERY IN", "OLDER ADULTS: A RANDOMISED", "CONTROLLED", "TRIAL"):
        press.line(row, 120, font=BOLD, size=16)
    press.y += 4
    press.marked([("ANNA B. LINDQVIST", "1"), (", CARLOS DE LA FUENTE", "2"), (", MEI TANAKA", "3")], 90, BOLD, 11)
    press.line("1. Professor, Department of Orthopaedics, University of Norrby, Norrby, Sweden.", 60, size=8.5)
    press.line("2. Resident, Hospital General del Sur, Sevilla, Spain.", 60, size=8.5)
    press.line("3. Fellow, Institute of Gerontology, Sakura University, Tokyo, Japan.", 60, size=8.5)
    press.line("ABSTRACT", 260, y=press.y + 24, font=BOLD, size=10)
    press.prose(ABSTRACT, 60, width=470)
    press.line("Key words: hip fracture, early walking, older adults", 60, y=press.y + 14, size=9.5)
    columns(press, press.y + 20, [("INTRODUCTION", BODY), ("METHODS", BODY * 2), ("", BODY)])
    rest(press, "Karoo Journal of Surgical Recovery, Vol. 33, No. 4, January 2021")
    return Expected(journal="Karoo Journal of Surgical Recovery", sections=("INTRODUCTION", "METHODS", "Results"))


def family_first(press: Press) -> Expected:
    """Names as `Family, Given` between semicolons; highlights above the abstract; the DOI cut by a line's end."""
    press.line("Recovery & Rehabilitation Letters 33 (2021) 417", 60, y=36, size=8)
    press.prose(TITLE, 60, y=70, width=470, font=BOLD, size=16)
    press.y += 6
    press.line("Lindqvist, Anna B.; de la Fuente, Carlos; Tanaka, Mei", 60, size=11)
    press.line("University of Norrby, Norrby, Sweden", 60, font=ITALIC, size=9)
    press.line("Highlights", 60, y=press.y + 20, font=BOLD, size=11)
    for text in (
        "• Walking on the first day after surgery is safe for people over eighty years of age.",
        "• The stay in hospital was three days shorter in the group that walked early in the trial.",
        "• Falls were equally rare in both groups and no fracture was seen in either of them at all.",
    ):
        press.line(text, 66, size=9.5)
    press.line("Abstract", 60, y=press.y + 20, font=BOLD, size=11)
    press.prose(ABSTRACT, 60, width=470)
    press.line("Introduction", 60, y=press.y + 22, font=BOLD, size=11)
    press.prose(BODY, 60, width=470)
    press.prose(
        "© 2021 The Authors. Published by Example Press. https://doi.org/10.5555/", 60, y=790, width=470, size=8
    )
    press.prose("ewhf.2021.0417", 60, width=470, size=8)
    press.page()
    press.y = 60
    for name in ("Methods", "Results"):
        press.heading(name, 60, 11)
        press.prose(BODY * 2, 60, width=470)
    return Expected(journal="Recovery & Rehabilitation Letters")


def editors_column(press: Press) -> Expected:
    """Editors, reviewers, citation and licence in a left column; names in bold with raised marks; small print."""
    press.line("ORIGINAL RESEARCH", 430, y=44, font=SANS_BOLD, size=9)
    press.line("published: 19 January 2021", 430, font=SANS, size=8)
    press.line("doi: 10.5555/ewhf.2021.0417", 430, font=SANS, size=8)
    press.prose(TITLE, 180, y=110, width=360, font=SANS_BOLD, size=18)
    press.y += 4
    press.marked(
        [("Anna B. Lindqvist ", "1*†"), (", Carlos de la Fuente ", "2†"), (" and Mei Tanaka ", "1,3")],
        180,
        SANS_BOLD,
        10.5,
    )
    press.y += 4
    press.marked(
        [
            ("", "1"),
            (" Department of Orthopaedics, University of Norrby, Norrby, Sweden, ", "2"),
            (" Hospital General del Sur,", ""),
        ],
        180,
        ITALIC,
        8,
    )
    press.line("Sevilla, Spain", 180, font=ITALIC, size=8)
    press.y += 8
    press.prose(ABSTRACT, 180, width=360, font=SANS, size=9)
    press.line("Keywords: hip fracture, early walking, older adults", 180, y=press.y + 16, font=SANS_BOLD, size=8)
    press.line("INTRODUCTION", 180, y=press.y + 26, font=SANS_BOLD, size=11)
    press.prose(BODY * 2, 180, width=360)
    y = 250
    for head, texts in (
        ("Edited by:", ("Piet Jansen,", "University of Veen, Netherlands")),
        ("Reviewed by:", ("Olu Adeyemi,", "Delta University, Nigeria")),
        ("*Correspondence:", ("Anna B. Lindqvist", "a.lindqvist@norrby.example")),
        ("Received: 02 June 2020", ()),
        ("Accepted: 05 January 2021", ()),
        (
            "Citation:",
            (
                "Lindqvist AB, de la Fuente C and",
                "Tanaka M (2021) Early walking after",
                "hip fracture surgery in older adults: a",
                "randomised controlled trial.",
                "Front. Geriatr. 33:417.",
                "doi: 10.5555/ewhf.2021.0417",
            ),
        ),
    ):
        press.line(head, 48, y=y, font=ITALIC, size=7.5)
        for text in texts:
            press.line(text, 48, font=SANS, size=7.5)
        y = press.y + 14
    press.line("Frontline in Geriatrics | www.example.org", 48, y=810, size=7)
    press.line("January 2021 | Volume 33 | Article 417", 400, y=810, size=7)
    press.page()
    press.y = 60
    for name in ("METHODS", "RESULTS"):
        press.heading(name, 48, 11)
        press.prose(BODY * 2, 48, width=490)
    press.line("Frontline in Geriatrics | www.example.org", 48, y=810, size=7)
    press.line("January 2021 | Volume 33 | Article 417", 400, y=810, size=7)
    return Expected(journal="Frontline in Geriatrics", sections=("INTRODUCTION", "METHODS", "RESULTS"))


def chemistry(press: Press) -> Expected:
    """Sub- and superscripts, italics and Greek letters in a title of four lines."""
    press.line("Letters in Catalysis 2021, 33, 417-425", 60, y=36, size=8)
    press.line("doi:10.5555/ewhf.2021.0417", 60, size=8)
    press.y = 70
    press.line("Effect of Pseudomonas putida on the removal", 60, font=BOLD, size=17)
    press.y += 22
    x = 60
    for text, font, size, lift in (
        ("of CO", BOLD, 17, 0),
        ("2", BOLD, 10, -3),
        (" and Fe", BOLD, 17, 0),
        ("3+", BOLD, 10, 6),
        (" from water in vitro", BOLD, 17, 0),
    ):
        press.canvas.setFont(font, size)
        press.canvas.drawString(x, 842 - press.y + lift, text)
        x += press.canvas.stringWidth(text, font, size)
    press.y += 6
    press.marked([("Anna B. Lindqvist", "a"), (", Carlos de la Fuente", "b"), (" and Mei Tanaka", "a")], 60, size=11)
    press.line("a Department of Chemistry, University of Norrby, Norrby, Sweden", 60, size=8)
    press.line("Abstract", 60, y=press.y + 20, font=BOLD, size=11)
    press.prose(ABSTRACT, 60, width=470)
    for name in ("Introduction", "Methods", "Results"):
        press.heading(name)
        press.prose(BODY, 60, width=470, font=SERIF)
    return Expected(
        title="Effect of Pseudomonas putida on the removal of CO2 and Fe3+ from water in vitro",
        journal="Letters in Catalysis",
    )


HOUSES = [bare_abstract, conference, short_letter, correction, capitals, family_first, editors_column, chemistry]
