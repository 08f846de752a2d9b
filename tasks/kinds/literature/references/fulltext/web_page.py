"""HTML, as publishers serve it and people save it, into an Article: citation_* tags of its head, text of its body."""

from __future__ import annotations

import re
from collections import defaultdict

from lxml import etree

from tasks.kinds.literature.reading.bibliography import find_licence
from tasks.kinds.literature.reading.references import parse_reference

from ..encoding import decode
from ..people import person
from ..values import doi_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from ..xml_tree import RefusedXml, descendants, local, text_of
from .article import Article, author
from .blocks import Block, assemble
from .markup_table import rows_of

_LEFT_OUT = {
    "script", "style", "nav", "header", "footer", "aside", "form", "noscript", "template", "svg", "button", "select",
    "iframe", "head", "dialog", "menu",
}  # fmt: skip
_DATES = (
    "citation_publication_date", "citation_date", "citation_year", "citation_online_date", "prism.publicationdate",
    "dc.date", "dc.issued",
)  # fmt: skip
_PARAGRAPHS = {"p", "li", "dd", "dt", "blockquote", "pre", "figcaption", "caption"}
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_REFERENCE_LIST = re.compile(
    r"\b(?:references?|ref-list|bibliography|citations?|c-article-references|literature)\b", re.I
)


def read_web_page(data: bytes) -> Article:
    """The paper on a page. Raises RefusedXml for a page that can't be read as one."""
    parser = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(_utf8(data), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise RefusedXml("damaged", str(error)) from None
    if root is None:
        raise RefusedXml("damaged", "nothing that could be read as HTML")
    article = _from_head(_metas(root))
    place = next(
        (
            found[0]
            for name in ("article", "main", "body")
            if len(found := descendants(root, name)) == 1 or name == "body" and found
        ),
        root,
    )
    for header in descendants(place, "h1"):
        article.title = article.title or tidy_title(text_of(header)) or ""
    if not article.title:
        article.title = tidy_title(text_of(next(iter(descendants(root, "title")), None))) or ""
    _reference_lists(place, article)
    blocks: list[Block] = []
    _walk(place, blocks, article)
    assemble(article, blocks)
    article.language = (root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[
        :2
    ].lower() or None
    links = " ".join(
        one.get("href") or ""
        for one in descendants(root, "a", "link")
        if one.get("rel") == "license" or "creativecommons" in (one.get("href") or "")
    )
    article.licence = find_licence(links)[0]
    return article


def _utf8(data: bytes) -> bytes:
    """In the code page that the page declares, when it is not UTF-8 anyway."""
    declared = re.search(rb"<meta(?:(?!charset)[^<>])++charset\s*=\s*[\"']?\s*([\w-]+)", data[:4096], re.I)
    text = decode(data)
    if declared and text.encoding not in ("utf-8", "utf-16-le", "utf-16-be"):
        try:
            return data.decode(declared[1].decode("ascii", "replace"), "replace").encode()
        except LookupError:
            pass  # an encoding that nobody knows: the vote stands
    return text.text.encode("utf-8", "replace")


def _metas(root) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in descendants(root, "meta"):
        name = (one.get("name") or one.get("property") or "").lower().replace("dcterms.", "dc.")
        if name and (one.get("content") or "").strip():
            found[name].append(one.get("content").strip())
    return found


def _from_head(metas: dict[str, list[str]]) -> Article:
    """What Google Scholar's, Dublin Core's and PRISM's tags say."""

    def first(*names: str) -> str:
        return next((metas[name][0] for name in names if metas.get(name)), "")

    ids = [
        *metas.get("citation_doi", []),
        *metas.get("dc.identifier", []),
        *metas.get("prism.doi", []),
        *metas.get("bepress_citation_doi", []),
    ]
    article = Article(
        title=tidy_title(first("citation_title", "dc.title", "prism.title", "og:title", "eprints.title")) or "",
        doi=next((doi for one in ids if (doi := doi_of(one))), None),
        pmid=pmid_of(first("citation_pmid")),
        pmcid=pmcid_of(first("citation_pmcid"), bare=True),
        year=next((y for n in _DATES
                   for v in metas.get(n, []) if (y := year_of(v))), None),
        journal=tidy(first("citation_journal_title", "prism.publicationname", "dc.source")),
        volume=tidy(first("citation_volume", "prism.volume")),
        issue=tidy(first("citation_issue", "prism.number")),
        first_page=tidy(first("citation_firstpage", "prism.startingpage")),
        last_page=tidy(first("citation_lastpage", "prism.endingpage")),
        abstract=tidy(first("citation_abstract", "dc.description.abstract")) or "",
        keywords=split_keywords(metas.get("citation_keywords") or metas.get("citation_keyword") or []),
    )  # fmt: skip
    article.authors = _authors(metas)
    article.references = [_cited(one) for one in metas.get("citation_reference", [])]
    return article


def _authors(metas) -> list[dict]:
    names = (
        metas.get("citation_author")
        or [n for one in metas.get("citation_authors", []) for n in one.split(";")]
        or metas.get("dc.creator")
        or []
    )
    found = [author(one["family"], one["given"]) for name in names if (one := person(name))]
    if len(found) == 1 and metas.get(
        "citation_author"
    ):  # several of one author are told apart only with the order of tags
        found[0]["affiliations"] = list(metas.get("citation_author_institution", []))
        found[0]["email"] = next(iter(metas.get("citation_author_email", [])), None)
    return found


def _cited(text: str) -> dict:
    """ "citation_title=...; citation_author=...;" or a reference as it is printed."""
    if "citation_" not in text:
        return parse_reference(text)
    fields: dict[str, list[str]] = defaultdict(list)
    for match in re.finditer(r"citation_(\w+)=(.*?)(?=;\s*citation_\w+=|;?\s*$)", text):
        fields[match[1]].append(match[2].strip())
    title, journal = (next(iter(fields[name]), None) for name in ("title", "journal_title"))
    year = year_of(next(iter(fields["publication_date"] or fields["year"]), ""))
    doi = doi_of(next(iter(fields["doi"]), ""))
    words = ". ".join(
        one for one in (", ".join(fields["author"]), title or "", journal or "", str(year or ""), doi or "") if one
    )
    return {"text": words, "doi": doi, "year": year, "title": title, "authors": fields["author"], "journal": journal}


def _reference_lists(place, article: Article) -> None:
    """Lists marked as references are taken out of the text, the longest of them read."""
    lists = [
        one
        for one in descendants(place, "ol", "ul")
        if _REFERENCE_LIST.search(" ".join(_marks(one))) or "doc-bibliography" in _roles(one)
    ]
    lists = [
        one for one in lists if not any(other is not one and other in list(one.iterancestors()) for other in lists)
    ]
    texts: list[str] = []
    for one in lists:
        found = [text for item in one if local(item) == "li" and len(text := text_of(item)) > 15]
        texts = max(texts, found, key=len)
        one.getparent().remove(one)
    if texts and not article.references:
        article.references = [parse_reference(re.sub(r"^\W*\d{1,3}[.)\]]?\s+", "", text)) for text in texts]


def _marks(element) -> list[str]:
    parent = element.getparent()
    return [one.get(name) or "" for one in (element, parent) if one is not None for name in ("class", "id")]


def _roles(element) -> str:
    parent = element.getparent()
    return f"{element.get('role') or ''} {parent.get('role') or '' if parent is not None else ''}"


def _walk(element, blocks: list[Block], article: Article) -> None:
    """Headings and paragraphs in order; a paragraph within a paragraph's list item is part of it."""
    for one in element:
        name = local(one)
        if not name or name in _LEFT_OUT or one.get("hidden") is not None or one.get("aria-hidden") == "true":
            continue
        if name in _HEADINGS:
            text = text_of(one)
            if name != "h1" or tidy_title(text) != article.title:
                blocks.append(Block(text, _HEADINGS[name]))
        elif name == "table":
            caption = text_of(next(iter(descendants(one, "caption")), None))
            rows = rows_of(one)
            if len(rows) > 1:
                label = re.match(r"(table\s?S?\d+)[.:]?\s*(.*)", caption, re.I | re.S)
                article.tables.append(
                    {"label": label[1] if label else "", "caption": label[2] if label else caption, "rows": rows}
                )
                if label:
                    article.captions.append({"kind": "table", "label": label[1], "text": label[2]})
        elif name in _PARAGRAPHS and not descendants(one, "h2", "h3", "h4", "table"):
            blocks.append(Block(text_of(one), caption=name == "figcaption"))
        else:
            if one.text and len(one.text.strip()) > 40 and name in ("div", "section", "span"):
                blocks.append(Block(re.sub(r"\s+", " ", text_of(one))))
                continue
            _walk(one, blocks, article)
