"""BibTeX by hand and by programs: one broken entry never takes another along, and none is dropped in silence."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read
from tasks.kinds.literature.references.latex import plain

GOOD = "@article{good,\n  title = {The good one},\n  author = {Smith, Anna},\n  year = 2001\n}\n"


def bib(text: str):
    reading = read(text.encode())
    assert reading.format == "bibtex"
    assert reading.counted == len(reading.records) + len(reading.unreadable)
    return reading


def titles(reading) -> list[str]:
    return [record.title for record in reading.records]


def codes(reading) -> list[str]:
    return [problem.code for problem in reading.problems]


def test_all_fields():
    reading = bib(
        '@Article{k, author = "M{\\"u}ller, '
        "J{\\'e}r{\\^o}me and {World Health Organization} and Jan van der Berg\", "
        'title = {{On} \\emph{Basil} \\& Gums}, journal = j # " of X",\n'
        " year = {2011}, volume = 3, number = {4}, pages = {12--19}, doi = {10.1000/a\\_b}, "
        "pmid = {123456}, keywords = {a, b}, abstract = {Because.}, language={en}, month = mar}\n"
    )
    [record] = reading.records
    assert record.title == "On Basil & Gums"
    assert record.authors == [
        {"family": "Müller", "given": "Jérôme"},
        {"family": "World Health Organization", "given": ""},
        {"family": "van der Berg", "given": "Jan"},
    ]
    assert (record.year, record.volume, record.issue, record.pages, record.doi, record.pmid) == (
        2011,
        "3",
        "4",
        "12-19",
        "10.1000/a_b",
        "123456",
    )
    assert (record.journal, record.keywords, record.abstract, record.type) == (
        "j of X",
        ["a", "b"],
        "Because.",
        "article-journal",
    )
    assert reading.problems == []


def test_strings_and_concatenations_are_resolved():
    [record] = bib(
        '@string{jx = "Journal of X"}\n@string(sub = { B})\n@article{a, title={T t}, journal = jx # sub}'
    ).records
    assert record.journal == "Journal of X B"


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ("@article{bad,\n  title = {The bad one}\n  author = {Doe, B.},\n  year = {2002}\n}\n", "missing_comma"),
        ("@article{bad,\n  title = {The bad one,\n  author = {Doe, B.},\n  year = {2002}\n}\n", "unclosed_value"),
        ('@article{bad,\n  title = "The bad one,\n  author = "Doe, B.",\n  year = "2002"\n}\n', "unclosed_value"),
        ("@article{bad,\n  title = {The bad one},\n  author = {Doe, B.},\n  year = {2002}\n\n", "unclosed_entry"),
        ("@article{\n  title = {The bad one},\n  author = {Doe, B.},\n  year = {2002}\n}\n", "missing_key"),
        (
            "@article{bad,\n  title = {The bad one},\n  author = {Doe, B.},\n  year = {2002},\n  year = {2003}\n}\n",
            "duplicate_field",
        ),
        (
            "@article{bad,\n  title = {The bad one},\n  ???,\n  author = {Doe, B.},\n  year = {2002}\n}\n",
            "unreadable_field",
        ),
    ],
)
def test_a_fault_costs_neither_its_entry_nor_its_neighbours(broken, code):
    reading = bib(GOOD + broken + GOOD.replace("good", "last"))
    assert titles(reading) == ["The good one", "The bad one", "The last one"]
    assert code in codes(reading)
    bad = reading.records[1]
    assert (bad.year, bad.authors) == (2002, [{"family": "Doe", "given": "B."}])


def test_the_same_key_twice_keeps_both():
    reading = bib(GOOD + GOOD.replace("The good", "Another"))
    assert titles(reading) == ["The good one", "Another one"]
    [problem] = reading.problems
    assert (problem.code, problem.line, problem.detail) == ("duplicate_key", 6, {"first": 1})


def test_parentheses_and_odd_cases():
    reading = bib(
        "@ARTICLE ( k1 ,\n TITLE = {In parentheses} )\n@article{k;2015, title={Odd key}}\n"
        "@misc{a:b/c, title={Slashes},}"
    )
    assert titles(reading) == ["In parentheses", "Odd key", "Slashes"] and reading.problems == []


def test_comments_preambles_and_strings_are_no_records():
    reading = bib('@comment{jabref-meta: x {y}}\n@preamble{"\\newcommand{\\x}{y}"}\n% a comment\n' + GOOD)
    assert titles(reading) == ["The good one"] and reading.problems == []


def test_an_at_sign_in_a_value_begins_no_entry():
    [record] = bib("@article{a, title = {Mail to a@b.org}, note = {x\n @ y}}").records
    assert record.title == "Mail to a@b.org"


def test_text_between_entries_is_told():
    reading = bib("Exported yesterday\n" + GOOD)
    assert [(p.code, p.line) for p in reading.problems] == [("text_outside", 1)]


def test_crossref_gives_what_the_entry_lacks():
    reading = bib(
        "@inproceedings{a, title={A talk}, crossref={conf}}\n@proceedings{conf, title={The conference}, year={2015}}"
    )
    talk, conference = reading.records
    assert (talk.journal, talk.year, talk.type) == ("The conference", 2015, "paper-conference")
    assert conference.title == "The conference"


def test_a_crossref_that_leads_nowhere_is_told():
    assert codes(bib("@inproceedings{a, title={A talk}, crossref={gone}}")) == ["crossref_missing"]


def test_an_entry_without_fields_is_listed():
    reading = bib(GOOD + "@article{empty}\n" + GOOD.replace("good", "last"))
    assert [(p.code, p.line) for p in reading.unreadable] == [("empty_record", 6)]


def test_a_file_cut_anywhere_keeps_its_entries():
    text = GOOD * 4
    for length in range(20, len(text), 11):
        reading = bib(text[:length])
        assert reading.counted == text[:length].count("@article{")


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"{\"o}\'{e}\`a{\ss}\o{}{\aa}", "öéàßøå"),
        (r"\v{S}afa{\v r}{\'\i}k", "Šafařík"),
        (r"Fe$_3$O$_4$ at 5\,\% -- \textit{in vivo}", "Fe_3O_4 at 5 % – in vivo"),
        (r"$\alpha$-synuclein~and TNF-$\beta$", "α-synuclein and TNF-β"),
        (r"Erd\H{o}s, G\"{u}nther \c{C}elik", "Erdős, Günther Çelik"),
        ("plain", "plain"),
    ],
)
def test_latex_becomes_text(latex, text):
    assert plain(latex) == text


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("family=Lund, given=Ada and family=Oke, given=Tom", [("Lund", "Ada"), ("Oke", "Tom")]),
        ("given={Jan}, family={Berg}, prefix={van der}, useprefix=true", [("van der Berg", "Jan")]),
        ("family=Lund, given=Ada, given-i=A and Oke, Tom", [("Lund", "Ada"), ("Oke", "Tom")]),
        ('family="Lund, Moss", given=Ada, suffix=Jr', [("Lund, Moss", "Ada Jr")]),
        ("given=Ada", [("given=Ada", "")]),
    ],
)
def test_names_in_parts(names, expected):
    [one] = read(f"@article{{a, author={{{names}}}, title={{Moss}}}}".encode()).records
    assert [(a["family"], a["given"]) for a in one.authors] == expected
