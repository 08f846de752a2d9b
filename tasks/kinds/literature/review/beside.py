"""A reference list's words beside the paper's own: where they agree, where they differ."""

from __future__ import annotations

import re

from tasks.kinds.literature.references.matching import normal_title

#: What tells the same in many spellings is compared without them.
_LOOSE = {"title", "journal", "abstract"}


def differences(record: dict) -> list[dict]:
    """[{name, paper, listed, differs}] for what the list says; nothing when the paper came in no list."""
    listed = record.get("listed")
    if not listed:
        return []
    return [
        {"name": name, "paper": record.get(name), "listed": said, "differs": not same(name, record.get(name), said)}
        for name, said in listed.items()
        if said not in (None, "", [])
    ]


def same(name: str, one: object, other: object) -> bool:
    """Whether two values say the same: families of authors, letters of titles, texts without capitals and spaces."""
    if not one:
        return False
    if name == "authors":
        return _families(one) == _families(other)
    if name == "keywords":
        return {str(word).casefold() for word in one} == {str(word).casefold() for word in other}
    if name in _LOOSE:
        return normal_title(str(one)) == normal_title(str(other))
    return re.sub(r"\s+", "", str(one)).casefold() == re.sub(r"\s+", "", str(other)).casefold()


def _families(authors: list) -> list[str]:
    return [normal_title(one.get("family", "") if isinstance(one, dict) else str(one)) for one in authors]
