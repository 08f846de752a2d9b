"""The language of a text, by script and by its commonest small words; None when it can't be told."""

import re
from collections import Counter

_SMALL = {
    "en": "the of and in to was were with for that is by from as were this",
    "de": "der die und das von mit den ist für auf eine wurde nicht dem",
    "fr": "le la les des et une dans pour que est par sur avec du ont",
    "es": "el la los las de y en que con para una por del se fue",
    "pt": "o a os as de e em que com para uma por do da não foi",
    "it": "il la di e che per con una del dei nel sono della stato",
}
_OWNER: dict[str, list[str]] = {}
for _code, _words in _SMALL.items():
    for _word in _words.split():
        _OWNER.setdefault(_word, []).append(_code)


def language(text: str) -> str | None:
    """ISO 639-1 code of a text of some hundred letters."""
    letters = sum(c.isalpha() for c in text)
    if letters < 40:
        return None
    if len(re.findall(r"[\u3040-\u30ff]", text)) > 0.1 * letters:
        return "ja"
    if len(re.findall(r"[\uac00-\ud7af]", text)) > 0.3 * letters:
        return "ko"
    if len(re.findall(r"[\u4e00-\u9fff]", text)) > 0.3 * letters:
        return "zh"
    if len(re.findall(r"[\u0400-\u04ff]", text)) > 0.5 * letters:
        return "ru"
    votes: Counter = Counter()
    words = re.findall(r"[^\W\d_]+", text.lower())
    for word in words:
        for code in _OWNER.get(word, ()):
            votes[code] += 1
    best = votes.most_common(1)
    return best[0][0] if best and best[0][1] >= max(3, 0.06 * len(words)) else None


def garbled(text: str) -> bool:
    """Latin letters in an order that no language has: few vowels and none of the small words.

    So reads a text whose font lacks a table from codes to letters; a genetic sequence has few vowels too, but words
    around it.
    """
    latin = [c for c in text.lower() if "a" <= c <= "z"]
    if len(latin) < 600 or 2 * len(latin) < sum(map(str.isalpha, text)):
        return False
    vowels = sum(c in "aeiouy" for c in latin)
    return vowels < 0.25 * len(latin) and language(text) is None
