"""MODS and Zotero RDF: works as elements, their journals as others."""

# ruff: noqa: E501  markup has the lines it has

from __future__ import annotations

import pytest

from tasks.kinds.literature.references import Format, read, sniff

MODS = """<?xml version="1.0" encoding="UTF-8"?>
<modsCollection xmlns="http://www.loc.gov/mods/v3">
<mods ID="a"><titleInfo><nonSort>The</nonSort><title>moss on northern roofs</title><subTitle>a survey</subTitle></titleInfo>
<titleInfo type="abbreviated"><title>Moss</title></titleInfo>
<name type="personal"><namePart type="given">Ada</namePart><namePart type="family">Lund</namePart><role><roleTerm type="text">author</roleTerm></role></name>
<name type="personal"><namePart>Oke, Tom</namePart><role><roleTerm authority="marcrelator" type="code">aut</roleTerm></role></name>
<name type="personal"><namePart>Ferro, Bea</namePart><role><roleTerm>editor</roleTerm></role></name>
<genre>journal article</genre><abstract>Roofs.</abstract><subject><topic>moss</topic></subject><subject><topic>roofs</topic></subject>
<relatedItem type="host"><titleInfo><title>Annals of Roofing</title></titleInfo><originInfo><dateIssued>2018-11</dateIssued></originInfo>
<part><detail type="volume"><number>12</number></detail><detail type="issue"><number>3</number></detail><extent unit="page"><start>101</start><end>109</end></extent></part></relatedItem>
<identifier type="doi">10.5555/roof.7</identifier><language><languageTerm>eng</languageTerm></language></mods>
<mods ID="b"><titleInfo><title>Lichens indoors</title></titleInfo><name type="corporate"><namePart>Lichen Group</namePart></name><originInfo><dateIssued>2020</dateIssued></originInfo>
<relatedItem type="series"><mods><titleInfo><title>Not a record</title></titleInfo></mods></relatedItem></mods>
</modsCollection>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:bib="http://purl.org/net/biblio#" xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:prism="http://prismstandard.org/namespaces/1.2/basic/">
<bib:Article rdf:about="#item_1"><z:itemType>journalArticle</z:itemType><dcterms:isPartOf rdf:resource="urn:issn:1"/>
<bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Lund</foaf:surname><foaf:givenName>Ada</foaf:givenName></foaf:Person></rdf:li>
<rdf:li><foaf:Person><foaf:surname>Oke</foaf:surname><foaf:givenName>Tom</foaf:givenName></foaf:Person></rdf:li></rdf:Seq></bib:authors>
<dc:title>Moss on northern roofs</dc:title><dc:date>2018-11-02</dc:date><bib:pages>101-109</bib:pages><dcterms:abstract>Roofs.</dcterms:abstract>
<dc:identifier>DOI 10.5555/roof.7</dc:identifier><dc:subject>moss</dc:subject><dc:description>PMID: 30000001</dc:description></bib:Article>
<bib:Journal rdf:about="urn:issn:1"><dc:title>Annals of Roofing</dc:title><prism:volume>12</prism:volume><prism:number>3</prism:number></bib:Journal>
<z:Attachment rdf:about="#item_2"><z:itemType>attachment</z:itemType><dc:title>PDF</dc:title></z:Attachment>
<bib:BookSection rdf:about="#item_3"><z:itemType>bookSection</z:itemType><dcterms:isPartOf><bib:Book><dc:title>Wild walls</dc:title></bib:Book></dcterms:isPartOf>
<dc:title>Lichens indoors</dc:title><dc:date>2020</dc:date></bib:BookSection></rdf:RDF>"""


def records(text: str, format: str):
    found = read(text.encode())
    assert found.format == format
    assert found.counted == len(found.records) + len(found.unreadable)
    return found.records


def test_mods():
    first, second = records(MODS, "mods")
    assert (first.title, first.journal, first.year) == (
        "The moss on northern roofs: a survey",
        "Annals of Roofing",
        2018,
    )
    assert first.authors == [{"family": "Lund", "given": "Ada"}, {"family": "Oke", "given": "Tom"}]
    assert (first.volume, first.issue, first.pages, first.doi) == ("12", "3", "101-109", "10.5555/roof.7")
    assert (first.keywords, first.type, first.language) == (["moss", "roofs"], "article-journal", "eng")
    assert (second.title, second.year, second.type) == ("Lichens indoors", 2020, "book")
    assert second.authors == [{"family": "Lichen Group", "given": ""}]


def test_zotero_rdf():
    first, second = records(RDF, "zotero_rdf")
    assert (first.title, first.journal, first.year) == ("Moss on northern roofs", "Annals of Roofing", 2018)
    assert first.authors == [{"family": "Lund", "given": "Ada"}, {"family": "Oke", "given": "Tom"}]
    assert (first.volume, first.issue, first.pages) == ("12", "3", "101-109")
    assert (first.doi, first.pmid, first.type) == ("10.5555/roof.7", "30000001", "article-journal")
    assert (second.title, second.journal, second.type) == ("Lichens indoors", "Wild walls", "chapter")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('<collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader/></record></collection>', "MARCXML"),
        ('<rdf:RDF xmlns:rdf="x"><rdf:Description/></rdf:RDF>', "RDF"),
        ("<CitaviExchangeData Version='6'/>", "Citavi XML"),
        ('<b:Sources xmlns:b="x"><b:Source/></b:Sources>', "Word sources"),
    ],
)
def test_other_xml_is_refused_by_name(text, name):
    assert sniff(text.encode()) == Format.UNKNOWN
    assert read(text.encode()).refused.detail == {"found": name}


@pytest.mark.parametrize("text", [MODS, RDF])
def test_entities_are_refused(text):
    _, line, rest = text.partition("\n") if text.startswith("<?xml") else ("", "", text)
    assert read(f'<!DOCTYPE x [<!ENTITY a "b">]>\n{rest}'.encode()).refused.code == "xml_entities"


def test_damage_is_told_and_read_as_far_as_it_goes():
    found = read(MODS[: MODS.index("Lichens indoors")].encode())
    assert [r.title for r in found.records][:1] == ["The moss on northern roofs: a survey"]
    assert "xml_damaged" in [p.code for p in found.problems]
