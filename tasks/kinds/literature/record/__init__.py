"""The one door to what is known of a paper: what was read, what a reference list says, what people corrected.

    of(child)          what the stages of a child read, merged into one record
    read(paper)        the same of a paper; {} until it has been read
    listed(paper)      what its reference list says, under the names of a record
    machine(paper)     the whole record with every key, without what people said
    effective(paper)   the whole record with every key, in which what people corrected stands: pages and exports show it
    stored(name)       what was read of a field, as an expression in SQL

Which keys a record has is said in ``fields``; how several sources become one record, in ``merging``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.fields import LISTED, PARTS
from tasks.kinds.literature.models import Intake, Paper
from tasks.kinds.literature.record.merging import merge
from tasks.kinds.literature.record.sources import MERGED, results_of, stored
from tasks.kinds.literature.review import effect
from tasks.states import ChildState

__all__ = ["each_read", "effective", "listed", "machine", "of", "read", "stored"]
_DASHES = re.compile(r"(?<!\s)\s*+[-‐-―]+\s*")


def of(child) -> dict:
    """What was read of the paper of a child (a SubTask with ``state`` and ``result``); {} unless it succeeded."""
    return _merged(child.result) if child is not None and child.state == ChildState.SUCCEEDED else {}


def _merged(result: dict | None) -> dict:
    return (result or {}).get(MERGED) or merge(results_of(result))


def read(paper: Paper) -> dict:
    """What reading the paper gave; {} before its end, when it failed, and where there is no file to read."""
    return of(paper.subtask) if paper.state == Intake.ACCEPTED else {}


def each_read(task) -> Iterator[tuple[Paper, dict]]:
    """Every paper of a set that was read, in the order of giving, with what was read: one pass over all results.

    The papers carry ``pk``, ``position`` and ``state`` alone, so a caller may keep them all.
    """
    rows = Paper.objects.filter(task=task, state=Intake.ACCEPTED, subtask__state=ChildState.SUCCEEDED)
    rows = rows.order_by("position").values_list("pk", "position", "subtask__result")
    for pk, position, result in rows.iterator(chunk_size=100):
        yield Paper(pk=pk, position=position, state=Intake.ACCEPTED), _merged(result)


def listed(paper: Paper) -> dict:
    """What its list says of a paper, under the names of a record; {} when it came in no list."""
    if not paper.listed:
        return {}
    first, _, last = (part.strip() for part in _DASHES.sub("\0", paper.listed.get("pages") or "").partition("\0"))
    found = {**paper.listed, "first_page": first or None, "last_page": last or None}
    return {name: found.get(name) or PARTS[name] for name in LISTED}


def machine(paper: Paper) -> dict:
    """The whole record without what people said: of a paper that was read, or of a reference without full text."""
    found = read(paper) or listed(paper)
    code, words = outcomes.error_of(paper)
    head = {"file": paper.path, "status": paper.outcome, "error_code": code or None, "error": words or None}
    return head | {name: found.get(name) or default for name, default in PARTS.items()}


def effective(paper: Paper) -> dict:
    """The effective record of a paper out of ``outcomes.items_of``: every key present, empty where unknown.

    ``status`` is an outcome of ``outcomes.OUTCOMES``. Beside ``fields.PARTS``: ``listed``, what the reference list
    says of a paper that was joined to one (else null); ``reviewed`` {by, at} or null; ``notes`` [{text, by, at}]. A
    field on which a person gave a verdict has ``machine_value`` and ``review`` {act, by, at}.
    """
    found = machine(paper)
    beside = next((one for one in _joined(paper) if one.listed), None)
    return effect.applied(found, effect.standing(paper)) | {
        "listed": listed(beside) if beside else None,
        "reviewed": effect.signed(paper.review) if _has_review(paper) else None,
        "notes": [{"text": note.text, **effect.signed(note)} for note in _remarks(paper)],
    }


# What ``outcomes.items_of`` prefetched; a paper from elsewhere takes a query each.


def _joined(paper: Paper) -> list[Paper]:
    return paper.joined if hasattr(paper, "joined") else list(paper.merged.order_by("position"))


def _remarks(paper: Paper) -> list:
    return paper.remarks if hasattr(paper, "remarks") else list(paper.notes.select_related("by"))


def _has_review(paper: Paper) -> bool:
    return getattr(paper, "review", None) is not None
