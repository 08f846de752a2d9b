"""A record reduced to what is proven: the values whose quote was looked up on its page and stands there."""

from __future__ import annotations

from tasks.kinds.literature.records import PARTS

#: Of the file, not of what it says: they need no quote.
_OF_THE_FILE = {"pages"}


def is_verified(field: dict) -> bool:
    """Whether a field has one value and its quote was found; an ambiguous one is a question, not a value."""
    return bool(field.get("verified")) and field.get("status") != "ambiguous" and field.get("value") is not None


def only_verified(record: dict) -> dict:
    """The record without everything that no verified field stands for.

    Sections and references have no quote of their own, so they go too; file, status and reason stay.
    """
    fields = [field for field in record["fields"] if is_verified(field)]
    proven = {field["name"] for field in fields}
    kept = {
        name: record[name] if name in proven or name in _OF_THE_FILE else default
        for name, default in PARTS.items()
        if name != "fields"
    }
    return {**record, **kept, "fields": fields}
