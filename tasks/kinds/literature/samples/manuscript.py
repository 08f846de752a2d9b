"""Reads a sample paper's text file into a Manuscript.

title: One line a key; ``author``, ``affiliation`` and ``abstract`` may repeat.
author: Given | Family | 1,2*          (* marks who answers letters)
abstract: Background | ...             (or without a label)
===
# Section        ## Subsection        #* Section without a number
Paragraphs, split by empty lines. *italic*; [3,4] cites references 3 and 4.

::table          a caption, rows of cells split by |, a note
::figure bars    a caption, a kind of chart and its numbers (see figures.py)

# References
Authors | year | title | journal | volume | pages | doi      (one a line)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Author(NamedTuple):
    """A person as printed: given names first. ``marks`` are affiliation numbers and perhaps a star."""

    given: str
    family: str
    marks: str = ""


class Reference(NamedTuple):
    authors: str
    year: str
    title: str
    journal: str
    volume: str
    pages: str
    doi: str = ""


@dataclass
class Block:
    """A piece of the body: kind is heading, subheading, paragraph, table or figure."""

    kind: str
    text: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    rows: list[list[str]] = field(default_factory=list)


@dataclass
class Manuscript:
    head: dict[str, str]
    authors: list[Author]
    affiliations: list[tuple[str, str]]
    abstract: list[tuple[str, str]]  # (label or "", text)
    body: list[Block]
    references: list[Reference]

    def __getitem__(self, key: str) -> str:
        return self.head.get(key, "")

    @property
    def first_page(self) -> int:
        return int(self["pages"].split("–")[0])

    @property
    def abstract_text(self) -> str:
        """The abstract as one line, labels included as printed."""
        return " ".join(f"{label}: {text}" if label else text for label, text in self.abstract)


def read(path: Path) -> Manuscript:
    """Parse one file. ValueError with the line when it is not as described above."""
    text = path.read_text(encoding="utf-8").replace("'", "’")
    head_text, _, body_text = text.partition("\n===\n")
    paper = Manuscript({}, [], [], [], [], [])
    for line in head_text.splitlines():
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            raise ValueError(f"{path.name}: not 'key: value': {line!r}")
        if key == "author":
            paper.authors.append(Author(*_cells(value)))
        elif key == "affiliation":
            number, _, name = value.partition("|")
            paper.affiliations.append((number.strip(), name.strip()))
        elif key == "abstract":
            label, bar, text = value.partition(" | ")
            paper.abstract.append((label, text) if bar else ("", value))
        else:
            paper.head[key] = value
    _read_body(body_text, paper)
    return paper


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def _read_body(text: str, paper: Manuscript) -> None:
    body, _, references = text.partition("\n# References\n")
    for chunk in filter(None, (part.strip() for part in body.split("\n\n"))):
        lines = chunk.splitlines()
        if chunk.startswith("## "):
            paper.body.append(Block("subheading", chunk[3:]))
        elif chunk.startswith("#* "):
            paper.body.append(Block("heading", chunk[3:], {"unnumbered": ""}))
        elif chunk.startswith("# "):
            paper.body.append(Block("heading", chunk[2:]))
        elif chunk.startswith("::"):
            kind, _, variety = lines[0][2:].partition(" ")
            block = Block(kind, fields={"variety": variety})
            for line in lines[1:]:
                key, colon, value = line.partition(": ")
                if colon and key in ("caption", "note", "axis", "series", "range", "number"):
                    block.fields[key] = value
                else:
                    block.rows.append(_cells(line))
            paper.body.append(block)
        else:
            paper.body.append(Block("paragraph", " ".join(lines)))
    paper.references += [Reference(*_cells(line)) for line in references.strip().splitlines() if line.strip()]
