"""What can't be read is refused by code; nothing empty is called a success."""

from __future__ import annotations

import pickle
import zipfile

import pytest

from tasks.kinds.literature.reading import ExtractionError, document, extract_file
from tests.unit.reading.press import LOREM, Press, encryption


def refusal(path, **limits) -> ExtractionError:
    with pytest.raises(ExtractionError) as caught:
        extract_file(str(path), **limits)
    return caught.value


def test_a_file_of_no_bytes_is_empty(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"")
    assert refusal(tmp_path / "a.pdf").code == "empty_file"


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "html"),
        (b"  \n<html lang='en'>", "html"),
        (b"{\\rtf1 text}", "rtf"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * 50, "png"),
        (b"just words, no PDF at all", "unknown"),
    ],
)
def test_content_that_is_no_pdf_is_named_for_what_it_is(tmp_path, content, seen):
    (tmp_path / "paper.pdf").write_bytes(content)
    error = refusal(tmp_path / "paper.pdf")
    assert (error.code, error.detail["seen"]) == ("not_a_pdf", seen)


def test_a_zip_called_pdf_is_not_a_pdf(tmp_path):
    with zipfile.ZipFile(tmp_path / "paper.pdf", "w") as archive:
        archive.writestr("inside.pdf", b"%PDF-1.4")
    assert refusal(tmp_path / "paper.pdf").code == "not_a_pdf"


def test_a_pdf_cut_after_its_head_is_damaged(press, tmp_path):
    press.prose(LOREM)
    data = open(press.save(), "rb").read()
    (tmp_path / "cut.pdf").write_bytes(data[:60])
    assert refusal(tmp_path / "cut.pdf").code == "damaged"


def test_a_user_password_is_asked_for(tmp_path):
    press = Press(tmp_path / "locked.pdf", encrypt=encryption("secret", "owner"))
    press.prose(LOREM)
    assert refusal(press.save()).code == "password"


def test_an_owner_password_alone_opens_fine(tmp_path):
    press = Press(tmp_path / "print-locked.pdf", encrypt=encryption("", "owner"))
    press.prose(LOREM)
    assert "eugenol" in extract_file(press.save())["page_text"][0]


def test_pages_without_letters_have_no_text(press):
    press.picture(0, 0, 595, 842)
    press.page()
    press.picture(0, 0, 595, 842)
    error = refusal(press.save())
    assert (error.code, error.detail["pages"]) == ("no_text", 2)


def test_a_scan_with_a_stamp_is_still_a_scan(press):
    press.picture(0, 0, 595, 842)
    press.line("page 1")
    assert refusal(press.save()).code == "no_text"


def test_few_words_without_a_picture_are_text(press):
    press.line("Hello, world!")
    record = extract_file(press.save())
    assert record["page_text"] == ["Hello, world!"]
    assert "few_words" in record["warnings"]


def test_limits_of_bytes_and_pages_are_kept(press):
    for _ in range(3):
        press.line("A page with some words on it that are text enough.")
        press.page()
    path = press.save()
    error = refusal(path, max_pages=2)
    assert (error.code, error.detail) == ("too_many_pages", {"pages": 3, "limit": 2})
    assert refusal(path, max_bytes=100).code == "too_large"


def test_an_error_crosses_a_process_border_whole():
    error = pickle.loads(pickle.dumps(ExtractionError("no_text", "no text layer", {"pages": 3})))
    assert (error.code, error.message, error.detail) == ("no_text", "no text layer", {"pages": 3})


def test_a_page_whose_font_makes_no_sense_costs_that_page_and_not_the_paper(press, monkeypatch):
    for name in ("First", "Second", "Third"):
        press.prose(f"{name} part of it. {LOREM}", y=150)
        press.page()
    whole, calls = document.page_words, []

    def broken(*args, **options):
        calls.append(args)
        if len(calls) == 2:
            raise OverflowError("cannot convert float infinity to integer")
        return whole(*args, **options)

    monkeypatch.setattr(document, "page_words", broken)
    record = extract_file(press.save())
    assert ["eugenol" in text for text in record["page_text"]] == [True, False, True]
    assert "page_unreadable" in record["warnings"]
    assert len(record["page_sizes"]) == record["pages"] == 3
