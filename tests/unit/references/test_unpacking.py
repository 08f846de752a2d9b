"""Archives from strangers: what is refused, what is kept apart, and that limits count real bytes."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib

import pytest

from tasks.files.unpacking import BadArchive, Limits, members

PDF = b"%PDF-1.4 a paper"


def packed(*files: tuple[str | zipfile.ZipInfo, bytes], method=zipfile.ZIP_DEFLATED) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out


def unpacked(archive: io.BytesIO, **limits) -> dict[str, object]:
    """{path: content, code of refusal, or None for what is ignored}"""
    return {m.path: None if m.ignored else m.refused or m.file.read() for m in members(archive, Limits(**limits))}


def with_names(names: list[bytes]) -> io.BytesIO:
    """An archive whose names are these bytes and whose entries claim no encoding."""
    out = packed(*[(f"{n:02}" + "x" * (len(name) - 2), PDF) for n, name in enumerate(names)])
    data = out.getvalue()
    for n, name in enumerate(names):
        data = data.replace(f"{n:02}".encode() + b"x" * (len(name) - 2), name)
    return io.BytesIO(data)


def test_members_come_with_their_folders():
    assert unpacked(packed(("a.pdf", PDF), ("one/two/b.pdf", PDF + b"b"))) == {
        "a.pdf": PDF,
        "one/two/b.pdf": PDF + b"b",
    }


def test_folders_are_no_members():
    assert list(unpacked(packed(("one/", b""), ("one/a.pdf", PDF)))) == ["one/a.pdf"]


@pytest.mark.parametrize(
    "path", ["../a.pdf", "one/../../a.pdf", "/etc/a.pdf", "C:\\a.pdf", "..\\a.pdf", "\\\\host\\a.pdf"]
)
def test_a_path_that_leads_outside_is_refused_and_the_others_go_on(path):
    found = list(members(packed((path, PDF), ("b.pdf", PDF)), Limits()))
    assert [(m.refused, ".." in m.path.split("/"), m.path[:1]) for m in found[:1]] == [
        ("member_outside", False, found[0].path[:1])
    ]
    assert not found[0].path.startswith("/") and found[0].detail["path"]
    assert [m.refused for m in found] == ["member_outside", ""]


def test_a_link_is_refused():
    link = zipfile.ZipInfo("a.pdf")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert unpacked(packed((link, b"/etc/passwd"), ("b.pdf", PDF))) == {"a.pdf": "member_link", "b.pdf": PDF}


def test_an_encrypted_member_is_refused():
    archive = packed(("a.pdf", PDF), ("b.pdf", PDF))
    data = bytearray(archive.getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    assert unpacked(io.BytesIO(bytes(data))) == {"a.pdf": "member_password", "b.pdf": PDF}


def test_two_members_of_one_name_are_two():
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = packed(("a.pdf", PDF + b"1"), ("a.pdf", PDF + b"2"), ("x/a.pdf", PDF + b"3"))
    found = [(m.path, m.copy, m.file.read()[-1:]) for m in members(archive, Limits())]
    assert found == [("a.pdf", 1, b"1"), ("a.pdf", 2, b"2"), ("x/a.pdf", 1, b"3")]


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("gb18030", ["论文/随机对照试验.pdf", "论文/高血压患者的护理.pdf"]),
        ("cp932", ["論文/無作為化比較試験について.pdf", "論文/高血圧のまとめ.pdf"]),
        ("utf-8", ["论文/随机.pdf", "étude.pdf"]),
        ("cp1252", ["Müller-Lüdenscheidt.pdf", "étude.pdf"]),
    ],
)
def test_names_in_old_code_pages_are_read(encoding, names):
    assert list(unpacked(with_names([name.encode(encoding) for name in names]))) == names


def test_what_systems_leave_behind_is_ignored_and_counted():
    archive = packed(
        ("__MACOSX/._a.pdf", b"x"), ("a.pdf", PDF), ("one/._b.pdf", b"x"), ("one/Thumbs.db", b"x"), (".DS_Store", b"x")
    )
    found = unpacked(archive)
    assert [path for path, content in found.items() if content is None] == [
        "__MACOSX/._a.pdf",
        "one/._b.pdf",
        "one/Thumbs.db",
        ".DS_Store",
    ]
    assert found["a.pdf"] == PDF


def test_a_member_is_given_up_at_the_limit_of_real_bytes():
    """The size it claims is a lie."""
    archive = packed(("bomb.pdf", bytes(3_000_000)), ("a.pdf", PDF))
    data = archive.getvalue()
    lie = data.replace(struct.pack("<L", 3_000_000), struct.pack("<L", 100))
    found = {m.path: m for m in members(io.BytesIO(lie), Limits(member_bytes=1_000_000))}
    assert found["bomb.pdf"].refused in ("member_too_large", "member_damaged")
    assert found["bomb.pdf"].size <= 1_000_000
    assert unpacked(archive, member_bytes=1_000_000) == {"bomb.pdf": "member_too_large", "a.pdf": PDF}


def test_a_member_that_unfolds_too_far_is_a_bomb():
    assert unpacked(packed(("bomb.csv", bytes(6_000_000)), ("a.pdf", PDF))) == {"bomb.csv": "member_bomb", "a.pdf": PDF}


def test_the_whole_archive_has_a_limit():
    files = [(f"{n}.bin", bytes(range(256)) * 1000) for n in range(5)]
    found = unpacked(packed(*files, method=zipfile.ZIP_STORED), total_bytes=600_000)
    assert [type(content) is bytes for content in found.values()] == [True, True, False, False, False]
    assert set(list(found.values())[2:]) == {"archive_too_large"}


def test_more_members_than_allowed_end_the_reading():
    found = list(members(packed(*[(f"{n}.pdf", PDF) for n in range(5)]), Limits(members=3)))
    assert [m.refused for m in found] == ["", "", "", "archive_too_many"]


def test_far_too_many_entries_are_refused_by_the_directory_alone():
    with pytest.raises(BadArchive) as caught:
        list(members(packed(*[(f"{n}.pdf", b"") for n in range(1100)]), Limits(members=10)))
    assert caught.value.code == "archive_too_many"


def test_an_archive_in_the_archive_is_opened_and_one_deeper_is_not():
    deepest = packed(("c.pdf", PDF)).getvalue()
    inner = packed(("b.pdf", PDF), ("deep/deepest.zip", deepest)).getvalue()
    found = unpacked(packed(("a.pdf", PDF), ("sub/inner.dat", inner)))
    assert found == {"a.pdf": PDF, "sub/inner.dat/b.pdf": PDF, "sub/inner.dat/deep/deepest.zip": "archive_too_deep"}


def test_limits_hold_across_archives_in_the_archive():
    inner = packed(("1.pdf", PDF), ("2.pdf", PDF), ("3.pdf", PDF)).getvalue()
    found = list(members(packed(("a.zip", inner), ("b.zip", inner)), Limits(members=5)))
    assert [m.refused for m in found] == ["", "", "", "archive_too_many"]


def test_a_workbook_is_a_file_and_no_archive():
    book = packed(("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"<workbook/>")).getvalue()
    assert unpacked(packed(("list.xlsx", book))) == {"list.xlsx": book}


def test_entries_that_share_their_bytes_are_refused():
    """The central directory names the same entry many times over."""
    kernel = zlib.compress(bytes(1_000_000), 9)[2:-4]
    local = (
        struct.pack(
            "<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, zlib.crc32(bytes(1_000_000)), len(kernel), 1_000_000, 1, 0
        )
        + b"a"
        + kernel
    )
    entry = (
        struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            20,
            20,
            0,
            8,
            0,
            0,
            zlib.crc32(bytes(1_000_000)),
            len(kernel),
            1_000_000,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
        )
        + b"a"
    )
    directory = entry * 50
    data = local + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 50, 50, len(directory), len(local), 0)
    with pytest.raises(BadArchive) as caught:
        list(members(io.BytesIO(data), Limits()))
    assert caught.value.code == "archive_overlap"


@pytest.mark.parametrize("data", [b"PK\x03\x04" + bytes(100), b"", b"PK\x05\x06"])
def test_a_damaged_archive_says_so(data):
    with pytest.raises(BadArchive) as caught:
        list(members(io.BytesIO(data), Limits()))
    assert caught.value.code == "archive_damaged"


def test_a_damaged_member_costs_itself_only():
    data = packed(("a.pdf", PDF * 50), ("b.pdf", PDF), method=zipfile.ZIP_STORED).getvalue()
    spoilt = data.replace(b"a paper%PDF", b"A paper%PDF", 1)
    assert unpacked(io.BytesIO(spoilt)) == {"a.pdf": "member_damaged", "b.pdf": PDF}


def test_a_method_that_cannot_be_bounded_is_refused():
    assert unpacked(packed(("a.pdf", PDF), method=zipfile.ZIP_BZIP2)) == {"a.pdf": "member_method"}


def test_an_archive_cut_off_behind_one_that_it_holds_is_not_read_as_that_one():
    """The last whole directory in the file is the inner one's: its members alone would hide the outer ones."""
    inner = packed(("in.ris", b"TY  - JOUR\nTI  - Inside\nER  - \n")).getvalue()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.ris", b"TY  - JOUR\nTI  - Outside\nER  - \n")
        archive.writestr("inner.zip", inner)
    whole = out.getvalue()
    end = whole.rindex(b"PK\x05\x06")
    for cut in range(whole.index(inner) + len(inner), end + 20, 7):
        with pytest.raises(BadArchive) as error:
            list(members(io.BytesIO(whole[:cut]), Limits()))
        assert error.value.code == "archive_damaged"
    assert {member.name for member in members(io.BytesIO(whole), Limits())} == {"a.ris", "in.ris"}


def test_an_archive_behind_a_program_that_unpacks_it_is_read():
    data = b"#!/bin/sh\n" + bytes(500) + packed(("a.ris", b"x")).getvalue()
    assert [member.name for member in members(io.BytesIO(data), Limits())] == ["a.ris"]
