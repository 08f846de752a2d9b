"""Where the reference list of a paper begins and ends: below its heading, in several languages, or without one."""

import re
from dataclasses import dataclass

from .entries import NUMBER, YEAR, begins, entries_of, named, quality, split_references
from .frontmatter import Front
from .lines import Line
from .names import bare
from .sections import Heading
from .text import Spelling

_NAMES = re.compile(
    r"(?:(?:cited |selected |list of |general )?(?:references?|literature|bibliography)(?: list| cited| section)?|"
    r"works cited|sources?(?: cited)?|notes and references|further reading|"
    r"(?:references|bibliography|literature) (?:and|&) (?:further reading|notes|links|suggested reading)|"
    r"literatur(?:verzeichnis|angaben|liste|hinweise)?|quellen(?:verzeichnis|angaben)?|"
    r"literatur und quellen|schrifttum|"
    r"r[eé]f[eé]rences?(?: bibliographiques?)?|bibliographie|referencias?(?: bibliogr[aá]ficas?)?|bibliograf[ií]as?|"
    r"literatura(?: citada| consultada)?|obras citadas|fuentes|refer[eê]ncias?(?: bibliogr[aá]ficas?)?|"
    r"riferimenti(?: bibliografici)?|(?:основная |дополнительная )?литература|ссылки на источники|"
    r"список (?:использованн(?:ой|ых) )?(?:цитируемой )?(?:литературы|источников)(?: и литературы)?|"
    r"библиограф(?:ия|ический список)|источники|использованн(?:ая литература|ые источники)|"
    r"л\s?и\s?т\s?е\s?р\s?а\s?т\s?у\s?р\s?а|"
    r"参\s?考\s?文\s?献|引\s?用\s?文\s?献|参考资料|主要参考文献|文\s?献|參考文獻|引用文獻|참고\s?문헌)",
    re.I,
)
_ALSO = re.compile(
    r"appendi|annex|anhang|anexo|ap[eê]ndice|annexe|приложени|附\s?录|supplement|biograph|about the author|"
    r"author bio|vita\b|index\b|[A-H](?:\.\d)?\.?\s+[A-Z]",
    re.I,
)
#: A line below the list that belongs to the house: its notice, its licence, its address.
AFTER_LIST = re.compile(
    r"^\W*(?:copyright\b|© ?(?:the )?\w+|publisher[’']s note|open access\b|submit your|publish with|ready to "
    r"submit|how to cite this|cite this article|this (?:article|work) is (?:licensed|distributed)|publish your work|"
    r"dovepress$|received:? |recebido|aceito|recibido|aceptado|editora? associad[ao]|"
    r"[A-Z][\w ]+ is an international,? (?:peer|open))",
    re.I,
)
_BARE_NUMBER = re.compile(r"^[\[(]?\d{1,3}[\]).]*$")
_FIRST = re.compile(r"^\s*[\[(]?1[\]).]*\s+(?:[a-z]\) )?[^\W\d_]")
_LONGEST_NAME = 60


@dataclass
class ReferenceList:
    """``headings`` are those of the paper without what only looked like one inside the list."""

    headings: list[Heading]
    lines: list[Line]
    entries: list[str]


def names_references(text: str) -> bool:
    """Whether a line is the heading of a reference list and nothing else."""
    text = re.sub(r"^(?:§|第)?\s?[\d一二三四五六七八九十]{1,3}\s?[章节.、]?\s?(?=[\u4e00-\u9fff])", "", text.strip())
    if not 3 < len(text) <= _LONGEST_NAME and text not in ("文献", "文獻") or text[:1].islower():
        return False
    return all(_NAMES.fullmatch(part.strip()) for part in bare(text).split("/"))


def find_reference_list(flow: list[Line], headings: list[Heading], spelling: Spelling) -> ReferenceList:
    """The list of a paper; without lines and entries when it has none.

    The last list with entries is taken: a page that the house has added may have a heading "References" too.
    """
    headings = _with_named(flow, headings)
    starts = [n for n, h in enumerate(headings) if h.part == "references"]
    lists = [(n, *_below(flow, headings, n)) for n in starts]
    texts = [split_references(lines, spelling) for _, lines, _ in lists]
    if any(texts):
        at = max(range(len(lists)), key=lambda i: (len(texts[i]) >= 0.3 * max(map(len, texts)), i))
        n, lines, stop = lists[at]
        first = headings[n].end
        return ReferenceList([h for h in headings if not first <= h.start < stop], lines, texts[at])
    first = _unheaded(flow)
    if first is None:
        first = _unheaded_names(flow)
    if first is None:
        return ReferenceList(headings, [], [])
    lines = [k for k in flow[first:] if k.role in ("", "note")]
    return ReferenceList([h for h in headings if h.start < first], lines, split_references(lines, spelling))


def opens_with_references(flow: list[Line], front: Front) -> bool:
    """Whether a file begins with the heading of a reference list, or with its entries, and no title stands above."""
    lines = [k for k in flow if k.page == front.page + 1][:40]
    if (
        not lines
        or front.title_lines
        and front.title_lines[0] is not lines[0]
        and front.title_lines[0].y0 < lines[0].y0
    ):
        return False
    if names_references(lines[0].text):
        return True
    numbered = [k.text for k in lines if NUMBER.match(k.text)]
    return bool(NUMBER.match(lines[0].text)) and len(numbered) >= 4 and len(_numbered_from(lines)) >= 4


def _numbered_from(lines: list[Line]) -> list[str]:
    """Texts that begin with numbers in a row, whatever the first of them is, and hold a year."""
    found: list[str] = []
    due = None
    for k in lines:
        match = NUMBER.match(k.text)
        if match and (due is None or int(match[1]) == due):
            found.append(k.text)
            due = int(match[1]) + 1
        elif found:
            found[-1] += f" {k.text}"
    return [text for text in found if YEAR.search(text) and begins(text)]


def _with_named(flow: list[Line], headings: list[Heading]) -> list[Heading]:
    """Headings with those of reference lists marked, also where the line is set like the text around it."""
    for h in headings:
        if not h.part and not h.run_in and names_references(h.title):
            h.part = "references"
    known = {h.start for h in headings}
    found = [
        Heading(k.text.strip(), 1, k.page, "references", n, n + 1)
        for n, k in enumerate(flow)
        if n not in known and k.role in ("", "note") and names_references(k.text) and _list_follows(flow, n + 1)
    ]
    return sorted(headings + found, key=lambda h: (h.start, h.end)) if found else headings


def _list_follows(flow: list[Line], start: int) -> bool:
    """Whether the next lines hold years, and the first of them begins like an entry."""
    lines = [k.text for k in flow[start : start + 14] if k.role in ("", "note")]
    return bool(lines) and begins(lines[0]) and sum(bool(YEAR.search(t)) for t in lines) >= max(1, len(lines) // 5)


def _below(flow: list[Line], headings: list[Heading], n: int) -> tuple[list[Line], int]:
    """(lines, where they stop) below the n-th heading: at the next part, an appendix, or a heading of the same look."""
    own, stop = headings[n], len(flow)
    for later in headings[n + 1 :]:
        sibling = own.style and later.style == own.style and not later.run_in and not begins_entry(flow, later)
        if later.part or _ALSO.match(later.title) or sibling:
            stop = later.start
            break
    lines: list[Line] = []
    bar: Line | None = None
    for k in flow[own.end : stop]:
        if bar is None and lines and AFTER_LIST.match(k.text):
            bar = k  # the house's notice; when it stands below all columns, the other ones are still to come
        elif bar is not None and (k.page != bar.page or k.y1 > bar.y0 or k.region == bar.region):
            continue
        elif k.role in ("", "note"):
            lines.append(k)
    return with_numbers(lines), stop


def begins_entry(flow: list[Line], heading: Heading) -> bool:
    """Whether a "heading" inside a list is the first line of an entry, names set in bold: a year follows at once."""
    return any(YEAR.search(k.text) for k in flow[heading.start : heading.end + 3]) and begins(heading.title)


def _unheaded(flow: list[Line]) -> int | None:
    """Where a numbered list that has no heading begins: in the second half, five entries or more, with years."""
    for start in range(int(0.5 * len(flow)), len(flow)):
        if flow[start].role not in ("", "note") or not _FIRST.match(flow[start].text):
            continue
        rest = [k for k in flow[start:] if k.role in ("", "note") and not AFTER_LIST.match(k.text)]
        numbers = [int(m[1]) for k in rest if (m := NUMBER.match(k.text))]
        expected = 1
        for number in numbers:
            expected += number == expected
        if expected <= 5:
            continue
        texts = _numbered(rest)
        if len(texts) >= 5 and sum(bool(YEAR.search(t)) for t in texts) > 0.8 * len(texts):
            return start
    return None


def _unheaded_names(flow: list[Line]) -> int | None:
    """Where an unnumbered list that has no heading begins: in the last 40 %, eight entries or more, all but a few
    with a year. Tried at the top of a column, below a gap and behind a heading only.
    """
    tried = 0
    for start in range(int(0.6 * len(flow)), len(flow)):
        k, before = flow[start], flow[start - 1]
        fresh = before.role or (k.page, k.region) != (before.page, before.region) or k.y0 - before.y1 > 0.6 * k.size
        if k.role not in ("", "note") or not fresh or not named(k.text):
            continue
        lines = [one for one in flow[start:] if one.role in ("", "note")]
        dated = sum(bool(YEAR.search(one.text)) for one in lines)
        if len(lines) < 12 or dated < 0.15 * len(lines):
            continue
        tried += 1
        groups = entries_of(lines)
        if len(groups) >= 8 and quality(groups) > 0.85:
            return start
        if tried >= 20:
            return None
    return None


def _numbered(lines: list[Line]) -> list[str]:
    """Texts between the numbers 1, 2, 3, ... at the beginnings of lines."""
    texts: list[str] = []
    for k in lines:
        match = NUMBER.match(k.text)
        if match and int(match[1]) == len(texts) + 1:
            texts.append(k.text)
        elif texts:
            texts[-1] += f" {k.text}"
    return texts


def with_numbers(lines: list[Line]) -> list[Line]:
    """Lines whose number stands in a column of its own get it back."""
    alone = [k for k in lines if _BARE_NUMBER.match(k.text)]
    if len(alone) < 3:
        return lines
    gone = set()
    for number in alone:
        mates = [
            k
            for k in lines
            if k.page == number.page
            and abs((k.y0 + k.y1) - (number.y0 + number.y1)) < k.size
            and 0 < k.x0 - number.x1 < 4 * k.size
            and not _BARE_NUMBER.match(k.text)
        ]
        if mates:
            nearest = min(mates, key=lambda k: k.x0)
            nearest.text = f"{number.text.rstrip('.')}. {nearest.text}"
            gone.add(id(number))
    return [k for k in lines if id(k) not in gone] if len(gone) > 0.6 * len(alone) else lines
