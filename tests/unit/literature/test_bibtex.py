"""The BibTeX, read again by bibtexparser: every paper an entry, every key once, LaTeX prints what the paper says."""

from __future__ import annotations

import bibtexparser
import pytest
from pylatexenc.latex2text import LatexNodes2Text

from tasks.kinds.literature.exports import bibtex
from tests.unit.literature.hostile import FAILED, HOSTILE, LONG, record


def read_back(*records):
    library = bibtexparser.parse_string("".join(bibtex.pieces(records)))
    assert not library.failed_blocks and not library.comments
    return library.entries


def printed(latex: str) -> str:
    words = LatexNodes2Text(math_mode="verbatim", keep_comments=True).latex_to_text(latex)
    return words.replace("\u02c6", "^")  # its own idea of \\textasciicircum


@pytest.mark.parametrize("text", [*HOSTILE, LONG, "five {groups} of {two}", "a } b { c"])
def test_latex_prints_the_text_as_it_was(text):
    entry, _other = read_back(record(title=text, abstract=text, authors=[{"family": text}]), record(title="after"))
    expected = " ".join(text.split())
    if "unbalanced" in text or "un}" in text or text == "a } b { c" or text.startswith("@"):
        expected = expected.replace("{", "(").replace("}", ")")
    if not expected:
        assert "abstract" not in entry
        return
    assert printed(entry["abstract"]) == expected
    if "{" not in text:  # in a title braces are looked at word by word
        assert printed(entry["title"]) == expected


def test_names_are_parted_by_and_and_a_group_stays_one_name():
    authors = [
        {"family": "Ríos", "given": "Ana"},
        {"family": "Hay and Straw Group", "given": ""},
        {"family": "Li, Jr."},
    ]
    (entry,) = read_back(record(authors=authors))
    assert entry["author"] == "Ríos, Ana and {Hay and Straw Group} and {Li, Jr.}"


def test_keys_are_ascii_and_used_once_whatever_the_papers_are_called():
    same = {"title": "The effect", "authors": [{"family": "Müller"}], "year": 2020}
    others = [record(**same), record(**same), record(), record(), record(title="人参", authors=[{"family": "李"}])]
    keys = [entry.key for entry in read_back(*others, record(**{**same, "authors": [{"family": "MULLER"}]}))]
    assert keys[:2] == ["Muller2020effect", "Muller2020effect-2"]
    assert len({key.lower() for key in keys}) == 6 and all(key.isascii() for key in keys)


@pytest.mark.parametrize(
    ("paper", "key"),
    [
        (
            {"authors": [{"family": "沈"}], "title": "社区2型糖尿病", "doi": "10.5555/jlsqyx.2023.06.402"},
            "Shen2023jlsqyx402",
        ),
        ({"authors": [{"family": "欧阳锋"}], "title": "人参 ginseng 研究"}, "Ouyang2023ginseng"),
        ({"authors": [{"family": "歐陽"}], "title": "人參"}, "Ouyang2023"),
        ({"authors": [{"family": "单"}], "title": "COX-2 in hay"}, "Shan2023cox2"),
        ({"authors": [{"family": "Sørensen"}], "title": "Über Łódź"}, "Sorensen2023uber"),
        ({"authors": [{"family": "Иванов"}], "title": "Сено", "doi": "10.5555/a(1)_77"}, "anon2023a77"),
        ({"authors": [], "title": None, "doi": None}, "anon2023"),
    ],
)
def test_a_key_is_of_the_authors_name_in_latin_letters_and_never_of_a_stray_figure(paper, key):
    (entry,) = read_back(record(year=2023, **paper))
    assert entry.key == key


def test_capitals_within_words_are_kept_and_the_doi_is_letter_by_letter():
    (entry,) = read_back(record(title="COX-2 and mRNA in Hay", doi="10.1002/(SICI)1_a<1::A{b}>3.0%C"))
    assert entry["title"] == "{COX-2} and {mRNA} in Hay"
    assert entry["doi"] == "10.1002/(SICI)1_a<1::A%7Bb%7D>3.0%C"


def test_papers_that_failed_have_no_entry_and_empty_values_no_field():
    assert [set(entry.fields_dict) for entry in read_back(FAILED, record())] == [{"note"}]
    (entry,) = read_back(record(first_page="88", last_page="90", issue="3", pmid="00012"))
    assert (entry["pages"], entry["number"], entry["pmid"]) == ("88--90", "3", "00012")
