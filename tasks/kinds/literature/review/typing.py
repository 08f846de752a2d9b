"""A value as a reviewer types it, into the form that the record has; and back, for the form."""

from __future__ import annotations

import re

from tasks.errors import Refused
from tasks.kinds.literature.references.values import doi_of, pmcid_of, pmid_of

_WHOLE = {"year", "sample_size", "groups"}
_LONGEST = 20_000


def typed(name: str, text: str, machine: object = None) -> object:
    """The value of a text; None when it is empty. Raises Refused: bad_number, bad_doi, bad_pmid, bad_value."""
    text = text.replace("\x00", "").replace("\r\n", "\n").strip()
    if len(text) > _LONGEST:
        raise Refused("bad_value", longest=_LONGEST)
    if not text:
        return None
    if name == "authors":
        return [_author(part) for part in text.split(";") if part.strip()]
    if name == "keywords" or isinstance(machine, list):
        return [part.strip() for part in text.split(";") if part.strip()]
    if name in ("doi", "pmid", "pmcid"):
        return _number_of_paper(name, text)
    if name in _WHOLE:
        return _whole(text)
    if isinstance(machine, int | float) and not isinstance(machine, bool) and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return " ".join(text.split()) if name != "abstract" else text


def as_typed(name: str, value: object, words) -> str:
    """The text of a value for the form, so that ``typed`` gives it back. ``words``: as exports put values in words."""
    if name == "authors" and isinstance(value, list):
        return "; ".join(
            ", ".join(filter(None, (one.get("family"), one.get("given")))) if isinstance(one, dict) else str(one)
            for one in value
        )
    return words(value)


def _author(text: str) -> dict:
    family, _, given = (part.strip() for part in text.partition(","))
    return {"family": family, "given": given}


def _whole(text: str) -> int:
    digits = re.sub(r"[\s,_\u2009\u00a0]", "", text)
    if not re.fullmatch(r"\d{1,9}", digits):
        raise Refused("bad_number", text=text[:60])
    return int(digits)


def _number_of_paper(name: str, text: str) -> str:
    found = {"doi": doi_of, "pmid": pmid_of, "pmcid": pmcid_of}[name](text)
    if not found:
        raise Refused("bad_doi" if name == "doi" else "bad_pmid", text=text[:60])
    return found
