"""Entities are refused in whatever encoding they come; what has none is read in all the encodings papers come in."""

from __future__ import annotations

import io
import zipfile

import pytest

from tasks.kinds.literature.references.package_parts import BadPackage, Package
from tasks.kinds.literature.references.xml_tree import RefusedXml, parse

BOMB = '<?xml version="1.0" encoding="{name}"?><!DOCTYPE a [<!ENTITY x "boom">]><a b="&x;">&x;</a>'
PLAIN = '<?xml version="1.0" encoding="{name}"?><a>Grüße</a>'
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "latin-1"]


def encoded(text: str, codec: str) -> bytes:
    return text.format(name=codec.removesuffix("-sig")).encode(codec)


@pytest.mark.parametrize("codec", [*ENCODINGS, "utf-7", "cp037", "gb18030"])
def test_entities_are_refused(codec):
    with pytest.raises(RefusedXml) as caught:
        parse(encoded(BOMB, codec))
    assert caught.value.code == "xml_entities" or codec in ("utf-7", "cp037")


def test_utf7_that_calls_itself_utf8_is_no_markup():
    data = b'<?xml version="1.0" encoding="utf-8"?><a>+ADwAIQ-ENTITY x "boom"+AD4- &x;</a>'
    assert parse(data).root.text.startswith("+ADwAIQ-ENTITY")


@pytest.mark.parametrize("codec", ENCODINGS)
def test_papers_are_read_in_their_encoding(codec):
    assert parse(encoded(PLAIN, codec)).root.text == "Grüße"


def package(part: bytes) -> Package:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as office:
        office.writestr("word/document.xml", part)
    return Package(file.getvalue())


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le", "utf-7"])
@pytest.mark.parametrize("read", ["tree", "events"])
def test_a_part_of_an_office_file_declares_nothing(codec, read):
    with pytest.raises(BadPackage):
        list(getattr(package(encoded(BOMB, codec)), read)("word/document.xml"))


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_a_part_of_an_office_file_is_read_in_its_encoding(codec):
    part = package(encoded(PLAIN, codec))
    assert part.tree("word/document.xml").text == "Grüße"
    assert list(part.events("word/document.xml"))[-1][1].text == "Grüße"
