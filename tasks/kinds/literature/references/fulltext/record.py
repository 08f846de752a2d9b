"""An Article into the record of a paper: fields with their quotes, study facts, Markdown."""

from __future__ import annotations

from tasks.kinds.literature.reading.facts import find_facts
from tasks.kinds.literature.reading.language import language
from tasks.kinds.literature.reading.names import part_of
from tasks.kinds.literature.reading.passages import Passage
from tasks.kinds.literature.reading.provenance import normal

from .article import Article

_NUMBERS = ("doi", "pmid", "pmcid", "year", "journal", "volume", "issue", "first_page", "last_page")


class TextProvenance:
    """Looks quotes up in the whole text of a file that has no pages: no boxes, page 1."""

    def __init__(self, text: str):
        self._text = normal(text)

    def field(self, name: str, value, page: int, quote: str, confidence: float, unit: str | None = None) -> dict:
        """A field in the shape of extraction.provenance; ``verified`` when the quote stands in the text."""
        key = normal(quote)
        verified = bool(key) and key in self._text
        return {
            "name": name, "value": value, "unit": unit, "page": 1, "quote": quote, "box": None, "boxes": [],
            "verified": verified, "confidence": confidence if verified else min(confidence, 0.3), "status": "found",
        }  # fmt: skip


def build_record(article: Article, source: str) -> dict:
    """The record; ``source`` is the format, told in the warnings ("read_from_jats")."""
    text = _text(article)
    provenance = TextProvenance(text)
    fields = _bibliography(article, provenance) + find_facts(_passages(article), provenance)
    warnings = [*article.warnings, f"read_from_{source}"]
    if not article.title:
        warnings.append("no_title")
    if any(not one["verified"] for one in fields):
        warnings.append("unverified_fields")
    return {
        "title": article.title or None,
        "authors": article.authors,
        **{name: getattr(article, name) for name in ("doi", "pmid", "pmcid", "year", "journal", "volume", "issue")},
        "first_page": article.first_page, "last_page": article.last_page,
        "abstract": article.abstract or None, "keywords": article.keywords, "licence": article.licence,
        "language": article.language or language(text[:20000]),
        "sections": [{"title": s.title, "level": s.level, "page": 1} for s in article.sections if s.title],
        "references": article.references,
        "captions": [{**one, "page": 1} for one in article.captions],
        "tables": [{**one, "page": 1} for one in article.tables],
        "pages": 1, "page_sizes": [], "markdown": _markdown(article), "page_text": [text],
        "fields": fields, "warnings": warnings,
    }  # fmt: skip


def _bibliography(article: Article, provenance: TextProvenance) -> list[dict]:
    values = {
        "title": article.title, "authors": [f"{p['given']} {p['family']}".strip() for p in article.authors],
        **{n: getattr(article, n) for n in _NUMBERS},
        "abstract": article.abstract, "keywords": article.keywords, "licence": article.licence,
    }  # fmt: skip
    return [
        provenance.field(name, value, 1, ", ".join(value) if isinstance(value, list) else str(value), 0.95)
        for name, value in values.items()
        if value
    ]


def _text(article: Article) -> str:
    """All words of the paper, what its markup says about itself first."""
    where = (article.journal, article.year, article.volume, article.issue, article.first_page, article.last_page)
    lines = [
        article.title,
        ", ".join(f"{p['given']} {p['family']}".strip() for p in article.authors),
        *dict.fromkeys(address for p in article.authors for address in p["affiliations"]),
        "; ".join(str(one) for one in where if one),
        *(one for one in (article.doi, article.pmid, article.pmcid) if one),
        article.abstract,
        ", ".join(article.keywords),
    ]
    for section in article.sections:
        lines += [section.title, *section.paragraphs]
    lines += [f"{one['label']} {one['text']}".strip() for one in article.captions]
    lines += [" | ".join(row) for table in article.tables for row in table["rows"]]
    lines += [article.licence or ""]
    lines += [one["text"] for one in article.references]
    return "\n".join(line for line in lines if line)


def _passages(article: Article) -> list[Passage]:
    found = [Passage(1, "title", article.title)] if article.title else []
    if article.abstract:
        found.append(Passage(1, "abstract", article.abstract))
    above: dict[int, str] = {}
    for section in article.sections:
        part = part_of(section.title) or next((above[n] for n in range(section.level - 1, 0, -1) if n in above), "")
        above = {n: name for n, name in above.items() if n < section.level} | {section.level: part}
        found += [Passage(1, part, text) for text in section.paragraphs]
    return found


def _markdown(article: Article) -> str:
    out = [f"# {article.title}"] if article.title else []
    if article.authors:
        out.append(", ".join(f"{p['given']} {p['family']}".strip() for p in article.authors))
    if article.abstract:
        out.append(f"## Abstract\n\n{article.abstract}")
    if article.keywords:
        out.append(f"**Keywords:** {'; '.join(article.keywords)}")
    for section in article.sections:
        if section.title:
            out.append(f"{'#' * min(section.level + 1, 6)} {section.title}")
        out += section.paragraphs
    for table in article.tables:
        out.append(f"**{table['label']}** {table['caption']}".strip())
        out.append(_grid(table["rows"]))
    out += [f"**{one['label']}** {one['text']}".strip() for one in article.captions if one["kind"] != "table"]
    if article.references:
        out.append(
            "## References\n\n" + "\n".join(f"{n}. {one['text']}" for n, one in enumerate(article.references, 1))
        )
    return "\n\n".join(part for part in out if part).strip() + "\n"


def _grid(rows: list[list[str]]) -> str:
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row + [""] * (width - len(row))) + " |" for row in rows
    ]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])
