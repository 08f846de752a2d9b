"""The prose of a paper cut where its page or section changes: what rules for facts read, and the sentences in it."""

import re
from dataclasses import dataclass

from .paper import Paper

_ABBREVIATED = (
    r"[A-Z] \b[A-Za-z] al vs i\.e e\.g Fig Figs No \bno \bnos spp approx Dr Drs Prof Ref Refs \bref \bca "
    r"\bcf \bSt \bvol "
    r"\bpp Prot Inc Ltd Eq Tab"
)
# The mark first, then what may not stand before it: the other way round every letter would be tried.
_END = re.compile(
    "[.!?]"
    + "".join(f"(?<!{word}[.!?])" for word in _ABBREVIATED.split())
    + r"(?:\s?\[\d[\d,–-]*\])?\s+(?=[A-Z“\"(\[])|[。！？](?=.)"
)


@dataclass(slots=True)
class Passage:
    """`part`: key of names.part_of for the section it stands in, "title" or "abstract"; "" before any heading."""

    page: int
    part: str
    text: str

    def sentence(self, start: int, end: int, limit: int = 420) -> str:
        """The sentence around text[start:end], cut to the match's neighbourhood when it is very long."""
        left = 0
        for match in _END.finditer(self.text):
            if match.end() <= start:
                left = match.end()
            elif match.start() >= end - 1:
                sentence = self.text[left : match.start() + 1]
                break
        else:
            sentence = self.text[left:]
        return shortened(sentence, start - left, end - left, limit)

    def sentences(self) -> list[str]:
        """All of them, in order."""
        out, left = [], 0
        for match in _END.finditer(self.text):
            out.append(self.text[left : match.start() + 1])
            left = match.end()
        return [*out, self.text[left:]]


def shortened(sentence: str, start: int, end: int, limit: int = 420) -> str:
    """A sentence, or its part around [start:end] when it is very long."""
    if len(sentence) > limit:
        a = max(0, start - limit // 2)
        sentence = sentence[a : a + limit]
        sentence = sentence[sentence.find(" ") + 1 :] if a else sentence
        sentence = sentence[: sentence.rfind(" ")] if len(sentence) >= limit else sentence
    return sentence.strip()


def passages(paper: Paper) -> list[Passage]:
    """All prose in reading order; tables, captions, references and running lines are left out."""
    out: list[Passage] = []
    if paper.front.title:
        out.append(Passage(paper.front.page + 1, "title", paper.front.title))
    by_page: dict[int, list] = {}
    for k in paper.abstract_lines:
        by_page.setdefault(k.page, []).append(k)
    out += [Passage(page, "abstract", paper.text_of(lines)) for page, lines in by_page.items()]
    starts = {h.start: h for h in paper.headings}
    part, parent, group, skip = "", "", [], 0
    aside = {id(k) for k in paper.author_lines + paper.address_lines + paper.front.title_lines}

    def flush():
        if group:
            out.append(Passage(group[0].page, part, paper.text_of(group)))
            group.clear()

    for i, line in enumerate(paper.flow):
        heading = starts.get(i)
        if heading:
            flush()
            if heading.level == 1:
                parent = heading.part
            part = heading.part or parent
            skip = heading.end
        if i < skip:
            continue
        if line.role not in ("", "note") or id(line) in aside:
            continue
        if group and (group[0].page != line.page or group[-1].role != line.role):
            flush()
        group.append(line)
    flush()
    return out
