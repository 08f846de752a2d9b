"""Authors as printed under the title: names and the marks that lead to their addresses.

Raised marks and the signs between names cut the block into names; degrees, suffixes, groups and icons are taken off.
Which part of a name is the family's is told by families.
"""

import re

from .families import EAST_NAME, PARTICLES, name_families
from .frontmatter import AFFILIATION
from .lines import Line
from .names import part_of

_MARKS = r"*†‡§¶#∗⁎⊥‖✉$^~🖂&"
_STOP = re.compile(
    r"^\W*(abstract|summary|background|introduction|keywords?|key words|received|accepted|published|correspond|"
    r"address|e-?mail|doi|edited by|reviewed by|academic editor|"
    r"copyright|©|https?:|www|article (info|history)|citation|how to cite|to cite|please cite|editor|open access|"
    r"available|\(?received|submitted|department|the author)",
    re.I,
)
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


def author_lines(lines: list[Line], title_lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """(lines of names, lines after them up to the abstract) below the title."""
    if not title_lines:
        return [], []
    ids = {id(k) for k in title_lines}
    at = max(i for i, k in enumerate(lines) if id(k) in ids) + 1
    bottom = max(k.y1 for k in title_lines)
    names: list[Line] = []
    style = None
    for n in range(at, min(at + 30, len(lines))):
        line = lines[n]
        if line.y0 < bottom - 2 or line.role in ("head", "foot"):
            if names:
                break
            continue
        text = line.text.strip()
        if _STOP.match(text) or part_of(text) in ("abstract", "introduction", "keywords"):
            break
        if names:
            same = abs(line.size - style[0]) < 0.13 * style[0] and (line.font == style[1] or line.bold == style[2])
            last = names[-1]
            open_end = bool(re.search(r"(?:,|\band|&|;|•|·)\s*\W*\d*$", last.text)) or last.x1 > last.column[
                1
            ] - 0.12 * (last.column[1] - last.column[0])
            if (
                not same
                or line.y0 - names[-1].y1 > (2.0 if open_end else 1.1) * line.size
                or not (_share(line) > 0.55 or open_end and _share(line) > 0.3)
                or _address(line, names)
            ):
                break
            names.append(line)
        elif _share(line) >= 0.6 and not _address(line, names):
            names.append(line)
            style = (line.size, line.font, line.bold)
        elif n - at > 6:
            break
    if names and all(_alone(k) for k in names):
        names = _row_mates(lines[at:], names)
    start = at + (max((i for i, k in enumerate(lines[at:]) if names and k is names[-1]), default=-1) + 1)
    return names, lines[start:]


def _alone(line: Line) -> bool:
    pieces = [p for p in (_strip(p)[0] for p in _cut(line)) if p]
    return len(pieces) == 1


def _row_mates(lines: list[Line], names: list[Line]) -> list[Line]:
    """Names set side by side, each above its own address: all lines in their face down to the abstract."""
    model = names[0]
    stop = min((k.y0 for k in lines if _STOP.match(k.text) or part_of(k.text)), default=model.y0 + 200)
    mates = [
        k
        for k in lines
        if k in names
        or abs(k.size - model.size) < 0.05 * model.size
        and k.font == model.font
        and model.y0 - 2 <= k.y0 < stop
        and _share(k) > 0.6
        and not AFFILIATION.search(k.text)
        and k.role not in ("head", "foot")
    ]
    if not any(k not in names and abs(k.y1 - model.y1) < 3 for k in mates):
        return names
    return sorted(mates, key=lambda k: (round(k.y1 / 6), k.x0))


def signature(flow: list[Line], headings) -> list[Line]:
    """The names under a letter: short lines of names right above an address or the references."""
    stop = next((h.start for h in headings if h.part == "references"), len(flow))
    block: list[Line] = []
    for line in reversed(flow[max(0, stop - 10) : stop]):
        if len(line.text) > 75 and not AFFILIATION.search(line.text):
            break
        block.insert(0, line)
    return [k for k in block if _share(k) >= 0.6 and not _address(k, []) and len(k.text) < 75][:4]


def _address(line, names) -> bool:
    first = line.words[0]
    return (
        bool(AFFILIATION.search(line.text))
        or "@" in line.text
        and not names
        or bool(names and first.raised and first.text.strip(",") == "1" and "1" in names[0].text)
    )


def _share(line: Line) -> float:
    """Share of the pieces of a line that look like names."""
    pieces = [p for p in (_strip(p)[0] for p in _cut(line)) if p]
    return sum(_is_name(p) for p in pieces) / len(pieces) if pieces else 0.0


def _cut(line: Line) -> list[str]:
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
    text = re.sub(rf"(\d|[{re.escape(_MARKS)}])\s*,\s*(?=[\d{re.escape(_MARKS)}])", "\\1\ue003", text)
    return re.split(r"\s*(?:[,;，、；•·|]|\s&\s|\s[-–—]\s|\b(?:and|y|und|et)\b(?=\s+[A-ZÀ-Þ\ue001]))\s*", text)


def _strip(piece: str) -> tuple[str, str]:
    """(name, marks)."""
    marks = "".join(re.findall(r"\ue001([^\ue002]*)\ue002", piece)).replace("\ue003", ",")
    name = re.sub(r"\ue001[^\ue002]*\ue002", " ", piece)
    marks += "," + ",".join(re.findall(rf"\d+|[{re.escape(_MARKS)}]", name))
    name = re.sub(rf"[\d{re.escape(_MARKS)}\ue003\[\]]+|\(.*?\)|[^\w\s.,’'`´-]", " ", name)
    name = re.sub(r"\s+", " ", name).strip(" ,.-") + ("." if re.search(r"\b[A-Z]\.\s*$", name) else "")
    return re.sub(r"^(?:and|by|und|et)\s+", "", _TITLES.sub("", name), flags=re.I), marks.strip(",")


def _is_name(name: str) -> bool:
    if EAST_NAME.match(name):
        return True
    tokens = name.split()
    if tokens and _DEGREES.match(name):
        return True
    while len(tokens) > 2 and (
        len(tokens[-1]) == 1 and tokens[-1].islower() or _SUFFIX.match(tokens[-1]) or _ends_in_degree(tokens)
    ):
        tokens.pop()
    return 1 < len(tokens) <= 7 and all(_TOKEN.match(t) for t in tokens) and any(len(t.strip(".")) > 1 for t in tokens)


def parse_authors(lines: list[Line], citation: list[tuple[str, str]], evidence: str = "") -> list[dict]:
    """[{family, given, marks, printed}]; `citation`: [(family, initials)] of the paper's own citation.

    `evidence`: running heads and references, in which a family name of two words may be seen before its initials.
    """
    between = ", " if len(lines) > 1 and all(_alone(k) for k in lines) else " "
    text = between.join(
        "".join("\ue001" + w.text + "\ue002" if w.raised else (w.text if w.glue else " " + w.text) for w in line.words)
        for line in lines
    )
    text = _GROUP.sub("", re.sub(r"(?<=\w)- (?=[A-Z])", "-", text))
    people = []
    for piece in _in_given_order(_split(_ICONS.sub(" ", text)), text):
        name, marks = _strip(piece)
        tokens = name.split()
        while len(tokens) > 2 and (
            len(tokens[-1]) == 1 and tokens[-1].islower() or _SUFFIX.match(tokens[-1]) or _ends_in_degree(tokens)
        ):
            marks += "," + (tokens.pop() if len(tokens[-1]) == 1 else tokens.pop() and "")
        name = " ".join(tokens)
        if not name or _DEGREES.match(name) or _SUFFIX.match(name) or not _is_name(name):
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
        words = [[_strip(h)[0] for h in hs] for hs in halves]
        if not whole and len(words[-1]) == 1 and len(words) > 2:
            words, halves = words[:-1], halves[:-1]
        if len(parts) > 1 and all(
            len(ws) == 2 and ws[0] and ws[1] and not _DEGREES.match(ws[1]) and len(ws[0].split()) <= 3 for ws in words
        ):
            return [f"{given} {family}" for family, given in halves]
    plain = [_strip(p)[0] for p in pieces]
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
    r"article)?|to cite this (?:article|paper)|citation)\s*(?:as|:|\.)*\s*:?\s*(.{30,900})",
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
