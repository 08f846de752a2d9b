"""From when to when a study ran, as its abstract and its methods print it."""

import re

from .fact_patterns import PERIOD
from .passages import Passage


def periods(texts: list[Passage]) -> list[tuple]:
    """Candidates (score, "first to last", None, passage, quote)."""
    candidates = []
    for passage in texts:
        for match in PERIOD.finditer(passage.text):
            sentence = passage.sentence(*match.span())
            if re.search(r"follow-?ed|follow-?up|died until|previous|earlier (?:study|survey)", sentence, re.I):
                continue
            score = 1
            if re.search(r"conduct|collect|admitted|carried|study|search|period|survey|records|data", sentence, re.I):
                score = 2
            if re.search(r"recruit|enrol|招募|纳入|入选|random", sentence, re.I):
                score = 3
            elif passage.part == "results":
                continue  # what happened when, not when the study was
            first, last = (match[1] or match[3]).strip(" ,"), (match[2] or match[4]).strip()
            years = [int(y) for y in re.findall(r"(?:19|20)\d\d", f"{first} {last}")]
            if years != sorted(years):
                continue  # two dates of a list, not the ends of one stretch
            candidates.append((score, f"{first} to {last}", None, passage, sentence))
    return _widest(candidates)


def _widest(candidates):
    """Without stretches that lie within another of the same support, or say the same less precisely."""

    def ends(candidate):
        first, last = candidate[1].split(" to ", 1)
        years = re.findall(r"(?:19|20)\d\d", candidate[1])
        start = next(iter(re.findall(r"(?:19|20)\d\d", first)), years[-1] if years else "")
        return _day(start, first), _day(years[-1] if years else "", last)

    best = max((c[0] for c in candidates), default=0)
    top = [c for c in candidates if c[0] == best]
    for wide in sorted(top, key=lambda c: -len(c[1])):
        a, b = ends(wide)
        inside = [ends(c) for c in top]
        if all(
            a[0] <= x[0]
            and y[0] <= b[0]
            and (a[0] < x[0] or a <= x or not x[1])
            and (y[0] < b[0] or y <= b or not y[1])
            for x, y in inside
        ):
            return [wide]
    return top


def _day(year: str, text: str) -> tuple[int, int]:
    """(year, month), month 0 when none is printed."""
    found = re.search("jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", text, re.I)
    months = "janfebmaraprmayjunjulaugsepoctnovdec"
    return int(year or 0), months.index(found[0].lower()) // 3 + 1 if found else 0
