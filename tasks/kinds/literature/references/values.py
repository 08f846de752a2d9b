"""Single values out of what people and databases write: DOI, PMID, PMCID, year, pages, and plain text out of markup."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

# Crossref's own pattern, with the "<" and ">" of old ones: "10.1002/(SICI)1097-0258(199808)17:15<1661::AID>3.0.CO;2-2".
_DOI = re.compile(r"10\.[0-9]{4,9}/[^\s\"“”|\\^`{}]+", re.I)
_PMCID = re.compile(r"\bPMC\s?([0-9]{3,9})\b", re.I)
_CLOSERS = {")": "(", "]": "[", ">": "<"}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?!\d)")


def doi_of(text: str | None) -> str | None:
    """The one DOI in a text, in lower case, without resolver and closing punctuation; None for none and for several."""
    found = list(dict.fromkeys(dois_in(text or "")))
    return found[0] if len(found) == 1 else None


def dois_in(text: str) -> list[str]:
    """Every DOI in a text in order, each as often as it stands there."""
    if "10." not in text and "10%2" not in text.lower():
        return []
    if "%2f" in text.lower():
        text = unquote(text)
    text = html.unescape(text) if "&" in text else text
    found = []
    for match in _DOI.finditer(text):
        for one in re.split(r"[,;](?=\s*10\.[0-9]{4,9}/)|(?=https?://)", match[0]):
            if one.startswith("10.") and (doi := _trimmed(one)):
                found.append(doi)
    return found


def _trimmed(doi: str) -> str | None:
    doi = re.split(r"</|<br|[?#]|&(?=\w+=)", doi, maxsplit=1)[0]
    while doi:
        last = doi[-1]
        if last in ".,;:'’”\"*!" or last in "，。；、）】》":
            doi = doi[:-1]
        elif last in _CLOSERS and doi.count(last) > doi.count(_CLOSERS[last]):
            doi = doi[:-1]
        else:
            break
    doi = re.sub(r"/(?:full|pdf|abstract|epdf|full-?text|meta)$|\.pdf$", "", doi, flags=re.I)
    return doi.lower() if re.fullmatch(r"10\.[0-9]{4,9}/\S*\w\S*", doi) else None


def is_plain_doi(text: str) -> bool:
    """Whether a text is a DOI and nothing around it ("10.1000/1", not "https://doi.org/10.1000/1")."""
    return re.match(r"10\.[0-9]{4,9}/\S+$", text.strip(), re.I) is not None


def pmid_of(text: str | None) -> str | None:
    """A PubMed number, up to 8 digits; "PMID: 123", a PubMed address and a spreadsheet's "123.0" are the same."""
    text = (text or "").strip()
    match = (
        re.fullmatch(r"0*([1-9][0-9]{0,7})(?:\.0+)?", text)
        or re.search(r"\bPMID\s*[:=]?\s*0*([1-9][0-9]{0,7})(?![0-9])", text, re.I)
        or re.search(r"pubmed(?:\.ncbi\.nlm\.nih\.gov)?/(?:\?term=)?0*([1-9][0-9]{0,7})(?![0-9])", text, re.I)
        or re.search(r"\bPUBMED[\s:-]\s*0*([1-9][0-9]{0,7})(?![0-9])", text, re.I)  # Cochrane's "PUBMED 123,EMBASE 456"
        or re.match(r"0*([1-9][0-9]{0,7})\s*(?:\[|$)", text)
    )
    return match[1] if match else None


def pmcid_of(text: str | None, bare: bool = False) -> str | None:
    """A PubMed Central number as "PMC123"; with ``bare`` also one without its letters."""
    match = _PMCID.search(text or "")
    if match is None and bare:
        match = re.fullmatch(r"\s*([0-9]{3,9})(?:\.0)?\s*", text or "")
    return f"PMC{match[1]}" if match else None


def year_of(text: str | None) -> int | None:
    """The year of a date in any order, 1500 to 2100; None for none, and for two that are not neighbours."""
    years = [int(y) for y in _YEAR.findall(text or "")]
    if not years or max(years) - min(years) > 1:
        return None
    return years[0]


def pages_of(first: str | None, last: str | None = None) -> str | None:
    """ "152-160", "e0815", ...: one dash between first and last, whatever stands in the file."""
    first, last = (first or "").strip(" ,;"), (last or "").strip(" ,;")
    first = re.sub(r"^pp?\.?\s*(?=[0-9eS])", "", first)
    first = re.sub(r"(?<=\w)\s*(?:--+|[–—‒−])\s*(?=\w)", "-", first)
    if last and last != first and "-" not in first:
        return f"{first}-{last}" if first else last
    return first or None


def tidy(text: str | None) -> str | None:
    """One line of text without markup; None when nothing is left."""
    if not text:
        return None
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = re.sub(
            r"</?(?:i|b|u|em|strong|sub|sup|italic|bold|sc|span|p|jats:\w+|scp|small)\b[^<>]*>", "", text, flags=re.I
        )
    return re.sub(r"\s+", " ", text).strip() or None


def unescaped(text: str) -> str:
    """Text with the escapes of office files ("_x000D_") resolved; ECMA-376 part 1, 22.9.2.19 (ST_Xstring)."""

    def character(match) -> str:
        found = chr(int(match[1], 16))
        return found if found in "\t\n\r" or found.isprintable() else " "

    return re.sub(r"_x([0-9A-Fa-f]{4})_", character, text)


def tidy_title(text: str | None) -> str | None:
    """A title without the full stop and the brackets that MEDLINE puts around it."""
    title = tidy(text)
    if not title:
        return None
    if title[0] == "[" and re.search(r"\]\.?$", title) and title.count("[") == 1:
        title = title.rstrip(".")[1:-1]
    if (
        title.endswith(".")
        and not title.endswith("..")
        and not re.search(r"\b[A-Z]\.$|\b(?:et al|sp|spp|etc)\.$", title)
    ):
        title = title[:-1]
    return title.strip() or None


def split_keywords(values: list[str]) -> list[str]:
    """Keywords out of one or more fields: by semicolons, else by commas when one field holds them all; each once."""
    out: dict[str, str] = {}
    for value in values:
        if ";" in value or "；" in value:
            parts = re.split(r"[;；]", value)
        elif len(values) == 1 and re.search(r"[,，]", value):
            parts = re.split(r"[,，](?![^(（]*[)）])", value)
        elif len(values) == 1 and "|" in value:
            parts = value.split("|")
        else:
            parts = [value]
        for part in parts:
            word = tidy(part)
            if word:
                out.setdefault(word.casefold(), word)
    return list(out.values())
