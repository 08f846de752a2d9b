"""Title, authors, journal and abstract of front pages of several kinds."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.authors import cited_names
from tasks.kinds.literature.reading.journal import Ballot, abbreviates, clean_name
from tests.unit.reading.press import BOLD, ITALIC, LOREM, article, chinese_font

TITLE = "Effect of holy basil extract on gingival bleeding in adults"


def families(record):
    return [a["family"] for a in record["authors"]]


def test_title_authors_and_journal_of_a_plain_front_page(press, read):
    record = read(article(press))
    assert record["title"] == TITLE
    assert [(a["given"], a["family"]) for a in record["authors"]] == [
        ("Maria A.", "Lopez"),
        ("John", "van der Berg"),
        ("Wei", "Chen"),
    ]
    assert record["journal"] == "Journal of Plant Research"
    assert (record["year"], record["volume"], record["issue"], record["first_page"], record["last_page"]) == (
        2019,
        "12",
        "3",
        "45",
        "52",
    )


def test_affiliations_follow_the_marks_and_the_mail_its_owner(press, read):
    authors = read(article(press))["authors"]
    assert authors[0]["affiliations"] == ["Department of Periodontology, University of Sevilla, Sevilla, Spain"]
    assert authors[1]["affiliations"] == ["Institute of Dental Research, Utrecht, The Netherlands"]
    assert [a["email"] for a in authors] == [None, None, "chen.wei@us.example"]


def test_the_journals_name_in_large_letters_is_not_the_title(press, read):
    press.line("Journal of Plant Research", y=45, font=BOLD, size=24)
    press.line("Research Article", y=80, font=ITALIC, size=18)
    press.line("Leaves of basil against bleeding gums:", y=120, font=BOLD, size=15)
    press.line("a trial in two hundred adults", font=BOLD, size=15)
    press.marked([("Ana Souza", "1"), (" and Luca Rossi", "2")], size=11)
    press.marked([("", "1"), ("Department of Botany, University of Lisbon, Portugal", "")], size=8)
    press.heading("Abstract")
    press.prose(LOREM)
    record = read(press)
    assert record["title"] == "Leaves of basil against bleeding gums: a trial in two hundred adults"
    assert record["journal"] == "Journal of Plant Research"
    assert families(record) == ["Souza", "Rossi"]


def test_a_title_in_the_metadata_of_another_paper_is_not_believed(press, read):
    article(press)
    press.info(title="Spectroscopic investigation of iron oxide nanoparticles")
    assert read(press)["title"] == TITLE


def test_a_cover_sheet_is_skipped(press, read):
    press.line("See discussions, stats, and author profiles for this publication", size=9)
    press.line(TITLE, font=BOLD, size=20)
    press.line("Article in Some Other Database, June 2020", size=9)
    press.line("37 PUBLICATIONS 100 CITATIONS", size=9)
    press.page()
    record = read(article(press))
    assert record["title"] == TITLE
    assert record["year"] == 2019
    assert "cover_page" in record["warnings"]
    assert next(f for f in record["fields"] if f["name"] == "title")["page"] == 2


def test_a_label_in_spaced_capitals_is_not_the_title(press, read):
    press.line("RES EAR CH A R TIC LE", y=60, font=BOLD, size=20)
    press.line(TITLE, y=100, font=BOLD, size=15)
    press.prose(LOREM)
    assert read(press)["title"] == TITLE


def test_a_page_without_a_title_has_none(press, read):
    press.prose(LOREM * 3)
    assert read(press)["title"] is None


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ([("Anna Maria De Luca", "1"), (", Olga Marchut-Mikołajczyk", "2")], ["De Luca", "Marchut-Mikołajczyk"]),
        ([("Gurpreet Kaur, MD", ""), (", Nirmal Singh, PhD", "")], ["Kaur", "Singh"]),
        ([("WANG Lei", "1"), (", ZHANG Min", "1")], ["WANG", "ZHANG"]),
        ([("N. Sheoran", "1"), (", R. Kumar", "1"), (" and N. S. Maan", "2")], ["Sheoran", "Kumar", "Maan"]),
        ([("Kit Ying Lam,", "1"), (" Anna Pick Kiong Ling,", "2"), (" and Yee How Say", "3")], ["Lam", "Ling", "Say"]),
        ([("IPSEETA MOHANTY", "a"), (", SURESH GUPTA", "b")], ["Mohanty", "Gupta"]),
    ],
)
def test_names_are_cut_and_their_family_part_found(press, read, printed, expected):
    from tests.unit.reading.press import letters_font

    press.line(TITLE, y=90, font=BOLD, size=16)
    press.y += 8
    press.marked(printed, size=11, font=letters_font())
    press.marked([("", "1"), ("Department of Botany, University of Lisbon, Portugal", "")], size=8)
    press.heading("Abstract")
    press.prose(LOREM)
    assert families(read(press)) == expected


def test_the_papers_own_citation_tells_the_family_name(press, read):
    article(press, authors=[("Puspa Hening", "1"), (", Le Thi Hoa", "2")])
    press.line(
        "How to cite this article: Hening P, Le TH. Effect of holy basil. Journal of Plant Research 2019;12:45-52.",
        y=800,
        size=8,
    )
    press.canvas.showPage()
    assert families(read(press))[0] == "Hening"


def test_citations_give_names_in_vancouver_and_apa_style():
    assert cited_names("Sheoran N, Kumar R, Maan NS (2017) Nutrigenomic evaluation") == [
        ("Sheoran", "N"),
        ("Kumar", "R"),
        ("Maan", "NS"),
    ]
    assert cited_names("Caamal-Herrera, I. O., & Carrillo, L. (2018). Title")[0][0] == "Caamal-Herrera"


def test_chinese_names_are_family_first(press, read):
    font = chinese_font()
    press.line("罗勒叶提取物对成人牙龈出血影响的随机对照研究", y=90, font=font, size=18)
    press.line("王伟，李小明，张丽", y=120, font=font, size=11)
    press.line("摘要", y=160, font=font, size=12)
    press.prose("罗勒叶提取物对牙龈出血有明显的改善作用。 " * 14, font=font)
    record = read(press)
    assert record["title"] == "罗勒叶提取物对成人牙龈出血影响的随机对照研究"
    assert families(record) == ["王", "李", "张"]
    assert record["language"] == "zh"


def test_an_abstract_set_after_a_run_in_word(press, read):
    press.line(TITLE, y=90, font=BOLD, size=16)
    press.marked([("Ana Souza", "1"), (" and Luca Rossi", "2")], size=11)
    press.y += 20
    press.line("Abstract.", font=BOLD)
    press.line("Basil was tried in adults and the bleeding stopped in most of them after some weeks.", x=110, y=press.y)
    press.prose(LOREM)
    press.line("Keywords: basil, gums", size=9)
    press.heading("1. Introduction")
    press.prose("This sentence is not of the abstract. " * 20)
    record = read(press)
    assert record["abstract"].startswith("Basil was tried in adults")
    assert "not of the abstract" not in record["abstract"]
    assert record["keywords"] == ["basil", "gums"]


def test_an_abstract_without_any_heading_is_the_paragraph_before_the_introduction(press, read):
    press.line(TITLE, y=90, font=BOLD, size=16)
    press.marked([("Ana Souza", "1"), (" and Luca Rossi", "2")], size=11)
    press.marked([("", "1"), ("Department of Botany, University of Lisbon, Portugal", "")], size=8)
    press.y += 25
    press.prose("Basil was tried in adults. " + LOREM, x=90, width=415, size=9)
    press.heading("1. Introduction", size=13)
    press.prose(LOREM * 3)
    record = read(press)
    assert record["abstract"].startswith("Basil was tried in adults.")
    assert record["abstract"].endswith("between centres.")


def test_the_abstract_holds_all_of_its_labelled_parts_and_nothing_more(press, read):
    text = "Background: Gums bleed. " + LOREM + "Methods: We tried basil. Results: It worked. Conclusions: Basil helps."
    record = read(article(press, abstract=text))
    assert record["abstract"].startswith("Background: Gums bleed.")
    assert record["abstract"].endswith("Basil helps.")
    assert record["keywords"] == ["basil", "bleeding", "eugenol"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Din et al. Nanoscale Research Letters (2017) 12:638", "Nanoscale Research Letters"),
        ("Veterinary World, EISSN: 2231-0916", "Veterinary World"),
        ("3 Biotech (2015) 5:697–707", "3 Biotech"),
        ("BMC Plant Biology 2018, 18:69", "BMC Plant Biology"),
    ],
)
def test_a_journals_name_is_cut_out_of_a_running_head(line, name):
    assert clean_name(line) == name


def test_an_abbreviated_name_speaks_for_the_full_one():
    assert abbreviates("Front. Microbiol.", "Frontiers in Microbiology")
    assert not abbreviates("J Dent Res", "Nanoscale Research Letters")
    vote = Ballot()
    vote.add("Front. Microbiol. 6:892", "before_volume_and_page")
    vote.add("Frontiers in Microbiology", "line_at_the_top")
    assert vote.winner()[0] == "Frontiers in Microbiology"
