"""The record of a paper as people get it: in the JSON, the CSV and on pages, with the same keys for every paper.

A record is *effective*: where a person corrected a value, theirs stands and the machine's is beside it. The same
function serves pages and exports, so they can't differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.models import Intake, Paper
from tasks.kinds.literature.review import effect

#: What a record holds of the paper itself, with what stands there when the paper has none.
PARTS: dict[str, object] = {
    "title": None, "authors": [], "doi": None, "pmid": None, "pmcid": None, "year": None, "journal": None,
    "volume": None, "issue": None, "first_page": None, "last_page": None, "abstract": None, "keywords": [],
    "licence": None, "language": None, "sections": [], "references": [], "pages": None, "fields": [],
}  # fmt: skip
#: What a reference list may say of a paper, and what is compared with the paper's own words.
LISTED = (
    "title", "authors", "year", "journal", "volume", "issue", "first_page", "last_page", "doi", "pmid", "pmcid",
    "abstract", "keywords", "language",
)  # fmt: skip


def read(paper: Paper) -> dict:
    """What reading the paper gave; empty before its end, and when it failed."""
    if paper.state != Intake.ACCEPTED:
        return {}
    child = paper.subtask
    return (child.result or {}).get("parse") or {} if child is not None and child.state == "succeeded" else {}


def listed(paper: Paper) -> dict:
    """What its list says of a paper, under the names of a record; empty when it came in no list."""
    if not paper.listed:
        return {}
    first, _, last = (
        part.strip() for part in re.sub(r"\s*[-‐-―]+\s*", "\0", paper.listed.get("pages") or "").partition("\0")
    )
    found = {**paper.listed, "first_page": first or None, "last_page": last or None}
    return {name: found.get(name) or PARTS[name] for name in LISTED}


def machine(paper: Paper) -> dict:
    """The record without what people said: of a paper that was read, or of a reference without full text."""
    found = read(paper) or listed(paper)
    code, words = outcomes.error_of(paper)
    head = {"file": paper.path, "status": paper.outcome, "error_code": code or None, "error": words or None}
    return head | {name: found.get(name) or default for name, default in PARTS.items()}


def effective(paper: Paper) -> dict:
    """The effective record of a paper out of ``outcomes.items_of``: every key present, empty where unknown.

    ``status`` is an outcome of ``outcomes.OUTCOMES``. Beside PARTS: ``listed``, what the reference list says of a paper
    that was joined to one (else null); ``reviewed`` {by, at} or null; ``notes`` [{text, by, at}]. A field on which a
    person gave a verdict has ``machine_value`` and ``review`` {act, by, at}.
    """
    found = machine(paper)
    beside = next((one for one in _joined(paper) if one.listed), None)
    return effect.applied(found, effect.standing(paper)) | {
        "listed": listed(beside) if beside else None,
        "reviewed": effect.signed(paper.review) if _has_review(paper) else None,
        "notes": [{"text": note.text, **effect.signed(note)} for note in _remarks(paper)],
    }


def each(task, only: list[str] | None = None) -> Iterator[dict]:
    """The records of a set in the order of giving, read in chunks: a large set is never in memory whole."""
    papers = outcomes.items_of(task).order_by("position")
    if only:
        papers = papers.filter(outcome__in=only)
    for paper in papers.iterator(chunk_size=100):
        yield effective(paper)


# What ``outcomes.items_of`` fetched beforehand; a paper from elsewhere is asked for it.


def _joined(paper: Paper) -> list[Paper]:
    return paper.joined if hasattr(paper, "joined") else list(paper.merged.order_by("position"))


def _remarks(paper: Paper) -> list:
    return paper.remarks if hasattr(paper, "remarks") else list(paper.notes.select_related("by"))


def _has_review(paper: Paper) -> bool:
    return getattr(paper, "review", None) is not None
