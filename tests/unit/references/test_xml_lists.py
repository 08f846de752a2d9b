"""EndNote XML and PubMed XML: every record, no entities, damage passed over and told."""

# ruff: noqa: E501  markup has the lines it has

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import read


def style(text: str) -> str:
    return f'<style face="normal" font="default">{text}</style>'


def record(title: str = "On <i/>basil", more: str = "") -> str:
    return (
        f'<record><ref-type name="Journal Article">17</ref-type><contributors><authors><author>{style("Smith, Anna")}</author><author>{style("Doe, B.")}</author></authors></contributors>'
        f"<titles><title>{style('On ')}{style(title)}</title><secondary-title>{style('Other')}</secondary-title></titles><periodical><full-title>{style('J of X')}</full-title></periodical>"
        f"<pages>{style('5-9')}</pages><volume>{style('3')}</volume><number>{style('4')}</number><keywords><keyword>{style('a')}</keyword><keyword>{style('b')}</keyword></keywords>"
        f"<dates><year>{style('2011')}</year></dates><abstract>{style('Because.')}</abstract><electronic-resource-num>{style('10.1000/abc')}</electronic-resource-num>"
        f"<urls><related-urls><url>{style('http://x.org')}</url></related-urls></urls>{more}</record>"
    )


def endnote(*records: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xml><records>\n{chr(10).join(records)}\n</records></xml>'.encode()


def xml(data: bytes, format: str = "endnote_xml"):
    found = read(data)
    assert found.format == format
    assert found.refused or found.counted == len(found.records) + len(found.unreadable)
    return found


def test_all_fields():
    [one] = xml(endnote(record("basil"))).records
    assert (one.title, one.journal, one.volume, one.issue, one.pages, one.year) == (
        "On basil",
        "J of X",
        "3",
        "4",
        "5-9",
        2011,
    )
    assert [a["family"] for a in one.authors] == ["Smith", "Doe"]
    assert (one.doi, one.keywords, one.abstract, one.type, one.url) == (
        "10.1000/abc",
        ["a", "b"],
        "Because.",
        "article-journal",
        "http://x.org",
    )


def test_records_have_their_lines():
    assert [r.source_line for r in xml(endnote(record("a"), record("b"))).records] == [3, 4]


@pytest.mark.parametrize("cut", range(200, 3000, 311))
def test_a_file_cut_anywhere_accounts_for_every_record_it_begins(cut):
    data = endnote(record("a"), record("b"), record("c"))[:cut]
    found = xml(data)
    assert found.counted == data.count(b"<record>")


def test_damage_is_told():
    found = xml(endnote(record("a"), record("b & c")))
    assert len(found.records) == 2
    assert [(p.code, p.severity, p.line) for p in found.problems] == [("xml_damaged", "repaired", 4)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_of_its_own_are_refused(encoding):
    bomb = '<?xml version="1.0"?><!DOCTYPE xml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><xml><records><record><titles><title>&b;</title></titles></record></records></xml>'
    found = read(bomb.encode(encoding))
    assert found.refused.code == "xml_entities"


def test_files_of_this_machine_are_not_read(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    data = f'<?xml version="1.0"?><!DOCTYPE xml SYSTEM "file://{secret}"><xml><records>{record("basil &x;")}</records></xml>'.encode()
    assert "secret" not in str(xml(data).as_dict())


def test_pubmed_xml_has_all_fields():
    data = b"""<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN" "https://dtd.nlm.nih.gov/x.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">31452104</PMID><Article><Journal><JournalIssue><Volume>5</Volume><Issue>2</Issue>
<PubDate><Year>2019</Year><Month>Aug</Month></PubDate></JournalIssue><Title>Journal of hands</Title></Journal><ArticleTitle>Fast <i>hands</i>.</ArticleTitle>
<Pagination><MedlinePgn>3-9</MedlinePgn></Pagination><Abstract><AbstractText Label="AIM">Go.</AbstractText><AbstractText>Done.</AbstractText></Abstract>
<AuthorList><Author><LastName>Smith</LastName><ForeName>Anna</ForeName></Author><Author><CollectiveName>WHO Group</CollectiveName></Author></AuthorList>
<Language>eng</Language></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1000/abc</ArticleId><ArticleId IdType="pmc">PMC123456</ArticleId></ArticleIdList>
</PubmedData></PubmedArticle></PubmedArticleSet>"""
    [one] = xml(data, "pubmed_xml").records
    assert (one.title, one.journal, one.volume, one.issue, one.pages, one.year) == (
        "Fast hands",
        "Journal of hands",
        "5",
        "2",
        "3-9",
        2019,
    )
    assert (one.pmid, one.doi, one.pmcid, one.abstract) == ("31452104", "10.1000/abc", "PMC123456", "AIM: Go. Done.")
    assert one.authors == [{"family": "Smith", "given": "Anna"}, {"family": "WHO Group", "given": ""}]


BOOK = (
    "<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>31000001</PMID>"
    '<ArticleIdList><ArticleId IdType="doi">10.5555/moss.1</ArticleId></ArticleIdList>'
    "<Book><BookTitle>The roof book</BookTitle><PubDate><Year>2018</Year></PubDate>%s</Book>%s</BookDocument></PubmedBookArticle></PubmedArticleSet>"
)
GROUP = '<AuthorList Type="authors"><Author><CollectiveName>Roof Group</CollectiveName></Author></AuthorList>'
EDITORS = '<AuthorList Type="editors"><Author><LastName>Ferro</LastName><ForeName>Bea</ForeName></Author></AuthorList>'


@pytest.mark.parametrize(
    ("inside", "chapter", "title", "journal", "author", "kind"),
    [
        (GROUP, "", "The roof book", None, "Roof Group", "book"),
        (EDITORS + GROUP, "", "The roof book", None, "Roof Group", "book"),
        (EDITORS, "", "The roof book", None, "Ferro", "book"),
        (
            EDITORS,
            '<ArticleTitle>Moss</ArticleTitle><AuthorList Type="authors"><Author><LastName>Lund</LastName></Author></AuthorList>',
            "Moss",
            "The roof book",
            "Lund",
            "chapter",
        ),
    ],
)
def test_books_of_pubmed(inside, chapter, title, journal, author, kind):
    [one] = xml((BOOK % (inside, chapter)).encode(), "pubmed_xml").records
    assert (one.title, one.journal, one.authors[0]["family"], one.type) == (title, journal, author, kind)
    assert (one.year, one.pmid, one.doi) == (2018, "31000001", "10.5555/moss.1")
