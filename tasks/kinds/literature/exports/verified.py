"""A record reduced to what is proven: by a quote that was found on its page, or by a person who judged the value."""

from __future__ import annotations

from tasks.kinds.literature.fields import PARTS

#: A fact about the file, not about what it says, so no quote can prove it.
_OF_THE_FILE = {"pages"}


def is_verified(field: dict) -> bool:
    """Whether an entry of ``fields`` has one value that its quote or a person proves. An ambiguous one has not."""
    vouched = field.get("verified") or field.get("review")
    return bool(vouched) and field.get("status") != "ambiguous" and field.get("value") is not None


def only_verified(record: dict) -> dict:
    """The record without any value that is not verified.

    Sections, references and what a reference list says have no quote in the paper and are left out too. File, status,
    the reason of a failure and people's notes stay.
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
