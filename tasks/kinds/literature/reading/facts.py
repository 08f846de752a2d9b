"""Study facts by rules: what was done, on how many, where, when, under which number, with what outcome.

A rule reads the passages in which such a fact is stated (title, abstract, methods, end matter), never the references or
the introduction. One value is found, two different ones are ambiguous, none is no field.

Design, sample size, groups and setting need more: the sentence has to tell of this paper's own study, and outside the
title and the abstract the paper has to report one. A correction or retraction reports none.
"""

import re

from .fact_patterns import (
    APPROVED,
    CONFLICT,
    DATA,
    DESIGNS,
    EFFECT,
    ETHICS,
    FUNDED,
    GROUPS,
    HINTS,
    IN_TITLE,
    OUTCOME,
    PLACE,
    REGISTRY,
    SETTING,
    P,
)
from .notices import of_title
from .own_study import WHO, is_own, reports_a_study
from .passages import Passage
from .period import periods
from .provenance import Provenance
from .sample_size import number, totals


def find_facts(texts: list[Passage], provenance: Provenance) -> list[dict]:
    """Fields of all study facts, in a fixed order of names."""
    if any(p.part == "title" and of_title(p.text) for p in texts):
        return []
    told = texts if reports_a_study(texts) else _in(texts, "title", "abstract")
    own = [field for rule in (_design, _sample_size, _groups, _setting) for field in rule(told, provenance)]
    rules = (
        _period,
        _registration,
        _ethics,
        _funding,
        _conflicts,
        _availability,
        _primary_outcome,
        _p_values,
        _effects,
    )
    return own + [field for rule in rules for field in rule(texts, provenance)]


def _in(texts, *parts):
    return [p for p in texts if p.part in parts]


def choose(name, candidates, provenance, unit=None):
    """[field] of (score, value, unit, passage, quote) candidates; equal scores of different values are ambiguous."""
    if not candidates:
        return []
    best = max(c[0] for c in candidates)
    top = [c for c in candidates if c[0] == best]
    values = list(dict.fromkeys(str(c[1]) for c in top))
    score, value, own_unit, passage, quote = top[0]
    field = provenance.field(name, value, passage.page, quote, min(0.9, 0.5 + 0.1 * best), own_unit or unit)
    if len(values) > 1:
        field.update(
            value=None,
            status="ambiguous",
            confidence=0.3,
            candidates=[
                {"value": c[1], "unit": c[2], "page": c[3].page, "quote": c[4]}
                for c in {str(c[1]): c for c in reversed(top)}.values()
            ][::-1],
        )
    return [field]


_WISHED = re.compile(r"\b(?:needed|warranted|further|future|should be|are required|lack of)\b", re.I)


#: Designs that tell of other people's studies: their titles need a sign that theirs is one, and not about them.
_OF_STUDIES = {"systematic review", "meta-analysis", "scoping review", "systematic review and meta-analysis"}
_ABOUT = re.compile(
    r"\b(?:methods?|approach(?:es)?|tools?|software|guid\w+|framework|introduction|packages?|models?|tutorial|checklists?|"
    r"quality|reporting|bias) (?:for|of|to|in|on) (?:[\w-]+ ){0,3}$",
    re.I,
)
_REVIEW_DOES = re.compile(r"\b(?:aim|purpose|objective|goal|focus|summari[sz]|discuss|cover|highlight|overview)", re.I)
_SEARCHED = re.compile(
    r"\b(?:pubmed|medline|embase|scopus|web of science|cochrane|psycinfo|cinahl|ieee xplore|prisma|google scholar)\b|"
    r"\bdatabases? (?:was|were)|\bwe searched\b|\b(?:studies|trials|articles|papers) (?:was|were) (?:included|"
    r"identified|"
    r"selected|eligible)|\bincluded (?:studies|trials)|\bpooled\b|\bheterogeneity\b|random[- ]effects?|检索|"
    r"\bwe (?:conducted|performed|did|carried out|undertook|present|report) (?:an?|the|this)? ?[^.]{0,40}(?:review|"
    r"meta-?analys)",
    re.I,
)


def _may_name(name: str, match: re.Match, passage: Passage) -> bool:
    """Whether what matched names the design of this paper, and not of another, or a subject that it writes about."""
    if passage.part == "title":
        before, after = passage.text[: match.start()], passage.text[match.end() :]
        ours = re.match(r"\s*(?:of|on|and|with|protocol|[.:]|$)", after) or re.search(r"[:.–—]\s*\S*$", before)
        return name not in _OF_STUDIES or bool(ours) and not _ABOUT.search(before)
    sentence = passage.sentence(*match.span())
    if name == "review" and passage.part != "abstract" and not _REVIEW_DOES.search(sentence):
        return False
    return is_own(sentence, passage.part)


def _near(match) -> tuple[int, int]:
    return max(0, match.start() - 45), match.end() + 45


def _design(texts, provenance):
    weights = {"title": 4, "abstract": 2, "methods": 1, "": 1}
    found: dict[str, list] = {}
    for passage in texts:
        if passage.part not in weights:
            continue
        lower = passage.text.lower()
        for rank, (name, pattern) in enumerate(DESIGNS + IN_TITLE * (passage.part == "title")):
            if not any(word in lower for word in HINTS[name]):
                continue
            match = next(
                (
                    m
                    for m in re.finditer(pattern, passage.text, re.I)
                    if not _WISHED.search(passage.text, *_near(m)) and _may_name(name, m, passage)
                ),
                None,
            )
            if match:
                entry = found.setdefault(name, [0, rank, passage, passage.sentence(*match.span())])
                entry[0] += weights[passage.part]
    if _OF_STUDIES & found.keys() and not any(_SEARCHED.search(p.text) for p in texts):
        found = {
            name: entry for name, entry in found.items() if name not in _OF_STUDIES or entry[0] >= weights["title"]
        }
    for broad, narrow in (
        ("meta-analysis", "systematic review and meta-analysis"),
        ("systematic review", "systematic review and meta-analysis"),
        ("review", "systematic review"),
        ("review", "systematic review and meta-analysis"),
        ("review", "scoping review"),
        ("review", "meta-analysis"),
        ("randomised controlled trial", "systematic review"),
        ("randomised controlled trial", "meta-analysis"),
        ("randomised controlled trial", "systematic review and meta-analysis"),
        ("randomised controlled trial", "study protocol"),
        ("cohort study", "diagnostic accuracy study"),
        ("cross-sectional study", "diagnostic accuracy study"),
        ("cohort study", "prediction model study"),
        ("cohort study", "interrupted time series"),
        ("ecological study", "interrupted time series"),
        ("cohort study", "case-control study"),
        ("outbreak investigation", "case-control study"),
        ("outbreak investigation", "cohort study"),
        ("case-control study", "case-crossover study"),
        ("cohort study", "randomised controlled trial"),
        ("randomised controlled trial", "crossover trial"),
        ("in vitro study", "animal experiment"),
        ("in vitro study", "review"),
        ("in silico study", "review"),
        ("animal experiment", "review"),
        *(("in vitro study", name) for name in sorted(_OF_STUDIES)),
        *(("animal experiment", name) for name in sorted(_OF_STUDIES)),
        ("diagnostic accuracy study", "prediction model study"),
        ("diagnostic accuracy study", "systematic review"),
        ("qualitative study", "randomised controlled trial"),
        *(("clinical trial", name) for name, _ in DESIGNS if name not in ("clinical trial", "case report", "review")),
    ):
        if (
            narrow in found
            and broad in found
            and found[narrow][0] >= 2 - (narrow in ("study protocol", "crossover trial"))
        ):
            del found[broad]
    return choose(
        "design",
        [(score, name, None, passage, quote) for name, (score, _, passage, quote) in found.items()],
        provenance,
    )


def _sample_size(texts, provenance):
    ranked = [c for c in totals(texts) if c[0] >= 4]
    if not ranked:
        return []
    best = ranked[0]
    # A smaller number with less support is a part of the total; one nearly as well supported is another candidate.
    rivals = [c for c in ranked[1:] if c[0] >= best[0] - (0 if c[1] < best[1] else 1)]
    tied = [(1, *c[1:]) for c in [best, *rivals]]
    return (
        choose("sample_size", tied, provenance)
        if rivals
        else choose("sample_size", [(min(best[0] / 2, 4), *best[1:])], provenance)
    )


#: Who or what was put into groups: people, animals, samples; theories and methods "can be divided" too.
_DIVIDED = re.compile(
    rf"\b(?:{WHO}|cultures?|plots?|lines?|classes|pots|blocks|centres|centers|clusters|schools|villages|wards|"
    rf"clinics)\b"
    r"|\b(?:experimental|control|treatment|placebo|study) groups?\b|randoml?y|randomi[sz]ed|受试者|患者",
    re.I,
)


def _groups(texts, provenance):
    candidates = []
    for passage in _in(texts, "abstract", "methods", ""):
        for match in GROUPS.finditer(passage.text):
            value = number(match[1])
            sentence = passage.sentence(*match.span())
            if value and 1 < value < 40 and _DIVIDED.search(sentence) and is_own(sentence, passage.part):
                candidates.append((2 if passage.part == "abstract" else 1, value, "groups", passage, sentence))
    return choose("groups", candidates, provenance)


_GATHERED = re.compile(
    r"\b(?:data|samples?|specimens?|questionnaires?|interviews?|blood|urine|saliva|patients|participants|records|"
    r"teeth)\b[^.;]*$",
    re.I,
)


def _setting(texts, provenance):
    candidates = []
    for passage in _in(texts, "methods", "abstract"):
        for match in SETTING.finditer(passage.text):
            before = passage.text[max(0, match.start() - 90) : match.start()]
            sentence = passage.sentence(*match.span())
            if (
                match[0].lower().startswith("collected")
                and not _GATHERED.search(before)
                or not is_own(sentence, passage.part)
            ):
                continue
            place = re.sub(r"(?:,| of| and| for| the| in| de| del)+$", "", match[1].strip())
            place = re.sub(r"^(?:the|a|an) ", "", place).rstrip(".")
            if PLACE.search(place) and len(place) > 8 and not re.search(r"\b(?:Ltd|Inc|Pvt|GmbH|Corp|Co)\b", place):
                candidates.append((2, place, None, passage, sentence))
    return choose("setting", candidates[:1], provenance)


def _period(texts, provenance):
    return choose("period", periods(_in(texts, "abstract", "methods", "results")), provenance)


def _registration(texts, provenance):
    candidates = []
    for passage in texts:
        if passage.part in ("introduction", "discussion", "references"):
            continue
        for match in REGISTRY.finditer(passage.text):
            around = passage.text[max(0, match.start() - 120) : match.end() + 60].lower()
            own = re.search(r"regist|identifier|clinicaltrials|prospero|trial number|lodged|protocol|注册", around)
            if match[1].lower().startswith("osf") and not own:
                continue  # a folder of data, for all that is known
            candidates.append(
                (3 if own else 1, re.sub(r"\s", "", match[1]), None, passage, passage.sentence(*match.span()))
            )
    return choose("registration", candidates, provenance)


def _sentence(name, texts, provenance, parts, pattern, others=(), confidence=0.85):
    """The text of the section called so, else the first sentence elsewhere that the rule knows."""
    sections = _in(texts, *parts)
    for passage in sorted(sections, key=lambda p: not pattern.search(p.text)):
        quote = passage.text if len(passage.text) <= 420 else passage.sentence(0, 1)
        if len(quote) > 3:
            return [provenance.field(name, quote, passage.page, quote, confidence)]
    for passage in texts:
        if others and passage.part not in others:
            continue
        match = pattern.search(passage.text)
        if match:
            quote = passage.sentence(match.start() + len(match[0]) - len(match[0].lstrip()), match.end())
            return [provenance.field(name, quote, passage.page, quote, confidence - 0.15)]
    return []


def _ethics(texts, provenance):
    for passage in _in(texts, "ethics", "methods", "declarations", ""):
        for match in ETHICS.finditer(passage.text):
            quote = passage.sentence(*match.span())
            if APPROVED.search(quote):
                return [
                    provenance.field("ethics", quote, passage.page, quote, 0.85 if passage.part == "ethics" else 0.75)
                ]
    return _sentence("ethics", texts, provenance, ("ethics",), ETHICS, ("nowhere",), 0.7)


def _funding(texts, provenance):
    return _sentence(
        "funding",
        texts,
        provenance,
        ("funding",),
        FUNDED,
        ("acknowledgements", "declarations", "", "conflicts", "supplementary", "methods"),
    )


def _conflicts(texts, provenance):
    return _sentence(
        "conflicts",
        texts,
        provenance,
        ("conflicts",),
        CONFLICT,
        ("declarations", "acknowledgements", "", "funding", "supplementary", "contributions", "conclusion"),
    )


def _availability(texts, provenance):
    return _sentence(
        "data_availability",
        texts,
        provenance,
        ("availability",),
        DATA,
        ("declarations", "supplementary", "acknowledgements"),
    )


def _primary_outcome(texts, provenance):
    candidates = []
    for passage in _in(texts, "methods", "abstract", "results"):
        match = OUTCOME.search(passage.text)
        if match:
            quote = passage.sentence(*match.span())
            value = quote[quote.lower().find(match[0].lower()) + len(match[0]) :].strip(" .:") or quote
            candidates.append((3 if passage.part == "methods" else 2, value, None, passage, quote))
    return choose("primary_outcome", candidates[:1], provenance)


def _p_values(texts, provenance, limit=40):
    fields = []
    for passage in _in(texts, "abstract", "results"):
        for match in P.finditer(passage.text):
            quote = passage.sentence(*match.span(), limit=240)
            amount = re.sub(r"\s", "", match[2]).replace("·", ".")
            value = f"{match[1].replace('&lt;', '<')} {amount}"
            fields.append(provenance.field("p_values", value, passage.page, quote, 0.85))
            if len(fields) >= limit:
                return fields
    return fields


def _effects(texts, provenance, limit=40):
    fields = []
    for passage in _in(texts, "abstract", "results"):
        for match in EFFECT.finditer(passage.text):
            value, low, high = (float(re.sub(r"[−–]", "-", match[n]).replace("·", ".")) for n in (2, 4, 5))
            if not low <= value <= high:
                continue
            quote = passage.sentence(*match.span(), limit=300)
            fields.append(
                provenance.field(
                    "effect_sizes",
                    {"measure": match[1], "value": value, "low": low, "high": high, "level": int(match[3])},
                    passage.page,
                    quote,
                    0.85,
                )
            )
            if len(fields) >= limit:
                break
    return fields
