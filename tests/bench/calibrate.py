"""Fits the confidence of bibliographic values to how often they are right, on a folder of papers with gold.

`python -m tests.bench calibrate FOLDER GOLD.json` prints the table for `extraction/calibration.py` and the expected
calibration error (ECE) before and after; "after" leaves each paper out of the fit that judges it. Every paper is read
as it is and in three poorer states (without metadata, its first two pages, without its first page), for on good files
alone nearly everything is right and nothing could be learnt. Nothing of the papers is kept but the counts.
"""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
from collections import defaultdict
from pathlib import Path

import pypdfium2

from tasks.kinds.literature.reading import ExtractionError, calibration, extract_file
from tests.bench import ground

_STATES = {
    "whole": lambda n: range(n),
    "first two pages": lambda n: range(min(2, n)),
    "without page one": lambda n: range(1, n) if n > 1 else range(1),
}


def main(arguments: list[str]) -> dict:
    folder, gold_path = Path(arguments[0]), Path(arguments[1])
    samples = []  # (paper, field, votes, right)
    calibration.TABLE.clear()  # so that the record carries the votes themselves
    for gold in json.loads(gold_path.read_text()):
        for path in _states(folder / gold["file"]):
            try:
                record = extract_file(str(path))
            except ExtractionError:
                continue
            samples += [(gold["file"], *s) for s in _judged(record, gold)]
    table = fit(samples)
    for name, (starts, shares) in table.items():
        ground.say(f'    "{name}": ({starts}, {shares}),')
    left_out = []
    for paper in {s[0] for s in samples}:
        others = fit([s for s in samples if s[0] != paper])
        left_out += [(_share(others, name, votes), right) for p, name, votes, right in samples if p == paper]
    return {
        "values": len(samples),
        "right": round(sum(s[3] for s in samples) / len(samples), 3),
        "ece_votes": round(ece([(votes, right) for _, _, votes, right in samples]), 3),
        "ece_calibrated": round(ece(left_out), 3),
        "table": table,
    }


def _states(path: Path):
    yield path
    source = pypdfium2.PdfDocument(path)
    with tempfile.TemporaryDirectory() as folder:
        for name, pick in _STATES.items():
            copy = pypdfium2.PdfDocument.new()  # imported pages leave the metadata behind
            copy.import_pages(source, list(pick(len(source))))
            out = Path(folder) / f"{name}.pdf"
            copy.save(out)
            copy.close()
            yield out
    source.close()


def _plain(text) -> str:
    text = unicodedata.normalize("NFKD", str(text or "")).casefold()
    return re.sub(r"[^\w]+", " ", "".join(c for c in text if not unicodedata.combining(c))).strip()


def _alike(a, b) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(_plain(a), _plain(b)) / 100 if a and b else 0.0


def _judged(record: dict, gold: dict):
    """(field, votes, right) of every verified value whose truth is known."""
    families = {_plain(a["family"]) for a in gold["authors"]}
    mine = {_plain(a["family"]) for a in record["authors"]}
    right = {
        "title": lambda v: _alike(v, gold["title"]) >= 0.9,
        "doi": lambda v: v == gold["doi"],
        "year": lambda v: str(v) in gold["years"],
        "journal": lambda v: _alike(v, gold["journal"]) >= 0.85,
        "abstract": lambda v: _alike(v, gold["abstract"]) >= 0.8,
        "authors": lambda v: 2 * len(mine & families) >= 0.8 * (len(mine) + len(families)),
    }
    known = {
        "title": "title",
        "doi": "doi",
        "year": "years",
        "journal": "journal",
        "abstract": "abstract",
        "authors": "authors",
    }
    for field in record["fields"]:
        name = field["name"]
        if name in right and gold[known[name]] and field["verified"] and field["status"] == "found":
            yield name, field["confidence"], bool(right[name](field["value"]))


def fit(samples) -> dict:
    """{field: (starts, shares)}: rising steps by pooling neighbours that fall, each share with one right and one wrong
    added, so that twenty right of twenty is not certainty."""
    by_field = defaultdict(list)
    for _, name, votes, right in samples:
        by_field[name].append((votes, right))
    table = {}
    for name, pairs in sorted(by_field.items()):
        steps: list[list] = []  # [lowest votes, right, all]
        for votes, right in sorted(pairs):
            if steps and (steps[-1][2] < 8 or votes == steps[-1][3]):
                steps[-1][1] += right
                steps[-1][2] += 1
                steps[-1][3] = votes
            else:
                steps.append([votes, int(right), 1, votes])
        pooled: list[list] = []
        for step in steps:
            pooled.append(step)
            while len(pooled) > 1 and (pooled[-1][2] < 8 or _rate(pooled[-2]) >= _rate(pooled[-1])):
                last = pooled.pop()
                pooled[-1][1] += last[1]
                pooled[-1][2] += last[2]
        table[name] = (tuple(round(s[0], 2) for s in pooled), tuple(round(_rate(s), 2) for s in pooled))
    return table


def _rate(step) -> float:
    return (step[1] + 1) / (step[2] + 2)


def _share(table, name, votes) -> float:
    starts, shares = table[name]
    return shares[max(sum(votes >= s for s in starts) - 1, 0)]


def ece(pairs, bins: int = 10) -> float:
    """Mean distance between confidence and share right over bins of confidence, weighted by their size."""
    groups = defaultdict(list)
    for confidence, right in pairs:
        groups[min(int(confidence * bins), bins - 1)].append((confidence, right))
    return sum(
        len(g) / len(pairs) * abs(sum(c for c, _ in g) / len(g) - sum(r for _, r in g) / len(g))
        for g in groups.values()
    )
