"""Which part of an author's name is the family name.

Told by, in this order: the paper's own citation line (`Kalagatur NK, Mudili V`), a part in capitals, initials that all
names end with (`Vogel A.B.`), two words that the running head or a reference prints before the initials
(`Soares Lima J`), particles (`van der`), the last word.
"""

import re

PARTICLES = {
    "van",
    "von",
    "de",
    "da",
    "di",
    "del",
    "della",
    "der",
    "den",
    "dos",
    "das",
    "du",
    "la",
    "le",
    "el",
    "al",
    "bin",
    "ibn",
    "ben",
    "ter",
    "ten",
    "te",
    "do",
    "zu",
    "st.",
    "af",
    "av",
    "abu",
    "mc",
    "mac",
    "san",
    "santa",
    "dal",
    "dalla",
    "degli",
    "vander",
    "vanden",
    "vom",
    "zur",
    "op",
    "'t",
    "’t",
    "’s",
}
EAST_NAME = re.compile(r"^[\u4e00-\u9fff·]{2,5}$|^[\uac00-\ud7af]{2,4}$")
_TWO_SIGNS = set(
    "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 宇文 长孙 司徒 夏侯 轩辕 端木 百里 呼延 南宫 独孤 澹台 申屠 "
    "闻人 "
    "司空 钟离 鲜于 拓跋 赫连 东郭 西门 左丘 公冶 太史".split()
)
_SPANISH_SPEAKING = (
    "Spain|España|Mexico|México|Colombia|Chile|Peru|Perú|Argentina|Ecuador|Bolivia|Venezuela|Uruguay|Paraguay|Cuba|"
    "Costa Rica|Guatemala|Honduras|Nicaragua|El Salvador|Panama|Panamá|Dominican Republic|Puerto Rico"
)
_SPANISH_FAMILY = (  # where both family names are written, the first is nearly always one of these
    r"[A-Z]\w+[eéií]z|Garc[ií]a|Torres|Flores|Rivera|Moreno|Romero|Ruiz|D[ií]az|Ortega|Castro|Rojas|Navarro|Ramos|"
    r"Reyes|Molina|Herrera|Medina|Aguilar|Vargas|Cabrera|Campos|Vega|Fuentes|Carrasco|Delgado|Ortiz|Rubio|Mar[ií]n|"
    r"Blanco|Serrano|Morales|Su[aá]rez|Castillo|Mendoza|Guerrero|Soto|Silva|Montoya|Cruz|Prieto|Vidal|Lozano|"
    r"Santiago|Pe[nñ]a|Contreras|Salazar|Valdés|Espinoza|Acosta|Bravo|Gallardo|Calvo|Le[oó]n|Mora|Nieto|Pardo|Rold[aá]n"
)
_INITIALS = re.compile(r"^(?:[A-ZÀ-ÞА-ЯЁ]\.?-?){1,4}$")
_PATRONYMIC = re.compile(r".+(?:ович|евич|ьич|овна|евна|ична|инична)$")
_CHINESE_FAMILY = set(
    "Ang Ao Bai Bao Cai Cao Chan Chang Chao Chen Cheng Chew Chia Chin Chiu Cho Choi Chong Chou Chow Chu Chua Cui Dai "
    "Deng Ding Dong Du Duan Fan Fang Feng Fong Fu Fung Gao Goh Gong Gu Guo Han Hao He Heng Ho Hong Hou Hsieh Hsu Hu "
    "Huang Hui Jia Jiang Jin Kang Kim Koh Kong Kwok Lai Lam Lau Law Lee Lei Leung Li Liang Liao Lim Lin Ling Liu Lo "
    "Long Low Lu Luo Ma Mao Mei Meng Mo Ng Ngo Ong Ouyang Pan Park Peng Poon Qian Qin Qiu Quan Ren Shao Shen Shi Sim "
    "Siu Song Su Sun Tam Tan Tang Tao Tay Teo Tian Toh Tong Tsai Tse Tu Wan Wang Wei Wen Wong Woo Wu Xia Xiang Xiao "
    "Xie Xu Xue Yan Yang Yao Ye Yee Yeo Yeung Yi Yin Ying Yip Yu Yuan Yue Zeng Zhai Zhan Zhang Zhao Zheng Zhong Zhou "
    "Zhu Zhuang Zou".split()
)
_SYLLABLE = re.compile(r"(?:[bpmfdtnlgkhjqxrzcsyw]|zh|ch|sh|ts)?h?[aeiouü]{1,3}(?:n|ng|t|k|p|m|h|r|w|y)?", re.I)


def name_families(people: list[dict], citation: list[tuple[str, str]], evidence: str) -> None:
    """Sets `family` and `given` of each person from `printed`, in place."""
    capitals = bool(people) and all(p["printed"].upper() == p["printed"] for p in people)
    trailing = sum(_ends_in_initials(p["printed"]) for p in people) > 0.6 * len(people)
    family_last = trailing and _syllables([p["printed"].split()[-1] for p in people])
    trailing = trailing and not family_last
    eastern = not any(_western_order(p["printed"].split()) for p in people)
    for number, person in enumerate(people):
        name = person["printed"]
        if capitals and len(name) > 4:
            name = " ".join(_in_small(t) for t in name.split())
        if trailing and _ends_in_initials(name):
            tokens = name.split()
            at = next(i for i, t in enumerate(tokens) if i and _INITIALS.match(t))
            person["family"], person["given"] = " ".join(tokens[:at]), " ".join(tokens[at:])
            continue
        if family_last and len(name.split()) > 1:
            person["given"], person["family"] = name.rsplit(" ", 1)
            continue
        person["family"], person["given"] = _family(name, number, len(people), citation, evidence, eastern)


def _syllables(last: list[str]) -> bool:
    """Capitals that can be spoken (`Kanglan LI`, `Qi HOU`) are family names, not initials."""
    letters = [re.sub(r"\W", "", t) for t in last]
    return sum(map(len, letters)) > 2.2 * len(letters) and all(re.search(r"[AEIOUYÀ-Ü]", t) for t in letters)


def _in_small(token: str) -> str:
    if token.lower() in PARTICLES:
        return token.lower()
    return token.title() if len(token.strip(".")) > 1 and "." not in token else token


def _ends_in_initials(name: str) -> bool:
    tokens = name.split()
    return len(tokens) > 1 and bool(_INITIALS.match(tokens[-1])) and not _INITIALS.match(tokens[0])


def _family(name: str, number: int, count: int, citation, evidence: str, eastern: bool) -> tuple[str, str]:
    tokens = name.split()
    if len(tokens) == 1:
        if EAST_NAME.match(name):
            cut = 2 if name[:2] in _TWO_SIGNS and len(name) > 2 else 1
            return name[:cut], name[cut:]
        return name, ""
    cited = citation[number] if len(citation) == count or number < min(3, len(citation)) else None
    for family, initials in [cited] if cited else citation:
        hit = _place(tokens, family)
        if hit and _initials_agree(tokens, hit, initials):
            a, b = hit
            while a > 1 and tokens[a - 1].lower() in PARTICLES:
                a -= 1
            return " ".join(tokens[a:b]), " ".join(tokens[:a] + tokens[b:])
    if eastern and _family_first(tokens):
        return tokens[0], " ".join(tokens[1:])
    upper = [t for t in tokens if len(t) > 1 and t.isupper() and "." not in t]
    if (
        upper
        and len(upper) < len(tokens)
        and not any(len(t.strip(".")) <= 3 and t.isupper() and t.title() not in _CHINESE_FAMILY for t in upper[:1])
    ):
        return " ".join(upper), " ".join(t for t in tokens if t not in upper)
    at = len(tokens) - 1
    if len(tokens[-1].strip(".")) == 1 and len(tokens) == 2:
        return tokens[1].strip("."), tokens[0]
    if len(tokens) > 2 and not _INITIALS.match(tokens[-2]) and _seen_whole(tokens, evidence):
        at -= 1
    while at > 1 and tokens[at - 1].lower() in PARTICLES:
        at -= 1
    return " ".join(tokens[at:]), " ".join(tokens[:at])


def _western_order(tokens) -> bool:
    """`Kok Ling Koh`: this byline puts families last."""
    return tokens[-1] in _CHINESE_FAMILY and tokens[0] not in _CHINESE_FAMILY


def _family_first(tokens) -> bool:
    """`Малыгин Евгений Сергеевич`, `Ng Yong Kiat`: the patronymic, or a family's syllable before two others, tell."""
    if len(tokens) == 3 and _PATRONYMIC.match(tokens[2]):
        return True
    if len(tokens) != 3 or not all(_SYLLABLE.fullmatch(t) or t in _CHINESE_FAMILY for t in tokens):
        return False
    return tokens[0] in _CHINESE_FAMILY and tokens[2] not in _CHINESE_FAMILY


def _seen_whole(tokens, evidence: str) -> bool:
    """The last two words stand before this person's initials, or before "et al.", in the evidence."""
    pair = rf"(?<![\w.] )(?<!\w){re.escape(tokens[-2])}[ -]{re.escape(tokens[-1])}"
    if re.search(rf"{re.escape(tokens[-1])},? {re.escape(tokens[0][0])}[. -]*{re.escape(tokens[-2][0])}\b", evidence):
        return False  # printed with one word as well
    spanish = bool(re.fullmatch(_SPANISH_FAMILY, tokens[-2]))
    cited = len(re.findall(rf"{pair},? {re.escape(tokens[0][0])}(?:[A-Z.-]|\b)", evidence))
    if cited >= 2 - spanish or re.search(rf"{pair},? et al\b", evidence):
        return True
    return spanish and bool(re.search(rf"\b(?:{_SPANISH_SPEAKING})\b", evidence))


def _place(tokens, family):
    want = [t.lower().strip(".") for t in family.split()]
    have = [t.lower().strip(".") for t in tokens]
    for a in range(len(have) - len(want) + 1):
        if have[a : a + len(want)] == want:
            return a, a + len(want)
    return None


def _initials_agree(tokens, hit, initials) -> bool:
    letters = re.sub(r"[^A-Za-zÀ-ÿ]", "", initials).lower()
    rest = tokens[: hit[0]] + tokens[hit[1] :]
    return not letters or not rest or rest[0][0].lower() in letters
