"""Authors as printed: names and the marks that lead to their addresses, out of the lines that bylines found.

Raised marks and the signs between names cut the block into names; degrees, suffixes, groups and icons are taken off.
Which part of a name is the family's is told by families.
"""

import re

from .families import EAST_NAME, PARTICLES, name_families
from .lines import Line

MARKS = r"*†‡§¶#∗⁎⊥‖✉$^~🖂&"
_DEGREES = re.compile(
    r"^(?:(?:ph\.?\s?d|d\.?phil|m\.?\s?d|m\.?sc|m\.?phil|b\.?sc|b\.?a|sc\.?d|d\.?sc|mph|mha|mhs|msph|mpp|dds|mds|bds|"
    r"r\.?n|msn|bsn|mn|cns|fr?c[ps]\w*|mrc[ps]\w*|fac[cps]|fesc|faha|fidsa|mbbs|mbb?\.?ch\w?|mb|bs|bch\w?|dvm|"
    r"pharm\.?d|mba|"
    r"ms|ma|dmd|dr\.?ph|psy\.?d|ed\.?d|[bm]pharm|m\.?eng|b\.?eng|m\.?tech|b\.?med\.?sci|bmedsc|bm|m\.?med|rd|rph|pt|"
    r"dpt|"
    r"hons|esq|d\.?o|dnb|mch|dch|d\.?m|cph|ccc-slp|dr|prof|professor|associate professor|assistant "
    r"professor)\.?[\s/]*)+$",
    re.I,
)
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv|2nd|3rd)\.?$", re.I)
_GROUP = re.compile(
    r"\s*[,;]?\s*\b(?:on behalf of|for|and|representing|in collaboration with)?\s*(?:the\s+)?(?:[A-Z][\w-]*\s+){1,9}"
    r"(?:study group|working group|research group|group|investigators|collaborators|collaboration|consortium|"
    r"network|committee|task force|team)\b.*$|\s*[,;]?\s*\bon behalf of\b.*$",
)
_ICONS = re.compile(
    r"https?://orcid\.org/\S*|\b(?:orcid|iD)\b:?|\d{4}-\d{4}-\d{4}-\d{3}[\dX]|\bcorresponding author\b|"
    r"\(corresponding\)",
    re.I,
)
_TITLES = re.compile(r"^(?:dr|prof|professor|mr|mrs|ms)\.?\s+", re.I)
_TOKEN = re.compile(
    r"^(?:[A-ZÀ-ÞĀ-Ž][\w’'`´.-]*|[dDlLO][’'][A-ZÀ-Þ][\w’'-]+|(?:"
    + "|".join(sorted(PARTICLES))
    + r"|e|y|i|s/o|d/o)\.?|[aA]l-[A-ZÀ-Þ]\w+|[eE]l-[A-Z]\w+|ʻ\w+|[A-Z]\.(?:-?[A-Z]\.)*)$"
)


def alone(line: Line) -> bool:
    """One name and nothing else."""
    pieces = [p for p in (strip_marks(p)[0] for p in cut(line)) if p]
    return len(pieces) == 1


def cut(line: Line) -> list[str]:
    text = ""
    for word in line.words:
        if word.raised:
            text += "\ue001" + word.text + "\ue002"
        else:
            text += word.text if word.glue and not text.endswith("\ue002") else " " + word.text
    text = _GROUP.sub("", _ICONS.sub(" ", text))
    return _in_given_order(_split(text), text, whole=False)


def _split(text: str) -> list[str]:
    """Cut at separators, keeping the raised marks (between \\ue001 and \\ue002) with the name before them."""
    text = re.sub(
        r"\ue001([^\ue002]*)\ue002",
        lambda m: "\ue001" + m[1].replace(",", "\ue003").replace("and", " ").replace(";", "\ue003") + "\ue002",
        text,
    )
    text = re.sub(r"(\ue002)(?=\s*[A-ZÀ-Þ])", r"\1,", text)
    text = re.sub(rf"(\d|[{re.escape(MARKS)}])\s*,\s*(?=[\d{re.escape(MARKS)}])", "\\1\ue003", text)
    return re.split(
        r"\s*(?:[,;，、；•·|]|\s&\s|\s\.(?=\s|$)|\s[-–—]\s|\b(?:and|AND|y|und|et)\b(?=\s+[A-ZÀ-Þ\ue001]))\s*", text
    )


_RUN_ON = re.compile(
    r"(?<=[a-zà-ÿ]{3})(?<!Fitz)(?=[A-ZÀ-Þ][a-zà-ÿ])|(?<=[a-zà-ÿ])(?<!Mc)(?<!Mac)(?<!Dr)(?=[A-ZÀ-Þ]{2,}\b)"
)
_NO_NAME = {  # what a subtitle, a badge or a kicker says in words of which each could be a name
    *"the a an of study trial trials review article protocol report analysis access journal letter version".split(),
    *"check updates view online original research open volume supplementary results methods abstract".split(),
}


def strip_marks(piece: str) -> tuple[str, str]:
    """(name, marks)."""
    marks = "".join(re.findall(r"\ue001([^\ue002]*)\ue002", piece)).replace("\ue003", ",")
    name = re.sub(r"\ue001[^\ue002]*\ue002", " ", piece)
    marks += "," + ",".join(re.findall(rf"\d+|[{re.escape(MARKS)}]", name))
    name = re.sub(r"\b(?:Ph\.D|M\.D|M\.Sc|B\.Sc|M\.P\.H|Dr\.P\.H)\.?[a-z]?(?![\w])", " ", name)
    name = re.sub(rf"[\d{re.escape(MARKS)}\ue003\[\]]+|\(.*?\)|[^\w\s.,’'`´-]", " ", name)
    name = re.sub(r"(?<=[A-Z]\.)(?=[A-ZÀ-Þ][a-zà-ÿ]{2})", " ", name)
    name = _RUN_ON.sub(" ", re.sub(r"(?<=[a-zà-ÿ])ID\b", "", name))  # an icon read as letters; lost spaces
    name = re.sub(r"\s+", " ", name).strip(" ,.-") + ("." if re.search(r"\b[A-Z]\.\s*$", name) else "")
    return re.sub(r"^(?:and|by|und|et)\s+", "", _TITLES.sub("", name), flags=re.I), marks.strip(",")


def is_name(name: str) -> bool:
    if EAST_NAME.match(name):
        return True
    tokens = name.split()
    if tokens and _DEGREES.match(name):
        return True
    while len(tokens) > 2 and (
        len(tokens[-1]) == 1 and tokens[-1].islower() or _SUFFIX.match(tokens[-1]) or _ends_in_degree(tokens)
    ):
        tokens.pop()
    if any(t.lower() in _NO_NAME for t in tokens):
        return False
    return 1 < len(tokens) <= 7 and all(_TOKEN.match(t) for t in tokens) and any(len(t.strip(".")) > 1 for t in tokens)


def parse_authors(lines: list[Line], citation: list[tuple[str, str]], evidence: str = "") -> list[dict]:
    """[{family, given, marks, printed}]; `citation`: [(family, initials)] of the paper's own citation.

    `evidence`: running heads and references, in which a family name of two words may be seen before its initials.
    """
    between = ", " if len(lines) > 1 and all(alone(k) for k in lines) else " "
    text = between.join(
        "".join("\ue001" + w.text + "\ue002" if w.raised else (w.text if w.glue else " " + w.text) for w in line.words)
        for line in lines
    )
    text = _GROUP.sub("", re.sub(r"(?<=\w)- (?=[A-Z])", "-", text))
    people = []
    for piece in _in_given_order(_split(_ICONS.sub(" ", text)), text):
        name, marks = strip_marks(piece)
        tokens = name.split()
        while len(tokens) > 2 and (
            len(tokens[-1]) == 1 and tokens[-1].islower() or _SUFFIX.match(tokens[-1]) or _ends_in_degree(tokens)
        ):
            marks += "," + (tokens.pop() if len(tokens[-1]) == 1 else tokens.pop() and "")
        name = " ".join(tokens)
        if not name or _DEGREES.match(name) or _SUFFIX.match(name) or not is_name(name):
            if people and not name:
                people[-1]["marks"] += "," + marks
            elif people and len(name) == 1 and name.islower():
                people[-1]["marks"] += "," + name
            continue
        people.append({"printed": name, "marks": marks})
    name_families(people, citation, evidence)
    return people


def _ends_in_degree(tokens) -> bool:
    """`Ana Ruiz MD`: capitals that a name of two words or more is followed by."""
    last = tokens[-1]
    return (
        bool(_DEGREES.match(last))
        and len(last.strip(".")) > 1
        and (last.isupper() or not last.islower())
        and (sum(c.isupper() for c in last) > 1)
    )


def _in_given_order(pieces: list[str], text: str, whole: bool = True) -> list[str]:
    """`Ruiz, Ana; Bo, Li` and `Ruiz, A., Bo, L.` as given name, family name; `whole`: of all lines."""
    parts = [p.strip() for p in re.split(r"\s*;\s*", text) if p.strip()]
    if len(parts) > 1 or text.count(",") == 1 and ";" not in text:
        halves = [[h.strip() for h in re.split(r",(?![^\ue001]*\ue002)", p) if h.strip()] for p in parts]
        words = [[strip_marks(h)[0] for h in hs] for hs in halves]
        if not whole and len(words[-1]) == 1 and len(words) > 2:
            words, halves = words[:-1], halves[:-1]
        if len(parts) > 1 and all(
            len(ws) == 2 and ws[0] and ws[1] and not _DEGREES.match(ws[1]) and len(ws[0].split()) <= 3 for ws in words
        ):
            return [f"{given} {family}" for family, given in halves]
    plain = [strip_marks(p)[0] for p in pieces]
    pairs = list(zip(plain[::2], plain[1::2], strict=False))
    if (
        len(plain) % 2 == 0
        and pairs
        and all(
            re.fullmatch(r"[^\W\d_][\w’'-]{1,}(?: [\w’'-]+)?", a) and re.fullmatch(r"(?:[A-Z]\.?[ -]?){1,4}", b)
            for a, b in pairs
        )
    ):
        return [f"{given} {family}" for family, given in zip(pieces[::2], pieces[1::2], strict=True)]
    return pieces


_CITED = re.compile(
    r"(?:how to cite(?: this (?:article|paper))?|(?:please )?cite (?:this )?(?:article|paper)(?: as)?(?: this "
    r"article)?|to cite this (?:article|paper)|to cite(?=\s*:)|citation)\s*(?:as|:|\.)*\s*:?\s*(.{30,900})",
    re.I,
)


def own_citation(text: str) -> str:
    """The text after "cite this article as", or ''."""
    match = _CITED.search(text)
    return match[1] if match else ""


def cited_names(citation: str) -> list[tuple[str, str]]:
    """[(family, initials)] at the head of a citation in Vancouver or APA style."""
    head = re.split(r"\(?\b(?:19|20)\d\d\b|:", citation[:1500])[0]
    apa = re.findall(r"([A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)?), ((?:[A-Z]\.[ -]?)+)", head)
    if len(apa) >= 1 and head.startswith(apa[0][0]):
        return apa
    found = []
    for piece in re.split(r"\s*(?:,|;|&|\band\b)\s*", head):
        match = re.match(
            r"^([A-ZÀ-Þ][\w’'`-]*(?: (?:[a-z]{1,3} )?[A-ZÀ-Þ][\w’'-]+){0,2}) ([A-Z]{1,4}|"
            r"(?:[A-Z]\.-?){1,4})(?:\.(?: \S+(?: \S+){2,})?)?$",
            piece.strip(),
        )
        if not match:
            break
        found.append((match[1], match[2]))
        if re.search(r"[A-Z]\. [A-Z]\w", piece):
            break
    return found
