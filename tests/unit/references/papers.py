"""One small paper in four formats, made up for these tests."""

# ruff: noqa: E501  markup has the lines it has

from __future__ import annotations

import io

import docx

ABSTRACT = "We ran a randomised controlled trial of 120 patients in two towns."
INTRODUCTION = "Gums of adults are often sore, and the leaves of basil are said to help."
PATIENTS = "A total of 120 patients were enrolled. The trial was registered (NCT01234567)."
CITED = "Doe A, Roe B. Leaves of grass and other plants. J Res. 2010;4:1-9."

JATS = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN" "x.dtd">
<article article-type="research-article" xml:lang="en" xmlns:xlink="http://www.w3.org/1999/xlink"><front>
<journal-meta><journal-title-group><journal-title>J Test</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmid">31452104</article-id><article-id pub-id-type="pmc">6710000</article-id><article-id pub-id-type="doi">10.1234/ABC.5</article-id>
<title-group><article-title>Basil and <italic>gums</italic> in&nbsp;adults<xref ref-type="fn" rid="f">*</xref></article-title></title-group>
<contrib-group><contrib contrib-type="author" corresp="yes"><contrib-id contrib-id-type="orcid">https://orcid.org/0000-0002-1825-0097</contrib-id>
<name><surname>Smith</surname><given-names>Anna</given-names></name><xref ref-type="aff" rid="a1">1</xref><xref ref-type="corresp" rid="c1"/></contrib>
<contrib contrib-type="author"><name><surname>de Vries</surname><given-names>Bo</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Editor</surname><given-names>E</given-names></name></contrib></contrib-group>
<aff id="a1"><label>1</label>Dept of Gums, Univ of Oslo, Norway</aff><author-notes><corresp id="c1">Mail: <email>a@uio.no</email></corresp></author-notes>
<pub-date pub-type="epub"><year>2020</year></pub-date><pub-date pub-type="ppub"><year>2019</year></pub-date><volume>3</volume><fpage>1</fpage><lpage>9</lpage>
<permissions><license xlink:href="http://creativecommons.org/licenses/by/4.0/"><license-p>Open access.</license-p></license></permissions>
<abstract abstract-type="graphical"><p>Picture</p></abstract><abstract><p>{ABSTRACT}</p></abstract>
<kwd-group><kwd>basil</kwd><kwd>gums</kwd></kwd-group></article-meta></front>
<body><sec><title>Introduction</title><p>{INTRODUCTION}</p></sec><sec><title>Methods</title><sec><title>Patients</title><p>{PATIENTS}
<fig><label>Figure 1.</label><caption><p>Flow &ndash; of patients</p></caption></fig></p>
<table-wrap><label>Table 1</label><caption><p>Ages</p></caption><table><tr><th>Group</th><th>Mean</th></tr><tr><td>Basil</td><td>41</td></tr></table></table-wrap></sec></sec></body>
<back><ref-list><ref><label>1</label><element-citation><person-group><name><surname>Doe</surname><given-names>A</given-names></name></person-group>
<article-title>Leaves of grass and other plants</article-title><source>J Res</source><year>2010</year><volume>4</volume><fpage>1</fpage></element-citation></ref></ref-list></back>
</article>"""

TEI = f"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en"><teiHeader><fileDesc><titleStmt><title level="a" type="main">Basil and gums in adults</title></titleStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename>Anna</forename><surname>Smith</surname></persName></author>
<author><persName><forename>Bo</forename><surname>de Vries</surname></persName></author><idno type="DOI">10.1234/abc.5</idno></analytic>
<monogr><title level="j">J Test</title><imprint><biblScope unit="volume">3</biblScope><biblScope unit="page" from="1" to="9"/><date type="published" when="2019-03-01"/></imprint></monogr></biblStruct></sourceDesc></fileDesc>
<profileDesc><textClass><keywords><term>basil</term><term>gums</term></keywords></textClass><abstract><p>{ABSTRACT}</p></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Introduction</head><p>{INTRODUCTION}</p></div><div><head n="2">Methods</head></div><div><head n="2.1">Patients</head><p>{PATIENTS}</p></div>
<figure type="table"><head>Table 1</head><figDesc>Ages</figDesc><table><row><cell>Group</cell><cell>Mean</cell></row><row><cell>Basil</cell><cell>41</cell></row></table></figure></body>
<back><div type="references"><listBibl><biblStruct><analytic><title level="a">Leaves of grass and other plants</title><author><persName><surname>Doe</surname></persName></author></analytic>
<monogr><title level="j">J Res</title><imprint><date when="2010"/></imprint></monogr></biblStruct></listBibl></div></back></text></TEI>"""

PAGE = f"""<!DOCTYPE html><html lang="en"><head><meta charset=utf-8><title>Basil | J Test</title><meta name="citation_title" content="Basil and gums in adults">
<meta name="citation_author" content="Smith, Anna"><meta name="citation_author" content="Bo de Vries"><meta name="citation_doi" content="doi:10.1234/abc.5">
<meta name="citation_publication_date" content="2019/03/01"><meta name="citation_journal_title" content="J Test"><meta name="citation_volume" content="3">
<meta name="citation_firstpage" content="1"><meta name="citation_lastpage" content="9"><meta name="citation_keywords" content="basil; gums"></head>
<body><header><p>Sign in to read more</p></header><nav><li>Cookies</li></nav><script>alert("x")</script><article><h1>Basil and gums in adults</h1>
<h2>Abstract</h2><p>{ABSTRACT}</p><h2>Introduction</h2><p>{INTRODUCTION}</p><h2>Methods</h2><h3>Patients</h3><div><p>{PATIENTS}</p></div>
<table><caption>Table 1. Ages</caption><tr><th>Group</th><th>Mean</th></tr><tr><td>Basil</td><td>41</td></tr></table>
<h2>References</h2><ol class="references"><li>1. {CITED}</li></ol></article><footer><p>Cookies</p></footer></body></html>"""


def manuscript() -> bytes:
    """The paper as a word processor saves it, with the styles it comes with."""
    document = docx.Document()
    document.add_heading("Basil and gums in adults", 0)
    names = document.add_paragraph("Anna Smith")
    names.add_run("1,*").font.superscript = True
    names.add_run(", Bo de Vries")
    document.add_heading("Abstract", 1)
    document.add_paragraph(ABSTRACT)
    document.add_paragraph("Keywords: basil; gums")
    document.add_heading("Introduction", 1)
    document.add_paragraph(INTRODUCTION)
    document.add_heading("Methods", 1)
    document.add_heading("Patients", 2)
    document.add_paragraph(PATIENTS)
    document.add_paragraph("Table 1. Ages")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Group", "Mean"), ("Basil", "41")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.add_heading("References", 1)
    document.add_paragraph("1. " + CITED)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()
