"""How many were studied: the total enrolled, never what was planned, screened, excluded, or one group of them.

Every count of people, animals or samples in the title, the abstract, the methods and the results is weighed by the
words around it. Counts of the same value support each other. Two totals with nearly equal support are ambiguous.
"""

import re
from collections import defaultdict

from .fact_patterns import COUNT, UNITS, WORDS
from .own_study import is_own
from .passages import Passage, shortened

_ENROLLED = (
    r"(?:enrol+ed|included|recruited|randomi[sz]ed|randomly|divided|allocated|assigned|studied|participated|examined|"
    r"took part|were eligible and|completed (?:the )?(?:survey|questionnaire|baseline)|surveyed|interviewed|"
    r"received|were given|measured|observed|followed|admitted|consented|gave consent|photographed|invited and)"
)
_ANALYSED = (
    r"(?:analy[sz]ed|completed|evaluated|available|usable|in the (?:final )?analysis|selected|collected|obtained|used)"
)
_JOINED = (
    r"(?:took part|agreed|consented|gave|answered|responded|participated|completed|(?:were|was) (?:then |finally |"
    r"subsequently )?(?:enrol+ed|included|recruited|randomi[sz]ed|interviewed|examined|eligible and))"
)
_PATTERNS = [  # (weight, pattern with the groups n and unit)
    (4, rf"(?:^|[.:;,]\s)(?:a )?total of (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (3, rf"\b(?:a )?total of (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (
        3,
        rf"\b(?:our |the |final |study )?sample (?:size )?(?:of|was|consisted of|comprised|included) "
        rf"(?P<n>{COUNT})\b ?(?P<unit>{UNITS})?",
    ),
    (3, rf"\b{_ENROLLED} (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (3, rf"\b(?P<n>{COUNT}) (?P<unit>{UNITS})\b[^.;]{{0,60}}?\b{_ENROLLED}"),
    (
        5,
        rf"\b(?:of|among) (?:the )?(?:{COUNT}) (?P<unit>{UNITS})\b[^,.;]{{0,60}}, (?P<n>{COUNT})(?: \([\d.,%\s]+\))? "
        rf"{_JOINED}\b",
    ),
    (
        3,
        rf"(?:^|[.:]\s)(?:of|among) (?:the )?(?P<n>{COUNT}) (?P<unit>{UNITS})\b(?![^,.;]{{0,60}}, {COUNT}(?: "
        rf"\([\d.,%\s]+\))? {_JOINED})",
    ),
    (3, rf"\b(?:trial|study|survey|cohort|analysis)(?: of| in| with|,)? (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (3, rf"\ball (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (3, rf"\b(?P<n>{COUNT}) consecutive (?P<unit>{UNITS})\b"),
    (2, rf"\b(?P<n>{COUNT}) (?P<unit>{UNITS})\b[^.;]{{0,60}}?\b{_ANALYSED}"),
    (2, rf"\b{_ANALYSED} (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (
        4,
        rf"\b(?:{COUNT}) (?:[\w-]+ ){{0,4}}?(?:trials|studies|articles|RCTs|CCTs)\b(?: \([^)]{{1,20}}\))?"
        rf"[^.;\d]{{0,25}}?"
        rf"(?: \(|\b(?:with|involving|comprising|including|of|and|enrolling|totall?ing|consisting of) )"
        rf"(?:a total of )?(?P<n>{COUNT}) (?P<unit>{UNITS})\b",
    ),
    (4, rf"(?:^|[.:;]\s)(?:in total|overall|altogether),? (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (
        3,
        rf"\b(?:conducted|performed|carried out|study|trial|survey) (?:\w+ ){{0,3}}?(?:among|in|on|with) "
        rf"(?P<n>{COUNT}) (?P<unit>{UNITS})\b",
    ),
    (
        2,
        rf"(?:^|[.:]\s)(?:in (?:this|the|our) (?:trial|study),? )?(?P<n>{COUNT}) (?P<unit>{UNITS})\b(?! (?:had|were "
        rf"(?:identified|screened|assessed|excluded)))",
    ),
    (2, rf"\bthere were (?:[\d,]+ \w+ (?:of|in|among) )(?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (1, rf"\b(?:in|of|with|on|from|among) (?P<n>{COUNT}) (?P<unit>{UNITS})\b"),
    (4, r"(?:纳入|入选|招募|收集|选取|选择|调查|共)[^。；，（]{0,40}?(?P<n>\d+)\s?(?:例|名|人|只)(?P<unit>)"),
]
_COMPILED = [(weight, re.compile(pattern, re.I)) for weight, pattern in _PATTERNS]
_PLANNED = re.compile(
    r"sample size (?:calculation|estimat|was (?:calculated|estimated|determined|based)|required|of .{0,60}(?:required|"
    r"needed|power))|\bpower\b|to detect|needed to|would (?:be|have|give|allow)|we (?:needed|aimed|planned|intended)|"
    r"\bplanned\b|assuming|were required|was required|required (?:sample|number)|at least \d|expected|allow(?:ing)? "
    r"for|"
    r"drop-?out rate|design effect|prevalence of 50|margin of error|样本量|把握度|检验水准|脱落率",
    re.I,
)
_LEFT_OUT = re.compile(
    r"\bexclu(?:ded|sion|ding)|outgroup|\bremoved\b|lost to follow|dropped out|withdr[ae]w|declined|refused|did not|"
    r"missing|died|screened|assessed for eligib|were approached|were invited|were contacted|not eligible|ineligible|"
    r"排除|失访|筛查",
    re.I,
)
_BEFORE = re.compile(
    r"(?:of these|of whom|of which|of them|of those|each|every|per|contain\w*|remaining|another|other|further|"
    r"additional|"
    r"only|least|than|about every|group of|groups of|first|last|and|, of|versus|vs\.?|with|including|aged)\W+$",
    re.I,
)
_AFTER = re.compile(
    r"^\W*(?:in )?(?:each|per|every)\b|^[^.;(]{0,40}\b(?:to|in|into) each (?:group|arm)|^ (?:in|of|from) group\b|"
    r"^\W*(?:RCTs?|studies|trials|articles|papers|publications)\b|"
    r"^\W{0,2}[(（]\s?\d+(?:\.\d+)?\s?%|^ (?:in|of|from) (?:the|each) [\w "
    r"-]{0,30}(?:group|arm)s?\b|"
    r"^ and [\d,]+ (?:controls|cases|healthy|matched|women|men|girls|boys)|^ (?:developed|reported|died)\b"
    r"|^[^.;(]{0,30} per (?:group|arm|cluster|district|village|school)",
    re.I,
)
_COUNTED = re.compile(  # cheap: a number, then one of the units' words soon after
    rf"\b(?:\d|{'|'.join(WORDS)})[\w, -]{{0,60}}?\b(?:{UNITS.rsplit('(?:', 1)[1].rstrip(')')})\b|sample (?:size "
    rf")?(?:of|was|con|com|inc)|\d\s?[例名人只]",
    re.I,
)
_EACH = re.compile(r"\b(?:each|every|per) (?:group|arm)\b[^.;,]{0,30}$", re.I)
_FOUND = re.compile(r"^[^.;,]{0,40}\b(?:identified|approached|contacted|potentially eligible)\b", re.I)
_YEAR_BEFORE = re.compile(r"\b(?:in|since|from|until|till|during|between|before|after|and|to|of)\W*$", re.I)
_WITH = re.compile(r"^ (?:with|had|who)\b")
_PARTS = re.compile(r"isolates|samples|specimens|genotypes|accessions|eyes|knees|teeth|admissions|births|cases$")
_PLACES = {"title": 3, "abstract": 2, "results": 1, "methods": 0, "": 0}


def number(text: str) -> int | None:
    """`1,024`, `24` or `twenty-four` as an integer."""
    plain = re.sub(r"[, ]", "", text)
    if re.fullmatch(r"[0-9]{1,12}", plain):
        return int(plain)
    parts = text.lower().split("-")
    return sum(WORDS[p] for p in parts) if all(p in WORDS for p in parts) else None


def totals(texts: list[Passage]) -> list[tuple]:
    """[(support, value, unit, passage, quote)], best first; only what could be the total."""
    review = any(p.part == "title" and re.search(r"\breview\b|meta-?analys", p.text, re.I) for p in texts)
    support: dict[int, dict[str, float]] = defaultdict(dict)
    best: dict[int, tuple] = {}
    for passage in texts:
        if passage.part not in _PLACES or review and passage.part not in ("abstract", "title"):
            continue  # a review tells of other people's samples
        for piece in passage.sentences():
            if not _COUNTED.search(piece):
                continue
            for weight, match in ((w, m) for w, pattern in _COMPILED for m in pattern.finditer(piece)):
                value = number(match["n"])
                if value is None or value < 2 or _is_year(value, match, piece):
                    continue
                if not _could_be_total(piece, match, piece, weight) or not _counts_who(match, piece, passage.part):
                    continue
                score = weight + _PLACES[passage.part] - 2 * bool(_FOUND.search(piece[match.end("n") :]))
                if score > support.get(value, {}).get(passage.part, 0):
                    support[value][passage.part] = score
                    unit = re.sub(r"\s+", " ", (match["unit"] or "").strip().lower()) or None
                    if value not in best or score > best[value][0]:
                        best[value] = (score, value, unit, passage, shortened(piece, *match.span()))
    for passage, value, quote in _case_control(texts):
        support[value] = {passage.part: 6 + _PLACES[passage.part]}
        best[value] = (6, value, "cases and controls", passage, quote)
    living = any(max(support[value].values()) >= 4 and not _PARTS.search(c[2] or "cases") for value, c in best.items())
    for value, found in best.items():
        if living and _PARTS.search(found[2] or ""):
            support[value] = {part: score - 2 for part, score in support[value].items()}
    if review:  # of several numbers of participants the smaller ones are those of one comparison
        most = max((max(parts.values()) for parts in support.values()), default=0)
        top = max((v for v, parts in support.items() if max(parts.values()) == most), default=0)
        support = {v: parts for v, parts in support.items() if v >= top}
    ranked = [(sum(sorted(parts.values(), reverse=True)[:2]), *best[value][1:]) for value, parts in support.items()]
    return sorted(ranked, key=lambda c: -c[0])


def _is_year(value, match, text) -> bool:
    """`in 1998 patients were` is a year, `studies with 1942 patients` is not."""
    if not 1900 < value < 2100 or "," in match["n"]:
        return False
    return not match["unit"] or bool(_YEAR_BEFORE.search(text[max(0, match.start("n") - 10) : match.start("n")]))


def _case_control(texts):
    """The first `127 cases and 254 controls`: their sum is what was studied."""
    for passage in texts:
        if passage.part not in ("abstract", "results", "methods", "") or "controls" not in passage.text:
            continue
        for match in re.finditer(
            rf"\b({COUNT}) (?:(?!stud|trial|artic)[a-z’'-]+ ){{0,3}}(?:cases|patients),? and "
            rf"({COUNT}) (?:[a-z-]+ ){{0,2}}controls\b",
            passage.text,
            re.I,
        ):
            sentence = passage.sentence(*match.span())
            if not _PLANNED.search(sentence):
                return [(passage, number(match[1]) + number(match[2]), sentence)]
    return []


_STOPS = re.compile(
    r"\b(?:with|for|why|of|in|to|that|and|which|whose|from|by|where|how|hypotheses|reasons|types?|kinds?|sets?|"
    r"levels?|steps?)\b"
)
_DISEASE = re.compile(
    r"\b(?:patients?|clinical\w*|diseases?|diagnos\w+|hospital\w*|infect\w+|cancer|controls|confirmed|deaths)\b", re.I
)


def _counts_who(match, sentence: str, part: str) -> bool:
    """Whether the number counts what its unit says, in this study: not "compound 3 with samples" nor "in all three "
    "cases"."""
    unit = (match["unit"] or "").lower()
    if _STOPS.search(unit):
        return False
    if unit.endswith("cases") and not _DISEASE.search(sentence):
        return False
    if re.search(
        r"\b(?:compound|table|figure|fig\.?|equation|eq\.?|section|step|version|type|grade|stage|no\.?)\s*$",
        sentence[: match.start("n")],
        re.I,
    ):
        return False
    return is_own(sentence, part)


def _could_be_total(text, match, sentence, weight) -> bool:
    before = text[max(0, match.start("n") - 16) : match.start("n")]
    if re.search(r"[\w)][-–.]$|[-–]$", before) or _EACH.search(text[max(0, match.start("n") - 60) : match.start("n")]):
        return False  # the 19 of COVID-19, the 210 of "each group is assigned 210 patients"
    if weight < 4 and before.endswith("("):
        return False
    after = text[match.end() : match.end() + 60]
    end = match.end("unit") if match["unit"] is not None else match.end("n")
    close = text[end : end + 60]
    if weight < 2 and _WITH.match(close) or _AFTER.match(close) and weight < 5 or weight < 4 and _AFTER.match(after):
        return False
    if weight < 4 and _BEFORE.search(before) and not re.search(r"total of\W*$", before):
        if not (weight in (1, 3) and re.search(r"\b(?:with|and|of|first|including)\W+$", before) and weight == 1):
            return False
    return not (_PLANNED.search(sentence) or _LEFT_OUT.search(sentence) and not _total_stated(sentence, match))


def _total_stated(sentence, match) -> bool:
    """ "We enrolled 200 patients; 12 were excluded": the words of leaving out stand after the count."""
    sentence = re.sub(r"\([^()]*\)", "", sentence)
    at = sentence.find(match["n"])
    out = _LEFT_OUT.search(sentence)
    return out is not None and 0 <= at < out.start() and out.start() - at > 45
