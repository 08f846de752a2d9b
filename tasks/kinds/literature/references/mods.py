"""MODS, the Library of Congress' records of books and articles, and Zotero's RDF: records as XML elements.

MODS: loc.gov/standards/mods. Zotero RDF: bibliontology and Dublin Core terms as Zotero's own translator writes them;
the journal of an article is an element of its own, which the article points at.
"""

from __future__ import annotations

import re

from .people import people
from .record import REPAIRED, UNREADABLE, Reading, Record
from .values import doi_of, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import type_of
from .xml_tree import child, children, descendants, find, local, parse, text_of

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_WORKS = {
    "Article": "article-journal",
    "Book": "book",
    "BookSection": "chapter",
    "Thesis": "thesis",
    "Report": "report",
    "Document": "document",
    "ConferenceProceedings": "paper-conference",
    "Manuscript": "article",
    "Patent": "patent",
    "Image": "document",
    "Data": "dataset",
}


def read_mods(data: bytes, reading: Reading) -> None:
    """Add every <mods> to the reading. Raises RefusedXml."""
    root = _root(data, reading)
    found = [
        one for one in descendants(root, "mods") if one.getparent() is None or local(one.getparent()) != "relatedItem"
    ]
    reading.counted = max(len(re.findall(rb"<(?:\w+:)?mods[\s>]", data)), len(found))
    for element in found:
        reading.add(_mods(element), text_of(element))
    _lost(reading, len(found))


def read_zotero_rdf(data: bytes, reading: Reading) -> None:
    """Add every work of an RDF file to the reading. Raises RefusedXml."""
    root = _root(data, reading)
    by_name = {one.get(f"{_RDF}about") or one.get(f"{_RDF}nodeID") or one.get(f"{_RDF}ID"): one for one in root}
    works = [one for one in root if local(one) in _WORKS or child(one, "itemType") is not None]
    works = [one for one in works if text_of(child(one, "itemType")) not in ("attachment", "note")]
    for element in works:
        reading.counted += 1
        reading.add(_rdf(element, by_name), text_of(element))


def _root(data: bytes, reading: Reading):
    tree = parse(data)
    if tree.damage:
        reading.tell(tree.damage[0], "xml_damaged", REPAIRED, tree.damage[1])
    return tree.root


def _lost(reading: Reading, found: int) -> None:
    for _ in range(reading.counted - found):
        reading.tell(0, "xml_record_lost", UNREADABLE)


def _mods(element) -> Record:
    titles = [one for one in children(element, "titleInfo") if one.get("type") in (None, "")] or children(
        element, "titleInfo"
    )
    title = titles[0] if titles else None
    host = next((one for one in children(element, "relatedItem") if one.get("type") == "host"), None)
    origin = child(element, "originInfo") if child(element, "originInfo") is not None else child(host, "originInfo")
    part = child(host, "part") if child(host, "part") is not None else child(element, "part")
    ids = {one.get("type", "").lower(): text_of(one) for one in children(element, "identifier")}
    urls = [text_of(one) for one in descendants(child(element, "location"), "url")]
    dates = [*children(origin, "dateIssued", "copyrightDate", "dateCreated"), *children(part, "date")]
    details = {one.get("type"): text_of(child(one, "number")) or text_of(one) for one in children(part, "detail")}
    extent = child(part, "extent")
    words = [text_of(one) for subject in children(element, "subject") for one in children(subject, "topic")]
    main = " ".join(filter(None, (text_of(child(title, "nonSort")), text_of(child(title, "title")))))
    subtitle = text_of(child(title, "subTitle"))
    genre = text_of(child(element, "genre"))
    return Record(
        title=tidy_title(f"{main}: {subtitle}" if main and subtitle else main),
        authors=_mods_people(element),
        year=next((year for one in dates if (year := year_of(text_of(one)))), None),
        journal=tidy(text_of(find(host, "titleInfo", "title"))),
        volume=tidy(details.get("volume")),
        issue=tidy(details.get("issue") or details.get("number")),
        pages=pages_of(text_of(child(extent, "start")), text_of(child(extent, "end")))
        or pages_of(text_of(child(extent, "list"))),
        doi=doi_of(ids.get("doi")) or next((doi for url in urls if (doi := doi_of(url))), None),
        pmid=pmid_of(ids.get("pmid") or ids.get("pubmed")),
        pmcid=pmcid_of(ids.get("pmcid") or ids.get("pmc"), bare=True),
        abstract=tidy(text_of(child(element, "abstract"))),
        keywords=split_keywords(words),
        type=type_of(genre) or ("article-journal" if host is not None else "book"),
        language=tidy(text_of(find(element, "language", "languageTerm"))),
        url=next(iter(urls), None),
        notes=tidy("\n".join(text_of(one) for one in children(element, "note"))),
        source_line=element.sourceline or 0,
    )


def _mods_people(element) -> list[dict]:
    """Authors, or everybody named when no role says author; a name's parts by their type."""
    names = children(element, "name")
    authors = [one for one in names if re.search(r"\b(?:aut|cre|author|creator)\b", _roles(one), re.I)]
    found: list[dict] = []
    for name in authors or [one for one in names if not re.search(r"\bed[it]|\btrl", _roles(one), re.I)] or names:
        parts = {}
        for one in children(name, "namePart"):
            parts.setdefault(one.get("type") or "", []).append(text_of(one))
        if family := " ".join(parts.get("family", [])):
            found.append({"family": family, "given": " ".join(parts.get("given", []))})
        elif name.get("type") == "corporate":
            found.append({"family": " ".join(parts.get("", [])) or text_of(name), "given": ""})
        else:
            found += people(parts.get("", [])[:1])
    return found


def _roles(name) -> str:
    return " ".join(text_of(term) for term in descendants(name, "roleTerm"))


def _rdf(element, by_name: dict) -> Record:
    host = child(element, "isPartOf")
    host = (
        by_name.get(host.get(f"{_RDF}resource"))
        if host is not None and len(host) == 0
        else next(iter(host or ()), None)
    )
    identifiers = [text_of(one) for one in [*children(element, "identifier"), *children(host, "identifier")]]
    words = [text_of(one) for one in children(element, "subject")]
    kind = text_of(child(element, "itemType"))
    urls = [one for one in identifiers if one.startswith("http")]
    extra = text_of(child(element, "description"))
    return Record(
        title=tidy_title(text_of(child(element, "title"))),
        authors=_rdf_people(child(element, "authors")) or _rdf_people(child(element, "editors")),
        year=year_of(text_of(child(element, "date"))),
        journal=tidy(text_of(child(host, "title"))),
        volume=tidy(text_of(child(host, "volume")) or text_of(child(element, "volume"))),
        issue=tidy(text_of(child(host, "number", "issue")) or text_of(child(element, "number"))),
        pages=pages_of(text_of(child(element, "pages"))),
        doi=next((doi for one in identifiers if (doi := doi_of(one))), None),
        pmid=pmid_of(extra) if "PMID" in extra else None,
        pmcid=pmcid_of(extra),
        abstract=tidy(text_of(child(element, "abstract"))),
        keywords=split_keywords(words) if words else [],
        type=type_of(kind) or _WORKS.get(local(element)),
        language=tidy(text_of(child(element, "language"))),
        url=next(iter(urls), None),
        notes=tidy(extra),
        source_line=element.sourceline or 0,
    )


def _rdf_people(element) -> list[dict]:
    found = []
    for person in descendants(element, "Person", "Organization"):
        family, given = text_of(child(person, "surname")), text_of(child(person, "givenName", "givenname"))
        if family or text_of(child(person, "name")):
            found.append({"family": family or text_of(child(person, "name")), "given": given})
    return found
