"""The demo's own papers: invented studies, typeset as journal pages, and the ways a file can be bad.

``build`` writes them all, the same bytes every time. The texts lie in ``papers/``
(``manuscript`` reads them), the journals' looks in ``looks``, the pages are set by
``typeset``, and ``faulty`` makes the scan, the damaged one, the locked one and the copy.

Everything here is fiction. DOIs have the prefix 10.5555, which is kept for examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import faulty
from .body import cite
from .looks import LOOKS
from .manuscript import Manuscript, read
from .typeset import typeset

PAPERS = Path(__file__).parent / "papers"


@dataclass(frozen=True)
class Sample:
    """One file, and how its extraction must end.

    ``outcome`` is "succeeded", "failed" (then ``error_code`` says why) or "duplicate" (then
    ``duplicate_of`` names the other file). ``authors`` are (given, family), ``sections`` the
    headings in order, ``references`` as printed without their numbers.
    """

    name: str
    path: Path
    title: str
    doi: str
    authors: tuple[tuple[str, str], ...]
    year: int
    journal: str
    abstract: str
    sections: tuple[str, ...]
    references: tuple[str, ...]
    outcome: str
    error_code: str = ""
    duplicate_of: str = ""


def build(folder: Path) -> list[Sample]:
    """Write every sample into ``folder`` (made if missing); the good ones first."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    samples = []
    for source in sorted(PAPERS.glob("*.txt")):
        paper = read(source)
        if paper["look"] == "typescript":
            continue  # comes as a scan only
        path = folder / f"{file_stem(paper)}.pdf"
        typeset(paper, path)
        samples.append(_sample(path, paper, "succeeded"))

    def bad(name: str, paper_name: str, outcome: str, error_code: str = "", duplicate_of: str = "") -> Path:
        path = folder / name
        samples.append(_sample(path, read(PAPERS / paper_name), outcome, error_code, duplicate_of))
        return path

    original = next(sample.path for sample in samples if sample.name.startswith("Silva"))
    faulty.scanned(read(PAPERS / "ward_windows.txt"), bad("scan_0041.pdf", "ward_windows.txt", "failed", "no_text"))
    faulty.damaged(read(PAPERS / "raw_milk.txt"), bad("download (2).pdf", "raw_milk.txt", "failed", "damaged"))
    faulty.locked(
        read(PAPERS / "wood_smoke.txt"), bad("preprint_confidential.pdf", "wood_smoke.txt", "failed", "password")
    )
    copied = bad(f"copy of {original.name}", "anaemia_pupils.txt", "duplicate", duplicate_of=original.name)
    copied.write_bytes(original.read_bytes())
    return samples


def file_stem(paper: Manuscript) -> str:
    """The name under which a researcher might keep the paper: family name, year, short title."""
    words = "-".join(paper["short"].lower().replace(",", "").split())
    return f"{paper.authors[0].family} {paper['year']} {words}"


def _sample(path: Path, paper: Manuscript, outcome: str, error_code: str = "", duplicate_of: str = "") -> Sample:
    look = LOOKS[paper["look"]]
    headings = [block.text for block in paper.body if block.kind in ("heading", "subheading")]
    if paper.references:
        headings.append("参考文献" if look.wrap else "References")
    return Sample(
        name=path.name,
        path=path,
        title=paper["title"].replace("*", ""),
        doi=paper["doi"],
        authors=tuple((author.given, author.family) for author in paper.authors),
        year=int(paper["year"]),
        journal=paper["journal"],
        abstract=paper.abstract_text.replace("*", ""),
        sections=tuple(headings),
        references=tuple(cite(entry, look.reference, bool(look.wrap)).replace("*", "") for entry in paper.references),
        outcome=outcome,
        error_code=error_code,
        duplicate_of=duplicate_of,
    )
