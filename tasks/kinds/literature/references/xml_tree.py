"""XML from strangers: no network, no entities of its own, no depth beyond reason; damage is read as far as it goes."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from lxml import etree

_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_BASIC = {"amp", "lt", "gt", "quot", "apos"}


class RefusedXml(Exception):
    """``code`` is "xml_entities" (a document type that declares entities) or "damaged"."""

    def __init__(self, code: str, message: str):
        super().__init__(code, message)
        self.code, self.message = code, message


@dataclass
class Tree:
    """``damage`` is (line, message) of the first error that was passed over."""

    root: etree._Element
    damage: tuple[int, str] | None


def parse(data: bytes) -> Tree:
    """The tree of an XML file. Raises RefusedXml."""
    # In UTF-16 the declaration would hide from the search below.
    text = data.decode("utf-16", "replace").encode() if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
    if re.search(rb"<!ENTITY", text[: 1 << 20], re.I):
        raise RefusedXml("xml_entities", "the document type declares entities")
    if text is not data:
        text = re.sub(rb"^\xef\xbb\xbf|encoding\s*=\s*[\"'][\w-]+[\"']", b"", text, count=2)
    text = _named_entities(text)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(text.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise RefusedXml("damaged", str(error)) from None
    if root is None:
        raise RefusedXml("damaged", "nothing that could be read as XML")
    first = parser.error_log[0] if len(parser.error_log) else None
    return Tree(root, (first.line, first.message) if first is not None else None)


def _named_entities(data: bytes) -> bytes:
    """ "&nbsp;" and the like, which only a document type would explain, as numbers."""
    if b"&" not in data:
        return data

    def number(match):
        name = match[1]
        known = html.entities.html5.get(f"{name};") if name not in _BASIC else None
        return "".join(f"&#{ord(c)};" for c in known) if known else match[0]

    return _NAMED.sub(number, data.decode("latin-1")).encode("latin-1")


def local(element) -> str:
    """The name of an element without its namespace; "" for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element, *names: str):
    return [child for child in element if local(child) in names] if element is not None else []


def child(element, *names: str):
    """The first child of one of the names, or None."""
    return next(iter(children(element, *names)), None)


def find(element, *path: str):
    """The first element at the end of a path of local names, or None."""
    for name in path:
        element = child(element, name)
        if element is None:
            return None
    return element


def descendants(element, *names: str):
    return [one for one in element.iter() if local(one) in names] if element is not None else []


def text_of(element, without: tuple[str, ...] = ()) -> str:
    """All text below an element as one line, leaving out elements of some names."""
    if element is None:
        return ""
    parts: list[str] = []
    _gather(element, without, parts)
    return re.sub(r"\s+", " ", "".join(parts).replace("\u00ad", "")).strip()


_BLOCKS = {"p", "title", "sec", "list-item", "label", "div", "head", "br", "td", "tr", "li", "item", "break"}


def _gather(element, without, parts) -> None:
    parts.append(element.text or "")
    for one in element:
        name = local(one)
        if name and name not in without:
            space = " " if name in _BLOCKS else ""
            parts.append(space)
            _gather(one, without, parts)
            parts.append(space)
        parts.append(one.tail or "")
