"""The record of a paper as plain JSON: what `extract_file` gives back."""

import gc

from .bibliography import bibliographic_fields, find_licence
from .calibration import calibrate
from .captions import table_cells
from .document import open_document
from .facts import find_facts
from .language import language
from .markdown import page_text, whole
from .notices import find_notice
from .paper import Paper
from .passages import passages
from .place import find_country
from .provenance import Provenance


def extract_file(path: str, *, max_pages: int = 2000, max_bytes: int = 200 * 2**20) -> dict:
    """The record of the PDF at `path`.

    Pages count from 1, boxes are in PDF points with the origin at the top left. Raises ExtractionError (see there
    for the codes); a file without text is an error, never an empty record.
    """
    collecting = gc.isenabled()
    gc.disable()  # hundreds of thousands of words and not one cycle: the collector would walk them again and again
    try:
        return build_record(Paper(open_document(path, max_pages, max_bytes)))
    finally:
        if collecting:
            gc.enable()


def build_record(paper: Paper) -> dict:
    """The record of a paper already read."""
    document = paper.document
    texts = [page_text(paper, n) for n in range(1, len(paper.pages) + 1)]
    provenance = Provenance(paper.pages, [(p.turn, p.width, p.height) for p in document.pages])
    ends = " ".join([*texts[: paper.front.page + 1], *texts[-2:]])
    licence, words = find_licence(f"{ends} {paper.edges}")
    prose = passages(paper)
    facts = find_facts(prose, provenance)
    design = next((f["value"] for f in facts if f["name"] == "design"), None)
    fields = bibliographic_fields(paper, provenance, licence, words) + facts
    fields += find_country(prose, provenance, design)
    fields += find_notice(prose, paper.pages, provenance)
    calibrate(fields)
    return {
        "title": paper.front.title or None,
        "authors": [{k: p[k] for k in ("family", "given", "affiliations", "email", "orcid")} for p in paper.authors],
        "doi": paper.doi,
        "pmid": paper.pmid,
        "pmcid": paper.pmcid,
        "year": paper.year,
        "journal": paper.journal,
        **{k: paper.numbers.get(k) for k in ("volume", "issue", "first_page", "last_page")},
        "abstract": paper.abstract or None,
        "keywords": paper.keywords,
        "licence": licence,
        "language": language(" ".join(texts[:4])[:20000]),
        "sections": [{"title": h.title, "level": h.level, "page": h.page} for h in paper.headings],
        "references": paper.references,
        "captions": [
            {"kind": c["kind"], "label": c["label"], "text": paper.text_of(c["lines"]), "page": c["lines"][0].page}
            for c in paper.captions
        ],
        "tables": [
            {
                "label": c["label"],
                "caption": paper.text_of(c["lines"]),
                "page": c["lines"][0].page,
                "rows": table_cells(c["rows"]),
            }
            for c in paper.captions
            if c["kind"] == "table"
        ],
        "pages": len(document.pages),
        "page_sizes": [[round(p.width, 2), round(p.height, 2)] for p in document.pages],
        "markdown": whole(paper),
        "page_text": texts,
        "fields": fields,
        "warnings": warnings(paper, fields),
    }


def warnings(paper: Paper, fields: list[dict]) -> list[str]:
    """Codes of what a person should know: ambiguous_doi, no_title, cover_page, few_words, ..."""
    found = list(paper.document.warnings)
    if paper.doi_votes and not paper.doi:
        found.append("ambiguous_doi")
    if not paper.front.title:
        found.append("no_title")
    if paper.front.page:
        found.append("cover_page")
    if sum(len(k.text) for lines in paper.pages for k in lines) < 200:
        found.append("few_words")
    found += [f["value"].replace(" ", "_") for f in fields if f["name"] == "notice"]
    if any(not f["verified"] for f in fields):
        found.append("unverified_fields")
    return found
