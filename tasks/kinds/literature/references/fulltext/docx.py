"""DOCX (ECMA-376 WordprocessingML) into an Article: what the styles mark, and headings that papers always have."""

from __future__ import annotations

import re

from tasks.kinds.literature.reading.names import part_of

from ..package_parts import BadPackage, Package
from ..people import people, split_people
from ..values import dois_in, tidy_title
from ..xml_tree import child, children, local, text_of
from .article import Article, author
from .blocks import Block, assemble

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_NAME = re.compile(r"[A-ZÀ-Þ][\w’'-]*\.?(?: (?:[A-ZÀ-Þ][\w’'-]*\.?|van|von|der|den|de|del|di|da|la|le|bin|al)){1,4}")


def read_docx(data: bytes) -> Article:
    """The paper in a word processor's file. Raises BadPackage."""
    package = Package(data)
    names = package.find(r"word/document\d*\.xml")
    if not names:
        raise BadPackage("damaged", "no document in it")
    body = child(package.tree(names[0]), "body")
    styles = _styles(package)
    article, blocks, front = Article(), [], True
    for element in _blocks(body):
        if local(element) == "tbl":
            rows = [[_cell(cell) for cell in children(row, "tc")] for row in children(element, "tr")][:5000]
            article.tables.append(
                {"label": "", "caption": _caption_above(blocks), "rows": [row for row in rows if any(row)]}
            )
            continue
        text = _text(element)
        if not text:
            continue
        style, level = _style(element, styles)
        if style in ("title", "papertitle", "articletitle") and not article.title:
            article.title = tidy_title(text) or ""
            continue
        if "author" in style and "affil" not in style and not article.authors:
            article.authors = [author(p["family"], p["given"]) for p in _names(element)]
            continue
        if (
            not level
            and len(text) < 80
            and part_of(text)
            and (_all_bold(element) or part_of(text) in ("abstract", "references", "keywords"))
        ):
            level = 1
        if not article.title and front and not level and len(text) > 20 and not re.match(r"abstract\b", text, re.I):
            article.title, front = (
                _core_title(package) or (tidy_title(text) if _all_bold(element) or _large(element) else "") or "",
                False,
            )
            if article.title and tidy_title(text) == article.title:
                continue
        if article.title and not article.authors and not blocks and (found := _like_authors(element)):
            article.authors = [author(p["family"], p["given"]) for p in found]
            continue
        blocks.append(Block(text, level, caption=style == "caption"))
    if not article.title:
        article.title = _core_title(package)
    article.doi = _own_doi(blocks)
    assemble(article, blocks)
    _label_tables(article)
    return article


def _blocks(body):
    """Paragraphs and tables in order, out of the boxes for content controls too."""
    for element in body if body is not None else ():
        if local(element) in ("p", "tbl"):
            yield element
        elif local(element) == "sdt":
            yield from _blocks(child(element, "sdtContent"))


def _text(paragraph, raised: bool = True) -> str:
    """The words of a paragraph, without superscripts if not ``raised``. What was deleted under tracking is gone."""
    parts = []
    for run in paragraph.iter():
        name = local(run)
        if name == "t":
            if not raised and _is_raised(run.getparent()):
                continue
            parts.append(run.text or "")
        elif name in ("tab", "br", "cr"):
            parts.append(" ")
        elif name == "noBreakHyphen":
            parts.append("-")
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def _is_raised(run) -> bool:
    align = child(child(run, "rPr"), "vertAlign")
    return align is not None and align.get(f"{_W}val") == "superscript"


def _cell(cell) -> str:
    return " ".join(filter(None, (_text(p) for p in children(cell, "p"))))


def _styles(package: Package) -> dict[str, tuple[str, int]]:
    """{style id: (name without spaces in lower case, level of its heading or 0)}."""
    found: dict[str, tuple[str, int]] = {}
    for part in package.find(r"word/styles\.xml"):
        for style in children(package.tree(part), "style"):
            name = child(style, "name")
            words = re.sub(r"[\s_-]+", "", (name.get(f"{_W}val") if name is not None else "") or "").lower()
            outline = child(child(style, "pPr"), "outlineLvl")
            match = re.fullmatch(r"heading([0-9])", words)
            level = int(match[1]) if match else _outline(outline)
            found[style.get(f"{_W}styleId") or ""] = (words, level)
    return found


def _outline(element) -> int:
    value = element.get(f"{_W}val") if element is not None else None
    return int(value) + 1 if value and re.fullmatch(r"[0-8]", value) else 0


def _style(paragraph, styles) -> tuple[str, int]:
    properties = child(paragraph, "pPr")
    named = child(properties, "pStyle")
    key = (named.get(f"{_W}val") or "") if named is not None else ""
    name, level = styles.get(key, (re.sub(r"\W+", "", key).lower(), 0))
    return name, _outline(child(properties, "outlineLvl")) or level


def _all_bold(paragraph) -> bool:
    runs = [run for run in paragraph.iter(f"{_W}r") if text_of(run)]
    bold = [child(child(run, "rPr"), "b") for run in runs]
    return bool(runs) and all(b is not None and b.get(f"{_W}val") not in ("0", "false") for b in bold)


def _large(paragraph) -> bool:
    sizes = [size.get(f"{_W}val") for size in paragraph.iter(f"{_W}sz")]
    return any(size and re.fullmatch(r"[0-9]{2,4}", size) and int(size) >= 28 for size in sizes)


def _core_title(package: Package) -> str:
    for part in package.find(r"docProps/core\.xml"):
        return tidy_title(text_of(child(package.tree(part), "title"))) or ""
    return ""


def _names(paragraph) -> list[dict]:
    return split_people(
        re.sub(
            r"(?<!\s)\s*+[*†‡§]+", "", re.sub(r"(?<=[a-zà-ÿ])[\d,]+(?=[\s,;]|$)", "", _text(paragraph, raised=False))
        )
    )


def _like_authors(paragraph) -> list[dict]:
    """The names of the paragraph below the title, if it is nothing but names."""
    text = re.sub(r"[*†‡§\d]+", "", _text(paragraph, raised=False))
    parts = [part.strip() for part in re.split(r"(?<!\s)(?:\s*+[,;&]\s*|\s++and\s+)", text) if part.strip()]
    if not parts or len(text) > 2000 or not all(_NAME.fullmatch(part) for part in parts) or part_of(text):
        return []
    return people(parts)


def _own_doi(blocks: list[Block]) -> str | None:
    """The DOI that stands before the first section; none when there are several."""
    found: dict[str, None] = {}
    for block in blocks[:25]:
        if block.level and part_of(block.text) not in ("abstract", "keywords", ""):
            break
        if re.search(r"\bdoi\b", block.text, re.I):
            found.update(dict.fromkeys(dois_in(block.text)))
    return next(iter(found)) if len(found) == 1 else None


def _caption_above(blocks: list[Block]) -> str:
    return (
        blocks[-1].text
        if blocks and re.match(r"(?:table|表)\s?\S", blocks[-1].text, re.I) and len(blocks[-1].text) < 400
        else ""
    )


def _label_tables(article: Article) -> None:
    for table in article.tables:
        match = re.match(r"((?:table|表)\.?\s?S?\d+)[.:：|]?\s*(.*)", table["caption"], re.I | re.S)
        if match:
            table["label"], table["caption"] = match[1], match[2]
