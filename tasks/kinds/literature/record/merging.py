"""One record of what several sources read in the same paper. The rule, and why, is docs/adr/0011.

For each value of a field, in this order; the first difference decides:

    verified    the quote was found on its page
    agreed      more sources say the same (``fields.same``)
    surer       the higher confidence
    preferred   the earlier source in the order given

What lost is kept: the field has ``source`` (which won), ``why`` (the word above; "only" where nobody else said
anything) and ``sources`` (what each of them said). Where sources disagree, the confidence is multiplied by the share of
those that agree, and no longer counts as calibrated. A field of which a paper may have several values is taken from one
source as a whole, since two sources count and order them differently. Parts without a quote (sections, references,
pages) come from the first source that has them.

One source alone is returned as it is: its record has the same form with and without this module.
"""

from __future__ import annotations

from tasks.kinds.literature.fields import FIELDS, NAMED, same

_SAID = ("value", "unit", "page", "quote", "verified", "confidence", "status", "candidates")


def merge(records: dict[str, dict]) -> dict:
    """The record of a paper; ``records`` is {source: its record}, the preferred source first."""
    if len(records) < 2:
        return next(iter(records.values()), {})
    given = {source: _entries(record) for source, record in records.items()}
    leading = next(iter(records.values()))
    merged = {**leading, "fields": []}
    for field in FIELDS:
        if field.is_part:
            merged[field.name] = _first(records, field.name)
    for name in dict.fromkeys(name for entries in given.values() for name in entries):
        said = {source: entries[name] for source, entries in given.items() if name in entries}
        entries, winner = _decided(name, said)
        merged["fields"] += entries
        if name in NAMED and NAMED[name].is_part and entries[0].get("status") != "ambiguous":
            merged[name] = _part(records, winner, name)
    merged["warnings"] = list(dict.fromkeys(word for one in records.values() for word in one.get("warnings") or []))
    # Of the large parts there is one file a source; the pages' sizes belong to the boxes of the source that leads.
    for name in ("artefact", "page_sizes"):
        if name in leading or any(name in one for one in records.values()):
            merged[name] = _first(records, name)
    return merged


def _entries(record: dict) -> dict[str, list[dict]]:
    """{field: its entries} of a record, in order."""
    found: dict[str, list[dict]] = {}
    for entry in record.get("fields") or []:
        found.setdefault(entry.get("name", ""), []).append(entry)
    return found


def _first(records: dict[str, dict], name: str) -> object:
    """The value of the first source that has one, else what the first source has in its place."""
    values = [record.get(name) for record in records.values()]
    return next((value for value in values if value not in (None, "", [])), values[0])


def _part(records: dict[str, dict], winner: str, name: str) -> object:
    """The part as the winner has it (people with given names, say), which its entry tells in words."""
    return records[winner].get(name) or _first(records, name)


def _decided(name: str, said: dict[str, list[dict]]) -> tuple[list[dict], str]:
    """(the entries that stand in the merged record, the source they are from)."""
    told = [{"source": source, **_told(entry)} for source, entries in said.items() for entry in entries]
    several = name in NAMED and NAMED[name].many or any(len(entries) > 1 for entries in said.values())
    if several or len(said) == 1:
        winner = next(iter(said))
        why = "only" if len(said) == 1 else "preferred"
        return [{**entry, "source": winner, "why": why, "sources": told} for entry in said[winner]], winner
    one_each = {source: entries[0] for source, entries in said.items()}
    found = {source: entry for source, entry in one_each.items() if _is_found(entry)} or one_each
    agreeing = {
        source: [
            other for other in found if other == source or same(name, entry.get("value"), found[other].get("value"))
        ]
        for source, entry in found.items()
    }

    def rank(source: str) -> tuple:
        entry = found[source]
        return bool(entry.get("verified")), len(agreeing[source]), entry.get("confidence") or 0.0

    # Sorting keeps the order given where the ranks are equal, so the preferred source stays in front.
    order = sorted(found, key=rank, reverse=True)
    winner = order[0]
    entry = {**found[winner], "source": winner, "why": _why(found, order, rank), "sources": told}
    if len(agreeing[winner]) < len(found) and entry.get("confidence") is not None:
        entry["confidence"] = round(entry["confidence"] * len(agreeing[winner]) / len(found), 2)
        entry["calibrated"] = False
    return [entry], winner


def _why(found: dict[str, dict], order: list[str], rank) -> str:
    """The first thing in which the winner differs from whoever came next with another value."""
    winner = order[0]
    if len(found) == 1:
        return "only"
    other = next((source for source in order[1:] if not _alike(found, winner, source)), None)
    if other is None:
        return "agreed"
    pairs = zip(("verified", "agreed", "surer"), rank(winner), rank(other), strict=True)
    return next((word for word, one, two in pairs if one != two), "preferred")


def _alike(found: dict[str, dict], one: str, other: str) -> bool:
    return same(found[one].get("name", ""), found[one].get("value"), found[other].get("value"))


def _is_found(entry: dict) -> bool:
    return entry.get("status") != "ambiguous" and entry.get("value") not in (None, "", [])


def _told(entry: dict) -> dict:
    return {key: entry[key] for key in _SAID if key in entry}
