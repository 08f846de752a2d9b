"""Words of the field in one form: kinds of publication, names of fields as tables head them."""

from __future__ import annotations

import re
import unicodedata

#: What a record may be. The words are CSL's, so that a citation style understands them.
TYPES = (
    "article-journal", "article-magazine", "article-newspaper", "book", "chapter", "dataset", "document",
    "paper-conference",
    "patent", "article", "report", "review", "software", "thesis", "webpage",
)  # fmt: skip

_TYPES = {
    "article-journal": "jour ejour jfull abst journal journalarticle article j articleinpress researcharticle "
    "originalarticle meeting 17 "
    "articles journalarticles casereports clinicaltrial randomizedcontrolledtrial letter editorial "
    "comment short survey note 期刊论文",
    "article-magazine": "mgzn magazinearticle 19",
    "article-newspaper": "news newspaperarticle 23",
    "article": "unpb inpr unpublished preprint manuscript 34 unpublishedwork misc",
    "book": "book ebook edbook wholebook b editedbook 6 28 inbook proceedings collection mvbook 图书",
    "chapter": "chap echap booksection bookchapter incollection s 5 section",
    "dataset": "data dataset aggregateddatabase dbase 59",
    "paper-conference": "cpaper conf conferencepaper conferenceproceedings inproceedings conference proceedingspaper "
    "c 10 "
    "47 会议论文",
    "patent": "pat patent p 25",
    "report": "rprt report techreport govdoc gvmt standard stand 27 46",
    "review": "review reviewarticle systematicreview metaanalysis",
    "software": "comp software computerprogram 9",
    "thesis": "thes thesis phdthesis mastersthesis dissertation 32 学位论文",
    "webpage": "elec blog webpage online electronicarticle web icomm 12 16",
}
_TYPE_OF = {name: kind for kind, names in _TYPES.items() for name in names.split()}


def squash(text: str) -> str:
    """Letters and digits only, lower case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def type_of(name: str | None) -> str | None:
    """A word of TYPES for what a file calls its record; "document" for what is not known; None for nothing."""
    if not name or not name.strip():
        return None
    return _TYPE_OF.get(squash(name), name if name in TYPES else "document")


_NOTICES = {
    "retractedpublication": "retraction",
    "retraction": "retraction",
    "retractionofpublication": "retraction",
    "retracted": "retraction",
    "publishederratum": "correction",
    "erratum": "correction",
    "correction": "correction",
    "corrigendum": "correction",
    "expressionofconcern": "expression of concern",
    "withdrawnpublication": "withdrawal",
}


def notice_of_types(names: list[str]) -> str | None:
    """ "retraction", "correction", "expression of concern" or "withdrawal" among kinds of publication, else None."""
    return next((found for name in names if (found := _NOTICES.get(squash(name)))), None)


#: Heads of columns, squashed. The order within a field is the order of preference.
_COLUMNS = {
    "title": "title ti t1 articletitle documenttitle primarytitle titleprimary papertitle titleofarticle "
    "titre titel titulo título "
    "заглавие название titolo displayname "
    "题名 标题 篇名 论文题目 文献题名 论文标题 中文标题 タイトル 論文名 제목",
    "authors": "authors author au a1 authornames authorfullnames authorsfullnames authorsprimary primaryauthors "
    "authorlist authorshipsauthordisplayname authornamesraw firstauthors firstauthor "
    "auteur auteurs autores autor autoren "
    "verfasser autori авторы автор "
    "作者 著者 全部作者 저자",
    "year": "year py publicationyear pubyear yearofpublication publishedyear y1 dp yr année annee jahr ano "
    "año 年 年份 出版年 发表年份 发表年 年度 publicationdate "
    "coverdate datepublished pubdate publisheddate date da год anno pubdatefreeform "
    "发表时间 出版日期 发表日期 publishedon 발행연도",
    "journal": "journal journalbook journaltitle journalname periodicalfull jo jf jt source sourcetitle so t2 "
    "publicationname publicationtitle primarylocationsourcedisplayname hostvenuedisplayname containertitle booktitle "
    "publication periodical periodicalabbrev periodicaltitle venue journalorconference журнал источник rivista "
    "alternatetitle3 secondarytitle ta alternatetitle2 journalabbreviation abbreviatedsourcetitle "
    "revue zeitschrift revista "
    "刊名 期刊 期刊名称 文献来源 来源 来源期刊 雑誌名 학술지",
    "volume": "volume vol vl vi bibliovolume vo 卷 卷号 巻",
    "issue": "issue is ip number no issuenumber nr biblioissue 期 期号 号",
    "pages": "pages page pg pagination pagerange 页码 页 起止页码",
    "first_page": "startpage sp pagestart bp firstpage beginningpage spage bibliofirstpage 起始页",
    "last_page": "endpage ep pageend lastpage endingpage epage otherpages op bibliolastpage 结束页",
    "doi": "doi di do lid digitalobjectidentifier doilink doiurl articledoi idsdoi doi号",
    "pmid": "pmid pubmedid pm pubmed medlinepmid pubmedidentifier idspmid",
    "pmcid": "pmcid pmc pmcidentifier pubmedcentralid idspmcid",
    "abstract": "abstract ab n2 abstractnote abstracttext abstracts summary résumé resume resumen zusammenfassung "
    "resumo 摘要 文摘 抄録 초록",
    "keywords": "keywords keyword kw authorkeywords indexkeywords de ot meshterms mesh emtreemedicalindexterms "
    "keywordsplus "
    "descriptors subjects subject keywordsdisplayname schlagwörter motsclés palabrasclave palavraschave "
    "ключевыеслова 关键词 关键字 关键词组 主题词 キーワード 키워드",
    "type": "type documenttype ty publicationtype typeofreference itemtype dt referencetype pt entrytype 文献类型 类型",
    "language": "language la lang languageoforiginaldocument langue sprache 语种 语言",
    "url": "url link ur links urllink fulltexturl articleurl openurllink weblink 链接 网址",
    "citation": "citation reference apa citationtext 引文",
    "notes": "notes note n1 annotation annote bemerkungen 备注 附注",
}
_FIELD_OF = {name: (field, rank) for field, names in _COLUMNS.items() for rank, name in enumerate(names.split())}


#: Words that people put around the name of a column without changing what it holds.
_QUALIFIERS = {
    "primary",
    "full",
    "original",
    "english",
    "main",
    "the",
    "of",
    "paper",
    "papers",
    "study",
    "work",
    "record",
}
_QUALIFIED = {"title", "authors", "year", "journal", "abstract", "doi", "pmid", "keywords"}


def field_of(head: str) -> tuple[str, int] | None:
    """(field, rank) that a column's head means; a smaller rank is to be preferred. None when it is none of ours."""
    if len(head) > 60:
        return None
    found = _FIELD_OF.get(squash(head))
    if found is None and (
        bracket := re.match(r"([^(（\[]+)[(（\[].*[)）\]]\s*$", head)
    ):  # "Title (English)", "作者(Author)"
        found = _FIELD_OF.get(squash(bracket[1]))
    if found is None and (code := re.match(r"([\w ]+)-([\w ]+)$", head)):  # "Title-题名", as Chinese databases write it
        found = _FIELD_OF.get(squash(code[1])) or _FIELD_OF.get(squash(code[2]))
    return found or _either(head) or _qualified(head)


def _either(head: str) -> tuple[str, int] | None:
    """The one field that both names of "Journal / Conference" mean, or that the known one of them means."""
    if not re.fullmatch(r"[^\d:./]{2,40}(?:/[^\d:./]{2,40}){1,2}", head):
        return None
    found = {one[0]: one for part in head.split("/") if (one := _FIELD_OF.get(squash(part)))}
    return next(iter(found.values())) if len(found) == 1 else None


def _qualified(head: str) -> tuple[str, int] | None:
    """The field of "Title of the paper" and the like. Ranks behind every head that is a name by itself."""
    words = re.findall(r"\w+", head.casefold())
    bare = [word for word in words if word not in _QUALIFIERS]
    if len(bare) == len(words):
        return None
    found = _FIELD_OF.get(squash("".join(bare)))
    if found is None or found[0] not in _QUALIFIED or bare == ["source"]:
        return None
    return found[0], found[1] + 100
