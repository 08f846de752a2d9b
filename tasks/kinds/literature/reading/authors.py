"""Authors as printed: names and the marks that lead to their addresses, out of the text that bylines found.

Raised marks and the signs between names cut the text into names; degrees, suffixes, groups and icons are taken off.
Which part of a name is the family's is told by families.
"""

import re

from .families import name_families
from .lines import Line
from .persons import is_degree, is_name, is_suffix, without_suffixes

MARKS = r"*†‡§¶#∗⁎⊥‖✉$^~🖂&★☆♠♣♥♦⋆?"
_GROUP = re.compile(
    r"(?<!\s)\s*+[,;]?\s*+\b(?:(?:on behalf of|for|and|representing|in collaboration with)\s+)?(?:the\s+)?"
    r"(?:[A-Z][\w-]*+\s++){1,9}"
    r"(?:study group|working group|research group|group|investigators|collaborators|collaboration|consortium|"
    r"network|committee|task force|team)\b.*$|(?<!\s)\s*+[,;]?\s*+\bon behalf of\b.*$",
)
_ICONS = re.compile(
    r"https?://orcid\.org/\S*|\b(?:orcid|iD)\b:?|\d{4}-\d{4}-\d{4}-\d{3}[\dX]|\bcorresponding author\b|"
    r"\(corresponding\)",
    re.I,
)
_MAILS = re.compile(r"(?:[{(\[]([^{}()\[\]]{3,120})[})\]]\s*|[\w.+-]+)@[\w-]+\.[\w.-]+")
_TITLES = re.compile(r"^(?:dr|prof|professor|mr|mrs|ms)\.?\s+", re.I)


def marked_text(words) -> str:
    """The words of a line; raised ones between \\ue001 and \\ue002."""
    text = ""
    for word in words:
        if word.raised:
            text += "\ue001" + word.text + "\ue002"
        else:
            text += word.text if word.glue and not text.endswith("\ue002") else " " + word.text
    return text


def cut(text: str) -> list[str]:
    """The pieces between the signs that part names, each with its marks."""
    text = _GROUP.sub("", _ICONS.sub(" ", text))
    return _in_given_order(_split(text), text, whole=False)


def names_in(text: str) -> list[str]:
    """The pieces of a marked text without their marks; empty ones left out."""
    return [name for name in (strip_marks(piece)[0] for piece in cut(text)) if name]


def alone(line: Line) -> bool:
    """One name and nothing else."""
    return len(names_in(marked_text(line.words))) == 1


_SEPARATOR = re.compile(
    r"\s*(?:[,;，、；•·∙|]|\s&\s|\s\.(?=\s|$)|\s[-–—]\s|"
    r"\b(?:and|AND|y|und|et|e|и|with)\b(?=\s+[^\W\d_a-z\ue001]))\s*"
)


def _split(text: str) -> list[str]:
    """Cut at separators, keeping the raised marks (between \\ue001 and \\ue002) with the name before them."""
    text = re.sub(
        r"\ue001([^\ue001\ue002]*+)\ue002",
        lambda m: "\ue001" + m[1].replace(",", "\ue003").replace("and", " ").replace(";", "\ue003") + "\ue002",
        text,
    )
    text = re.sub(r"(\ue002)(?=\s*[^\W\d_a-z])", r"\1,", text)
    text = re.sub(rf"(\d|[{re.escape(MARKS)}])\s*,\s*(?=[\d{re.escape(MARKS)}])", "\\1\ue003", text)
    text = re.sub(r"(?<=[^\W\d_])([*†‡§¶∗]+|\d{1,2})\s+(?=[^\W\d_a-z][^\W\d_])", "\ue001\\1\ue002,", text)
    return [name for piece in _SEPARATOR.split(text) for name in _east_names(piece)]


def _east_names(piece: str) -> list[str]:
    """`张三 李四` as two names, `张 三` as one: a lone character belongs to the one beside it."""
    tokens = piece.split()
    if len(tokens) < 2 or not all(re.fullmatch(r"[\u4e00-\u9fff]{1,4}", t) for t in tokens):
        return [piece]
    names: list[str] = []
    for token in tokens:
        if names and (len(names[-1]) == 1 or len(token) == 1 and len(names[-1]) <= 2):
            names[-1] += token
        else:
            names.append(token)
    return names


_RUN_ON = re.compile(
    r"(?<=[a-zà-ÿ]{3})(?<!Fitz)(?=[A-ZÀ-Þ][a-zà-ÿ])|(?<=[a-zà-ÿ])(?<!Mc)(?<!Mac)(?<!Dr)(?=[A-ZÀ-Þ]{2,}\b)"
)


def strip_marks(piece: str) -> tuple[str, str]:
    """(name, marks)."""
    marks = "".join(re.findall(r"\ue001([^\ue001\ue002]*+)\ue002", piece)).replace("\ue003", ",")
    name = re.sub(r"\ue001[^\ue001\ue002]*+\ue002", " ", piece)
    marks += "," + ",".join(re.findall(rf"\d+|[{re.escape(MARKS)}]", name))
    name = re.sub(r"(?<!\d)\d{1,2}(?!\d)", " ", name)
    name = re.sub(r"\b(?:Ph\.D|M\.D|M\.Sc|B\.Sc|M\.P\.H|Dr\.P\.H)\.?[a-z]?(?![\w])", " ", name)
    name = re.sub(rf"[{re.escape(MARKS)}\ue003\[\]]+|\(.*?\)|[^\w\s.,!’'`´ʼ-]", " ", name)
    name = re.sub(r"(?<=[A-Z]\.)(?=[A-ZÀ-Þ][a-zà-ÿ]{2})", " ", name)
    name = re.sub(r"(?<=[a-zà-ÿ])ID\b", "", name)  # an icon read as letters
    if " " not in name.strip():
        name = _RUN_ON.sub(" ", name)  # lost spaces
    name = re.sub(r"\s+", " ", name).strip(" ,.-") + ("." if re.search(r"\b[A-Z]\.\s*$", name) else "")
    return re.sub(r"^(?:and|by|und|et)\s+", "", _TITLES.sub("", name), flags=re.I), marks.strip(",")


def parse_authors(
    units: list[str], citation: list[tuple[str, str]], evidence: str = ""
) -> tuple[list[dict], list[str]]:
    """([{family, given, marks, printed}], pieces that are neither a name nor part of one).

    A unit is a marked text of one name or of several with signs between them. `citation`: [(family, initials)] of the
    paper's own citation. `evidence`: running heads and references, in which a family name of two words may be seen
    before its initials.
    """
    people: list[dict] = []
    dropped: list[str] = []
    for unit in units:
        text = _GROUP.sub("", re.sub(r"(?<=\w)- (?=[A-Z])", "-", unit))
        for piece in _in_given_order(_split(_ICONS.sub(" ", text)), text):
            printed, marks = strip_marks(piece)
            tokens, ends = without_suffixes(printed.split())
            marks += "".join("," + end for end in ends if len(end) == 1)
            name = " ".join(tokens)
            if name and is_name(name) and not is_degree(name) and not is_suffix(name):
                people.append({"printed": name, "marks": marks})
            elif people and not name:
                people[-1]["marks"] += "," + marks
            elif people and len(name) == 1 and name.islower():
                people[-1]["marks"] += "," + name
            elif name and not is_degree(name) and not is_suffix(name):
                dropped.append(name)
    name_families(people, citation, evidence)
    return people, dropped


_DOUBTS = {
    "names_passed": 0.25,  # what looks like a name in the byline's face was left out
    "other_face": 0.05,  # so was one in another face
    "pieces_dropped": 0.3,  # part of the byline is no name
    "more_mail_than_names": 0.3,
    "merged": 0.25,  # one name as long as two
    "one_word": 0.25,
}


def confidence(authors: list[dict], doubts: set[str], after: list[Line]) -> float:
    """How sure it is that this is the whole list, before calibration: 0.95 less what speaks against it."""
    found = set(doubts)
    text = " ".join(k.text for k in after[:12])
    mails = sum(len(re.split(r"[,;|]", m[1])) if m[1] else 1 for m in _MAILS.finditer(text))
    if mails > len(authors) + 1:
        found.add("more_mail_than_names")
    for author in authors:
        tokens = [t for t in author["printed"].split() if t[0].isupper() and len(t.strip(".")) > 1]
        if len(tokens) > 4:
            found.add("merged")
        if not author["given"]:
            found.add("one_word")
    return round(max(0.95 - sum(_DOUBTS[d] for d in found), 0.05), 2)


def _in_given_order(pieces: list[str], text: str, whole: bool = True) -> list[str]:
    """`Ruiz, Ana; Bo, Li` and `Ruiz, A., Bo, L.` as given name, family name; `whole`: of all lines."""
    parts = [p.strip() for p in re.split(r"(?<!\s)\s*+;\s*", text) if p.strip()]
    if len(parts) > 1 or text.count(",") == 1 and ";" not in text:
        halves = [[h.strip() for h in re.split(r",(?![^\ue001]*\ue002)", p) if h.strip()] for p in parts]
        words = [[strip_marks(h)[0] for h in hs] for hs in halves]
        if not whole and len(words[-1]) == 1 and len(words) > 2:
            words, halves = words[:-1], halves[:-1]
        if len(parts) > 1 and all(
            len(ws) == 2 and ws[0] and ws[1] and not is_degree(ws[1]) and len(ws[0].split()) <= 3 for ws in words
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
    r"article)?|to cite this (?:article|paper)|to cite(?=\s*:)|citation|cite as|"
    r"como citar(?: este artigo)?(?: ?/ ?how to cite this article)?|c[oó]mo citar(?: este art[ií]culo)?|citaci[oó]n|"
    r"zitierweise|zitation|zitiervorschlag|"
    r"pour citer cet article|для цитирования|ссылка для цитирования|引用格式|引用本文)\s*"
    r"(?:as|:|\.)*\s*:?\s*(.{30,900})",
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
