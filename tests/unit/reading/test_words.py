"""Words come whole: hyphens joined or kept, ligatures as letters, private characters and NUL gone."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.chars import Word, fold
from tasks.kinds.literature.reading.lines import Line
from tasks.kinds.literature.reading.text import Spelling
from tests.unit.reading.press import letters_font


def lines(*texts):
    made = []
    for text in texts:
        words = [Word(w, 10.0 * n, 0.0, 10.0 * n + 9, 10.0, 10.0, False, False, 0) for n, w in enumerate(text.split())]
        made.append(Line(1, words).settle())
    return made


def joined(*texts):
    made = lines(*texts)
    return Spelling(made).text(made)


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("it was not permit-", "ted to go", "it was not permitted to go"),
        ("the inhibitor of COX-", "2 was given", "the inhibitor of COX-2 was given"),
        ("values of TGF-", "Beta rose", "values of TGF-Beta rose"),
        ("a non-", "randomised trial", "a non-randomised trial"),
        ("the pages 45-", "52 were", "the pages 45-52 were"),
        ("this was - as", "said before", "this was - as said before"),
    ],
)
def test_a_hyphen_at_a_line_end_is_joined_only_between_parts_of_a_word(first, second, whole):
    assert joined(first, second) == whole


def test_the_papers_own_spelling_decides():
    assert "anti-inflammatory effect" in joined(
        "an anti-inflammatory drug works", "and its anti-", "inflammatory effect lasts"
    )
    assert "antibacterial effect" in joined("an antibacterial drug works", "and its anti-", "bacterial effect lasts")


def test_an_address_broken_after_a_slash_is_one():
    assert "https://example.org/papers" in joined("see https://example.org/", "papers for more")


@pytest.mark.parametrize(
    ("printed", "plain"),
    [
        ("e\ufb03cient", "efficient"),
        ("di\ufb00erent", "different"),
        ("\ufb01nal", "final"),
        ("zero\u200bwidth", "zerowidth"),
        ("\ue020e", "The"),
        ("*is", "This"),
        ("*Correspondence", "*Correspondence"),
        ("a\uf0b7", "a"),
        ("COX\u20112", "COX-2"),
        ("Löe", "Löe"),
    ],
)
def test_characters_are_folded_to_what_they_mean(printed, plain):
    assert fold(printed) == plain


def test_ligatures_of_a_page_become_letters_in_text_and_search(press, read):
    font = letters_font()
    press.line("The \ufb01nal test of leaves that \ufb02ower was signi\ufb01cant.", font=font)
    record = read(press)
    assert record["page_text"][0] == "The final test of leaves that flower was significant."


def test_a_hyphenated_word_of_a_page_is_whole_in_text_and_markdown(press, read):
    press.line("Nobody was permit-")
    press.line("ted to use COX-")
    press.line("2 inhibitors before.")
    record = read(press)
    assert record["page_text"][0] == "Nobody was permitted to use COX-2 inhibitors before."
    assert "permitted to use COX-2" in record["markdown"]
