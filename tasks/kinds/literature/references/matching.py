"""Which reference and which paper are the same work, which may be, and why. Pure functions; nothing is merged here.

The same: one DOI, PubMed or PMC number in both, unless their titles speak against it; else the same title, year and
first author, unless their DOIs speak against it. Perhaps the same, for a person to say: a preprint and its article,
versions of a DOI, the same title in another year, titles that differ in a few letters or in a subtitle.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz

SAME, POSSIBLE = "same", "possible"
_ALIKE, _UNLIKE = 93.0, 60.0
_PREPRINT_DOI = re.compile(
    r"10\.(?:1101/(?:19|20)\d\d\.|1101/\d{5,6}(?!\d)|64898/|21203/rs|48550/arxiv|31234/|31219/|31235/|20944/preprints|26434/chemrxiv|2139/ssrn|22541/au|36227/techrxiv)",
    re.I,
)
_PREPRINT_PLACE = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv|ssrn|research square|"
    r"preprints?(?:\.org)?|authorea|osf preprints)\b",
    re.I,
)
_VERSION = re.compile(r"(?:[./_-]v?|v)(\d{1,2})$", re.I)
#: Titles that a hundred papers share say nothing by themselves.
_EMPTY_TITLES = re.compile(
    r"(?:editorial|introduction|preface|foreword|reply|response|comment(?:ary)?|"
    r"letter(?: to the editor)?|erratum|corrigendum|correction|in this issue|"
    r"abstracts?|book review|news|obituary|discussion|authors? reply)",
    re.I,
)
_BLOCK = 60


@dataclass(frozen=True)
class Match:
    """``left`` and ``right`` are positions in what was given; ``kind`` SAME or POSSIBLE; ``reason`` a code of the
    catalogue; ``score`` 0 to 1.
    """

    left: int
    right: int
    kind: str
    reason: str
    score: float


@dataclass(slots=True)
class _Known:
    title: str
    year: int | None
    doi: str
    pmid: str
    pmcid: str
    author: str
    place: str

    @property
    def preprint(self) -> bool:
        return bool(_PREPRINT_DOI.match(self.doi) or _PREPRINT_PLACE.search(self.place))

    @property
    def telling(self) -> bool:
        """Whether the title alone could name a work."""
        return len(self.title) >= 20 and len(self.title.split()) >= 3 and not _EMPTY_TITLES.fullmatch(self.title)


def normal_title(text: str | None) -> str:
    """Letters and digits in lower case, single spaces; markup, accents and punctuation are gone."""
    text = unicodedata.normalize("NFKD", re.sub(r"<[^<>]{1,40}>", "", text or ""))
    text = "".join(c for c in text if not unicodedata.combining(c)).casefold()
    return re.sub(r"[\W_]+", " ", text).strip()


def _known(item: Any) -> _Known:
    def at(name: str):
        return item.get(name) if isinstance(item, dict) else getattr(item, name, None)

    authors = at("authors") or []
    first = authors[0] if authors else ""
    family = first.get("family", "") if isinstance(first, dict) else str(first)
    year = at("year")
    return _Known(
        normal_title(at("title")), int(year) if year else None, (at("doi") or "").lower(), str(at("pmid") or ""),
        (at("pmcid") or "").upper(), normal_title(family), at("journal") or "",
    )  # fmt: skip


def match(records: Sequence[Any], papers: Sequence[Any]) -> list[Match]:
    """Each pair of a record and a paper (dicts or objects with title, year, doi, pmid, pmcid, authors, journal) that
    is, or may be, one work. A record is the SAME as one paper at most: the best.
    """
    left, right = [_known(one) for one in records], [_known(one) for one in papers]
    keys = _index(right)
    found: list[Match] = []
    for n, one in enumerate(left):
        pairs = [Match(n, m, *verdict) for m in sorted(_near(one, keys)) if (verdict := compare(one, right[m]))]
        same = sorted((p for p in pairs if p.kind == SAME), key=lambda p: -p.score)
        found += same[:1]
        found += [p for p in pairs if p.kind == POSSIBLE]
        found += [Match(p.left, p.right, POSSIBLE, "same_again", p.score) for p in same[1:]]
    return found


def possible_duplicates(items: Sequence[Any]) -> list[Match]:
    """Each pair within one list that is, or may be, one work, ``left`` the earlier."""
    known = [_known(one) for one in items]
    keys = _index(known)
    return [
        Match(n, m, *verdict)
        for n, one in enumerate(known)
        for m in sorted(_near(one, keys, n))
        if m > n and (verdict := compare(one, known[m]))
    ]


def compare(a: _Known, b: _Known) -> tuple[str, str, float] | None:
    """(kind, reason, score) of two works; None when they have nothing to do with each other."""
    alike = fuzz.ratio(a.title, b.title) if a.title and b.title else None
    if a.doi and a.doi == b.doi or a.pmid and a.pmid == b.pmid or a.pmcid and a.pmcid == b.pmcid:
        reason = (
            "same_doi" if a.doi and a.doi == b.doi else "same_pmid" if a.pmid and a.pmid == b.pmid else "same_pmcid"
        )
        if alike is not None and max(alike, fuzz.partial_ratio(a.title, b.title)) < _UNLIKE:
            return POSSIBLE, "same_number_other_title", round(alike / 100, 2)
        return SAME, reason, 1.0
    if a.doi and b.doi and _unversioned(a.doi) == _unversioned(b.doi):
        return POSSIBLE, "doi_version", 0.95
    if alike is None:
        return None
    same_author = (
        not a.author
        or not b.author
        or fuzz.ratio(a.author, b.author) >= 85
        or a.author in b.author
        or b.author in a.author
    )
    known_author = bool(a.author and b.author)
    if not (a.telling and b.telling):
        exact = a.title == b.title and known_author and same_author and a.year and a.year == b.year
        return (POSSIBLE, "same_short_title", 0.6) if exact and not (a.doi and b.doi) else None
    return _by_title(a, b, alike, same_author, known_author)


def _by_title(
    a: _Known, b: _Known, alike: float, same_author: bool, known_author: bool
) -> tuple[str, str, float] | None:
    if not same_author:
        return (POSSIBLE, "same_title_other_author", 0.6) if a.title == b.title else None
    gap = abs(a.year - b.year) if a.year and b.year else None
    if a.title == b.title:
        if a.preprint != b.preprint:
            return POSSIBLE, "preprint", 0.9
        if a.doi and b.doi:
            return POSSIBLE, "other_doi", 0.8
        if a.pmid and b.pmid:
            return POSSIBLE, "other_pmid", 0.8
        if gap == 0:
            return SAME, "same_title_year", 0.98 if known_author else 0.95
        if gap is None:
            return POSSIBLE, "same_title_no_year", 0.85
        return POSSIBLE, "same_title_other_year", 0.85 if gap == 1 else 0.7
    if gap is not None and gap > 2:
        return None
    if a.preprint != b.preprint and known_author and alike >= 80:
        return POSSIBLE, "preprint", round(alike / 100 * 0.9, 2)
    if a.doi and b.doi and not a.preprint:
        return None
    if alike >= _ALIKE and _digits(a.title) == _digits(b.title):
        return POSSIBLE, "similar_title", round(alike / 100, 2)
    shorter, longer = sorted((a.title, b.title), key=len)
    if known_author and gap == 0 and len(shorter) >= 30 and longer.startswith(shorter + " "):
        return POSSIBLE, "title_goes_on", 0.75
    return None


def _digits(title: str) -> list[str]:
    """ "part 1" and "part 2" differ in one letter and are two papers."""
    return re.findall(r"\d+|\b[ivx]{1,4}\b", title)


def _unversioned(doi: str) -> str:
    """A DOI without its version: F1000's and Research Square's, figshare's and preprints' ".v2"."""
    if re.match(r"10\.(?:12688|21203|20944|26434|6084|5281|15190|21956|3310)/|10\.1101/|10\.48550/", doi):
        return _VERSION.sub("", doi)
    return re.sub(r"[./]v\d{1,2}$", "", doi)


def _index(items: Sequence[_Known]) -> dict[tuple[str, str], list[int]]:
    index: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, one in enumerate(items):
        for key in _keys(one):
            index[key].append(n)
    return index


def _keys(one: _Known) -> Iterable[tuple[str, str]]:
    for name, value in (
        ("doi", one.doi),
        ("version", _unversioned(one.doi)),
        ("pmid", one.pmid),
        ("pmcid", one.pmcid),
        ("title", one.title),
    ):
        if value:
            yield name, value
    words = one.title.split()
    if len(words) >= 3:
        yield "start", " ".join(words[:3])
        yield "end", " ".join(words[-3:])
        for word in sorted(set(words), key=lambda w: (-len(w), w))[:4]:
            if len(word) > 6:
                yield "word", f"{word} {one.author}"


def _near(one: _Known, index, at: int | None = None) -> set[int]:
    """Positions that share a key; keys that very many share are no help and are left out, save the exact ones.

    Of very many with one number (the DOI of a volume, of a repository's cover) each is held against the first alone:
    a thousand of them are a thousand pairs, not half a million. ``at``: the place of ``one`` itself in the index.
    """
    near: set[int] = set()
    for key in _keys(one):
        places = index.get(key, ())
        if len(places) <= _BLOCK:
            near.update(places)
        elif key[0] in ("doi", "pmid", "pmcid", "version"):
            near.update(places if at == places[0] else places[:1])
    return near
