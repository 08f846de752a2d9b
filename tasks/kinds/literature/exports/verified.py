"""A record reduced to what is proven: by its quote, found on its page, or by a person who judged the value."""

from __future__ import annotations

from tasks.kinds.literature.record import PARTS

#: Of the file, not of what it says: they need no quote.
_OF_THE_FILE = {"pages"}


def is_verified(field: dict) -> bool:
    """Whether a field has one value that its quote or a person vouches for; an ambiguous one is a question."""
    vouched = field.get("verified") or field.get("review")
    return bool(vouched) and field.get("status") != "ambiguous" and field.get("value") is not None


def only_verified(record: dict) -> dict:
    """The record without everything that no verified field stands for.

    Sections, references and what a reference list says have no quote in the paper, so they go too; file, status,
    reason and people's notes stay.
    """
    fields = [field for field in record["fields"] if is_verified(field)]
    proven = {field["name"] for field in fields}
    kept = {
        name: record[name] if name in proven or name in _OF_THE_FILE else default
        for name, default in PARTS.items()
        if name != "fields"
    }
    beside = {"listed": None} if "listed" in record else {}
    return {**record, **kept, **beside, "fields": fields}
