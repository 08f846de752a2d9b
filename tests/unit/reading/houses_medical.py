"""Front pages of manuscripts in an archive, of journals in two languages, of medical weeklies."""

from __future__ import annotations

from tests.unit.reading.houses import ABSTRACT, BODY, SANS, SANS_BOLD, TITLE, Expected, columns, rest
from tests.unit.reading.press import BOLD, ITALIC, Press


def author_manuscript(press: Press) -> Expected:
    """An agency's manuscript: its name above, the journal's citation below it, "Author manuscript" in the margin."""
    press.line("PHS Public Access", 90, y=40, font=SANS_BOLD, size=18)
    press.line("Author manuscript", 90, font=SANS, size=11)
    press.line("J Geriatr Surg. Author manuscript; available in PMC 2022 January 19.", 90, font=ITALIC, size=9)
    press.y += 8
    press.line("Published in final edited form as:", 90, size=9)
    press.line("J Geriatr Surg. 2021 January ; 33(4): 417-425. doi:10.5555/ewhf.2021.0417.", 90, font=ITALIC, size=9)
    press.y += 10
    press.prose(TITLE, 90, width=440, font=SANS_BOLD, size=16)
    press.y += 4
    press.marked(
        [("Anna B. Lindqvist, MD, PhD", "1"), (", Carlos de la Fuente, MPH", "2"), (", and Mei Tanaka, PhD", "1,3")],
        90,
        BOLD,
        11,
    )
    press.line("1Department of Orthopaedics, University of Norrby, Norrby, Sweden", 90, size=9)
    press.line("2Hospital General del Sur, Sevilla, Spain", 90, size=9)
    press.line("3Institute of Gerontology, Sakura University, Tokyo, Japan", 90, size=9)
    press.heading("Abstract", 90, 13)
    press.prose(ABSTRACT, 105, width=420)
    press.heading("Keywords", 90, 11)
    press.line("hip fracture; early walking; older adults", 105)
    press.heading("Introduction", 90, 13)
    press.prose(BODY, 90, width=440)
    press.page()
    press.line("Lindqvist et al.", 90, y=36, size=9)
    press.line("Page 2", 500, y=36, size=9)
    press.y = 60
    for name in ("Methods", "Results"):
        press.heading(name, 90, 13)
        press.prose(BODY * 2, 90, width=440)
    press.line("J Geriatr Surg. Author manuscript; available in PMC 2022 January 19.", 200, y=820, size=8)
    return Expected(journal="J Geriatr Surg")


def two_languages(press: Press) -> Expected:
    """A journal of two languages: the title in both, an abstract in each, ORCID icons beside the names."""
    press.line("Revista de Salud del Anciano 2021;33:e417", 60, y=36, size=8)
    press.line("https://doi.org/10.5555/ewhf.2021.0417", 60, size=8)
    press.line("Original Article", 430, y=36, font=BOLD, size=10)
    press.prose(TITLE, 60, y=80, width=470, font=BOLD, size=16)
    press.y += 6
    press.prose(
        "Marcha precoz tras la cirugía de la fractura de cadera en personas mayores: ensayo aleatorizado",
        60,
        width=470,
        font=ITALIC,
        size=12,
    )
    press.y += 6
    press.marked(
        [("Anna B. Lindqvist", "I"), (" iD , Carlos de la Fuente", "II"), (" iD , Mei Tanaka", "I,III"), (" iD", "")],
        60,
        size=11,
    )
    press.marked([("", "I"), (" University of Norrby. Department of Orthopaedics. Norrby, Sweden", "")], 60, size=8)
    press.marked([("", "II"), (" Hospital General del Sur. Sevilla, Spain", "")], 60, size=8)
    press.line("ABSTRACT", 60, y=press.y + 20, font=BOLD, size=10)
    press.prose(ABSTRACT, 60, width=470, size=9)
    press.line("DESCRIPTORS: Hip Fractures. Walking. Aged.", 60, size=9)
    press.line("RESUMEN", 60, y=press.y + 20, font=BOLD, size=10)
    press.prose(
        "Caminar pronto después de la cirugía de la cadera puede acortar la estancia en el hospital, pero pocos "
        "ensayos lo han estudiado en mayores de ochenta años. Asignamos a 212 pacientes a caminar el primer o el "
        "tercer día. La estancia fue más corta en el grupo precoz y las caídas fueron raras.",
        60,
        width=470,
        size=9,
    )
    press.page()
    press.y = 60
    for name in ("INTRODUCTION", "METHODS", "RESULTS"):
        press.heading(name, 60, 11)
        press.prose(BODY * 2, 60, width=470)
    return Expected(journal="Revista de Salud del Anciano", sections=("INTRODUCTION", "METHODS", "RESULTS"))


def key_points(press: Press) -> Expected:
    """A medical weekly: names with degrees after semicolons, a box of key points beside the abstract."""
    press.line("Original Investigation | Geriatrics", 48, y=50, font=SANS, size=9)
    press.prose(TITLE, 48, y=64, width=490, font=SANS_BOLD, size=18)
    press.y += 4
    press.line("Anna B. Lindqvist, MD, PhD; Carlos de la Fuente, MPH; Mei Tanaka, MSc, PhD", 48, font=SANS, size=9.5)
    y = press.y + 24
    press.line("Key Points", 410, y=y, font=SANS_BOLD, size=10)
    press.prose(
        "Question Is walking on the first day after surgery of the hip safe? Findings In this randomised trial of 212 "
        "patients the stay was three days shorter. Meaning Hospitals should offer early walking.",
        410,
        width=130,
        size=8,
    )
    press.line("Abstract", 48, y=y, font=SANS_BOLD, size=12)
    press.prose(ABSTRACT, 48, width=345, size=9)
    press.line(
        "Weekly Review of Geriatrics. 2021;33(4):417-425. doi:10.5555/ewhf.2021.0417",
        48,
        y=press.y + 16,
        font=ITALIC,
        size=8,
    )
    columns(press, press.y + 30, [("", BODY), ("Methods", BODY * 2), ("", BODY)])
    rest(press, "Weekly Review of Geriatrics | Original Investigation   Early Walking After Hip Fracture Surgery")
    return Expected(journal="Weekly Review of Geriatrics", sections=("Methods", "Results"))


HOUSES = [author_manuscript, two_languages, key_points]
