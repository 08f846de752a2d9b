"""DOI, PMID, PMCID, year, volume, issue and pages: votes of the front page, the running heads and the metadata.

A DOI comes from these only, never from the text or the references. Two different ones with equal support are ambiguous,
and then the value is none: a wrong DOI is worse than no DOI.
"""

import re
from collections import Counter, defaultdict
from datetime import date

from .references import trim_doi

_DOI = re.compile(r"\b10\.\d{4,9}/(?:\(?sici\)?[^\s\"“”]+|[^\s\"“”<>]+)", re.I)
_PART = re.compile(
    r"(?:\.(?:[gts]|fig|tab|supp?)\d{1,3}|/-?/?dc\w*|/suppl.*|/full|/pdf|/abstract|/epdf|\.pdf|;jsessionid.*)$", re.I
)
_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.)?(?:doi\. ?org/|doi:)\s*$", re.I)
_FOREIGN = re.compile(
    r"(\bdata\b[^.;]{0,60}\b(?:available|found|deposited|accessible|accessed)|dataset|data ?set|dryad|zenodo|"
    r"figshare|deposit|supplementa\w*|original (?:article|publication)|corrects?|"
    r"correction to|erratum|the article titled|published in|cited in|github|protocols\.io)[^.;]{0,80}$",
    re.I,
)
_DATA_PREFIX = ("10.5061/", "10.5281/", "10.6084/", "10.17632/", "10.7910/", "10.13039/", "10.17605/")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"


def join_broken(text: str) -> str:
    """DOIs that a line break cut after their slash, a dot or a hyphen, made whole."""
    text = re.sub(r"(10\.\d{4,9}/) +(?=\S)(?!\d{1,4}(?:\s|$))", r"\1", text)  # not with the number of the page
    # A bare number after a full stop may be the next page's; it is taken only where the DOI has no number before it.
    text = re.sub(r"(10\.\d{4,9}/[^\s]*\d[^\s]*)\. +(?=\d{1,5}(?:\s|$))", r"\1 . ", text)
    return re.sub(r"(10\.\d{4,9}/[^\s]*[-./_(]) +(?=[\w(]*\d[\w.()-]*(?:\s|$))", r"\1", text)


def find_dois(text: str) -> list[tuple[str, int]]:
    """[(doi in lower case, offset)] in a text."""
    out = []
    for match in _DOI.finditer(text):
        doi = trim_doi(match[0])
        while _PART.search(doi):
            doi = _PART.sub("", doi)
        doi = re.sub(
            r"(?<=\d)(?:Research|Review|Article|Received|Open|©|Copyright|Available|Published|www).*$", "", doi
        )
        if re.fullmatch(r"10\.\d{4,9}/\S*\w\S+", doi) and not doi.lower().startswith(_DATA_PREFIX):
            out.append((doi.lower(), match.start()))
    return out


def repeated_doi(edges: list[str]) -> str | None:
    """The one DOI in the running lines of three pages or more: which paper a page belongs to is what they say."""
    counts: Counter = Counter(doi for edge in edges for doi in {d for d, _ in find_dois(join_broken(edge))})
    often = [doi for doi, n in counts.items() if n >= max(3, 0.4 * len(edges))]
    return often[0] if len(often) == 1 else None


def vote_doi(sources: list[tuple[str, float, str]]) -> tuple[str | None, dict[str, float]]:
    """(doi or None, {candidate: votes}); sources are (text, weight, kind).

    One candidate is taken. Of several, one is taken if it has twice the votes of the next and was found where only the
    paper's own stands (metadata, running head, edge of the front page).
    """
    votes: dict[str, float] = defaultdict(float)
    strong: set[str] = set()
    kinds: dict[str, set[str]] = defaultdict(set)
    for text, weight, kind in sources:
        text = join_broken(text)
        for doi, at in dict(find_dois(text)).items():
            before = _RESOLVER.sub("", text[max(0, at - 140) : at])
            if kind == "front" and _FOREIGN.search(before):
                continue
            votes[doi] += weight
            kinds[doi].add("metadata" if kind == "metadata" else "printed")
            if kind != "front":
                strong.add(doi)
    for doi in list(votes):  # a DOI cut short by a line end is its longer self
        longer = [o for o in votes if o != doi and o.startswith(doi)]
        if len(longer) > 1 and all(o[len(doi) :].isdigit() for o in longer):  # page numbers run into it
            votes[doi] += sum(votes.pop(o) for o in longer)
        elif len(longer) == 1 and (votes[longer[0]] >= votes[doi] or len(longer[0]) - len(doi) > 1):
            votes[longer[0]] += votes.pop(doi)
            strong.add(longer[0]) if doi in strong else None
    ranked = sorted(votes.items(), key=lambda kv: -kv[1])
    if not ranked:
        return None, {}
    if len(ranked) == 1 or ranked[0][1] >= 2 * ranked[1][1] and ranked[0][0] in strong and ranked[1][0] not in strong:
        return ranked[0][0], dict(ranked)
    both = [doi for doi, _ in ranked if len(kinds[doi]) == 2]
    if both == [ranked[0][0]]:
        return both[0], dict(ranked)  # said by the file and printed; another may be a template's or another edition's
    own = [doi for doi, _ in ranked if doi in strong]
    if len(own) == 1 and ranked[0][0] == own[0]:
        return own[0], dict(ranked)
    return None, dict(ranked)


def find_pmid(text: str) -> tuple[str | None, str | None]:
    """(PMID, PMCID) as printed."""
    pmid = re.search(r"\bPMID:?\s*(\d{5,8})\b", text)
    pmcid = re.search(r"\bPMC\s?ID:?\s*(PMC\d{4,9})\b|\b(PMC\d{5,9})\b", text)
    return (pmid[1] if pmid else None), (pmcid[1] or pmcid[2] if pmcid else None)


_YEAR = r"((?:19|20)\d\d)"
#: (pattern with the year in its group, where it is looked for, weight); publication beats copyright beats acceptance.
YEAR_EVIDENCE: list[tuple[str, tuple[str, ...], float]] = [
    (
        rf"\bpublished(?: online)?(?: first)?\s*:?\s*(?:on )?"
        rf"(?:(?:\d{{1,2}}(?:st|nd|rd|th)?|(?:{_MONTHS})[a-z]*)[ .,/-]+){{0,3}}{_YEAR}\b(?! to\b)",
        ("front",),
        2.5,
    ),
    (rf"\bpublished(?: online)?\s*:?\s*\d{{1,2}}[-/.]\d{{1,2}}[-/.]{_YEAR}", ("front",), 2.5),
    (rf"(?:©|\(c\)|copyright)\s*(?:the authors?(?:\(s\))?,?\s*)?\(?{_YEAR}", ("front",), 2.0),
    (rf"\bvolume {_YEAR}\b", ("front",), 3.0),
    (rf"\({_YEAR}\)\s*(?:vol\.?\s*)?\d+[:(,]", ("front", "edges"), 3.0),
    (rf"\b{_YEAR}[,;]?\s*(?-i:[A-Z][a-z]+)?;?\s*\d+\s*(?:\(\d+\S*\))?\s*[:,]\s*[\de]", ("front", "edges"), 3.0),
    (rf"\d+\s*(?:\(\d+\))?:\s*\w+\s*[-–]\s*\w+,?\s*\({_YEAR}\)", ("front", "edges"), 3.0),
    (rf"\b(?:{_MONTHS})\w*\.?\s+{_YEAR}\s*\|\s*volume", ("front", "edges"), 3.0),
    (rf"\bvol(?:ume)?\.?\s*\d+.{{0,40}}?\b{_YEAR}\b", ("front", "edges"), 2.0),
    (rf"\bv\.\s?\d+,.{{0,40}}?\b{_YEAR}\b", ("brim", "edges"), 2.0),
    (rf"\b\d{{1,4}}, \w+[-–]\w+ \({_YEAR}\)", ("front", "edges"), 3.0),
    (rf"\b\d{{1,4}}\s?\({_YEAR}\)\s?[a-z]?\d+", ("front", "edges"), 3.0),
    (rf"\b{_YEAR}\b", ("edges",), 1.2),
    (rf"\b{_YEAR}\b", ("citation",), 2.0),
    (rf"\b{_YEAR}\b", ("subject",), 1.5),
    (rf"\baccepted\s*:?\s*(?:\w+[ ,./-]+){{0,3}}{_YEAR}", ("front",), 0.6),
    (rf"\bproceedings\b.{{0,160}}?\b{_YEAR}\b", ("brim",), 2.0),
    (rf"\b(?:{_MONTHS})[a-z]*\.?,?\s+(?:\d{{1,2}}(?:\s?[-–]\s?\d{{1,2}})?,?\s+)?{_YEAR}\b", ("brim",), 1.5),
    (rf"\b(?:{_MONTHS})[a-z]*\.?,?\s+(?:\d{{1,2}},?\s+)?{_YEAR}\b", ("dated",), 1.5),
    (rf"(?:{_YEAR}\s?年)", ("dated",), 1.5),
    (rf"\b{_YEAR}\b", ("dated",), 0.7),
]


def vote_year(
    front: str, edges: str, info: str, created: str, doi: str | None, citation: str, brim: str = "", dated: str = ""
) -> tuple[int | None, dict[int, float]]:
    """(year, {year: votes}); what is printed for publication counts most, the creation of the file least.

    `brim`: lines in the head and foot of the front page; `dated`: short lines between the title and the abstract, or
    all of a cover page.
    """
    votes: dict[int, float] = defaultdict(float)
    latest = date.today().year + 1  # what looks like a later year is a page or part of a number
    texts = {"front": front, "edges": edges, "citation": citation[:700], "subject": info, "brim": brim, "dated": dated}
    texts = {place: _DOI.sub(" ", text) for place, text in texts.items()}  # a year in a DOI is no date of print
    for pattern, places, weight in YEAR_EVIDENCE:
        for year in set(re.findall(pattern, " ".join(texts[p] for p in places), re.I)):
            if 1800 < int(year) <= latest:
                votes[int(year)] += weight
    made = re.match(rf"D:{_YEAR}", created)
    if made and int(made[1]) in votes:
        votes[int(made[1])] += 0.7  # the day a file was made is no evidence by itself
    if doi:
        for year in set(re.findall(rf"(?<!\d){_YEAR}(?!\d)", doi)):
            votes[int(year)] += 1.5 * (1800 < int(year) <= latest)
    votes = {year: n for year, n in votes.items() if n}
    if not votes:
        for year in re.findall(rf"\b{_YEAR}\b", front[:1500]):
            votes[int(year)] = votes.get(int(year), 0.0) + 0.2 * (int(year) <= latest)
    ranked = sorted(votes.items(), key=lambda kv: (-kv[1], -kv[0]))
    if not ranked or ranked[0][1] < 0.6:
        return None, dict(ranked)
    return ranked[0][0], dict(ranked)


def find_volume(text: str) -> dict[str, str]:
    """{volume, issue, first_page, last_page} as far as printed in a citation or a running head."""
    patterns = [
        r"\b(?:19|20)\d\d[a-z "
        r",]*;\s*(?P<volume>\d{1,4})\s*(?:\((?P<issue>[\w–-]{1,9})\))?\s*:\s*(?P<first>[A-Za-z]?\d+)(?:\s*[-–]\s*(?P<last>[A-Za-z]?\d+))?",
        r"\((?:19|20)\d\d\)\s*(?P<volume>\d{1,4})(?:\((?P<issue>\d+)\))?\s*[:,]\s*(?P<first>[A-Za-z]?\d+)(?:\s*[-–]\s*(?P<last>[A-Za-z]?\d+))?",
        r"\b(?P<volume>\d{1,4})\s*\((?P<issue>\d{1,3})\)\s*[:,]\s*(?P<first>[A-Za-z]?\d+)\s*[-–]\s*(?P<last>[A-Za-z]?\d+)",
        r"\b(?:19|20)\d\d,?\s+(?P<volume>\d{1,4})(?:\((?P<issue>\d+)\))?:\s?(?P<first>[A-Za-z]?\d+)(?:\s*[-–]\s*(?P<last>[A-Za-z]?\d+))?",
        r"\bvol(?:ume)?\.?\s*(?P<volume>(?!(?:19|20)\d\d\b)\d{1,4})\s*[,|]?\s*(?:(?:no|issue|"
        r"number)\.?\s*(?P<issue>\d{1,3}))?(?:.{0,30}?(?:pp?\.?|pages?|article(?: "
        r"id)?)\s*(?P<first>\w?\d+)(?:\s*[-–]\s*(?P<last>\w?\d+))?)?",
        r"\bvolume\s+(?P<volume>(?:19|20)\d\d),\s*article id\s*(?P<first>\d+)",
        r"\.\s(?P<volume>\d{1,3}):(?P<first>[a-z]?\d{1,6})\.\s*(?:doi|$)",
    ]
    for pattern in patterns:
        match = re.search(pattern, text, re.I)
        if match:
            got = {k: v for k, v in match.groupdict().items() if v}
            names = {"volume": "volume", "issue": "issue", "first": "first_page", "last": "last_page"}
            return {names[k]: v for k, v in got.items()}
    return {}
