"""Names of the parts of a paper, as printed above them, and what they are called here."""

import re

_PARTS = {
    "abstract": "аннотация|реферат|анотація|kurzfassung|zusammenfassung|riassunto|sommario|streszczenie|概要|抄録|要約|"
    "提要|"
    "abstract|summary|synopsis|article abstract|structured abstract|摘 ?要|内容提要|초록|要旨|resumen en "
    "español|resumen|resumo|résumé|"
    "zusammenfassung",
    "keywords": "ключевые слова|ключові слова|schlüsselwörter|schlagwörter|stichwörter|parole chiave|キーワード|關鍵詞|"
    "palabras claves|descritores|descriptores|"
    "keywords?|key words?|index terms?|key-words|关键词|关键字|key words and phrases|palabras clave|"
    "palavras-chave|mots clés",
    "introduction": "введение|вступление|постановка задачи|einleitung|einführung|introduzione|緒言|緒論|序論|导言|引论|"
    "はじめに|まえがき|apresentação|presentación|"
    "introduction|background|general introduction|introduction and background|background and "
    "objectives?|引 ?言|前 ?言|绪论|背景|はじめに|서론|introducción|introdução",
    "methods": "материалы и методы|методы|методика|методология|methodik|methoden|material und methoden|metodi|"
    "procedimentos metodológicos|materiais|方法|"
    "methods?|methodology|materials? and methods?|materials? & methods?|methods? and materials?|"
    "patients and methods?|subjects and methods?|"
    "material and methodology|experimental|experimental section|experimental procedures?|experimental details|"
    "study design|search strategy|online methods|"
    "methods and design|methods/design|participants and methods?|theory|theory and methods?|方 ?法|(一般|临床)?(材料|"
    "对象|资料)(与|和|及)方法|研究(对象|资料|材料)?(与|和|及)?方法|临床资料|対象と方法|métodos|material y métodos|"
    "materiales y métodos|materiais e métodos|methods and analysis|metodología|metodologia",
    "results": "результаты|результаты и обсуждение|ergebnisse|risultati|resultados e discussões|"
    "análise dos resultados|結果と考察|"
    "results?|results? and discussions?|findings|results and interpretation|observations?|results & "
    "discussion|结 ?果|研究结果|结果(与|和|及)(讨论|分析)|resultados|resultados y discusión|resultados e discussão|"
    "結果",
    "discussion": "обсуждение|обсуждение результатов|diskussion|discussione|discussões|"
    "discussions?|general discussion|discussion and conclusions?|interpretation|comment|讨 ?论|讨论(与|"
    "和|及)结论|discusión|discussão|考察",
    "conclusion": "заключение|выводы|выводы и заключение|fazit|schlussfolgerungen?|schluss|"
    "zusammenfassung und ausblick|ausblick|conclusioni|considerações finais|consideraciones finales|"
    "conclusões e recomendações|おわりに|まとめ|結論|结束语|结论与展望|"
    "conclusions?|concluding remarks|summary and conclusions?|conclusions? and (future "
    ")?perspectives?|limitations|conclusions? and recommendations?|"
    "future perspectives?|perspectives?|结 ?论|结 ?语|小 ?结|总结|结论(与|和|及)(展望|建议)|conclusiones|conclusión|"
    "conclusão|conclusões|outlook|conclusion and outlook",
    "references": "литература|список литературы|список использованных источников|"
    "список использованной литературы|библиографический список|библиография|использованная литература|источники|"
    "література|literaturverzeichnis|quellenverzeichnis|quellen|bibliografía|bibliografia|"
    "referências bibliográficas|referencias bibliográficas|références|bibliographie|bibliografie|riferimenti|"
    "riferimenti bibliografici|参考资料|引用文献|文 ?献|주요 참고문헌|참고문헌|"
    "references?|references and notes|notes and references|literature cited|bibliography|"
    "works cited|cited literature|list of references|literature|reference list|"
    "参考文献|参 考 文 献|参考资料|文献|文獻|referencias|referências|"
    "literatur",
    "abbreviations": "abbreviations?|list of abbreviations|abbreviations used|nomenclature|abbreviations list",
    "funding": "funding|financial support|source of funding|funding statement|funding sources?|funding "
    "information|sources? of support|funding/support|role of the funding source|grant support|基金项目|基金资助|"
    "资助项目|financiamiento|financiamento|funding and support",
    "conflicts": "competing interests?|conflicts? of interests?|conflicts? of interest statement|declaration of "
    "(competing )?interests?|disclosures?|"
    "conflict of interests? disclosure|declaration of conflicting interests|competing financial interests?|author "
    "disclosure statement|financial disclosure|利益冲突(声明)?|conflictos? de inter[eé]s(es)?|conflitos? de "
    "interesses?",
    "ethics": "ethics approval( and consent to participate)?|ethical approval|ethics statement|ethical "
    "considerations?|ethics|consent for publication|"
    "ethics declarations?|ethical statement|statement of ethics|institutional review board statement|informed "
    "consent( statement)?|consent|consent to publish|ethics approval|ethical issues?|伦理(审批|批准|声明|学?审查)?",
    "availability": "availability of data and materials?|data availability( statement)?|availability of data|data "
    "sharing( statement)?|data and materials availability|availability of supporting data|data availability "
    "statements?|data access(ibility)?( statement)?|数据(可用性|可获得性|共享)(声明)?",
    "contributions": "authors?[’'‘`]?s?[’'‘`]? contributions?|contributors|contributions?|author contribution "
    "statement|作者贡献(声明)?|credit authorship contribution statement|contributorship",
    "acknowledgements": "благодарности|danksagung|ringraziamenti|remerciements|謝辞|謝 ?辭|"
    "acknowledge?ments?|acknowledgements and funding|致 ?谢|agradecimientos|agradecimentos",
    "supplementary": "supplementary (materials?|data|information)|supporting information|additional files?|"
    "appendix( [a-z0-9])?|appendices|pre-publication history|"
    "additional information|electronic supplementary material|multimedia appendix|supplemental (material|"
    "information|data)",
    "declarations": "declarations?|notes|footnotes?|authors[’'] information|author details|author information|"
    "publisher[’']s note|"
    "endnotes|about the authors?|author affiliations|disclaimer|provenance and peer review|how to cite( this "
    "article)?|cite this article as",
}
_WORDS = {
    "references": "references",
    "introduction": "introduction",
    "abstract": "abstract",
    "methods": "methods",
    "results": "results",
    "discussion": "discussion",
    "conclusion": "conclusion",
    "conclusions": "conclusion",
    "acknowledgements": "acknowledgements",
    "acknowledgments": "acknowledgements",
    "keywords": "keywords",
    "materialsandmethods": "methods",
    "resultsanddiscussion": "results",
    "background": "introduction",
    "bibliography": "references",
}
_BY_NAME = [(part, re.compile(rf"(?:{names})$", re.I)) for part, names in _PARTS.items()]
_ANY = re.compile("(?:" + "|".join(_PARTS.values()) + ")$", re.I)
NUMBERING = re.compile(
    r"^(?:(?:section|chapter)\s+)?((?:\d{1,2}|[A-H]|[IVX]{1,5})(?:\.\d{1,2}){0,3})"
    r"(?:[.):．、]?\s+(?=\S)|[.):．、]?(?=[\u3400-\u9fff])(?![\u5e74\u6708\u65e5\u4f8b\u4e2a]))|"
    r"^([一二三四五六七八九十]{1,3})、\s*(?=\S)|^[（(]([一二三四五六七八九十]{1,3})[）)]\s*(?=\S)",
    re.I,
)
_SPACED = re.compile(r"^(?:\S ){3,}\S$")


def unspace(text: str) -> str:
    """`A B S T R A C T` as one word."""
    return text.replace(" ", "") if _SPACED.match(text) else text


def bare(text: str) -> str:
    """A heading without number, colon, full stop and decoration."""
    text = unspace(text.strip(" .:：。|•■▪►◆●*#–—-【】[]〔〕\t"))
    return NUMBERING.sub("", text).strip(" .:：。|•■–—")


def part_of(text: str) -> str:
    """Which part of a paper a heading opens: a key such as "methods", or "" for any other heading."""
    if not 2 <= len(text) <= 60 or text[0].islower() or text[-1] in "-,;":
        return ""
    name = re.sub(r"\s+", " ", bare(text))
    if name[:1].islower():
        return ""
    if not _ANY.match(name):
        return _WORDS.get(name.replace(" ", "").lower(), "")  # kerning may have set a space into a word: "Ref erences"
    return next(part for part, pattern in _BY_NAME if pattern.match(name))
