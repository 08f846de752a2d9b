"""The name of the journal: candidates from the front page's edges, running heads, citation and metadata, by vote.

Candidates that say the same (`Front. Microbiol.`, `Frontiers in Microbiology`) support each other; the fullest wins.
"""

import re

from .text import squash

_WORDS = re.compile(
    r"\b(journal|j\b|annals|archives|bulletin|letters|reviews?|reports?|research|sciences?|medicine|frontiers|"
    r"transactions|proceedings|advances|international|acta|biology|chemistry|"
    r"bmc|plos|biotech\w*|bioinformation|nature|nutrients|molecules|world|medical|clinical|health|microbial|"
    r"pharmac\w+|toxicology|plant|therap\w+|current|european|american|asian|indian|iranian|"
    r"zeitschrift|revista|physics|engineering|systems|communications|oncology|genetics|one|parasites?|veterinary|"
    r"bioscience|cell|cells|factories|ethnopharmacology|phytomedicine|perspectives|quarterly)\b",
    re.I,
)
_CUT = re.compile(
    r"[\s,.;:|–-]*(?:\(?\b(?:19|20)\d\d\b.*|\s\d{1,4},\s*e?[a-z]{0,5}\d+.*|\bvol(?:ume)?\b\.?.*|\barticle\b.*|\bdoi\b.*|https?:.*|www\..*|"
    r"e?issn\b.*|\bno\.\s*\d.*|\d+\s*\(\d+\).*|\d+\s*:\s*\d+.*|\bissue\b.*|©.*|\bopen access\b.*|\bpage \d.*|"
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
    r"letter|^brief|^full |^systematic|^keywords|^results|methods$",
    re.I,
)


_ONE_WORD = {"science", "nature", "cell"}
_SMALL_NAMES = {"npj", "eLife", "mBio", "mSphere", "mSystems", "bioRxiv", "medRxiv", "arXiv", "iScience", "mAbs"}
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_NAME = r"([A-Z][^\d|•;:()\[\]]{2,80}?)"
_CITED = re.compile(
    rf"(?:^|[|•]\s*|[.!?]\s){_NAME}[,.]?\s+(?:(?:19|20)\d\d(?:[,;:]\s?\d+|\s(?:{_MONTH})\w*\s?\d*\s?;)|\d{{1,4}}\s?\((?:19|20)\d\d\)|"
    rf"\d{{1,4}},\s?e?[a-z]{{0,5}}\d+[\w–-]*\s?\((?:19|20)\d\d\)|(?:19|20)\d\d\s+vol\b|"
    rf"\((?:19|20)\d\d\)\s?\d+[:,(]|\d{{1,4}}\(\d{{1,3}}\)|vol(?:ume)?\.?\s?\d)",
    re.I,
)


def cited_journals(texts: list[str]) -> list[str]:
    """Names that stand before year, volume and page in short lines: `Name 2021, 10, 417`."""
    found = []
    for text in texts:
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
        parts = [p.strip() for p in re.split(r"\s*[|•]\s*", text) if p.strip()]
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


class JournalVote:
    """Candidates with votes."""

    def __init__(self):
        self.votes: dict[str, float] = {}
        self.names: dict[str, str] = {}

    def add(self, text: str, weight: float, free: bool = False, cited: bool = False) -> None:
        """`free`: the text is a bare line, which must sound like a journal; `cited`: volume and page follow it."""
        name = clean_name(text)
        if not name or _NEVER.search(name) and not (cited and name.casefold() in _ONE_WORD):
            return
        if free and (name[0].islower() and name.split()[0] not in _SMALL_NAMES or re.search(r"\w\. \d", name)):
            return  # the middle of a sentence, an address
        long = [w for w in name.split() if len(w) > 3]
        if free and len(name.split()) > 2 and sum(w[0].isupper() for w in long) < 0.6 * len(long):
            return  # a sentence
        words = name.split()
        sounding = len(_WORDS.findall(name))
        if len(words) > 11 or len(name) > 95 or free and not sounding:
            return
        key = squash(name)
        if len(key) < 3 or key.isdigit():
            return
        weight += 0.3 * min(sounding, 3)
        if name.count(".") >= 2 or re.search(r"\b(Med|Sci|Biol|Res|Int|Pharmacol|Chem|Dent|Clin|J)\b\.?(?=\s|$)", name):
            weight -= 0.5 if cited else 1.0  # an abbreviation; the full name is worth more
        if (
            self.votes.get(key, 0) == 0
            or name.count(" ") > self.names[key].count(" ")
            or name.isupper() < self.names[key].isupper()
            or (not name.isupper() and not name.islower() and self.names[key].islower())
        ):
            self.names[key] = name
        self.votes[key] = self.votes.get(key, 0) + weight

    def winner(self) -> tuple[str | None, float, dict]:
        """(name, votes, all votes)."""
        scored = {}
        for key, votes in self.votes.items():
            kin = sum(
                0.5 * v
                for other, v in self.votes.items()
                if other != key and abbreviates(self.names[other], self.names[key])
            )
            scored[key] = votes + kin
        if not scored:
            return None, 0.0, {}
        best = max(scored, key=lambda k: (scored[k], len(k)))
        fuller = [k for k in scored if k != best and abbreviates(self.names[best], self.names[k])]
        if fuller:
            best = max(fuller, key=lambda k: (scored[k], len(k)))
        if scored[best] < 1.0:
            return None, scored[best], {self.names[k]: round(v, 2) for k, v in scored.items()}
        name = self.names[best]
        return (
            (_title_case(name) if name.isupper() and len(name) > 5 else name),
            scored[best],
            {self.names[k]: round(v, 2) for k, v in scored.items()},
        )


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
