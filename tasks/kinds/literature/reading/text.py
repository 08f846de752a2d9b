"""Lines into running text: words broken at a line's end are joined, real hyphens stay.

`permit-` + `ted` is joined; `COX-` + `2` keeps its hyphen. Between letters the paper itself decides: the
spelling it uses elsewhere wins, then the prefixes that English writes with a hyphen.
"""

import re

from .lines import Line

_HYPHENATED = re.compile(
    r"^(non|self|well|anti|pre|post|co|multi|semi|inter|intra|high|low|long|short|cross|double|single|"
    r"time|dose|age|half|two|three|four|one|ex|quasi|meta|drug|case|follow)$",
    re.I,
)
_EAST = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]")
_TAIL, _HEAD = re.compile(r"(?<![\w-])[\w-]*+$"), re.compile(r"[\w-]*")


class Spelling:
    """How this paper spells: every whole word, and every hyphenated word, that stands inside a line."""

    def __init__(self, lines):
        self.words: set[str] = set()
        for line in lines:
            for word in line.words[:-1]:
                text = word.text
                if len(text) > 3:
                    self.words.add(text.strip(".,;:()[]\"'“”").lower())

    def join(self, left: str, right: str) -> str:
        """One string of two: `left` ends with a hyphen at a line's end, `right` begins the next line."""
        stem = left[:-1]
        a = _TAIL.search(stem[-40:])[0]
        b = _HEAD.match(right)[0]
        if not a or not b:
            return left + right
        if not a[-1].isalpha() or not b[0].islower():
            return left + right
        if (a + b).lower() in self.words:
            return stem + right
        if f"{a}-{b}".lower() in self.words:
            return left + right
        if _HYPHENATED.match(a) and len(b) > 3 and not stem.endswith(("inter", "multi", "anti", "post")):
            return left + right
        return stem + right

    def text(self, lines: list[Line]) -> str:
        """The running text of some lines."""
        parts: list[str] = []
        for line in lines:
            piece = line.text
            last = parts[-1] if parts else ""
            if last[-1:] == "-" and len(last) > 1 and last[-2].isalnum():
                parts[-1] = self.join(last, piece)
            elif last[-1:] == "/" and "://" in last.rsplit(" ", 1)[-1]:
                parts[-1] = last + piece  # an address broken after a slash
            elif last and (_EAST.match(last[-1]) or piece and _EAST.match(piece[0])):
                parts[-1] = last + piece  # Chinese and Japanese are written without spaces
            else:
                parts.append(piece)
        return " ".join(parts)


def squash(text: str) -> str:
    """Letters and digits only, lower case: what two printings of the same words have in common."""
    return re.sub(r"[\W_]+", "", text.casefold())
