"""The parts of an office file (a zip archive of XML), read with caps on what they really unfold to."""

from __future__ import annotations

import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree

from tasks.files.unpacking import directory_is_anothers

from .xml_tree import RefusedXml, in_utf8

PART_BYTES = 256 * 2**20
_BLOCK = 64 * 1024
_DIGITS = re.compile(r"([0-9]+)")
#: What zipfile raises for archives that are not what they say.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, ValueError, EOFError, NotImplementedError, RuntimeError, OSError,
)  # fmt: skip


class BadPackage(Exception):
    """``code`` is "damaged", "password", "too_large_inside" or "xml_entities"."""

    def __init__(self, code: str, message: str):
        super().__init__(code, message)
        self.code, self.message = code, message


class Package:
    """An office file. Raises BadPackage from every method."""

    def __init__(self, source: bytes | str | os.PathLike | BinaryIO):
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)  # type: ignore[arg-type]
        except _DAMAGE as error:
            raise BadPackage("damaged", str(error)) from None
        if self._zip.fp is not None and directory_is_anothers(self._zip.fp):
            raise BadPackage("damaged", "the archive is cut off inside another one that it holds")
        self.names = {info.filename: info for info in self._zip.infolist()[:20_000]}

    def find(self, pattern: str) -> list[str]:
        """Names of parts that match the whole of a pattern, in natural order."""
        found = [name for name in self.names if re.fullmatch(pattern, name)]
        return sorted(found, key=lambda name: [(len(x), x) if n % 2 else x for n, x in enumerate(_DIGITS.split(name))])

    def stream(self, name: str, cap: int = PART_BYTES) -> BinaryIO:
        """A part as a file that refuses to give more than ``cap`` bytes."""
        info = self.names.get(name)
        if info is None:
            raise BadPackage("damaged", f"no part {name}")
        if info.flag_bits & 1:
            raise BadPackage("password", name)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadPackage("damaged", f"compression method {info.compress_type}")
        try:
            return _Capped(self._zip.open(info), cap)  # type: ignore[return-value]
        except _DAMAGE as error:
            raise BadPackage("damaged", str(error)) from None

    def tree(self, name: str, cap: int = 32 * 2**20) -> etree._Element:
        """A part that is read whole, as XML."""
        data = self.stream(name, cap).read()
        try:
            data = in_utf8(data)
        except RefusedXml as error:
            raise BadPackage(error.code, error.message) from None
        if b"<!doctype" in data[:65536].lower():
            raise BadPackage("xml_entities", name)
        parser = etree.XMLParser(
            encoding="utf-8",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            recover=True,
            remove_comments=True,
        )
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise BadPackage("damaged", str(error)) from None
        if root is None:
            raise BadPackage("damaged", f"no XML in {name}")
        if root.getroottree().docinfo.doctype:
            raise BadPackage("xml_entities", name)
        return root

    def events(self, name: str, cap: int = PART_BYTES) -> Iterator[tuple[str, etree._Element]]:
        """Start and end events of a part too large for a tree; whoever takes them clears the elements."""
        first = True
        try:
            for event, element in etree.iterparse(
                self.stream(name, cap),
                events=("start", "end"),
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                huge_tree=False,
            ):
                if first and element.getroottree().docinfo.doctype:  # read by now, in whatever encoding
                    raise BadPackage("xml_entities", name)
                first = False
                yield event, element
        except (etree.XMLSyntaxError, ValueError) as error:
            raise BadPackage("damaged", str(error)) from None

    def targets(self, part: str) -> dict[str, str]:
        """{relationship id: name of the part it leads to} of a part."""
        folder, _, base = part.rpartition("/")
        rels = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
        if rels not in self.names:
            return {}
        out = {}
        for one in self.tree(rels):
            target = one.get("Target") or ""
            if one.get("TargetMode") != "External" and one.get("Id"):
                out[one.get("Id")] = (
                    target.lstrip("/") if target.startswith("/") else os.path.normpath(f"{folder}/{target}")
                )
        return out


class _Capped(io.RawIOBase):
    """A stream of a part that counts the bytes it really gives."""

    def __init__(self, inner: BinaryIO, cap: int):
        self._inner, self._left, self._cap = inner, cap, cap

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size is None or size < 0:
            blocks = []
            while block := self.read(_BLOCK):
                blocks.append(block)
            return b"".join(blocks)
        try:
            block = self._inner.read(size)
        except _DAMAGE as error:
            raise BadPackage("damaged", str(error)) from None
        self._left -= len(block)
        if self._left < 0:
            raise BadPackage("too_large_inside", f"more than {self._cap >> 20} MiB")
        return block
