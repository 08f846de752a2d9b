"""Where an English word may be broken at the end of a line.

Narrow justified columns need it. A handful of syllable rules, on the careful side:
a break that is missed costs a wider space, a wrong one looks careless.
"""

import re

SOFT_HYPHEN = "\u00ad"
_VOWEL = "aeiouy"
# Letters that sound as one, or begin a syllable together, stay together.
_PAIRS = "th ch sh ph wh gh ck qu bl br cl cr dr fl fr gl gr pl pr tr sc sp st sw tw ng".split()
_ENDINGS = re.compile(
    r"(?<=[a-z]{3})(?=(?:tions?|sions?|ments?|ness|ingly|ful|less|ship|ward|tive|ture|cian|cial|tial|tient|tients)$)"
)
_WORD = re.compile(r"(?<![A-Za-zÀ-ž\d./@-])[a-z]{7,}(?![\w@/-])|(?<![\w./@-])[A-Z][a-z]{6,}(?![\w@/-])")


def hyphenate(text: str) -> str:
    """``text`` with soft hyphens inside its longer plain words."""
    return _WORD.sub(lambda found: _break(found.group()), text)


def _break(word: str) -> str:
    lower = word.lower()
    places = {found.start() for found in _ENDINGS.finditer(lower)}
    for at in range(3, len(word) - 3):
        before, left, right, after = lower[at - 2], lower[at - 1], lower[at], lower[at + 1]
        if left in _VOWEL or right in _VOWEL or left + right in _PAIRS or right + after in ("hm", "hs"):
            continue
        # consonant | consonant, with a vowel on each side: con-trol, mem-ber
        second_syllable = after in _VOWEL or (right + after in _PAIRS and lower[at + 2] in _VOWEL)
        if before in _VOWEL and second_syllable:
            places.add(at)
    kept = []
    for at in sorted(places):
        if 3 <= at <= len(word) - 3 and (not kept or at - kept[-1] > 2):
            kept.append(at)
    for at in reversed(kept):
        word = word[:at] + SOFT_HYPHEN + word[at:]
    return word
