"""File names and folders as browsers and archives give them, and what a file is by its bytes."""

import pytest

from tasks.files.sniff import is_pdf, kind_of
from tasks.kinds.literature.intake.naming import tidy_folder, tidy_name


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("paper.pdf", "paper.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\paper.pdf", "paper.pdf"),
        ("a\x00b\x07.pdf", "ab.pdf"),
        ("e\u0301tude.pdf", "étude.pdf"),
        ("..", "?"),
        ("", "?"),
        ("社区.pdf", "社区.pdf"),
        # what turns the reading direction makes "exe.pdf" of "fdp.exe"; what only joins letters belongs to words
        ("a\u202efdp.exe", "afdp.exe"),
        ("a\u2066b\u2069c\u200fd\u061c.pdf", "abcd.pdf"),
        ("two\u2028lines\u2029.pdf", "twolines.pdf"),
        ("می\u200cخواهم.pdf", "می\u200cخواهم.pdf"),
    ],
)
def test_a_file_name_is_its_last_part_without_control_characters(given, kept):
    assert tidy_name(given) == kept


def test_a_very_long_name_is_cut_and_keeps_its_ending():
    name = tidy_name("x" * 400 + ".pdf")
    assert len(name) == 255 and name.endswith(".pdf")


@pytest.mark.parametrize(
    ("given", "kept"),
    [("/a/b/", "a/b"), ("../a/../b", "a/b"), ("a\\b", "a/b"), ("./.", ""), ("C:\\x", "C:/x"), ("a\x00/b", "a/b")],
)
def test_a_folder_has_no_root_and_leads_nowhere_else(given, kept):
    assert tidy_folder(given) == kept


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"\x00" * 1000 + b"%PDF-1.4", "PDF"),
        (b"%!PS-Adobe-3.0 PDF-1.4", "PDF"),
        (b"\n<!DOCTYPE html><p>%PD", "HTML"),
        (b"PK\x03\x04", "ZIP"),
        (b"\xef\xbb\xbfTY  - JOUR", "RIS"),
        (b"plain words", "TXT"),
        (b"\x01\x00\x02", "BIN"),
    ],
)
def test_a_file_is_told_by_its_bytes(head, kind):
    assert kind_of(head) == kind
    assert is_pdf(head) == (kind == "PDF")
