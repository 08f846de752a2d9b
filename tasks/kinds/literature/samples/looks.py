"""The invented journals' looks: what differs between them, as data.

A look says nothing about a paper; ``fronts.py`` sets its opening, ``typeset.py`` the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor, black
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm


@dataclass(frozen=True)
class Look:
    front: str  # which opening of fronts.py
    page: tuple[float, float] = A4
    columns: int = 2
    gutter: float = 7 * mm
    left: float = 17 * mm
    right: float = 17 * mm
    top: float = 22 * mm
    bottom: float = 19 * mm
    serif: tuple[str, str, str] = ("Times-Roman", "Times-Bold", "Times-Italic")
    display: tuple[str, str, str] = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique")
    size: float = 9.4
    leading: float = 11.5
    indent: float = 9
    accent: Color = black
    tint: Color = HexColor("#f3f4f6")
    title_size: float = 19
    heading_size: float = 11
    numbered: bool = False  # 1. Introduction, 2.1. Design
    capitals: bool = False  # INTRODUCTION
    superscript: bool = False  # citations above the line, not in brackets
    reference: str = "vancouver"
    reference_size: float = 7.9
    hyphens: bool = True
    wrap: str | None = None  # "CJK": break between any two characters


LOOKS = {
    "meridian": Look("boxed", accent=HexColor("#0b5a6f"), tint=HexColor("#e9f2f4"), heading_size=11.2),
    "halden": Look(
        "info",
        display=("Times-Roman", "Times-Bold", "Times-Italic"),
        accent=HexColor("#1f3a5f"),
        title_size=16.5,
        heading_size=10,
        numbered=True,
        reference="bracketed",
        size=9.2,
        leading=11.2,
    ),
    "lumen": Look(
        "lead",
        page=LETTER,
        left=18 * mm,
        right=18 * mm,
        accent=HexColor("#a3262a"),
        title_size=22,
        heading_size=10.5,
        superscript=True,
        size=9.2,
        leading=11.6,
        reference="plain",
    ),
    "quarterly": Look(
        "centred",
        page=LETTER,
        columns=1,
        left=32 * mm,
        right=32 * mm,
        top=27 * mm,
        bottom=25 * mm,
        display=("Times-Roman", "Times-Bold", "Times-Italic"),
        size=10.8,
        leading=14,
        indent=15,
        title_size=17,
        heading_size=12,
        reference_size=9.2,
    ),
    "acta": Look(
        "in_column",
        display=("Times-Roman", "Times-Bold", "Times-Italic"),
        accent=HexColor("#333333"),
        title_size=20,
        heading_size=9.6,
        capitals=True,
        gutter=6 * mm,
        size=9.6,
        leading=11.4,
        reference="bracketed",
    ),
    "cathay": Look(
        "chinese",
        serif=("STSong-Light",) * 3,
        display=("STSong-Light",) * 3,
        size=9.4,
        leading=14,
        indent=18.8,
        title_size=15.2,
        heading_size=11.5,
        numbered=True,
        reference="bracketed",
        reference_size=8,
        accent=HexColor("#7a1f1f"),
        hyphens=False,
        wrap="CJK",
    ),
    "typescript": Look(
        "typed",
        page=LETTER,
        columns=1,
        left=32 * mm,
        right=30 * mm,
        top=28 * mm,
        serif=("Courier", "Courier-Bold", "Courier-Oblique"),
        display=("Courier", "Courier-Bold", "Courier-Oblique"),
        size=10.4,
        leading=14.6,
        indent=30,
        title_size=10.4,
        heading_size=10.4,
        capitals=True,
        reference_size=10,
        hyphens=False,
    ),
}
