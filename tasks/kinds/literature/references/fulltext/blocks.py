"""A running text of headings and paragraphs (DOCX, HTML) into the parts of an Article: abstract, keywords, sections,
references, by the names that papers give them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.kinds.literature.reading.names import part_of
from tasks.kinds.literature.reading.references import parse_reference

from ..values import split_keywords
from .article import Article, Section

_LEAD = re.compile(
    r"(abstract|summary|摘\s?要|keywords?|key words|index terms|关键词|关键字)\s*[:：.—–-]\s*(?=\S)", re.I
)
_CAPTION = re.compile(r"((?:supplementary )?(?:table|fig(?:ure)?|表|图)\.?\s?S?\d+)[.:：|]?\s+(\S.*)$", re.I | re.S)
_NUMBER = re.compile(r"^\s*[\[(]?\d{1,3}[\]).]\s+")


@dataclass
class Block:
    """``level`` 0 is a paragraph, 1 and more a heading; ``caption`` when it is marked as one."""

    text: str
    level: int = 0
    caption: bool = False


def assemble(article: Article, blocks: list[Block]) -> None:
    """Sort the blocks into ``article``; an abstract it has already is not replaced."""
    top = min((b.level for b in blocks if b.level), default=1)
    given_abstract, given_references = bool(article.abstract), bool(article.references)
    part, section, abstract = "", None, []
    for block in blocks:
        text = block.text.strip()
        if not text:
            continue
        if block.level:
            part = part_of(text)
            section = None
            if part not in ("abstract", "keywords", "references"):
                inside = part == "" and abstract and not any(s.title for s in article.sections) and block.level > top
                section = Section(text, block.level - top + 1)
                if inside:  # "Methods" and "Results" of a structured abstract, one level below its heading
                    part = "abstract"
                    continue
                article.sections.append(section)
            continue
        lead = _LEAD.match(text)
        if lead and not any(s.title for s in article.sections):
            found = part_of(lead[1].capitalize()) or (
                "keywords" if re.match(r"key|index|关键", lead[1], re.I) else "abstract"
            )
            text = text[lead.end() :]
            if found == "keywords":
                article.keywords = article.keywords or split_keywords([text])
            else:
                abstract.append(text)
            continue
        if part == "abstract":
            abstract.append(text)
        elif part == "keywords":
            article.keywords = article.keywords or split_keywords([text])
        elif part == "references":
            if not given_references and sum(c.isalpha() for c in text) > 8:
                article.references.append(parse_reference(_NUMBER.sub("", text)))
        elif (caption := _CAPTION.match(text)) and (block.caption or len(text) < 400):
            kind = "table" if re.match(r"(?:supplementary )?table|表", caption[1], re.I) else "figure"
            article.captions.append({"kind": kind, "label": caption[1].rstrip("."), "text": caption[2]})
        else:
            if section is None:
                section = Section("", 1)
                article.sections.append(section)
            section.paragraphs.append(text)
    if not given_abstract:
        article.abstract = " ".join(abstract)
