"""JATS (NISO Z39.96), as PubMed Central and publishers give it, into an Article."""

from __future__ import annotations

import re

from tasks.kinds.literature.reading.bibliography import find_licence
from tasks.kinds.literature.reading.references import parse_reference

from ..values import doi_of, pmcid_of, pmid_of, tidy, tidy_title, year_of
from ..xml_tree import RefusedXml, child, children, descendants, find, local, parse, text_of
from .article import Article, Section, author, reference
from .markup_table import rows_of

_ASIDE = ("fig", "table-wrap", "fig-group", "table-wrap-group", "supplementary-material", "boxed-text", "disp-formula")
#: The date that counts first: the issue's, then whatever the publisher calls publication.
_DATES = ("collection", "ppub", "pub", "epub-ppub", "epub", "pmc-release")


def read_jats(data: bytes) -> Article:
    """The first article of the file; that there are more is a warning. Raises RefusedXml."""
    tree = parse(data)
    root = tree.root
    found = [root] if local(root) == "article" else descendants(root, "article")
    if not found:
        raise RefusedXml("damaged", "no article in it")
    article = _article(found[0])
    if len(found) > 1:
        article.warnings.append("more_papers_in_file")
    if tree.damage:
        article.warnings.append("xml_damaged")
    return article


def _article(root) -> Article:
    front = child(root, "front", "front-stub")
    meta = child(front, "article-meta") if child(front, "article-meta") is not None else front
    article = Article(
        title=tidy_title(text_of(find(meta, "title-group", "article-title"), ("xref", "fn"))) or "",
        abstract=_abstract(meta),
        journal=_journal(front),
        volume=tidy(text_of(child(meta, "volume"))),
        issue=tidy(text_of(child(meta, "issue"))),
        first_page=tidy(text_of(child(meta, "fpage")) or text_of(child(meta, "elocation-id"))),
        last_page=tidy(text_of(child(meta, "lpage"))),
        year=_year(meta),
        language=(root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower() or None,
        keywords=_keywords(meta),
    )
    for one in children(meta, "article-id"):
        kind, text = one.get("pub-id-type"), text_of(one)
        if kind == "doi":
            article.doi = article.doi or doi_of(text)
        elif kind == "pmid":
            article.pmid = pmid_of(text)
        elif kind in ("pmc", "pmcid", "pmc-aiid") and kind != "pmc-aiid":
            article.pmcid = pmcid_of(text, bare=True)
    subtitle = text_of(find(meta, "title-group", "subtitle"))
    if article.title and subtitle:
        article.title = f"{article.title}: {subtitle}"
    article.authors = _authors(meta)
    permissions = child(meta, "permissions")
    links = " ".join(
        v
        for one in descendants(permissions, "license", "license_ref", "ext-link")
        for v in [*one.attrib.values(), text_of(one)]
    )
    article.licence = find_licence(f"{links} {text_of(permissions)}")[0]
    _walk(child(root, "body"), 1, article)
    _back(child(root, "back"), article)
    for place in (child(root, "body"), child(root, "floats-group"), child(root, "back")):
        _floats(place, article)
    return article


def _journal(front) -> str | None:
    meta = child(front, "journal-meta")
    title = find(meta, "journal-title-group", "journal-title")
    return tidy(
        text_of(title if title is not None else child(meta, "journal-title"))
        or text_of(next(iter(descendants(meta, "abbrev-journal-title")), None))
    )


def _year(meta) -> int | None:
    dates = {
        one.get("pub-type") or one.get("date-type") or "pub": year_of(text_of(child(one, "year")))
        for one in children(meta, "pub-date")
    }
    return next((dates[name] for name in _DATES if dates.get(name)), None) or next(
        (y for y in dates.values() if y), None
    )


def _keywords(meta) -> list[str]:
    groups = [
        g
        for g in children(meta, "kwd-group")
        if (g.get("kwd-group-type") or "author") in ("author", "author-keywords", "author-generated")
    ]
    words = [text_of(one) for group in groups or children(meta, "kwd-group") for one in descendants(group, "kwd")]
    return list(dict.fromkeys(word for word in words if word))


def _abstract(meta) -> str:
    """The abstract proper: not the graphical one, the author's summary, the highlights or the translation."""
    plain = [
        one
        for one in children(meta, "abstract")
        if one.get("abstract-type") in (None, "", "structured", "section", "main")
    ]
    chosen = (plain or children(meta, "abstract"))[:1]
    if not chosen:
        return ""
    parts = []
    for one in chosen[0]:
        if local(one) == "sec":
            head = text_of(child(one, "title")).rstrip(":. ")
            body = " ".join(text_of(p) for p in one if local(p) != "title")
            parts.append(f"{head}: {body}" if head else body)
        elif local(one) not in ("title", "label", "object-id"):
            parts.append(text_of(one))
    return " ".join(part for part in parts if part) or text_of(chosen[0])


def _authors(meta) -> list[dict]:
    addresses = {one.get("id"): _address(one) for one in descendants(meta, "aff") if one.get("id")}
    notes = {one.get("id"): text_of(one) for one in descendants(meta, "corresp") if one.get("id")}
    found = []
    for group in children(meta, "contrib-group"):
        for one in children(group, "contrib"):
            if (one.get("contrib-type") or "author") != "author":
                continue
            name = next(iter(descendants(one, "name", "string-name")), None)
            family, given = text_of(child(name, "surname")), text_of(child(name, "given-names"))
            collective = text_of(child(one, "collab"), ("contrib-group",))
            if not family:
                family, given = collective or text_of(name), ""
            if not family:
                continue
            marks = [ref.get("rid") or "" for ref in descendants(one, "xref")]
            where = [addresses[rid] for mark in marks for rid in mark.split() if rid in addresses] + [
                _address(a) for a in children(one, "aff")
            ]
            mails = [text_of(m) for m in descendants(one, "email")]
            mails += re.findall(
                r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+", " ".join(notes.get(mark, "") for mark in marks)
            )
            orcid = next(
                (
                    m[0]
                    for c in descendants(one, "contrib-id")
                    if (m := re.search(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]", text_of(c)))
                ),
                None,
            )
            found.append(author(family, given, dict.fromkeys(where), next(iter(mails), None), orcid))
    if len(addresses) == 1 and not any(one["affiliations"] for one in found):  # unmarked, so it is everybody's
        for one in found:
            one["affiliations"] = list(addresses.values())
    return found


def _address(element) -> str:
    return re.sub(r"(?<!\s)\s++([,;.])", r"\1", text_of(element, ("label", "sup", "institution-id"))).strip(" ,;")


def _walk(element, level: int, article: Article) -> None:
    """Sections and paragraphs below an element, in order."""
    if element is None:
        return
    section = None
    for one in element:
        name = local(one)
        if name == "sec":
            title = text_of(child(one, "title"), ("xref", "fn"))
            article.sections.append(Section(title, level))
            _walk(one, level + 1, article)
            section = None
        elif name in ("p", "list", "disp-quote", "statement", "def-list", "verse-group", "boxed-text"):
            text = text_of(one, _ASIDE)
            if not text:
                continue
            if section is None:
                section = (
                    article.sections[-1]
                    if article.sections and level > 1 and not article.sections[-1].paragraphs
                    else None
                )
                if section is None:
                    section = Section("", max(1, level - 1))
                    article.sections.append(section)
            section.paragraphs.append(text)


def _back(back, article: Article) -> None:
    if back is None:
        return
    titles = {
        "ack": "Acknowledgements",
        "notes": "Notes",
        "fn-group": "Footnotes",
        "app": "Appendix",
        "glossary": "Abbreviations",
    }
    for one in back:
        name = local(one)
        if name == "sec":
            article.sections.append(Section(text_of(child(one, "title")), 1))
            _walk(one, 2, article)
        elif name == "ack" or name == "notes":
            article.sections.append(Section(text_of(child(one, "title")) or titles[name], 1))
            _walk(one, 2, article)
        elif name == "app-group":
            for app in children(one, "app"):
                article.sections.append(Section(text_of(child(app, "title")) or titles["app"], 1))
                _walk(app, 2, article)
        elif name == "fn-group":
            for note in children(one, "fn"):
                kind = {"conflict": "Conflict of interest", "COI-statement": "Conflict of interest",
                        "financial-disclosure": "Funding", "supported-by": "Funding",
                        "con": "Author contributions"}.get(note.get("fn-type") or "", titles["fn-group"])  # fmt: skip
                article.sections.append(Section(kind, 1, [text_of(p) for p in descendants(note, "p") if text_of(p)]))
    for one in descendants(back, "ref"):
        if (parsed := _reference(one)) is not None:
            article.references.append(parsed)


def _reference(ref) -> dict | None:
    citation = child(ref, "element-citation", "mixed-citation", "citation", "nlm-citation")
    alternatives = child(ref, "citation-alternatives")
    if citation is None and alternatives is not None:
        citation = child(alternatives, "element-citation", "mixed-citation")
    text = text_of(citation if citation is not None else ref, ("label",))
    if not text:
        return None
    people = []
    for one in descendants(citation, "name", "string-name"):
        people.append(f"{text_of(child(one, 'surname'))} {text_of(child(one, 'given-names'))}".strip() or text_of(one))
    ids = {one.get("pub-id-type"): text_of(one) for one in descendants(citation, "pub-id")}
    title = text_of(child(citation, "article-title", "chapter-title", "part-title", "data-title"))
    source = text_of(child(citation, "source"))
    if not title and not people and not source:
        return parse_reference(text)
    year = year_of(text_of(child(citation, "year")))
    doi = doi_of(ids.get("doi")) or next(
        (
            d
            for one in descendants(citation, "ext-link")
            if (d := doi_of(" ".join([*one.attrib.values(), text_of(one)])))
        ),
        None,
    )
    if citation is not None and local(citation) == "element-citation":  # written for machines: set it as people read it
        volume, page, last = (text_of(child(citation, name)) for name in ("volume", "fpage", "lpage"))
        pages = "-".join(one for one in (page, last) if one)
        where = f"{source} {year or ''};{volume}:{pages}".strip(" ;:") if source else str(year or "")
        text = ". ".join(one.rstrip(".") for one in (", ".join(people), title, where, doi or "") if one)
    # A journal's paper without its title is common in chemistry; of anything else the source is the title.
    of_journal = bool(title) or citation is not None and citation.get("publication-type") == "journal"
    return reference(
        text,
        title=tidy_title(title) or (None if of_journal else source),
        authors=people,
        journal=source if of_journal else None,
        year=year,
        doi=doi,
    )


def _floats(element, article: Article) -> None:
    for one in descendants(element, "fig", "table-wrap"):
        label = text_of(child(one, "label")).rstrip(".: ")
        caption = text_of(child(one, "caption"))
        kind = "table" if local(one) == "table-wrap" else "figure"
        article.captions.append({"kind": kind, "label": label, "text": caption})
        if kind == "table":
            article.tables.append(
                {
                    "label": label,
                    "caption": caption,
                    "rows": [row for t in descendants(one, "table") for row in rows_of(t)],
                }
            )
