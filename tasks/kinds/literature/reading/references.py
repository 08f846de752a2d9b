"""An entry of a reference list, parsed into authors, title, journal, year and DOI."""

import re

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"“”]+", re.I)
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)[a-z]?\b")


def trim_doi(doi: str) -> str:
    """A DOI as it stands in text, without the punctuation of the sentence around it."""
    doi = re.split(r"[<>{}|\\^`]|\.\s|https?:", doi)[0] if "<" not in doi or "sici" not in doi.lower() else doi
    while doi and (
        doi[-1] in ".,;:'\"”’*"
        or doi[-1] in ")]}"
        and doi.count(doi[-1]) > doi.count({")": "(", "]": "[", "}": "{"}[doi[-1]])
    ):
        doi = doi[:-1]
    return doi


def parse_reference(text: str) -> dict:
    """{text, doi, year, title, authors, journal}; what can't be told is None or []."""
    ref = {"text": text, "doi": None, "year": None, "title": None, "authors": [], "journal": None}
    match = _DOI.search(re.sub(r"(10\.\d{4,9}/)\s+", r"\1", text))
    if match:
        ref["doi"] = trim_doi(match[0]).lower()
    rest = re.sub(
        r"(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)?10\.\d{4,9}/\S+|https?://\S+|\[(?:PubMed|CrossRef|Google "
        r"Scholar|PMC.*?)\]",
        "",
        text,
        flags=re.I,
    )
    years = [m for m in _YEAR.finditer(rest)]
    marked = re.search(r"\((1[89]\d\d|20\d\d)[a-z]?[),]", rest) or re.search(
        r"[.,;] ?(1[89]\d\d|20\d\d)[a-z]?(?: [A-Z][a-z]{2})?[ \d-]{0,6}[;:.,]", rest
    )
    if marked:
        ref["year"] = int(marked[1])
    elif years:
        ref["year"] = int(years[-1][1])
    authors_end = _authors_end(rest)
    ref["authors"] = _authors(rest[:authors_end])
    _title_journal(ref, rest[authors_end:])
    return ref


_NAME = r"[A-ZÀ-Þ][\w’'`-]*(?: [A-Za-zÀ-ÿ][\w’'-]*){0,3}"
_LISTED = re.compile(rf"(?:[A-Z]\.[ -]?){{1,4}} ?{_NAME}|{_NAME},? (?:(?:[A-Z]\.[ -]?){{1,5}}|[A-Z]{{1,4}}\b\.?)")
_BETWEEN = re.compile(r"\s*(?:,\s*)?(?:and\b|&|;|et al\.?,?|\.\.\.|…)?\s*")


def _authors_end(text: str) -> int:
    """Where the names at the head of an entry end; name by name, for one pattern of all of them can take for ever."""
    quoted = re.search(r"[“\"]", text)
    end = 0
    while end < 1500:
        match = _LISTED.match(text, end, end + 80)
        if not match:
            break
        end = _BETWEEN.match(text, match.end()).end()
    etal = re.match(r"[^.]{3,400}?\bet al\.?,?\s*", text)
    if etal and etal.end() > end and (not quoted or etal.end() <= quoted.start()):
        end = etal.end()
    if quoted and quoted.start() < 500 and (end == 0 or quoted.start() < end + 40):
        end = quoted.start()
    return end


def _authors(text: str) -> list[str]:
    text = re.sub(r"\bet al\b\.?|\(?\b(?:1[89]|20)\d\d\b.*$|\(eds?\.?\)", "", text)
    if re.search(r"[A-Z]\.,", text) and re.match(rf"^{_NAME}, (?:[A-Z]\.)", text):  # Family, A. B., Family, C.
        found = re.findall(rf"({_NAME}), ((?:[A-Z]\.[ -]?)+)", text)
        return [f"{a} {b.strip()}" for a, b in found]
    parts = re.split(r"\s*(?:,|;|&|\band\b)\s*", text)
    return [p.strip(" .") for p in parts if re.search(r"[A-Za-zÀ-ÿ]{2}", p)]


def _title_journal(ref, rest):
    quoted = re.search(r"[“\"](.+?)[,.]?[”\"]\s*,?\s*(.*)", rest)
    if quoted:
        ref["title"] = quoted[1].strip(" ,.")
        ref["journal"] = _journal(quoted[2])
        return
    rest = re.sub(r"^\W*(?:\(?(?:1[89]|20)\d\d[a-z]?\)?)?[\s.:,)]*", "", rest)
    pieces = re.split(r"(?<=[a-z0-9)\]?*])[.?] +(?=[A-Z(\[])", rest, maxsplit=2)
    if pieces and len(pieces[0]) > 8:
        ref["title"] = pieces[0].strip(" .")
    if len(pieces) > 1:
        ref["journal"] = _journal(re.sub(r"^In: ?", "", rest[len(pieces[0]) :].lstrip(" .?")))


def _journal(text: str):
    match = re.match(r"(.{2,90}?)[\s,.;:(]*(?:vol\.?|\bno\.|\(?\b(?:1[89]|20)\d\d\b|\d)", text, re.I)
    name = (match[1] if match else "").strip(" ,.;:(")
    return name if 1 < len(name) < 90 and sum(c.isalpha() for c in name) > 1 else None
