"""Study facts by rules: what was done, on how many, where, when, under which number, with what outcome.

A rule reads the passages in which such a fact is stated (title, abstract, methods, end matter), never the references or
the introduction. One value is found, two different ones are ambiguous, none is no field.
"""

import re

from .passages import Passage
from .provenance import Provenance

_DESIGNS = [
    (
        "systematic review and meta-analysis",
        r"systematic review and (?:network )?meta-?analys[ie]s|systematic review with meta-?analysis",
    ),
    ("meta-analysis", r"meta-?analys[ie]s"),
    ("systematic review", r"systematic(?:ally)? review(?:ed)?|systematic literature review"),
    ("scoping review", r"scoping review"),
    ("study protocol", r"study protocol|protocol (?:for|of) a"),
    (
        "randomised controlled trial",
        r"randomi[sz]ed,? (?:[\w-]+,? ){0,4}(?:controlled |clinical )*trial|randomi[sz]ed controlled (?:study|trial)|randomi[sz]ed,? (?:double|single|triple)-?\s?blind",
    ),
    ("crossover trial", r"cross-?over (?:trial|study|design)"),
    ("non-randomised trial", r"(?:non-?randomi[sz]ed|open-label|single-arm) (?:[\w-]+ )?trial|quasi-experimental"),
    (
        "cohort study",
        r"(?:prospective|retrospective)?,? ?(?:[\w-]+ )?cohort (?:study|analysis)|longitudinal study|prospective (?:observational )?study|retrospective (?:observational )?(?:study|analysis|review)",
    ),
    ("case-control study", r"case-?\s?control(?:led)? study"),
    ("cross-sectional study", r"cross-?sectional (?:[\w-]+ )?(?:study|survey|analysis|design)"),
    ("case report", r"case report|we report (?:a|the) case"),
    ("case series", r"case series"),
    ("qualitative study", r"qualitative (?:study|interview|research)|focus group"),
    ("diagnostic accuracy study", r"diagnostic (?:accuracy|test accuracy) study"),
    (
        "animal experiment",
        r"\b(?:wistar|sprague[- ]?dawley|swiss albino|balb/?c|c57bl/?6\w*|albino) (?:[\w-]+ )?(?:rats?|mice|mouse)|\b(?:rats|mice|broilers?|rabbits|zebrafish|piglets) (?:were|was) (?:randomly |divided|fed|treated|allocated|assigned)",
    ),
    (
        "in vitro study",
        r"in[ -]?vitro (?:study|model|evaluation|assays?|antifungal|antibacterial|antimicrobial|antioxidant|activity|cytotoxicity)|cell lines? (?:was|were)",
    ),
    ("in silico study", r"in[ -]?silico|molecular docking study"),
    (
        "review",
        r"\b(?:this|present|the current|narrative|literature|an?) review\b|^a review|: a review|review article|we review\b",
    ),
]
_HINTS = {  # a word that must be there, for a plain search is ten times cheaper than a pattern
    "": (
        "trial",
        "study",
        "studies",
        "report",
        "series",
        "interview",
        "focus group",
        "research",
        "analys",
        "survey",
        "design",
        "review",
    ),
    "animal experiment": ("rat", "mice", "mouse", "broiler", "zebrafish", "piglet", "rabbit"),
    "in vitro study": ("vitro", "cell line"),
    "in silico study": ("silico", "docking"),
}
_REGISTRY = re.compile(
    r"\b(NCT\s?0\d{7}|ISRCTN\s?\d{8}|ChiCTR[-\w]{0,6}\d{6,11}|ACTRN\s?\d{14}|CTRI/\d{4}/\d{1,3}/\d{3,6}|IRCT\s?\d{8,18}(?:N\d+)?|UMIN\s?\d{9}|DRKS\s?\d{8}|NTR\s?\d{3,5}|"
    r"PACTR\s?\d{15,16}|jRCT\w?\d{9,10}|KCT\s?\d{7}|TCTR\s?\d{11}|RBR-\w{6,7}|CRD\s?42\d{6,10}|SLCTR/\d{4}/\d{3}|EudraCT(?: (?:number|no\.?))?:?\s?20\d\d-\d{6}-\d\d)"
)
_UNITS = r"(?:(?:[a-z-]+ ){0,3}?)(?:patients|participants|subjects|individuals|women|men|children|adults|volunteers|students|respondents|infants|neonates|adolescents|people|persons|cases|pregnant women|nurses|physicians|households|rats|mice|animals|broilers|birds|chicks|rabbits|pigs|piglets|dogs|cats|goats|sheep|cows|calves|fish|isolates|samples|specimens|studies|articles|trials|genotypes|accessions)"
_WORDS = {
    w: n
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
_WORDS |= {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
}
_COUNT = (
    r"(?:\d{1,3}(?:[, ]\d{3})+|\d+|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?|"
    + "|".join(list(_WORDS)[2:21])
    + ")"
)
_TAKEN = r"(?:enrol+ed|included|recruited|randomi[sz]ed|randomly|divided|allocated|assigned|studied|participated|analy[sz]ed|selected|completed|used in|were used|evaluated|collected|took part|obtained)"
_SAMPLE = [
    (3, re.compile(rf"\b(?:a )?total of ({_COUNT}) ({_UNITS})\b", re.I)),
    (3, re.compile(rf"\bsample (?:size )?(?:of|was|consisted of|comprised) ({_COUNT})()\b ?(?:{_UNITS})?", re.I)),
    (2, re.compile(rf"\b({_COUNT}) ({_UNITS})\b[^.;]{{0,60}}?\b(?:were|was|had been)?\s*{_TAKEN}", re.I)),
    (
        2,
        re.compile(
            rf"\b(?:enrol+ed|included|recruited|randomi[sz]ed|identified|analy[sz]ed) ({_COUNT}) ({_UNITS})\b", re.I
        ),
    ),
    (1, re.compile(rf"\b(?:in|of|with|on|from|among) ({_COUNT}) ({_UNITS})\b", re.I)),
]
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
_DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{_MONTH} (?:\d{{1,2}}, )?)?(?:19|20)\d\d"
_PERIOD = re.compile(
    rf"\b(?:between|from|during) ((?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}},?)? ?(?:(?:19|20)\d\d)?|(?:19|20)\d\d) ?(?:and|to|until|till|through|–|-) ?({_DATE})\b"
)
_GROUPS = re.compile(
    rf"\b(?:divided|assigned|allocated|randomi[sz]ed|distributed|split|categori[sz]ed|grouped)\b[^.;]{{0,70}}?\b(?:in)?to (?:one of )?({_COUNT}) (?:[\w-]+ ){{0,3}}(?:groups|arms|categories|treatments)\b",
    re.I,
)
_SETTING = re.compile(
    r"\b(?:conducted|performed|carried out|recruited|admitted|attending|enrolled|undertaken|held|housed|reared|procured|collected)\b[^.;]{0,60}?\b(?:at|in|from|by) ((?:the |a |an )?(?:[A-Z][\w’'.&-]*|of|and|for|the|in|,)(?: (?:[A-Z][\w’'.&-]*,?|of|and|for|the|in|de|del)){0,14})"
)
_PLACE = re.compile(
    r"hospital|universit|clinic|cent(?:er|re)|institute|college|school|laborator|farm|ward|department|faculty", re.I
)
_OUTCOME = re.compile(
    r"\bprimary (?:efficacy |study |clinical )?(?:outcomes?|end-?\s?points?)(?: measures?| variables?)? (?:was|were|is|are|included|of)\b",
    re.I,
)
_P = re.compile(
    r"\b[pP](?:-?\s?values?)?\s*(?:of\s*)?([<>=≤≥]|&lt;)\s*(0?\.\d+(?:\s?[×x]\s?10\s?[-−–]\s?\d+)?|[01]\.0+|\d\.?\d*\s?[×x]\s?10\s?[-−–]\s?\d+)"
)
_EFFECT = re.compile(
    r"\b(adjusted odds ratio|odds ratio|hazard ratio|relative risk|risk ratio|rate ratio|risk difference|(?:standardi[sz]ed |weighted )?mean difference|aOR|aHR|OR|RR|HR|IRR|SMD|WMD|MD|ARR)\b"
    r"[\s,:=(\[]*(?:of|was|is)?[\s:=]*([-−–]?\d+(?:\.\d+)?)[^.\d]{0,20}?\(?\[?\s*(?:(\d\d)\s?%\s?(?:CI|confidence interval)s?)[\s:,=(\[]*([-−–]?\d+(?:\.\d+)?)\s*(?:-|–|−|to|,|;)\s*([-−–]?\d+(?:\.\d+)?)",
    re.I,
)
_ETHICS = re.compile(r"\b(?:ethic\w*|institutional review|IRB|animal care|IACUC|IAEC|Helsinki|CPCSEA)\b", re.I)
_APPROVED = re.compile(
    r"approv|waive|exempt|permission|in accordance|according to|complied|guidelines|not required|not applicable|certificate",
    re.I,
)
_FUNDED = re.compile(
    r"\b(?:(?:was|is|were|been|are) (?:\w+ )?(?:supported|funded|financed|sponsored)\b|supported by|funded by|financial(?:ly)? support|funding (?:from|was|by)|grants? (?:from|no|number)|self-funded|received no (?:\w+ )?(?:funding|financial)|no (?:specific )?funding|acknowledge .{0,60}(?:grant|funding|financial))",
    re.I,
)
_CONFLICT = re.compile(
    r"\b(?:no|any|not have (?:any )?)\s?(?:potential |financial |known |commercial )?(?:conflicts? of interests?|competing (?:financial |non-financial )?interests?|competing)|\bcompeting interests?\b[^.]*\bdeclare|\bconflicts? of interests?\b[^.]*\b(?:declare|disclose|none)",
    re.I,
)
_DATA = re.compile(
    r"\b(?:data(?:sets?)?|sequences?|materials?)\b[^.]{0,120}\b(?:available|deposited|accessible|included within|accession)\b|\ball data (?:generated|supporting)|\bdata sharing (?:is )?not applicable",
    re.I,
)


def number(text: str) -> int | None:
    """`1,024`, `24` or `twenty-four` as an integer."""
    plain = re.sub(r"[, ]", "", text)
    if plain.isdigit():
        return int(plain)
    parts = text.lower().split("-")
    return sum(_WORDS[p] for p in parts) if all(p in _WORDS for p in parts) else None


def find_facts(texts: list[Passage], provenance: Provenance) -> list[dict]:
    """Fields of all study facts, in a fixed order of names."""
    rules = (
        _design,
        _sample_size,
        _groups,
        _setting,
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
    return [field for rule in rules for field in rule(texts, provenance)]


def _in(texts, *parts):
    return [p for p in texts if p.part in parts]


def choose(name, candidates, provenance, unit=None):
    """[field]: `candidates` are (score, value, unit, passage, quote); equal best scores with different values are ambiguous."""
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


def _design(texts, provenance):
    weights = {"title": 4, "abstract": 2, "methods": 1, "": 1}
    found: dict[str, list] = {}
    for passage in texts:
        if passage.part not in weights:
            continue
        lower = passage.text.lower()
        for rank, (name, pattern) in enumerate(_DESIGNS):
            if not any(word in lower for word in _HINTS.get(name, _HINTS[""])):
                continue
            match = re.search(pattern, passage.text, re.I)
            if match:
                entry = found.setdefault(name, [0, rank, passage, passage.sentence(*match.span())])
                entry[0] += weights[passage.part]
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
    ):
        if narrow in found and broad in found and found[narrow][0] >= 2:
            del found[broad]
    return choose(
        "design",
        [(score, name, None, passage, quote) for name, (score, _, passage, quote) in found.items()],
        provenance,
    )


def _sample_size(texts, provenance):
    candidates = []
    for passage in _in(texts, "abstract", "methods", "results", ""):
        place = {"abstract": 2, "methods": 1}.get(passage.part, 0)
        for score, pattern in _SAMPLE:
            if score + place < 3:
                continue  # would not be believed
            for match in pattern.finditer(passage.text):
                value = number(match[1])
                if value is None or value < 2 or 1900 < value < 2100 and "," not in match[1]:
                    continue
                before = passage.text[max(0, match.start() - 14) : match.start()].lower()
                after = passage.text[match.end() : match.end() + 40].lower()
                if re.search(r"(?:of these|each|every|per|contain\w*|remaining|another)\W+$", before) or re.search(
                    r"^\W*(?:in )?(?:each|per)\b|exclu|removed|outgroup", after
                ):
                    continue
                sentence = passage.sentence(*match.span())
                if not re.search(r"\bexclu|outgroup|were removed", sentence, re.I):
                    candidates.append((score + place, value, match[2].strip().lower() or None, passage, sentence))
    strong = [c for c in candidates if c[0] >= 3]
    return choose("sample_size", strong, provenance)


def _groups(texts, provenance):
    candidates = []
    for passage in _in(texts, "abstract", "methods", ""):
        for match in _GROUPS.finditer(passage.text):
            value = number(match[1])
            if value and 1 < value < 40:
                candidates.append(
                    (2 if passage.part == "abstract" else 1, value, "groups", passage, passage.sentence(*match.span()))
                )
    return choose("groups", candidates, provenance)


def _setting(texts, provenance):
    candidates = []
    for passage in _in(texts, "methods", "abstract"):
        for match in _SETTING.finditer(passage.text):
            place = re.sub(r"(?:,| of| and| for| the| in| de| del)+$", "", match[1].strip())
            place = re.sub(r"^(?:the|a|an) ", "", place)
            if _PLACE.search(place) and len(place) > 8:
                candidates.append((2, place, None, passage, passage.sentence(*match.span())))
    return choose("setting", candidates[:1], provenance)


def _period(texts, provenance):
    candidates = []
    for passage in _in(texts, "abstract", "methods"):
        for match in _PERIOD.finditer(passage.text):
            sentence = passage.sentence(*match.span())
            score = (
                2
                if re.search(
                    r"recruit|enrol|conduct|collect|admitted|carried|study|search|period|survey", sentence, re.I
                )
                else 1
            )
            candidates.append((score, f"{match[1].strip()} to {match[2].strip()}", None, passage, sentence))
    return choose("period", candidates, provenance)


def _registration(texts, provenance):
    candidates = []
    for passage in texts:
        if passage.part in ("introduction", "discussion", "references"):
            continue
        for match in _REGISTRY.finditer(passage.text):
            around = passage.text[max(0, match.start() - 120) : match.end() + 60].lower()
            own = re.search(r"regist|identifier|clinicaltrials|prospero|trial number", around)
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
        for match in _ETHICS.finditer(passage.text):
            quote = passage.sentence(*match.span())
            if _APPROVED.search(quote):
                return [
                    provenance.field("ethics", quote, passage.page, quote, 0.85 if passage.part == "ethics" else 0.75)
                ]
    return _sentence("ethics", texts, provenance, ("ethics",), _ETHICS, ("nowhere",), 0.7)


def _funding(texts, provenance):
    return _sentence(
        "funding",
        texts,
        provenance,
        ("funding",),
        _FUNDED,
        ("acknowledgements", "declarations", "", "conflicts", "supplementary", "methods"),
    )


def _conflicts(texts, provenance):
    return _sentence(
        "conflicts",
        texts,
        provenance,
        ("conflicts",),
        _CONFLICT,
        ("declarations", "acknowledgements", "", "funding", "supplementary", "contributions", "conclusion"),
    )


def _availability(texts, provenance):
    return _sentence(
        "data_availability",
        texts,
        provenance,
        ("availability",),
        _DATA,
        ("declarations", "supplementary", "acknowledgements"),
    )


def _primary_outcome(texts, provenance):
    candidates = []
    for passage in _in(texts, "methods", "abstract", "results"):
        match = _OUTCOME.search(passage.text)
        if match:
            quote = passage.sentence(*match.span())
            value = quote[quote.lower().find(match[0].lower()) + len(match[0]) :].strip(" .:") or quote
            candidates.append((3 if passage.part == "methods" else 2, value, None, passage, quote))
    return choose("primary_outcome", candidates[:1], provenance)


def _p_values(texts, provenance, limit=40):
    fields = []
    for passage in _in(texts, "abstract", "results"):
        for match in _P.finditer(passage.text):
            quote = passage.sentence(*match.span(), limit=240)
            amount = re.sub(r"\s", "", match[2])
            value = f"{match[1].replace('&lt;', '<')} {amount}"
            fields.append(provenance.field("p_values", value, passage.page, quote, 0.85))
            if len(fields) >= limit:
                return fields
    return fields


def _effects(texts, provenance, limit=40):
    fields = []
    for passage in _in(texts, "abstract", "results"):
        for match in _EFFECT.finditer(passage.text):
            value, low, high = (float(re.sub(r"[−–]", "-", match[n])) for n in (2, 4, 5))
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
