"""How verdicts change a record: a corrected value replaces the machine's, which stays beside it."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.kinds.literature.fields import JUDGED_PARTS, NAMED
from tasks.kinds.literature.review.models import Act


def latest(paper) -> list:
    """The latest verdict on each value, withdrawals included: the next verdict has to name the one that it replaces."""
    if hasattr(paper, "standing"):  # fetched by outcomes.items_of
        return paper.standing
    return list(paper.verdicts.filter(current=True).select_related("by"))


def standing(paper) -> list:
    """The verdicts that count now, at most one for each value."""
    return [verdict for verdict in latest(paper) if verdict.act != Act.WITHDRAWN]


def signed(row) -> dict:
    """{by, at}: the user name (None when the person is gone) and the time in ISO 8601."""
    return {"by": row.by.get_username() if row.by else None, "at": row.at.isoformat()}


def place(fields: list[dict], name: str, nth: int) -> int | None:
    """The index in ``fields`` of the ``nth`` (from 0) entry of that name; None when there are fewer."""
    places = [number for number, field in enumerate(fields) if field.get("name") == name]
    return places[nth] if nth < len(places) else None


def machine_value(record: dict, name: str, nth: int) -> object:
    """What was read: the part of the record, else the value of the ``nth`` entry; None when nothing was found."""
    if nth == 0 and name in JUDGED_PARTS:
        return record.get(name) or None
    at = place(record["fields"], name, nth)
    return record["fields"][at].get("value") if at is not None else None


def applied(record: dict, verdicts: Iterable) -> dict:
    """A copy of the record with the verdicts applied; the record itself when there are none."""
    verdicts = list(verdicts)
    if not verdicts:
        return record
    record = {**record, "fields": [dict(field) for field in record["fields"]]}
    for verdict in sorted(verdicts, key=lambda one: (one.name, one.nth)):
        _apply(record, verdict)
    return record


def _apply(record: dict, verdict) -> None:
    name, corrected = verdict.name, verdict.act == Act.CORRECTED
    if corrected and verdict.nth == 0 and name in JUDGED_PARTS:
        record[name] = verdict.value if verdict.value is not None else NAMED[name].empty
    at = place(record["fields"], name, verdict.nth)
    if at is None:
        if not corrected and name not in JUDGED_PARTS:
            return  # confirmed once; the paper was read again since, and the value is gone
        at = len(record["fields"])
        record["fields"].append(_field(name, verdict.value))
    field = record["fields"][at]
    field["machine_value"] = verdict.machine_value
    field["review"] = {"act": verdict.act, **signed(verdict)}
    if corrected:
        field["value"] = as_field(name, verdict.value)
        # The quote proves the machine's value, not this one. A person has settled what was ambiguous.
        field.update(status="found", verified=False, confidence=None)
        field.pop("candidates", None)


def as_field(name: str, value: object) -> object:
    """A value in the form that entries of ``fields`` have: authors as full names in the printed order."""
    if name == "authors" and isinstance(value, list):
        return [
            " ".join(filter(None, (one.get("given"), one.get("family")))) if isinstance(one, dict) else one
            for one in value
        ]
    return value


def _field(name: str, value: object) -> dict:
    """The entry of a value that has no place in the paper."""
    return {
        "name": name,
        "value": as_field(name, value),
        "unit": None,
        "page": None,
        "quote": None,
        "box": None,
        "boxes": [],
        "verified": False,
        "confidence": None,
        "status": "found",
    }
