"""EndNote XML and PubMed XML: records as elements, their texts wrapped in <style>."""

from __future__ import annotations

import re

from .people import people
from .record import REPAIRED, UNREADABLE, WARNED, Reading, Record
from .values import doi_of, is_plain_doi, pages_of, pmcid_of, pmid_of, split_keywords, tidy, tidy_title, year_of
from .vocabulary import notice_of_types, type_of
from .xml_tree import child, children, descendants, find, parse, text_of

START = re.compile(rb"<record(?:\s[^<>]*+)?>")
ARTICLE_START = re.compile(rb"<Pubmed(?:Book)?Article(?:\s[^<>]*+)?>")


def read_endnote_xml(data: bytes, reading: Reading) -> None:
    """Add every <record> to the reading. Raises RefusedXml."""
    reading.counted = len(START.findall(data))
    _each(data, reading, "record", START, _endnote)


def read_pubmed_xml(data: bytes, reading: Reading) -> None:
    """Add every <PubmedArticle> to the reading. Raises RefusedXml."""
    reading.counted = len(ARTICLE_START.findall(data))
    _each(data, reading, "PubmedArticle", ARTICLE_START, _pubmed)


def _each(data: bytes, reading: Reading, name: str, start: re.Pattern, make) -> None:
    tree = parse(data)
    if tree.damage:
        reading.tell(tree.damage[0], "xml_damaged", REPAIRED, tree.damage[1])
    found = descendants(tree.root, name, *(["PubmedBookArticle"] if name == "PubmedArticle" else []))
    reading.counted = max(reading.counted, len(found))
    for element in found:
        record, troubles = make(element)
        record.source_line = element.sourceline or 0
        for code, text in troubles:
            reading.tell(record.source_line, code, WARNED, text, record=record.source_line)
        if record.doi and record.url == "":
            record.url = None
        reading.add(record, text_of(element))
    # What the damage hid: the file names more records than could be reached.
    for match in list(start.finditer(data))[len(found) :]:
        line = data.count(b"\n", 0, match.start()) + 1
        reading.tell(
            line, "xml_record_lost", UNREADABLE, data[match.start() : match.start() + 300].decode("utf-8", "replace")
        )


def _endnote(element) -> tuple[Record, list]:
    def at(*path: str) -> str:
        return text_of(find(element, *path))

    kind = child(element, "ref-type")
    name = kind.get("name", "") if kind is not None else ""
    doi = at("electronic-resource-num")
    year = at("dates", "year") or at("dates", "pub-dates", "date")
    urls = [text_of(url) for url in descendants(child(element, "urls"), "url")]
    accession = at("accession-num")
    base = (at("remote-database-name") + at("remote-database-provider")).lower()
    numbered = (
        re.search(r"nlm|pubmed|medline", base)
        or element.find("source-app") is not None
        and re.fullmatch(r"\d{7,8}", accession)
    )
    record = Record(
        title=tidy_title(at("titles", "title")),
        authors=people([text_of(a) for a in descendants(find(element, "contributors", "authors"), "author")]),
        year=year_of(year),
        journal=tidy(
            at("periodical", "full-title")
            or at("titles", "secondary-title")
            or at("periodical", "abbr-1")
            or at("titles", "alt-title")
        ),
        volume=tidy(at("volume")),
        issue=tidy(at("number") or at("issue")),
        pages=pages_of(at("pages")),
        doi=doi_of(doi) or next((d for url in urls if (d := doi_of(url))), None),
        pmid=pmid_of(accession) if numbered else None,
        pmcid=pmcid_of(at("custom2")),
        abstract=tidy(at("abstract")),
        keywords=split_keywords([text_of(k) for k in descendants(child(element, "keywords"), "keyword")]),
        type=type_of(name or text_of(kind)),
        language=tidy(at("language")),
        url=next(iter(urls), None),
    )
    troubles = [
        (code, text)
        for code, text, value in (("year_unreadable", year, record.year), ("doi_unreadable", doi, doi_of(doi)))
        if text and value is None
    ]
    if doi and doi_of(doi) and not is_plain_doi(doi):
        troubles.append(("doi_with_address", doi))
    return record, troubles


def _pubmed(element) -> tuple[Record, list]:
    article = next(iter(descendants(element, "Article", "BookDocument")), None)
    book = child(article, "Book")
    lists = [
        find(element, "PubmedData", "ArticleIdList"),
        find(element, "PubmedBookData", "ArticleIdList"),
        child(article, "ArticleIdList"),
    ]
    ids = {one.get("IdType"): text_of(one) for found in reversed(lists) for one in children(found, "ArticleId")}
    issue = find(article, "Journal", "JournalIssue") if article is not None else None
    date = child(issue, "PubDate") if issue is not None else next(iter(descendants(element, "PubDate")), None)
    place = next(iter(descendants(article, "ELocationID")), None)
    title, whole = text_of(child(article, "ArticleTitle", "VernacularTitle")), text_of(child(book, "BookTitle"))
    record = Record(
        title=tidy_title(title or whole),
        authors=_people(article, book),
        year=year_of(text_of(date)[:40]),
        journal=tidy(text_of(find(article, "Journal", "Title")) or (whole if title else None)),
        volume=tidy(text_of(child(issue, "Volume"))) if issue is not None else None,
        issue=tidy(text_of(child(issue, "Issue"))) if issue is not None else None,
        pages=pages_of(text_of(next(iter(descendants(article, "MedlinePgn")), None))),
        doi=doi_of(ids.get("doi"))
        or (doi_of(text_of(place)) if place is not None and place.get("EIdType") == "doi" else None),
        pmid=pmid_of(text_of(next(iter(descendants(element, "PMID")), None))),
        pmcid=pmcid_of(ids.get("pmc")),
        abstract=_abstract(child(article, "Abstract")) if article is not None else None,
        keywords=split_keywords([text_of(k) for k in descendants(element, "Keyword")]),
        notice=notice_of_types([text_of(one) for one in descendants(article, "PublicationType")]),
        type=("chapter" if title else "book") if book is not None else "article-journal",
        language=tidy(text_of(child(article, "Language"))) if article is not None else None,
    )
    return record, []


def _people(article, book) -> list[dict]:
    """Authors and groups of an article, of a chapter, else of its book; editors only where a book has no authors."""
    lists = [*children(article, "AuthorList"), *children(book, "AuthorList")]
    lists.sort(key=lambda one: one.get("Type") == "editors")
    for one in lists:
        names = []
        for author in children(one, "Author"):
            collective = text_of(child(author, "CollectiveName"))
            given = text_of(child(author, "ForeName")) or text_of(child(author, "Initials"))
            family = collective or text_of(child(author, "LastName"))
            if family:
                names.append({"family": family, "given": "" if collective else given})
        if names:
            return names
    return []


def _abstract(element) -> str | None:
    parts = []
    for part in children(element, "AbstractText"):
        label = part.get("Label")
        parts.append(f"{label}: {text_of(part)}" if label else text_of(part))
    return tidy(" ".join(parts))
