"""What the page of one paper shows: fields with their evidence, sections, references, and which page is open."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tasks.kinds.literature import archive, records
from tasks.kinds.literature.exports.table import as_text
from tasks.kinds.literature.models import Paper

#: Words of the fields that extraction knows; another is shown by its own name.
NAMES = {
    "title": _("Title"), "authors": _("Authors"), "doi": "DOI", "pmid": "PMID", "pmcid": "PMCID", "year": _("Year"),
    "journal": _("Journal"), "volume": _("Volume"), "issue": _("Issue"), "first_page": _("First page"),
    "last_page": _("Last page"), "abstract": _("Abstract"), "keywords": _("Keywords"), "licence": _("Licence"),
    "language": _("Language"), "design": _("Design"), "sample_size": _("Sample size"), "groups": _("Groups"),
    "country": _("Country"), "setting": _("Setting"), "period": _("Period"), "registration": _("Registration"),
    "ethics": _("Ethics"), "funding": _("Funding"), "conflicts": _("Conflicts of interest"),
    "primary_outcome": _("Primary outcome"), "p_values": _("p-values"), "effect_sizes": _("Effect sizes"),
    "data_availability": _("Data availability"),
}  # fmt: skip


def _field(number: int, field: dict) -> dict:
    value = field.get("value")
    if field.get("name") == "authors" and isinstance(value, list):
        value = [" ".join(filter(None, (a.get("given"), a.get("family")))) if isinstance(a, dict) else a for a in value]
    candidates = field.get("candidates") or []
    return {
        "number": number,
        "name": field.get("name", ""),
        "words": NAMES.get(field.get("name", ""), field.get("name", "").replace("_", " ")),
        "value": as_text(value),
        "unit": field.get("unit") or "",
        "page": field.get("page"),
        "quote": field.get("quote") or "",
        "box": field.get("box"),
        "boxes": field.get("boxes") or ([field["box"]] if field.get("box") else []),
        "verified": bool(field.get("verified")),
        "ambiguous": field.get("status") == "ambiguous",
        "candidates": [as_text(c.get("value") if isinstance(c, dict) else c) for c in candidates],
        "confidence": field.get("confidence"),
    }


def _opened(fields: list[dict], record: dict, query) -> dict:
    """The page to show: that of ``field=N`` with its boxes, else ``page=N``, else the first."""
    chosen = query.get("field", "")
    field = next((f for f in fields if str(f["number"]) == chosen and f["page"]), None)
    sizes, pages = record.get("page_sizes") or [], record.get("pages") or 0
    number = field["page"] if field else int(query["page"]) if query.get("page", "").isdecimal() else 1
    number = max(1, min(number, pages or 1))
    width, height = sizes[number - 1] if number <= len(sizes) else (612, 792)
    boxes = [
        {"x": x0 - 2, "y": y0 - 2, "width": max(x1 - x0, 1) + 4, "height": max(y1 - y0, 1) + 4}
        for x0, y0, x1, y1 in (field["boxes"] if field else [])
    ]
    return {
        "number": number, "pages": pages, "width": width, "height": height, "boxes": boxes, "field": field,
        "before": number - 1 if number > 1 else None, "after": number + 1 if number < pages else None,
    }  # fmt: skip


def _large(record: dict) -> dict:
    """Tables and captions, which the archive keeps; empty if the file is gone (the rest of the page stands)."""
    if not record.get("artefact"):
        return {}
    try:
        return archive.read_json(record["artefact"])
    except FileNotFoundError:
        return {}


def of(paper: Paper, query) -> dict:
    """The context of the page: ``record`` is None until the paper has been read."""
    code, error = records.error_of(paper)
    found = records.parsed(paper)
    if not found:
        return {"record": None, "code": code, "error": error}
    fields = [_field(number, field) for number, field in enumerate(found.get("fields") or [])]
    large = _large(found)
    return {
        "record": found,
        "authors": [" ".join(filter(None, (a.get("given"), a.get("family")))) for a in found.get("authors") or []],
        "fields": fields,
        "verified": sum(field["verified"] for field in fields),
        "opened": _opened(fields, found, query),
        "tables": large.get("tables") or [],
        "captions": large.get("captions") or [],
        "code": code,
        "error": error,
    }
