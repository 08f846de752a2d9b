"""The name of the journal: candidates from the front page's edges, running heads, citation and metadata, by vote.

Candidates that say the same (`Front. Microbiol.`, `Frontiers in Microbiology`) support each other; the fullest wins.
"""

import re
from collections import Counter
from dataclasses import dataclass

from .affiliations import AFFILIATION as _ADDRESS
from .bylines import is_prose
from .decide import Candidate, decide
from .lines import Line
from .metadata import Claims
from .text import squash

WEIGHTS = {
    "publication_of_the_file": 4.0,
    "subject_of_the_file": 2.5,
    "line_at_the_top": 1.2,
    "two_lines_at_the_top": 1.6,
    "unfinished_line_at_the_top": 2.4,
    "line_at_the_foot": 1.0,
    "before_a_bar": 1.6,
    "running_line": 2.0,
    "running_citation": 1.6,
    "before_volume_and_page": 1.8,
    "after_the_title_in_a_citation": 2.4,
    "before_a_year": 1.2,
    "before_the_year_of_the_citation": 1.8,
    "proceedings_line": 3.0,
    "preprint_server": 3.0,
    "section_of_a_journal": 3.0,
    "full_name_of_an_abbreviation": 1.5,
    "sounds_like_a_journal": 0.3,
    "abbreviated": -1.0,
    "seen_abbreviated": 0.5,
}
_SURELY = re.compile(
    r"\b(?:journal|annals|archives|bulletin|proceedings|letters|revista|transactions|reviews?)\b", re.I
)
_SUBMITTED_TO = re.compile(
    r"\b(?:submitted|to appear in)(?: to)?(?: the)? ([A-Z][\w& ]{5,60}?)(?=\s+(?:\w+ )?\d|[.,;(]|$)"
)
_LEAST = 1.0  # a name of a lower score is not given
_SECTION = re.compile(r"section of the journal\s+([A-Z][\w ]{4,60}?)(?=\s+(?:Received|Accepted|Published|Citation))")
_PROCEEDINGS = re.compile(
    r"\b((?:Proceedings|Proc\.|Actas|Anais|Atas|Actes|Tagungsband|Труды|Материалы)\s+"
    r"(?:of|of the|do|da|de|del|der|des)?\s*"
    r"[^\W_].{5,140})"
)

_WORDS = re.compile(
    r"\b(journal|j\b|annals|archives|bulletin|letters|reviews?|reports?|research|sciences?|medicine|frontiers|"
    r"transactions|proceedings|advances|magazine|cadernos|boletim|boletín|jahrbuch|archiv|вестник|журнал|известия|international|acta|biology|chemistry|"
    r"bmc|plos|biotech\w*|bioinformation|nature|nutrients|molecules|world|medical|clinical|health|microbial|"
    r"pharmac\w+|toxicology|plant|therap\w+|current|european|american|asian|indian|iranian|"
    r"zeitschrift|revista|physics|engineering|systems|communications|oncology|genetics|one|parasites?|veterinary|"
    r"bioscience|cell|cells|factories|ethnopharmacology|phytomedicine|perspectives|quarterly)\b",
    re.I,
)
_CUT = re.compile(
    r"[\s,.;:|–-]*(?:\(?\b(?:19|20)\d\d\b.*|\s\d{1,4},\s*e?[a-z]{0,5}\d+.*|\bvol(?:ume)?\b\.?.*|\barticle\b.*|\bdoi\b.*|https?:.*|www\..*|"
    r"e?issn\b.*|\bno\.\s*\d.*|\d+\s*\(\d+\).*|\d+\s*:\s*[a-z]?\d+.*|\bissue\b.*|©.*|\bopen access\b.*|\bpage \d.*|"
    r"\d{1,4}\s*[-–]\s*\d{1,5}$|\(.*)$",
    re.I,
)
_NEVER = re.compile(
    r"^\W*$|received|accepted|correspond|department|universit|@|copyright|licen[sc]e|^research( article)?$|"
    r"^review( article)?$|^original|^article$|hindawi|publishing|elsevier|springer|sciencedirect|wiley|"
    r"contents lists|homepage|available|crossmark|^abstract|central$|biomed central|^open|editor|^page|^case "
    r"report|download|et al|^short|^published|^citation|^doi|^letter$|^vol|^corrigendum|^erratum|^science$"
    r"|^report$|original investigation|^clinical/|scientific notes|original paper|reviews and syntheses|^research "
    r"\w*\s?\|?\s?(?:report|article)|"
    r"special issue|^medical research$|^clinical stud|^references?$|^mini.?review|author manuscript|^research "
    r"letter|^brief|^full |^systematic|^keywords|^results|methods$|"
    r"technical report|project report|^figure|^table|^version|^issue|division$|"
    r"^microsoft research|grant number|supported by|^appendix|^page|^draft|^preprint|department|^tech",
    re.I,
)


_ONE_WORD = {"science", "nature", "cell"}
_SMALL_NAMES = {"npj", "eLife", "mBio", "mSphere", "mSystems", "bioRxiv", "medRxiv", "arXiv", "iScience", "mAbs"}
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_NAME = r"([A-Z][^\d|•;:()\[\]]{2,80}?)"
_CITED = re.compile(
    rf"(?:^|[|•]\s*|[.!?]\s){_NAME}[,.]?\s+(?:(?:19|20)\d\d(?:[,;:]\s?\d+|\s(?:{_MONTH})\w*\s?\d*\s?;)|\d{{1,4}}\s?\((?:19|20)\d\d\)|"
    rf"\d{{1,4}},\s?e?[a-z]{{0,5}}\d+[\w–-]*\s?\((?:19|20)\d\d\)|(?:19|20)\d\d\s+vol\b|"
    rf"\((?:19|20)\d\d\)\s?\d+[:,(]|\d{{1,4}}\(\d{{1,3}}\)|vol(?:ume)?\.?\s?\d|v\.\s?\d|\d{{1,4}}\s?:\s?e?\d{{2,}})",
    re.I,
)


_CITY = re.compile(  # `Name, City, v. 3`
    r"^([^\W\d_][^,|\d]{2,60}?)(?:,| \|) [^\W\d_][\w ]{2,20}(?:,| \|) (?=v\. ?\d|\d{1,4}:)"
)


def cited_journals(texts: list[str]) -> list[str]:
    """Names that stand before year, volume and page in short lines: `Name 2021, 10, 417`."""
    found = []
    for text in texts:
        if len(re.findall(r"\sI\s", text)) >= 2:
            text = re.sub(r"\sI\s", " | ", text)  # a bar drawn as a letter
        text = _CITY.sub(r"\1, ", text)
        match = _CITED.search(text) if len(text) < 200 else None
        if match and match[1][0].isupper():
            name = re.sub(r"^.*\bet al\.?,?\s*", "", match[1]).strip(" ,.")
            if len(re.findall(r"\w{1,8}\.(?=\s)", name)) < 2 or len(name.split()) > 6:  # no chain of abbreviations
                name = re.split(r"\.\s(?=[A-Z][a-z]{4,})", name)[-1]
            if name and not re.search(r"\b(?:doi|published|received|accepted|version|volume)\b|@", name, re.I):
                found.append(name)
    return found


_BEFORE_YEAR = r"((?:[A-Z][\w&-]*\.?,?\s(?:(?:of|and|in|for|the|on)\s)?){0,8}[A-Z][\w.]+)\s(?:19|20)\d\d[;,]\s?\d"


def before_years(text: str, lead: str = r"(?:^|[.!?\d]\s|\s)") -> list[str]:
    """Capitalised words before a year and a volume, after what `lead` matches."""
    return [match[1] for match in re.finditer(lead + _BEFORE_YEAR, text)]


def barred_names(texts: list[str]) -> list[str]:
    """The first part of `Name | www.example.org` or `Name | VOL 33 | January 2021`."""
    names = []
    for text in texts:
        parts = [p.strip() for p in re.split(r"(?<!\s)\s*+[|•]\s*", text) if p.strip()]
        if len(parts) > 1 and re.search(
            r"\bwww\.|\bvol|\bissue\b|\barticle \d|\b(?:19|20)\d\d\b", " ".join(parts[1:]), re.I
        ):
            names += [
                p for p in parts if re.fullmatch(r"[A-Z][A-Za-z&,’' -]{5,70}", p) and not re.search(r"\bet al\b", p)
            ][:1]
    return names


def mastheads(pages, index: int) -> set[str]:
    """Squashed names of journals as running heads and citation lines of the front page print them."""
    lines = [k.text for k in pages[index]] + [k.text for page in pages for k in page if k.role in ("head", "foot")]
    names = {squash(name) for name in cited_journals(lines)}
    for above, line in zip(pages[index], pages[index][1:], strict=False):
        if re.match(r"\W*(?:journal )?home\s?page\b", line.text, re.I):
            names.add(squash(above.text))
    return {name for name in names if len(name) > 7}


@dataclass(slots=True)
class Scene:
    """Where a journal's name may stand: what `find_journal` looks at."""

    claims: Claims
    lines: list[Line]  # of the front page
    height: float
    title: str
    title_lines: list[Line]
    authors: list[str]  # as printed
    running: Counter  # text of a running line, cut at bars -> on how many pages
    citation: str  # the paper's own, as far as it prints one
    text: str  # of the front page
    brim: str  # head and foot of the front page, with all running lines

    def at_top(self, share: float = 0.2) -> list[Line]:
        return [k for k in self.lines if k.y1 < share * self.height and not any(k is t for t in self.title_lines)]

    def at_edges(self) -> list[Line]:
        """Lines in the head and foot of the page, and running ones; no running text."""
        return [
            k
            for k in self.lines
            if k.role in ("head", "foot", "note")
            or (k.y1 < 0.16 * self.height or k.y0 > 0.85 * self.height)
            and not (is_prose(k.text) and not re.search(r"\bproceedings\b|\bvol\.|\bdoi\b", k.text, re.I))
        ]


class Ballot:
    """Candidates for the journal's name; what says the same speaks for the same candidate."""

    def __init__(self, barred: list[str] = ()):
        """`barred`: texts that are something else on this page (the title, the authors)."""
        self.candidates: dict[str, Candidate] = {}
        self._barred = [squash(text) for text in barred if len(squash(text)) > 3]

    def add(self, text: str, source: str, strength: float = 1.0, *, free: bool = False, cited: bool = False) -> None:
        """`free`: the text is a bare line, which must sound like a journal; `cited`: volume and page follow it."""
        name = clean_name(text)
        if not _may_be_journal(name, free, cited) or self._is_something_else(squash(name)):
            return
        key = squash(name)
        candidate = self.candidates.setdefault(key, Candidate(name))
        if source in candidate.evidence and strength <= candidate.evidence[source]:
            return
        if _better_printed(name, candidate.value):
            candidate.value = name
        candidate.evidence[source] = strength
        candidate.evidence["sounds_like_a_journal"] = min(len(_WORDS.findall(name)), 3)
        if _is_abbreviated(name):
            candidate.evidence["abbreviated"] = 0.5 if cited else 1.0

    def _is_something_else(self, key: str) -> bool:
        return any(key in other or other in key for other in self._barred)

    def winner(self) -> tuple[str | None, float]:
        """(name, score). An abbreviation speaks for its full name, and gives way to it."""
        scores = {key: c.score(WEIGHTS) for key, c in self.candidates.items()}
        for key, candidate in self.candidates.items():
            kin = sum(
                s for k, s in scores.items() if k != key and abbreviates(self.candidates[k].value, candidate.value)
            )
            if kin:
                candidate.evidence["seen_abbreviated"] = kin
        best, score, _ = decide(list(self.candidates.values()), WEIGHTS)
        if best is None:
            return None, 0.0
        fuller = [c for c in self.candidates.values() if c is not best and _is_fuller(c, best)]
        if fuller:
            best = max(fuller, key=lambda c: (c.score(WEIGHTS), len(c.value)))
            score = best.score(WEIGHTS)
        if score < _LEAST:
            return None, score
        return (_title_case(best.value) if best.value.isupper() and len(best.value) > 5 else best.value), score


def _is_fuller(other: Candidate, best: Candidate) -> bool:
    """The other is the name in full: `ACTA` in a running head, `Acta Amazonica` in the citation."""
    if abbreviates(best.value, other.value):
        return True
    begins = squash(other.value).startswith(squash(best.value)) and " " not in best.value
    return begins and bool({"after_the_title_in_a_citation", "before_volume_and_page"} & set(other.evidence))


def _may_be_journal(name: str, free: bool, cited: bool) -> bool:
    if cited and re.fullmatch(r"[A-Z]{2,7}[’']?\d*", name):
        return False  # the letters of a conference, or of a word of the text
    if not name or _NEVER.search(name) and not (cited and name.casefold() in _ONE_WORD):
        return False
    key, words = squash(name), name.split()
    if len(key) < 3 or key.isdigit() or len(words) > 16 or len(name) > 130:
        return False
    if free and (len(words) > 11 or len(name) > 95 or not _WORDS.search(name)):
        return False
    if free and (_ADDRESS.search(name) and not _SURELY.search(name) or re.search(r"\d{4,}|[@†‡§¶]|^\W", name)):
        return False
    if free and (name[0].islower() and words[0] not in _SMALL_NAMES or re.search(r"\w\. \d", name)):
        return False  # the middle of a sentence, an address
    if not free and not cited and name[0].islower() and words[0] not in _SMALL_NAMES:
        return False
    long = [w for w in words if len(w) > 3]
    if cited and name[0].islower() and words[0] not in _SMALL_NAMES:
        return False
    if free and re.search(r"\bgroup\b|\bdivision\b", name, re.I):
        return False
    if cited and len(words) > 2 and sum(w[0].isupper() for w in long) < 0.5 * len(long):
        return False
    return not (free and len(words) > 2 and sum(w[0].isupper() for w in long) < 0.6 * len(long))  # a sentence


def _better_printed(name: str, other: str) -> bool:
    if name.count(" ") != other.count(" "):
        return name.count(" ") > other.count(" ")
    return name.isupper() < other.isupper() or other.islower() and not name.isupper() and not name.islower()


def _is_abbreviated(name: str) -> bool:
    short = r"\b(Med|Sci|Biol|Res|Int|Pharmacol|Chem|Dent|Clin|J)\b\.?(?=\s|$)"
    return name.count(".") >= 2 or bool(re.search(short, name))


def find_journal(scene: Scene) -> tuple[str | None, float]:
    """(name of the journal or the proceedings, confidence before calibration); (None, ...) where none is printed."""
    submitted = _SUBMITTED_TO.findall(scene.brim)
    ballot = Ballot([scene.title, *scene.authors, *submitted, *(n.replace("&", "and") for n in submitted)])
    for collect in (_from_metadata, _from_lines, _from_running_lines, _from_citations, _from_proceedings):
        collect(scene, ballot)
    _spell_out(scene, ballot)
    name, score = ballot.winner()
    return name, round(min(0.98, 0.4 + 0.1 * score), 2)


def _from_metadata(scene: Scene, ballot: Ballot) -> None:
    for name in scene.claims.journals:
        ballot.add(name, "publication_of_the_file")
    subject = scene.claims.subject
    if subject and len(subject) < 200:
        cited = re.search(r"\bdoi\b|10\.\d{4}/|(?:19|20)\d\d|\bvol(?:ume)?\b", subject, re.I)
        printed = squash(clean_name(subject)) in squash(scene.brim)
        if cited or printed:
            name = re.sub(r"^([A-Z][\w&' ]{3,60}?)(?:, | )Volume \d.*$", r"\1", subject)
            ballot.add(name, "subject_of_the_file", free=not (cited and printed))


def _from_lines(scene: Scene, ballot: Ballot) -> None:
    """Bare lines at the top and at the foot of the front page."""
    top = scene.at_top()
    for n, line in enumerate(top):
        for cell in line.cells or [line]:
            ballot.add(cell.text, "line_at_the_top", free=True)
        if n + 1 == len(top):
            continue
        below = top[n + 1]
        close = abs(below.size - line.size) < 0.05 * line.size and -3 < below.y0 - line.y1 < line.size
        if re.search(r"\b(of|of the|in|and|for)$", line.text, re.I):
            ballot.add(f"{line.text} {below.text}", "unfinished_line_at_the_top", free=True)
        elif close and line.font == below.font and len(line.text.split()) > 1:
            ballot.add(f"{line.text} {below.text}", "two_lines_at_the_top", free=True)
    for line in scene.lines:
        if line.y0 > 0.88 * scene.height or line.role == "foot":
            for cell in line.cells or [line]:
                for part in _parts(cell.text):
                    ballot.add(part, "line_at_the_foot", free=True)
    edges = [k.text for k in scene.lines if k.y0 > 0.88 * scene.height or k.y1 < 0.1 * scene.height or k.role]
    for name in barred_names(edges):
        ballot.add(name, "before_a_bar")
    for server in set(re.findall(r"\b(bioRxiv|medRxiv|PsyArXiv) preprint\b", scene.brim)):
        ballot.add(server, "preprint_server")
    section = _SECTION.search(scene.text)
    if section:
        ballot.add(section[1], "section_of_a_journal")


def _from_running_lines(scene: Scene, ballot: Ballot) -> None:
    for text, pages in scene.running.items():
        if pages >= 2:
            ballot.add(text, "running_line", min(1.0, 0.4 + 0.1 * pages), free=True)
    counts = Counter(name for text in scene.running for name in cited_journals([text]))
    for text, pages in scene.running.items():
        for name in cited_journals([text]):
            if max(pages, counts[name]) >= 2:
                ballot.add(name, "running_citation", cited=True)


def _from_citations(scene: Scene, ballot: Ballot) -> None:
    """Before volume, year and page: in short lines at the edges, in the paper's own citation."""
    places = [k.text for k in scene.at_top()] + [k.text for k in scene.at_edges()]
    for name in cited_journals(places + list(scene.running)):
        ballot.add(name, "before_volume_and_page", cited=True)
    for place in (scene.citation[:900], scene.brim):
        name = after_title(place, scene.title)
        if name:
            ballot.add(name, "after_the_title_in_a_citation", cited=True)
    for name in before_years(scene.text):
        ballot.add(name, "before_a_year", free=True)
    for name in before_years(scene.citation[:700], r"[.?!]\s")[:1]:
        ballot.add(name, "before_the_year_of_the_citation", cited=True)


def _from_proceedings(scene: Scene, ballot: Ballot) -> None:
    """`Proceedings of ...` in the head or the foot of the page: a venue."""
    edges = [k for k in scene.at_edges() if not any(k is t for t in scene.title_lines)]
    running = [text for text, pages in scene.running.items() if pages >= 2]
    texts = [k.text for k in edges]
    for line, below in zip(edges, edges[1:], strict=False):
        if re.search(r"(?:\b(?:of|on|the|for|and|in)|,|-)$", line.text) or below.text[:1].islower():
            texts.append(f"{line.text} {below.text}")
    for text in texts + running:
        match = _PROCEEDINGS.search(text)
        if match:
            ballot.add(proceedings_name(match[1]), "proceedings_line")


def _spell_out(scene: Scene, ballot: Ballot) -> None:
    """The full name of an abbreviation, where the top of the page or a running line prints it."""
    texts = [k.text for k in scene.at_edges()] + list(scene.running)
    parts = {part.strip() for text in texts for part in re.split(r"[,|•;:]|\.\s|\s[-–]\s", text)}
    for candidate in list(ballot.candidates.values()):
        if "." not in candidate.value:
            continue
        for part in parts:
            if abbreviates(candidate.value, part) and len(part.split()) <= len(candidate.value.split()) + 4:
                ballot.add(part, "full_name_of_an_abbreviation", cited=True)


def _parts(text: str) -> list[str]:
    return re.split(r"(?<!\s)\s*+\|\s*", text)


def after_title(text: str, title: str) -> str:
    """What a citation prints between the title and the volume, or ''."""
    key = re.sub(r"\W+$", "", title)[-30:]
    if len(key) < 12:
        return ""
    pattern = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", key)) + r"\W*[.?!,:]?[”\"']?\s+(?:In:?\s+)?"
    match = re.search(pattern + r"([^\W\d_][^\d;|()]{2,90}?)\W*(?:\d|\bvol\b|\bv\.|\bhttps?|\bdoi\b|\(|$)", text, re.I)
    return match[1].strip(" ,.") if match else ""


def proceedings_name(text: str) -> str:
    """`Proceedings of the 9th Conference on X (CoNLL), pages 9-16, Ann Arbor` without what follows the name."""
    text = re.sub(r"(?<=\d) (?=(?:st|nd|rd|th)\b)", "", text)
    text = re.split(
        r",|\(|;|\.\s|:\s|\bpages?\b|\bpp\b|\bvol(?:ume)?\b|\s[-–—]\s|\||\s(?=(?:19|20)\d\d\b)",
        text,
        maxsplit=1,
        flags=re.I,
    )[0]
    return text.strip(" .")


def clean_name(text: str) -> str:
    """A line or a field without volume, year, DOI and what else stands after a journal's name."""
    text = re.sub(r"^[^:]{0,40}et al\.?,?\s*", "", re.sub(r"\s+", " ", text.strip()))
    text = re.sub(
        r"^(?:in|published in|journal homepage|a section of the journal)\s*:?\s+(?=[A-Z])", "", text, flags=re.I
    )
    before = None
    while before != text:
        before = text
        text = _CUT.sub("", text).strip(" ,.;:|/-–—•®™")
    return text


def _title_case(name: str) -> str:
    small = {"of", "and", "in", "the", "for", "on", "to", "a"}
    words = name.lower().split()
    return " ".join(
        w if n and w in small else w.upper() if w in {"bmc", "plos"} else w[:1].upper() + w[1:]
        for n, w in enumerate(words)
    )


def abbreviates(short: str, full: str) -> bool:
    """`J Dent Res` for `Journal of Dental Research`: each word begins a word of the other, in order."""
    a = [w.strip(".,") for w in short.lower().split() if w not in ("of", "the", "and", "in", "for", "&")]
    b = [w.strip(".,") for w in full.lower().split() if w not in ("of", "the", "and", "in", "for", "&")]
    if not a or len(a) > len(b) or short == full:
        return False
    at = 0
    for word in a:
        while at < len(b) and not b[at].startswith(word):
            at += 1
        if at == len(b):
            return False
        at += 1
    return len(a) >= 0.6 * len(b)
