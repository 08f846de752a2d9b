"""What verdicts do to a record: a corrected value takes the place of the machine's, which stays beside it."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.kinds.literature.review.models import Act

#: Of a record itself, beside its ``fields``, these may be corrected.
PARTS = (
    "title", "authors", "year", "journal", "volume", "issue", "first_page", "last_page", "doi", "pmid", "pmcid",
    "abstract", "keywords", "language", "licence",
)  # fmt: skip
_EMPTY = {"authors": [], "keywords": []}


def latest(paper) -> list:
    """The latest verdict on each value, one that took another back included: whoever judges next has to know of it."""
    if hasattr(paper, "standing"):  # fetched by outcomes.items_of
        return paper.standing
    return list(paper.verdicts.filter(current=True).select_related("by"))


def standing(paper) -> list:
    """The verdicts that count now, each of its own value."""
    return [verdict for verdict in latest(paper) if verdict.act != Act.WITHDRAWN]


def signed(row) -> dict:
    """Who did it and when, as exports say it."""
    return {"by": row.by.get_username() if row.by else None, "at": row.at.isoformat()}


def place(fields: list[dict], name: str, nth: int) -> int | None:
    """Where the ``nth`` field of that name stands in a record's ``fields``."""
    places = [number for number, field in enumerate(fields) if field.get("name") == name]
    return places[nth] if nth < len(places) else None


def machine_value(record: dict, name: str, nth: int) -> object:
    """What the machine says: the field's value, else the record's own part; None when it found nothing."""
    if nth == 0 and name in PARTS:
        return record.get(name) or None
    at = place(record["fields"], name, nth)
    return record["fields"][at].get("value") if at is not None else None


def applied(record: dict, verdicts: Iterable) -> dict:
    """A copy of the record in which the verdicts count."""
    verdicts = list(verdicts)
    if not verdicts:
        return record
    record = {**record, "fields": [dict(field) for field in record["fields"]]}
    for verdict in sorted(verdicts, key=lambda one: (one.name, one.nth)):
        _apply(record, verdict)
    return record


def _apply(record: dict, verdict) -> None:
    name, corrected = verdict.name, verdict.act == Act.CORRECTED
    if corrected and verdict.nth == 0 and name in PARTS:
        record[name] = verdict.value if verdict.value is not None else _EMPTY.get(name)
    at = place(record["fields"], name, verdict.nth)
    if at is None:
        if not corrected and name not in PARTS:
            return  # confirmed, and then the paper was read anew without it
        at = len(record["fields"])
        record["fields"].append(_field(name, verdict.value))
    field = record["fields"][at]
    field["machine_value"] = verdict.machine_value
    field["review"] = {"act": verdict.act, **signed(verdict)}
    if corrected:
        field["value"] = as_field(name, verdict.value)
        # The quote speaks for the machine's value; the status "ambiguous" has been answered.
        field.update(status="found", verified=False, confidence=None)
        field.pop("candidates", None)


def as_field(name: str, value: object) -> object:
    """A value in the form that fields have: authors as names in the printed order."""
    if name == "authors" and isinstance(value, list):
        return [
            " ".join(filter(None, (one.get("given"), one.get("family")))) if isinstance(one, dict) else one
            for one in value
        ]
    return value


def _field(name: str, value: object) -> dict:
    return {
        "name": name, "value": as_field(name, value), "unit": None, "page": None, "quote": None, "box": None,
        "boxes": [], "verified": False, "confidence": None, "status": "found",
    }  # fmt: skip
