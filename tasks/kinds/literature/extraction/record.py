"""The record of a paper as plain JSON: what `extract_file` gives back."""
from .document import open_document
from .paper import Paper


def extract_file(path: str, *, max_pages: int = 2000, max_bytes: int = 200 * 2**20) -> dict:
    """The record of the PDF at `path`.

    Pages count from 1, boxes are in PDF points with the origin at the top left. Raises ExtractionError (see there for the
    codes); a file without text is an error, never an empty record.
    """
    paper = Paper(open_document(path, max_pages, max_bytes))
    return build_record(paper)


def build_record(paper: Paper) -> dict:
    document = paper.document
    record = {
        "title": paper.front.title or None,
        "authors": [{k: p[k] for k in ("family", "given", "affiliations", "email", "orcid")} for p in paper.authors],
        "doi": paper.doi, "pmid": paper.pmid, "pmcid": paper.pmcid, "year": paper.year, "journal": paper.journal,
        **{k: paper.numbers.get(k) for k in ("volume", "issue", "first_page", "last_page")},
        "abstract": paper.abstract or None, "keywords": paper.keywords,
        "sections": [{"title": h.title, "level": h.level, "page": h.page} for h in paper.headings],
        "references": paper.references,
        "captions": [{"kind": c["kind"], "label": c["label"], "text": paper.text_of(c["lines"]), "page": c["lines"][0].page} for c in paper.captions],
        "tables": paper.tables(),
        "pages": len(document.pages), "page_sizes": [[p.width, p.height] for p in document.pages],
        "warnings": document.warnings,
    }
    return record
