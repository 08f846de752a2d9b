"""The country in which a study was done.

Told by the title and by sentences that say where (`patients were recruited in three hospitals in Kenya`), for a review
by its title alone. Where the authors work is no evidence: without such a sentence there is no country. Several
countries named alike are ambiguous.
"""

import re

from .countries import countries_in
from .passages import Passage
from .provenance import Provenance

_DONE = re.compile(
    r"\b(?:conducted|performed|carried out|undertaken|recruited|enrol+ed|collected|admitted|attending|sampled|surveyed|"
    r"took place|situated|located|based in|residents? (?:of|in)|living in|study (?:area|site|setting|population)|"
    r"population of|districts?|provinces?|villages|hospitals?|schools|clinics|"
    r"nationwide|national|cohort|survey|cases in|outbreak)\b",
    re.I,
)
_DONE_THERE = re.compile(  # in prose under no heading, where addresses and side notes stand too
    r"\b(?:conducted|performed|carried out|undertaken|recruited|enrol+ed|collected|took place|surveyed|nationwide)\b",
    re.I,
)
_PLACED = re.compile(r"(?:^|\b(?:in|from|of|across|throughout|within)|,)\s+(?:the )?(?:[\w-]+ ){0,4}?$", re.I)
_NEXT = re.compile(r"\s*(?:,|and|or|;|&)\s*(?:and )?(?:the )?", re.I)
_MAKER = re.compile(
    r"\((?:[^()]*\b(?:inc|ltd|gmbh|corp|co|llc|company|sigma|merck|version|v\.?\s?\d)\b[^()]*)\)|\([A-Z][\w&. "
    r"-]+,[^()]{0,60}\)|\([A-Z]{1,6}\)",
    re.I,
)
_ELSEWHERE = re.compile(
    r"\b(?:previous|other|earlier|similar) (?:study|studies|work|reports?)|purchased|obtained from|manufactur|"
    r"supplied by|"
    r"funded|supported by|grants?\b|foundation|criteria|instrument|spectromet|strains?\b|cell lines?|colony|"
    r"correspond|editor|@|copyright|received:|national (?:cancer )?institute|FDA\b|"
    r"software|company|guideline|according to|compared with|such as|unlike|reported (?:in|from|by)",
    re.I,
)


def find_country(texts: list[Passage], provenance: Provenance, design: str | None) -> list[dict]:
    """[field] or []."""
    review = bool(design) and ("review" in design or design == "meta-analysis")
    told = _told([p for p in texts if p.part == "title"] if review else texts)
    if not told:
        return []
    ranked = sorted(told.items(), key=lambda item: -item[1][0])
    country, (weight, passage, quote) = ranked[0]
    if len(ranked) == 1:
        return [provenance.field("country", country, passage.page, quote, min(0.9, 0.6 + 0.1 * weight))]
    if ranked[1][1][0] <= weight / 2:
        return [provenance.field("country", country, passage.page, quote, 0.7)]
    return [_ambiguous({c: provenance.field("country", c, p.page, q, 0.5) for c, (_, p, q) in told.items()})]


def _told(texts) -> dict[str, tuple]:
    """country -> (weight, passage, quote)."""
    found: dict[str, list] = {}
    weights = {"title": 3, "abstract": 2, "methods": 2, "": 1}
    for passage in texts:
        if passage.part not in weights:
            continue
        plain = passage.text
        for _ in range(2):  # a maker's address may have brackets within brackets
            plain = _MAKER.sub(lambda m: " " * len(m[0]), plain)
        named = countries_in(plain)
        placed = False
        for n, (country, start, end) in enumerate(named):
            listed = n > 0 and placed and _NEXT.fullmatch(plain[named[n - 1][2] : start])
            placed = bool(listed or _PLACED.search(plain[max(0, start - 70) : start]))
            if not placed:
                continue
            sentence = passage.sentence(start, end)
            done = _DONE if passage.part else _DONE_THERE
            if passage.part != "title" and (not done.search(sentence) or _ELSEWHERE.search(sentence)):
                continue
            entry = found.setdefault(country, [0, passage, sentence, set()])
            if passage.part not in entry[3]:
                entry[3].add(passage.part)
                entry[0] += weights[passage.part]
    return {c: tuple(v[:3]) for c, v in found.items()}


def _ambiguous(fields: dict[str, dict]) -> dict:
    field = next(iter(fields.values()))
    candidates = [{"value": c, "page": f["page"], "quote": f["quote"]} for c, f in fields.items()]
    field.update(value=None, status="ambiguous", confidence=0.3, candidates=candidates)
    return field
