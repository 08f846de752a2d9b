"""XML from strangers: no network, no entities of its own, no depth beyond reason; damage is read as far as it goes."""

from __future__ import annotations

import codecs
import html
import re
from dataclasses import dataclass

from lxml import etree

_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: "<" in encodings of two and four bytes a character, without a mark.
_WIDE = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_DECLARED = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s{0,20}=\s{0,20}[\"']([A-Za-z][\w.-]{0,40})[\"']")
#: Encodings that papers come in; each gives "<!ENTITY" as itself once it is decoded.
_CODECS = {
    "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "gb18030", "gbk", "gb2312", "big5",
    "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949", "koi8-r", "koi8-u", "mac-roman",
}  # fmt: skip
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
    text = in_utf8(data)
    if b"<!entity" in text[: 1 << 20].lower():
        raise RefusedXml("xml_entities", "the document type declares entities")
    text = _named_entities(text)
    parser = etree.XMLParser(
        encoding="utf-8",  # what was searched is what is parsed, whatever the file declares
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
    if declares_entities(root):
        raise RefusedXml("xml_entities", "the document type declares entities")
    first = parser.error_log[0] if len(parser.error_log) else None
    return Tree(root, (first.line, first.message) if first is not None else None)


def in_utf8(data: bytes) -> bytes:
    """The file in UTF-8, by its byte order mark, its zeros, or what it declares. Raises RefusedXml.

    The parser would find out by itself, but it knows encodings (UTF-7, EBCDIC) in which a search sees nothing.
    """
    name = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if name is None:
        name = next((name for start, name in _WIDE if data.startswith(start)), None)
    if name is None:
        declared = _DECLARED.match(data[:1024])
        name = declared[1].decode().lower() if declared else "utf-8"
        if name.startswith(("utf-16", "utf-32", "ucs", "iso-10646")):
            name = "utf-8"  # says so, and is not: a wide text has zeros
    try:
        known = codecs.lookup(name).name
    except LookupError:
        raise RefusedXml("damaged", f"an unknown encoding: {name[:40]}") from None
    if known in ("utf-8", "ascii"):
        return data.removeprefix(codecs.BOM_UTF8)
    if known not in _CODECS and not known.startswith(("iso8859", "cp125")):
        raise RefusedXml("damaged", f"an encoding that is not read: {name[:40]}")
    return data.decode(known, "replace").removeprefix("\ufeff").encode(errors="replace")


def declares_entities(root: etree._Element) -> bool:
    """Whether the parser met declarations of entities: the last word, after the search."""
    declared = root.getroottree().docinfo.internalDTD
    return declared is not None and next(declared.iterentities(), None) is not None


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
