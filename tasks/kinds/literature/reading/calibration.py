"""Confidence that means what it says: of the values given 0.9, nine in ten are right.

The rules' own votes order the values but are no probabilities. `TABLE` maps them to the share that was right on papers
whose values are known (made by `python -m tests.bench calibrate FOLDER GOLD`; the decision and its figures are in
docs/adr/0007-calibrated-confidence.md). Fields without gold keep their votes and say `calibrated: false`.
"""

from bisect import bisect_right

# name -> (lower ends of the steps of the votes, share right in each step)
TABLE: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "abstract": ((0.8, 0.9), (0.93, 0.96)),
    "authors": ((0.9,), (0.94,)),
    "doi": ((0.83, 0.86), (0.88, 0.99)),
    "journal": ((0.53, 0.58, 0.68, 0.76, 0.98), (0.31, 0.47, 0.67, 0.95, 0.97)),
    "title": ((0.55, 0.58, 0.6, 0.71, 0.73, 0.83, 0.9), (0.67, 0.79, 0.82, 0.92, 0.93, 0.95, 0.99)),
    "year": ((0.5, 0.65, 0.74, 0.96), (0.7, 0.85, 0.99, 0.99)),
}


def calibrated(name: str, votes: float) -> float | None:
    """The share right among values of this field with such votes, None where it isn't known."""
    if name not in TABLE:
        return None
    starts, shares = TABLE[name]
    return shares[max(bisect_right(starts, votes) - 1, 0)]


def calibrate(fields: list[dict]) -> None:
    """Replaces `confidence` where it can be told and sets `calibrated`, in place.

    A value that is not verified on its page, or ambiguous, was no part of the fit: it keeps what it has.
    """
    for field in fields:
        share = calibrated(field["name"], field["confidence"]) if field["verified"] else None
        field["calibrated"] = share is not None and field["status"] == "found"
        if field["calibrated"]:
            field["confidence"] = share
