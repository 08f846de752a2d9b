"""What the file says about itself: Info dictionary and XMP, as claims to be checked against the print."""

import html
import re
from dataclasses import dataclass, field


@dataclass(slots=True)
class Claims:
    titles: list[str] = field(default_factory=list)
    doi_texts: list[str] = field(default_factory=list)
    journals: list[str] = field(default_factory=list)
    subject: str = ""
    created: str = ""
    keywords: str = ""
    language: str = ""


def claims(info: dict[str, str], xmp: str) -> Claims:
    """Claims of a file; XMP is read by pattern, for it is often broken XML."""
    c = Claims(subject=info.get("Subject", ""), created=info.get("CreationDate", ""), keywords=info.get("Keywords", ""))
    if info.get("Title"):
        c.titles.append(info["Title"])
    c.titles += _values(xmp, "dc:title")
    for key in ("doi", "DOI", "WPS-ARTICLEDOI"):
        if info.get(key):
            c.doi_texts.append(info[key])
    for name in (
        "prism:doi",
        "pdfx:doi",
        "crossmark:DOI",
        "dc:identifier",
        "prism:url",
        "pdfx:WPS-ARTICLEDOI",
        "jav:doi",
        "crossmark:doi",
    ):
        c.doi_texts += _values(xmp, name)
    c.journals += _values(xmp, "prism:publicationName")
    c.language = next(iter(_values(xmp, "dc:language")), "")
    return c


def of_another_paper(titles: list[str], printed: str) -> bool:
    """One of the titles is a sentence of its own that shares next to nothing with the printed one: a template's."""
    mine = set(re.findall(r"\w{3,}", printed.casefold()))
    for title in titles:
        words = set(re.findall(r"[^\W\d_]{3,}", title.casefold()))
        if mine and len(words) >= 5 and " " in title.strip() and len(words & mine) < 0.2 * min(len(words), len(mine)):
            return True
    return False


def _values(xmp: str, name: str) -> list[str]:
    if name not in xmp:
        return []
    found = re.findall(rf"<{name}[^>]*>(.{{0,3000}}?)</{name}>", xmp, re.S) + re.findall(
        rf'\b{name}="([^"]{{1,500}})"', xmp
    )
    plain = (html.unescape(re.sub(r"<[^<>]++>", " ", v)) for v in found)
    return [v for v in (re.sub(r"\s+", " ", p).strip() for p in plain) if v]
