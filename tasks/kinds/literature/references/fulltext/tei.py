"""TEI, as GROBID and publishers' archives write it, into an Article."""

from __future__ import annotations

import re

from tasks.kinds.literature.reading.bibliography import find_licence
from tasks.kinds.literature.reading.references import parse_reference

from ..values import doi_of, pmcid_of, pmid_of, tidy, tidy_title, year_of
from ..xml_tree import RefusedXml, child, children, descendants, find, local, parse, text_of
from .article import Article, Section, author, reference
from .markup_table import rows_of

_XML = "{http://www.w3.org/XML/1998/namespace}"


def read_tei(data: bytes) -> Article:
    """The first text of the file; that there are more is a warning. Raises RefusedXml."""
    tree = parse(data)
    texts = [tree.root] if local(tree.root) in ("TEI", "TEI.2") else descendants(tree.root, "TEI", "TEI.2")
    if not texts:
        raise RefusedXml("damaged", "no TEI text in it")
    article = _article(texts[0])
    if len(texts) > 1:
        article.warnings.append("more_papers_in_file")
    if tree.damage:
        article.warnings.append("xml_damaged")
    return article


def _article(root) -> Article:
    header = child(root, "teiHeader")
    source = find(header, "fileDesc", "sourceDesc")
    own = next(iter(descendants(source, "biblStruct", "biblFull")), None)
    analytic, monogr = child(own, "analytic"), child(own, "monogr")
    titles = [*descendants(find(header, "fileDesc", "titleStmt"), "title"), *descendants(analytic, "title")]
    profile = child(header, "profileDesc")
    abstract, terms = child(profile, "abstract"), descendants(header, "availability", "licence")
    article = Article(
        title=tidy_title(next((text_of(t) for t in titles if text_of(t)), "")) or "",
        abstract=" ".join(map(text_of, descendants(abstract, "p"))) or text_of(abstract),
        journal=tidy(next((text_of(t) for t in children(monogr, "title") if t.get("level") in ("j", None, "m")), "")),
        year=_year(monogr) or _year(child(find(header, "fileDesc"), "publicationStmt")),
        keywords=_keywords(profile),
        language=_language(root, header, profile),
        licence=find_licence(" ".join(" ".join([text_of(a), *a.attrib.values()]) for a in terms))[0],
    )  # fmt: skip
    article.volume, article.issue, article.first_page, article.last_page = _scope(monogr)
    for one in descendants(own, "idno"):
        kind, text = (one.get("type") or "").lower(), text_of(one)
        if kind == "doi":
            article.doi = article.doi or doi_of(text)
        elif kind == "pmid":
            article.pmid = pmid_of(text)
        elif kind in ("pmc", "pmcid"):
            article.pmcid = pmcid_of(text, bare=True)
    article.authors = [
        one for a in children(analytic if analytic is not None else own, "author") if (one := _author(a))
    ]
    text = child(root, "text")
    body = child(text, "body")
    for part in [body, *children(text, "back")]:
        _walk(part, 1, article)
    for one in descendants(child(text, "back"), "biblStruct", "bibl"):
        article.references.append(_reference(one))
    for one in descendants(text, "figure"):
        _float(one, article)
    return article


def _language(root, header, profile) -> str | None:
    """What the text, its header or its list of languages says, as two letters."""
    named = [root.get(f"{_XML}lang"), header.get(f"{_XML}lang") if header is not None else None]
    named += [one.get("ident") for one in descendants(profile, "language")]
    return next((name[:2].lower() for name in named if name), None)


def _keywords(profile) -> list[str]:
    keywords = next(iter(descendants(profile, "keywords")), None)
    terms = [text_of(one) for one in descendants(keywords, "term", "item")]
    return list(dict.fromkeys(t for t in terms if t)) or [
        word.strip() for word in re.split(r"[;,]", text_of(keywords)) if word.strip()
    ]


def _year(element) -> int | None:
    dates = descendants(element, "date")
    published = [one for one in dates if one.get("type") == "published"] or dates
    return next((y for one in published if (y := year_of(one.get("when") or text_of(one)))), None)


def _scope(monogr) -> tuple[str | None, str | None, str | None, str | None]:
    values: dict[str, str] = {}
    for one in descendants(monogr, "biblScope"):
        unit = one.get("unit") or one.get("type") or ""
        values[unit] = text_of(one)
        if unit in ("page", "pp"):
            values["first"], values["last"] = one.get("from") or text_of(one).split("-")[0].strip(), one.get("to") or ""
    return tuple(values.get(name) or None for name in ("volume", "issue", "first", "last"))  # type: ignore[return-value]


def _author(element) -> dict | None:
    name = child(element, "persName") if child(element, "persName") is not None else element
    family = text_of(child(name, "surname"))
    given = " ".join(text_of(one) for one in children(name, "forename"))
    if not family:
        return (
            None if local(name) == "author" and not text_of(name) else author(text_of(name)) if text_of(name) else None
        )
    addresses = []
    for one in children(element, "affiliation"):
        note = next((text_of(n) for n in descendants(one, "note") if n.get("type") == "raw_affiliation"), "")
        addresses.append(note or ", ".join(text_of(part) for part in one if text_of(part)) or text_of(one))
    orcid = next(
        (text_of(one) for one in descendants(element, "idno") if (one.get("type") or "").upper() == "ORCID"), None
    )
    return author(family, given, addresses, text_of(child(element, "email")), orcid)


def _walk(element, level: int, article: Article) -> None:
    if element is None:
        return
    section = None
    for one in element:
        name = local(one)
        if name == "div" or name.startswith("div") and name[3:].isdigit():
            if one.get("type") in ("references", "bibliography"):
                continue
            head = child(one, "head")
            title = text_of(head)
            number = (head.get("n") or "").strip(".") if head is not None else ""
            own = number.count(".") + 1 if number else level
            if title:
                article.sections.append(Section(title, own))
            _walk(one, (own if title else level) + bool(title), article)
            section = None
        elif name in ("p", "list", "quote", "formula"):
            text = text_of(one, ("figure",))
            if not text:
                continue
            if section is None:
                section = (
                    article.sections[-1]
                    if article.sections and not article.sections[-1].paragraphs and level > 1
                    else Section("", max(1, level - 1))
                )
                if section not in article.sections:
                    article.sections.append(section)
            section.paragraphs.append(text)


def _reference(element) -> dict:
    note = next((text_of(one) for one in descendants(element, "note") if one.get("type") == "raw_reference"), "")
    analytic, monogr = child(element, "analytic"), child(element, "monogr")
    title = next(
        (
            text_of(t)
            for t in [*children(analytic, "title"), *(t for t in children(element, "title") if t.get("level") == "a")]
            if text_of(t)
        ),
        "",
    )
    source = next(
        (
            text_of(t)
            for t in [*children(monogr, "title"), *(t for t in children(element, "title") if t.get("level") != "a")]
            if text_of(t)
        ),
        "",
    )
    people = [f"{p['family']} {p['given']}".strip() for a in descendants(element, "author") if (p := _author(a))]
    if not (title or source or people):
        return parse_reference(note or text_of(element))
    year = _year(monogr if monogr is not None else element)
    doi = next((d for one in descendants(element, "idno") if (d := doi_of(text_of(one)))), None)
    text = note or ". ".join(
        one
        for one in (", ".join(people), title or source, f"{source if title else ''} {year or ''}".strip(), doi or "")
        if one
    )
    return reference(
        text, title=tidy_title(title or source), authors=people, journal=source if title else None, year=year, doi=doi
    )


def _float(figure, article: Article) -> None:
    label = text_of(child(figure, "head")) or text_of(child(figure, "label"))
    kind = "table" if figure.get("type") == "table" or child(figure, "table") is not None else "figure"
    caption = text_of(child(figure, "figDesc"))
    article.captions.append({"kind": kind, "label": label, "text": caption})
    if kind == "table":
        article.tables.append(
            {
                "label": label,
                "caption": caption,
                "rows": [row for t in descendants(figure, "table") for row in rows_of(t)],
            }
        )
