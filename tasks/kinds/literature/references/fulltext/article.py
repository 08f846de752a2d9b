"""A paper as its markup gives it, before it becomes a record."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Section:
    """A heading with the paragraphs right below it; ``level`` 1 is outermost; an empty title stands for none."""

    title: str
    level: int = 1
    paragraphs: list[str] = field(default_factory=list)


@dataclass
class Article:
    """``authors`` are {family, given, affiliations, email, orcid}; ``references`` {text, doi, year, title, authors,
    journal}; ``captions`` {kind, label, text}; ``tables`` {label, caption, rows}.
    """

    title: str = ""
    authors: list[dict] = field(default_factory=list)
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None
    abstract: str = ""
    keywords: list[str] = field(default_factory=list)
    licence: str | None = None
    language: str | None = None
    sections: list[Section] = field(default_factory=list)
    references: list[dict] = field(default_factory=list)
    captions: list[dict] = field(default_factory=list)
    tables: list[dict] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def says_something(self) -> bool:
        """A title alone is not a paper, and neither is a page that says "please sign in"."""
        words = sum(len(p) for s in self.sections for p in s.paragraphs) + len(self.abstract)
        return words >= 40 or bool(self.title and (self.doi or self.references))


def author(family: str, given: str = "", affiliations=(), email: str | None = None, orcid: str | None = None) -> dict:
    """One author in the shape of the record."""
    return {
        "family": family,
        "given": given,
        "affiliations": list(affiliations),
        "email": email or None,
        "orcid": orcid or None,
    }


def reference(text: str, *, title=None, authors=(), journal=None, year=None, doi=None) -> dict:
    """One reference in the shape of the record."""
    return {"text": text, "doi": doi, "year": year, "title": title, "authors": list(authors), "journal": journal}
