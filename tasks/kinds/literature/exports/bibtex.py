"""The papers as BibTeX: UTF-8, characters that are special to LaTeX escaped, every key unique.

Words with inner capitals (COX-2, mRNA) stand in braces, so that a style does not lower them. Styles take ``doi`` and
``url`` literally (biblatex manual, section 3.13.7), so in those only characters that would end the value are replaced.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from tasks.kinds.literature.exports.plain import is_reference, one_line
from tasks.kinds.literature.exports.surnames import latin

CONTENT_TYPE = "application/x-bibtex; charset=utf-8"
_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
_SHORT = {"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with"}


def escaped(value: object) -> str:
    """A text that LaTeX prints as it is. Unbalanced braces become parentheses: some readers count escaped ones too."""
    text = one_line(value)
    depth = 0
    for c in re.sub(r"[^{}]+", "", text):
        depth += (c == "{") - (c == "}")
        if depth < 0:
            break
    if depth:
        text = text.replace("{", "(").replace("}", ")")
    return text.translate(_ESCAPES)


def title_of(value: object) -> str:
    """``escaped``, with words that have capitals after their first letter in braces."""
    return " ".join(
        f"{{{escaped(word)}}}" if any(c.isupper() for c in word[1:]) else escaped(word)
        for word in one_line(value).split(" ")
    )


def _author(author: dict) -> str:
    parts = [one_line(author.get(name)) for name in ("family", "given")]
    # BibTeX splits authors at "and" and names at a comma, so a group name with either is put in braces
    parts = [f"{{{escaped(p)}}}" if re.search(r",|\band\b", p, re.I) else escaped(p) for p in parts if p]
    return ", ".join(parts)


def _letter_by_letter(value: str) -> str:
    return one_line(value).replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C").replace(" ", "%20")


#: Letters that Unicode does not decompose into a plain letter and a mark.
_PLAIN = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "ß": "ss",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "ı": "i",
    }
)


def _ascii(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.translate(_PLAIN)).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]", "", folded)


def _words(text: str) -> Iterator[str]:
    """The words of Latin letters only: the "2" in a Chinese title is not one."""
    for word in text.split():
        plain = _ascii(word)
        if re.search("[A-Za-z]", plain) and len(plain) >= sum(c.isalnum() for c in word):
            yield plain.lower()


def _of_doi(doi: object) -> str:
    """The first letters and the last number of a DOI's suffix: "jlsqyx402" of 10.5555/jlsqyx.2023.06.402."""
    own = one_line(doi).partition("/")[2].lower()
    letters, digits = re.search("[a-z]+", own), re.findall(r"\d+", own)
    return (letters[0][:20] if letters else "") + (digits[-1][:12] if digits else "")


class Keys:
    """Makes a key from family name, year and first word of the title; a number tells equal keys apart."""

    def __init__(self):
        self._used: dict[str, int] = {}

    def key(self, record: dict) -> str:
        name = (record["authors"][0].get("family") or "") if record["authors"] else ""
        family = latin(name) or _ascii(name)
        word = next((word for word in _words(one_line(record["title"])) if word not in _SHORT), "")
        base = f"{family or 'anon'}{record['year'] or ''}{word or _of_doi(record['doi'])}"
        known = base.lower()  # keys differ by more than capitals for BibTeX
        self._used[known] = number = self._used.get(known, 0) + 1
        # A letter could give another paper's key (smith2020a + "b"); no key has a hyphen of its own.
        return base if number == 1 else f"{base}-{number}"


def _fields(record: dict) -> Iterator[tuple[str, str]]:
    yield "title", title_of(record["title"])
    yield "author", " and ".join(filter(None, map(_author, record["authors"])))
    for field, name in (("year", "year"), ("journal", "journal"), ("volume", "volume"), ("number", "issue")):
        yield field, escaped(record[name])
    yield "pages", "--".join(escaped(record[name]) for name in ("first_page", "last_page") if record[name])
    if record["doi"]:
        yield "doi", _letter_by_letter(record["doi"])
    yield "pmid", escaped(record["pmid"])
    yield "pmcid", escaped(record["pmcid"])
    yield "abstract", escaped(record["abstract"])
    yield "keywords", ", ".join(escaped(word) for word in record["keywords"])
    yield "language", escaped(record["language"])
    yield "note", escaped(record["file"])


def pieces(records: Iterable[dict], keys: Iterable[str] | None = None) -> Iterator[str]:
    """The file, one entry at a time. Records that are no reference are skipped.

    ``keys``: one for each record (``citing.keys_of``); without them keys are made in this order.
    """
    own = Keys()
    for record, known in zip(records, keys if keys is not None else itertools.repeat(""), strict=False):
        if not is_reference(record):
            continue
        lines = [f"  {name} = {{{text}}}," for name, text in _fields(record) if text]
        yield "\n".join([f"@article{{{known or own.key(record)},", *lines, "}", "", ""])
