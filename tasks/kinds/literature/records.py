"""A paper's record as people and programs get it: one shape for the JSON export, the CSV and the command line."""

from __future__ import annotations

from collections.abc import Iterator

from tasks import sentences
from tasks.kinds.literature import flow
from tasks.kinds.literature.models import Intake, Paper

#: What a record holds of the paper itself, with what stands there when the paper has none.
PARTS: dict[str, object] = {
    "title": None, "authors": [], "doi": None, "pmid": None, "pmcid": None, "year": None, "journal": None,
    "volume": None, "issue": None, "first_page": None, "last_page": None, "abstract": None, "keywords": [],
    "licence": None, "language": None, "sections": [], "references": [], "pages": None, "fields": [],
}  # fmt: skip


def error_of(paper: Paper) -> tuple[str, str]:
    """(code, sentence in the reader's language) of a paper that failed or was not accepted; else two empty texts."""
    if paper.state != Intake.ACCEPTED:
        return paper.reason, paper.message
    child = paper.subtask
    if child is None or not child.error_code:
        return "", ""
    return child.error_code, sentences.sentence(child.error_code, {"detail": child.error, **child.error_data})


def parsed(paper: Paper) -> dict:
    """What reading the paper gave; empty before its end, and when it failed."""
    child = paper.subtask
    return (child.result or {}).get("parse") or {} if child is not None and child.state == "succeeded" else {}


def record(paper: Paper) -> dict:
    """The record of a paper out of ``flow.papers_of`` with its child: every key present, empty where unknown.

    ``status`` is an outcome of ``flow.OUTCOMES``.
    """
    found = parsed(paper)
    code, words = error_of(paper)
    head = {"file": paper.path, "status": paper.outcome, "error_code": code or None, "error": words or None}
    return head | {name: found.get(name) or default for name, default in PARTS.items()}


def records(task, outcomes: list[str] | None = None) -> Iterator[dict]:
    """The records of a set in the order of giving, read in chunks: a large set is never in memory whole."""
    papers = flow.papers_of(task).select_related("subtask").order_by("position")
    if outcomes:
        papers = papers.filter(outcome__in=outcomes)
    for paper in papers.iterator(chunk_size=100):
        yield record(paper)
