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
    return _TYPE_OF.get(squash(name), "document")


#: Heads of columns, squashed. The order within a field is the order of preference.
_COLUMNS = {
    "title": "title ti t1 articletitle documenttitle primarytitle papertitle publicationtitle titleofarticle "
    "titre titel titulo título "
    "题名 标题 篇名 论文题目 文献题名 论文标题 中文标题 タイトル 論文名 제목",
    "authors": "authors author au a1 authornames authorfullnames authorsfullnames firstauthors authorlist auteur "
    "auteurs autores autor autoren "
    "作者 著者 全部作者 저자",
    "year": "year py publicationyear pubyear yearofpublication publishedyear y1 dp yr année annee jahr ano "
    "año 年 年份 出版年 发表年份 发表年 年度 publicationdate "
    "coverdate datepublished pubdate publisheddate date da 发表时间 出版日期 发表日期 publishedon 발행연도",
    "journal": "journal journalbook journaltitle journalname jo jf jt source sourcetitle so t2 publicationname "
    "containertitle booktitle "
    "alternatetitle3 secondarytitle ta alternatetitle2 journalabbreviation abbreviatedsourcetitle "
    "revue zeitschrift revista "
    "刊名 期刊 期刊名称 文献来源 来源 来源期刊 雑誌名 학술지",
    "volume": "volume vol vl vi 卷 卷号 巻",
    "issue": "issue is ip number no issuenumber nr 期 期号 号",
    "pages": "pages page pg pagination pagerange 页码 页 起止页码",
    "first_page": "startpage sp pagestart bp firstpage beginningpage spage 起始页",
    "last_page": "endpage ep pageend lastpage endingpage epage 结束页",
    "doi": "doi di do lid digitalobjectidentifier doilink doiurl articledoi doi号",
    "pmid": "pmid pubmedid pm pubmed medlinepmid pubmedidentifier",
    "pmcid": "pmcid pmc pmcidentifier pubmedcentralid",
    "abstract": "abstract ab n2 abstractnote abstracttext abstracts summary résumé resume resumen zusammenfassung "
    "resumo 摘要 文摘 抄録 초록",
    "keywords": "keywords keyword kw authorkeywords indexkeywords de ot meshterms mesh emtreemedicalindexterms "
    "keywordsplus 关键词 关键字 关键词组 主题词 キーワード 키워드",
    "type": "type documenttype ty publicationtype typeofreference itemtype dt referencetype pt entrytype 文献类型 类型",
    "language": "language la lang languageoforiginaldocument langue sprache 语种 语言",
    "url": "url link ur links urllink fulltexturl articleurl openurllink weblink 链接 网址",
    "citation": "citation reference apa citationtext 引文",
}
_FIELD_OF = {name: (field, rank) for field, names in _COLUMNS.items() for rank, name in enumerate(names.split())}


def field_of(head: str) -> tuple[str, int] | None:
    """(field, rank) that a column's head means; a smaller rank is to be preferred. None when it is none of ours."""
    if len(head) > 60:
        return None
    found = _FIELD_OF.get(squash(head))
    if found is None and (
        bracket := re.match(r"(.+?)\s*[(（\[].*[)）\]]\s*$", head)
    ):  # "Title (English)", "作者(Author)"
        found = _FIELD_OF.get(squash(bracket[1]))
    if found is None and (code := re.match(r"([\w ]+)-([\w ]+)$", head)):  # "Title-题名", as Chinese databases write it
        found = _FIELD_OF.get(squash(code[1])) or _FIELD_OF.get(squash(code[2]))
    return found
