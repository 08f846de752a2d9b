"""Names of authors, from the ways in which reference managers, databases and spreadsheets write them."""

from __future__ import annotations

import ast
import re

from .values import tidy

_SUFFIX = re.compile(r"(?:jr|sr|[1-4](?:st|nd|rd|th)|ii|iii|iv)\.?", re.I)
_PARTICLE = re.compile(
    r"(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten|zu|zur|'t|af|av)", re.I
)
_CAPITAL = "[A-ZÀ-ÞА-Я]"
_INITIALS = re.compile(r"(?:[A-ZÀ-ÞА-Я]\.?[-\s]?){1,5}")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_ORGANISATION = re.compile(
    r"\b(?:group|consortium|collaborat(?:ion|ive|ors)|committee|organi[sz]ation|investigators|network|society|association|ministry|university|institute|"
    r"centers? for|federation|council|agency|foundation|"
    r"initiative|team|study group|task force|department|commission)\b",
    re.I,
)
_COMPOUND = (
    "欧阳",
    "司马",
    "上官",
    "诸葛",
    "夏侯",
    "皇甫",
    "尉迟",
    "公孙",
    "慕容",
    "令狐",
    "长孙",
    "宇文",
    "司徒",
    "端木",
)


def person(name: str, comma_first: bool = True) -> dict | None:
    """``{"family", "given"}`` of one name; None for nobody. ``given`` is empty for an organisation and for one word.

    "Family, Given", "Family, Given, Jr", "Family, Jr, Given", "Family AB", "A. B. Family", "Given van Family",
    "王小明".
    """
    name = (tidy(name) or "").strip(" ,;*")
    name = re.sub(
        r"(?<!\s)\s*+[(（](?:\d+|[^()（）]*@[^()（）]*|orcid.*?|author|corresponding.*?)[)）]\s*$", "", name, flags=re.I
    )
    if not re.search(r"\w", name) or re.fullmatch(
        r"et al\.?|others|anonymous|anon\.?|\[?no authors? listed\]?\.?|n\.?a\.?|null|none|nan|-", name, re.I
    ):
        return None
    if comma_first and "," in name and not (_ORGANISATION.search(name) and name.count(" ") > 2):
        return _with_comma(name)
    if _CJK.search(name) and not re.search(r"[A-Za-z]", name):
        return _east_asian(name)
    words = name.split()
    if len(words) == 1 or _ORGANISATION.search(name):
        return {"family": name, "given": ""}
    suffix = ""
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        suffix = " " + words.pop()
    shouted = name.isupper()
    first_is_family = len(words[0]) > 1 if shouted else not _is_initials(words[0], shouted)
    if _is_initials(words[-1], shouted) and first_is_family and "." not in words[0]:
        family = len(words) - 1  # "Family AB", "van Family A B", "Family A.-B."
        while family > 1 and _is_initials(words[family - 1], shouted):
            family -= 1
        return {"family": " ".join(words[:family]), "given": " ".join(words[family:]) + suffix}
    start = len(words) - 1
    while start > 1 and _PARTICLE.fullmatch(words[start - 1]) and words[start - 1].islower():
        start -= 1
    return {"family": " ".join(words[start:]), "given": " ".join(words[:start]) + suffix}


def _is_initials(word: str, shouted: bool) -> bool:
    if not _INITIALS.fullmatch(word):
        return False
    letters = sum(c.isalpha() for c in word)
    return "." in word or letters <= (2 if shouted else 4)


def _with_comma(name: str) -> dict:
    parts = [part.strip() for part in name.split(",") if part.strip()]
    if not parts:
        return {"family": name, "given": ""}
    if len(parts) > 2 and _SUFFIX.fullmatch(parts[1]):
        parts = [parts[0], parts[2], parts[1], *parts[3:]]
    return {"family": parts[0], "given": " ".join(parts[1:])}


def _east_asian(name: str) -> dict:
    if " " in name or "·" in name:
        family, _, given = name.partition(" ")
        return {"family": family, "given": given.strip()}
    if len(name) > 4 or re.search(
        r"[\u3040-\u30ff]", name
    ):  # an organisation, or Japanese, where the border can't be told
        return {"family": name, "given": ""}
    cut = 2 if name.startswith(_COMPOUND) and len(name) > 2 else 1
    return {"family": name[:cut], "given": name[cut:]}


def people(names: list[str]) -> list[dict]:
    """Each name that names somebody, in order; the same name twice running is one."""
    out: list[dict] = []
    for name in names:
        one = person(name)
        if one and (not out or out[-1] != one):
            out.append(one)
    return out


def split_people(text: str) -> list[dict]:
    """The authors of one cell, between semicolons, " and ", bars, line ends or commas; or as a Python list."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        try:
            listed = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            listed = None
        if isinstance(listed, list):
            return people([str(one) for one in listed])
        text = text[1:-1]
    text = re.sub(r",?\s+(?:et al\.?|…)$", "", text)
    for separator in (r"\s*[;；]\s*", r"\s*\n\s*", r"\s*\|\s*", r"\s+and\s+(?=\S)"):
        if re.search(separator, text):
            parts = re.split(separator, text)
            if separator.startswith(r"\s+and") and any(_listed_by_comma(part) for part in parts):
                parts = [one for part in parts for one in (_by_comma(part) if _listed_by_comma(part) else [part])]
            return people([re.sub(r"^(?:and|&)\s+|\s+(?:and|&)$", "", part) for part in parts])
    return people(_by_comma(text)) if re.search(r"[,，、]", text) else people([text])


def _listed_by_comma(text: str) -> bool:
    return len(_by_comma(text)) > 1


def _by_comma(text: str) -> list[str]:
    """Names between commas: "Smith A, Doe B" are two; "Smith, A., Doe, B." two; "Smith, Anna" is one."""
    parts = [part.strip() for part in re.split(r"(?<!\s)\s*+[,，、]\s*", text) if part.strip()]
    given = re.compile(
        rf"(?:{_CAPITAL}\.[-\s]?){{1,5}}|{_CAPITAL}(?:[ -]{_CAPITAL})*|{_CAPITAL}{{1,{2 if text.isupper() else 3}}}"
    )
    if len(parts) % 2 == 0 and all(map(given.fullmatch, parts[1::2])) and not any(map(given.fullmatch, parts[0::2])):
        return [f"{family}, {given}" for family, given in zip(parts[0::2], parts[1::2], strict=True)]
    if len(parts) == 2 and all(" " not in part for part in parts) and not _CJK.search(text):
        return [f"{parts[0]}, {parts[1]}"]
    if (
        len(parts) == 2
        and " " not in parts[0]
        and not _is_initials(parts[1].split()[-1], False)
        and not _CJK.search(text)
    ):
        return [f"{parts[0]}, {parts[1]}"]
    return parts
