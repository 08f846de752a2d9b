"""The country in which a study was done.

Told by sentences that say where (`patients were recruited in three hospitals in Kenya`) and by the title. Only when
there is none do the authors' addresses speak, and then with little confidence, and not at all for reviews; addresses in
several countries are ambiguous.
"""

import re
from collections import Counter

from .bibliography import printed_where
from .countries import find_countries
from .paper import Paper
from .passages import Passage
from .provenance import Provenance

_DONE = re.compile(
    r"\b(?:conducted|performed|carried out|undertaken|recruited|enrol+ed|collected|admitted|attending|sampled|surveyed|"
    r"took place|situated|located|based in|residents? (?:of|in)|living in|study (?:area|site|setting|population)|"
    r"population of|districts?|provinces?|villages|hospitals?|schools|clinics|"
    r"nationwide|national|cohort|survey|cases in|outbreak)\b",
    re.I,
)
_MAKER = re.compile(
    r"\((?:[^()]*\b(?:inc|ltd|gmbh|corp|co|llc|company|sigma|merck|version|v\.?\s?\d)\b[^()]*)\)|\([A-Z][\w&. "
    r"-]+,[^()]{0,60}\)",
    re.I,
)
_ELSEWHERE = re.compile(
    r"\b(?:previous|other|earlier|similar) (?:study|studies|work|reports?)|purchased|obtained from|manufactur|"
    r"supplied by|"
    r"software|company|guideline|according to|compared with|such as|unlike|reported (?:in|from|by)",
    re.I,
)


def find_country(paper: Paper, texts: list[Passage], provenance: Provenance, design: str | None) -> list[dict]:
    """[field] or []."""
    told = _told(texts)
    if len(told) == 1:
        country, (weight, passage, quote) = next(iter(told.items()))
        return [provenance.field("country", country, passage.page, quote, min(0.9, 0.6 + 0.1 * weight))]
    if len(told) > 1:
        top = max(w for w, _, _ in told.values())
        leading = {c: v for c, v in told.items() if v[0] == top}
        if len(leading) == 1 and sorted(w for w, _, _ in told.values())[-2] <= top / 2:
            country, (_, passage, quote) = next(iter(leading.items()))
            return [provenance.field("country", country, passage.page, quote, 0.7)]
        fields = {c: provenance.field("country", c, p.page, q, 0.5) for c, (_, p, q) in told.items()}
        return [_ambiguous(fields)]
    if design and "review" in design or design == "meta-analysis":
        return []
    return _authors(paper, provenance)


def _told(texts) -> dict[str, tuple]:
    """country -> (weight, passage, quote)."""
    found: dict[str, list] = {}
    weights = {"title": 3, "abstract": 2, "methods": 2, "": 1}
    for passage in texts:
        if passage.part not in weights:
            continue
        plain = _MAKER.sub(lambda m: " " * len(m[0]), passage.text)
        for match in re.finditer(r"\b(?:in|from|of|across|throughout|,)\s+(?:the )?(?:[\w-]+ ){0,4}?(?=[A-Z])", plain):
            names = find_countries(plain[match.end() : match.end() + 40].split(".")[0].split(";")[0])
            if not names or not plain[match.end() :].startswith(names[-1][1]):
                continue
            sentence = passage.sentence(match.start(), match.end() + 1)
            if passage.part != "title" and (not _DONE.search(sentence) or _ELSEWHERE.search(sentence)):
                continue
            entry = found.setdefault(names[-1][0], [0, passage, sentence, set()])
            if passage.part not in entry[3]:
                entry[3].add(passage.part)
                entry[0] += weights[passage.part]
    return {c: tuple(v[:3]) for c, v in found.items()}


def _authors(paper, provenance) -> list[dict]:
    counts: Counter = Counter()
    printed: dict[str, str] = {}
    for person in paper.authors:
        for address in person["affiliations"]:
            for country, words in find_countries(address):
                counts[country] += 1
                printed.setdefault(country, words)
    if not counts:
        return []
    fields = {c: printed_where(paper, provenance, "country", c, printed[c], 0.6) for c in counts}
    return list(fields.values()) if len(fields) == 1 else [_ambiguous(fields)]


def _ambiguous(fields: dict[str, dict]) -> dict:
    field = next(iter(fields.values()))
    candidates = [{"value": c, "page": f["page"], "quote": f["quote"]} for c, f in fields.items()]
    field.update(value=None, status="ambiguous", confidence=0.3, candidates=candidates)
    return field
