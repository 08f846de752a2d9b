"""Front pages set as different publishers set theirs: the same invented paper in each of their looks.

Each function draws one look and names in `Expected` what it prints; the texts are made up and belong to no publisher.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.unit.reading.press import BOLD, ITALIC, LOREM, SERIF, Press

SANS, SANS_BOLD = "Helvetica", "Helvetica-Bold"
TITLE = "Early walking after hip fracture surgery in older adults: a randomised controlled trial"
NAMES = (("Anna B.", "Lindqvist"), ("Carlos", "de la Fuente"), ("Mei", "Tanaka"))
ABSTRACT = (
    "Walking soon after surgery of the hip may shorten the stay in hospital, but few trials have tested it in people "
    "over eighty. We assigned 212 patients to walk on the first or on the third day after surgery in four hospitals. "
    "The median stay was nine days in the early group and twelve days in the late group, and falls were equally rare. "
    "Patients who walked early were more often discharged to their own home. Early walking is safe and shortens the "
    "stay, and hospitals should offer it on the first day."
)
BODY = (
    "Fractures of the hip are frequent in old age and most of them are operated on within two days of the fall. Rest "
    "in "
    "bed was the rule for decades and is still common, although muscles weaken with every day on which they are "
    "unused. "
    "Small studies have suggested that patients who walk early leave hospital sooner and are more often able to live "
    "at "
    "home. None of them was large enough to exclude harm, and people with dementia were left out of nearly all of "
    "them. "
)


@dataclass
class Expected:
    """What the page prints; None where the look prints nothing of the kind."""

    title: str = TITLE
    families: tuple = tuple(family for _, family in NAMES)
    doi: str | None = "10.5555/ewhf.2021.0417"
    year: int | None = 2021
    journal: str | None = None
    abstract: str = ABSTRACT
    sections: tuple = ("Introduction", "Methods", "Results")


def columns(
    press: Press, y: float, blocks: list[tuple[str, str]], size: float = 9.5, left=48.0, right=306.0, width=240.0
):
    """Headings and text in two columns, from y down."""
    top, x = y, left
    press.y = y
    for name, text in blocks:
        if press.y > 690 and x == left:
            x, press.y = right, top
        if name:
            press.y += 8
            press.line(name, x, font=BOLD, size=size + 1.5)
            press.y += 3
        press.prose(text, x, width=width, size=size)
    press.page()


def rest(press: Press, head: str, numbered=False, two=True):
    """A second page: results, references that carry DOIs of their own."""
    press.line(head, y=36, size=8)
    names = ("3. Results", "4. Discussion", "References") if numbered else ("Results", "Discussion", "References")
    refs = [
        "1. Ito K, Berg L. Walking in hospital. Ageing Care. 2015;12:14-9. doi:10.5555/ac.2015.014",
        "2. Novak P. Rest and muscle. Surg Recov. 2012;3:201-8. doi:10.5555/sr.2012.201",
        "3. Owusu D, Lund T. Falls on the ward. Ward Saf. 2018;7:55-61. https://doi.org/10.5555/ws.2018.055",
    ]
    press.y = 56
    for name, text in zip(names, (BODY * 2, BODY * 2, ""), strict=True):
        press.y += 8
        press.line(name, 48, font=BOLD, size=11)
        press.y += 3
        if text:
            press.prose(text, 48, width=500, size=9.5)
    for ref in refs:
        press.prose(ref, 48, width=500, size=8.5, hang=12)


def society_two_columns(press: Press) -> Expected:
    """A box with the history beside the abstract, the host's line above the name of the journal."""
    press.line("Contents lists available at HostDirect", 220, y=44, font=SANS, size=8)
    press.line("Injury and Ageing Research", 190, y=72, font=SERIF, size=17)
    press.line("journal homepage: www.example.org/locate/iar", 210, y=90, font=SANS, size=8)
    press.line("Injury and Ageing Research 33 (2021) 417-425", 210, y=30, font=SANS, size=8)
    press.y = 120
    press.line("Full length article", 48, font=SANS, size=9)
    press.prose(TITLE, 48, width=480, size=17)
    press.y += 6
    press.marked([("Anna B. Lindqvist", "a,*"), (", Carlos de la Fuente", "b"), (", Mei Tanaka", "a,c")], 48, size=12)
    press.marked([("", "a "), ("Department of Orthopaedics, University of Norrby, Norrby, Sweden", "")], 48, ITALIC, 8)
    press.marked([("", "b "), ("Hospital General del Sur, Sevilla, Spain", "")], 48, ITALIC, 8)
    press.marked([("", "c "), ("Institute of Gerontology, Sakura University, Tokyo, Japan", "")], 48, ITALIC, 8)
    y = press.y + 20
    press.line("A R T I C L E   I N F O", 48, y=y, font=SANS, size=8)
    for text in (
        "Article history:",
        "Received 2 June 2020",
        "Accepted 5 January 2021",
        "",
        "Keywords:",
        "Hip fracture",
        "Early walking",
        "Older adults",
    ):
        press.line(text, 48, font=ITALIC if text.endswith(":") else SERIF, size=8)
    press.line("A B S T R A C T", 200, y=y, font=SANS, size=8)
    press.prose(ABSTRACT, 200, y=y + 12, width=345, size=8.5)
    columns(press, press.y + 24, [("1. Introduction", BODY * 2), ("2. Methods", BODY * 2), ("", BODY)])
    press.line("* Corresponding author. E-mail address: a.lindqvist@norrby.example", 48, y=740, size=7.5)
    rest(press, "A.B. Lindqvist et al.   Injury and Ageing Research 33 (2021) 417-425", numbered=True)
    return Expected(
        journal="Injury and Ageing Research", doi=None, sections=("1. Introduction", "2. Methods", "3. Results")
    )


def open_access_boxed(press: Press) -> Expected:
    """A running citation with the DOI above, RESEARCH and Open Access, a structured abstract in a frame."""
    press.line("Lindqvist et al. Nordic Journal of Surgery and Ageing (2021) 21:417", 48, y=36, font=SANS, size=8)
    press.line("https://doi.org/10.5555/ewhf.2021.0417", 48, font=SANS, size=8)
    press.line("Nordic Journal of", 430, y=36, font=SANS_BOLD, size=11)
    press.line("Surgery and Ageing", 430, font=SANS_BOLD, size=11)
    press.line("RESEARCH", 54, y=76, font=SANS_BOLD, size=9)
    press.line("Open Access", 480, y=76, font=SANS_BOLD, size=9)
    press.prose(TITLE, 48, y=92, width=480, font=SANS_BOLD, size=19)
    press.y += 4
    press.marked(
        [("Anna B. Lindqvist", "1*†"), (", Carlos de la Fuente", "2†"), (" and Mei Tanaka", "1,3")], 48, SANS, 11
    )
    press.heading("Abstract", 57, 12)
    cuts = ABSTRACT.split(". ")
    for label, text in (
        ("Background: ", cuts[0] + "."),
        ("Methods: ", cuts[1] + "."),
        ("Results: ", ". ".join(cuts[2:4]) + "."),
        ("Conclusions: ", cuts[4]),
    ):
        press.prose(label + text, 57, width=480, size=9.5)
        press.y += 3
    press.prose("Trial registration: ISRCTN90417001. Registered 3 May 2018.", 57, width=480, size=9.5)
    press.line("Keywords: Hip fracture, Early walking, Older adults", 57, size=9)
    y = press.y + 30
    press.line("*Correspondence: a.lindqvist@norrby.example", 48, y=770, size=8)
    press.line("1 Department of Orthopaedics, University of Norrby, Norrby, Sweden", 48, size=8)
    press.line(
        "© The Author(s) 2021. Open Access This article is distributed under a Creative Commons Attribution 4.0 "
        "licence.",
        48,
        size=8,
    )
    columns(press, y, [("Background", BODY * 2), ("Methods", BODY * 2), ("", BODY)], width=236)
    rest(press, "Lindqvist et al. Nordic Journal of Surgery and Ageing (2021) 21:417   Page 2 of 8")
    return Expected(
        journal="Nordic Journal of Surgery and Ageing",
        sections=("Background", "Methods", "Results"),
        abstract=f"Background: {cuts[0]}. Methods: {cuts[1]}. Results: {'. '.join(cuts[2:4])}. Conclusions: {cuts[4]}",
    )


def side_bar(press: Press) -> Expected:
    """A narrow left column with citation, licence and dates; numbered headings; marks on the line."""
    press.line("Article", 170, y=70, font=ITALIC, size=10)
    press.prose(TITLE, 170, y=84, width=370, font=BOLD, size=17)
    press.y += 4
    press.marked(
        [("Anna B. Lindqvist", "1,*"), (" , Carlos de la Fuente", "2"), (" and Mei Tanaka", "1,3")], 170, BOLD, 10
    )
    y0 = press.y
    press.marked(
        [("", "1 "), ("Department of Orthopaedics, University of Norrby, 90187 Norrby, Sweden", "")], 170, size=8
    )
    press.marked([("", "2 "), ("Hospital General del Sur, 41013 Sevilla, Spain; cdlf@hgs.example", "")], 170, size=8)
    press.marked([("", "3 "), ("Institute of Gerontology, Sakura University, Tokyo 113, Japan", "")], 170, size=8)
    press.line("* Correspondence: a.lindqvist@norrby.example; Tel.: +46-90-000", 170, size=8)
    press.y += 10
    press.prose("Abstract: " + ABSTRACT, 170, width=375, size=9.5)
    press.y += 8
    press.prose("Keywords: hip fracture; early walking; older adults", 170, width=375, size=9.5)
    y1 = press.y + 24
    press.prose(
        "Citation: Lindqvist, A.B.; de la Fuente, C.; Tanaka, M. Early Walking after Hip Fracture Surgery in Older "
        "Adults: A Randomised Controlled Trial. Geriatric Surgery 2021, 10, 417. "
        "https://doi.org/10.5555/ewhf.2021.0417",
        48,
        y=y0 + 90,
        width=110,
        size=7,
    )
    press.y += 8
    for text in (
        "Academic Editor: Piet Jansen",
        "Received: 2 June 2020",
        "Accepted: 5 January 2021",
        "Published: 19 January 2021",
    ):
        press.line(text, 48, size=7)
    press.y += 8
    press.prose(
        "Copyright: © 2021 by the authors. Submitted for open access publication under the terms of the Creative "
        "Commons Attribution (CC BY) license.",
        48,
        width=110,
        size=7,
    )
    press.line("1. Introduction", 170, y=y1, font=BOLD, size=10.5)
    press.prose(BODY * 2, 170, width=375)
    press.line("Geriatric Surgery 2021, 10, 417. https://doi.org/10.5555/ewhf.2021.0417", 48, y=810, size=7.5)
    press.page()
    press.line("Geriatric Surgery 2021, 10, 417", 48, y=36, size=8)
    press.line("2 of 14", 520, y=36, size=8)
    press.y = 60
    press.line("2. Methods", 170, font=BOLD, size=10.5)
    press.prose(BODY * 2, 170, width=375)
    press.line("3. Results", 170, font=BOLD, size=10.5)
    press.prose(BODY * 2, 170, width=375)
    return Expected(journal="Geriatric Surgery", sections=("1. Introduction", "2. Methods", "3. Results"))


def cover_sheet(press: Press) -> Expected:
    """A host's cover sheet before the paper, with buttons and a notice of terms."""
    press.line("Scandinavian Review of Geriatric Medicine", 60, y=60, font=BOLD, size=14)
    press.line(
        "ISSN: 0000-0000 (Print) 0000-0001 (Online) Journal homepage: https://www.example.org/loi/srgm", 60, size=9
    )
    press.prose(TITLE, 60, y=150, width=450, font=BOLD, size=16)
    press.line("Anna B. Lindqvist, Carlos de la Fuente & Mei Tanaka", 60, y=220, size=12)
    press.prose(
        "To cite this article: Anna B. Lindqvist, Carlos de la Fuente & Mei Tanaka (2021) Early walking after hip "
        "fracture surgery in older adults: a randomised controlled trial, Scandinavian Review of Geriatric "
        "Medicine, 33:4, 417-425, DOI: 10.5555/ewhf.2021.0417",
        60,
        y=250,
        width=450,
    )
    press.line("To link to this article: https://doi.org/10.5555/ewhf.2021.0417", 60, y=310)
    for n, text in enumerate(
        (
            "Published online: 19 Jan 2021.",
            "Submit your article to this journal",
            "Article views: 417",
            "View related articles",
            "View Crossmark data",
        )
    ):
        press.line(text, 110, y=380 + 34 * n, size=10)
    press.line(
        "Full Terms & Conditions of access and use can be found at https://www.example.org/terms", 60, y=780, size=8
    )
    press.page()
    press.line("SCANDINAVIAN REVIEW OF GERIATRIC MEDICINE, 2021", 48, y=40, size=8)
    press.line("VOL. 33, NO. 4, 417-425", 48, size=8)
    press.line("https://doi.org/10.5555/ewhf.2021.0417", 48, size=8)
    press.prose(TITLE, 48, y=100, width=480, font=BOLD, size=17)
    press.y += 4
    press.marked([("Anna B. Lindqvist", "a"), (", Carlos de la Fuente", "b"), (" and Mei Tanaka", "a,c")], 48, size=11)
    press.marked(
        [
            ("", "a"),
            ("Department of Orthopaedics, University of Norrby, Norrby, Sweden; ", ""),
            ("", "b"),
            ("Hospital General del Sur, Sevilla, Spain;", ""),
        ],
        48,
        size=8,
    )
    press.line("ABSTRACT", 48, y=press.y + 24, font=BOLD, size=9)
    press.prose(ABSTRACT, 48, width=340, size=9)
    y = press.y + 30
    press.line("ARTICLE HISTORY", 410, y=y - 120, font=BOLD, size=8)
    press.line("Received 2 June 2020", 410, size=8)
    press.line("Accepted 5 January 2021", 410, size=8)
    press.line("KEYWORDS", 410, font=BOLD, size=8)
    press.line("Hip fracture; early walking;", 410, size=8)
    press.line("older adults", 410, size=8)
    columns(press, y, [("Introduction", BODY * 2), ("Methods", BODY * 2), ("", BODY)])
    rest(press, "418   A. B. LINDQVIST ET AL.")
    return Expected(journal="Scandinavian Review of Geriatric Medicine")


def preprint(press: Press) -> Expected:
    """A server's notice at the head of each page, the lines numbered, no columns."""

    def notice():
        press.line(
            "medArchive preprint doi: https://doi.org/10.5555/ewhf.2021.0417; this version posted January 19, 2021. "
            "The "
            "copyright holder for this",
            60,
            y=20,
            font=SANS,
            size=7,
        )
        press.line(
            "preprint (which was not certified by peer review) is the author/funder. It is made available under a "
            "CC-BY "
            "4.0 International license.",
            60,
            font=SANS,
            size=7,
        )

    notice()
    count = 0

    def numbered(text, font=SERIF, size=11.0):
        nonlocal count
        before = press.y
        press.prose(text, 72, width=460, font=font, size=size)
        y = before
        while y + 1.24 * size <= press.y + 0.1:
            y += 1.25 * size
            count += 1
            press.canvas.setFont(SANS, 8)
            press.canvas.drawString(46, 842 - y, str(count))

    press.y = 60
    numbered(TITLE, BOLD, 16)
    press.y += 10
    numbered("Anna B. Lindqvist1, Carlos de la Fuente2, Mei Tanaka1,3", SERIF, 12)
    numbered("1 Department of Orthopaedics, University of Norrby, Norrby, Sweden")
    numbered("2 Hospital General del Sur, Sevilla, Spain")
    numbered("3 Institute of Gerontology, Sakura University, Tokyo, Japan")
    press.y += 14
    numbered("Abstract", BOLD, 13)
    numbered(ABSTRACT)
    press.page()
    notice()
    press.y = 60
    for name in ("Introduction", "Methods", "Results"):
        numbered(name, BOLD, 13)
        numbered(BODY)
        press.y += 10
    press.page()
    notice()
    press.y = 60
    numbered(LOREM * 2)
    return Expected(journal=None)


HOUSES = [society_two_columns, open_access_boxed, side_bar, cover_sheet, preprint]
