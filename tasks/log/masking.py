"""Takes secrets out of text before it is stored, so that neither log, nor stream, search or download ever has them.

What counts as a secret: authorization headers, values of keys named like passwords and tokens, well-known token
shapes, passwords inside addresses, private keys, this installation's own secrets, and the patterns of ``SHEAF_MASK``.
Only the secret is replaced; the words around it stay, so that a reader still learns what happened.

Where lines are doubtful the mask leans to the safe side: it hides a word too many rather than a letter too few.
``masking_stream`` does the same for secrets that are spread over several lines.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings

MASK = "•••"
#: Shorter values of our own settings are words, not secrets.
SHORTEST_OWN = 8
#: So many characters at a line's end look like the beginning of one of them. Fewer are chance: every text that ends in
#: "n" would lose it in an installation whose key begins with one.
SHORTEST_BEGUN = 4

#: Characters before a credential in which "bearer" is looked for, and after "://" in which a password is.
CONTEXT_OF_HEADER, LONGEST_ADDRESS = 64, 2000
#: Of a value beside a line of the log: nobody reads more there, and masking costs by the character.
LONGEST_VALUE = 16 * 1024

_TOKEN_START = r"sk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|AIza|AKIA|ASIA|eyJ"
#: Each alternative has exactly one group: the secret.
_SECRETS = r"""
    -----BEGIN\ [A-Z\ ]{0,40}PRIVATE\ KEY(?:\ BLOCK)?----- ([A-Za-z0-9+/=\s\\]+)
  | (?i:authorization) ["']? \s* [:=] \s* ["']? (?:[A-Za-z][A-Za-z-]{1,20}\s+)? ([^\s"',;]+)
  | (?i:\bbearer) \s+ (?=\S*\d|\S{20}) ([A-Za-z0-9._~+/=-]{6,})
  | (?i:\bbasic) \s+ (?=\S*[A-Z0-9+/=]) ([A-Za-z0-9+/]{8,}={0,2})
  | :// [^\s/:@"'<>]{0,200} : ([^\s/"'<>]{1,500}) @
  | (?i:passw(?:or)?d|passwd|passphrase|pwd|secret(?:[_-]\w{1,20})?|token|api[_-]?key|access[_-]?key(?:[_-]?id)?
       |private[_-]?key) ["']? \s* [:=] \s* ("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s"'&,;)\]}]+)
  | (?<![A-Za-z0-9]) (sk-[A-Za-z0-9_-]{16,}
      |gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_[A-Za-z0-9]{20,}
      |xox[abeprs]-[A-Za-z0-9-]{10,}|AIza[\w-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])
      |eyJ[\w-]{8,400}+\.[\w-]{8,}(?:\.[\w-]*)?)
"""
#: One of these is in every text that has a secret of the above; looking for them is what most lines cost.
_HINTS = (
    "://",
    "uthorization",
    "bearer",
    "basic",
    "passw",
    "passp",
    "pwd",
    "secret",
    "token",
    "key",
    "sk-",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "hf_",
    "xox",
    "aiza",
    "akia",
    "asia",
    "eyj",
)
_TOKEN = re.compile(rf"(?<![A-Za-z0-9])(?:{_TOKEN_START})(?=[\w.-])", re.A)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
#: What tokens, bearer tokens and basic credentials are made of.
_IN_TOKEN, _IN_HEADER = f"{_LETTERS}_.-", f"{_LETTERS}._~+/=-"
_HEADER = re.compile(r"\b(?:bearer|basic)\Z", re.A | re.I)
_NOT_IN_PASSWORD = re.compile(r"[\s/\"'<>]", re.A)
_USER = re.compile(r"[^:@]{0,200}:(?=.)", re.S)
#: ``http://host:8080`` at the end of a line: most likely the port, not half of a password.
_PORT = re.compile(r":\d{1,5}\Z")


class Patterns:
    """What is looked for: the built-in shapes, ``own`` values (exact), ``more`` (regular expressions)."""

    def __init__(self, own: tuple[str, ...] = (), more: tuple[str, ...] = ()):
        self._secret = re.compile(_SECRETS, re.X | re.A)
        self._own = re.compile("|".join(map(re.escape, sorted(own, key=len, reverse=True)))) if own else None
        self.more = tuple(re.compile(pattern) for pattern in more)
        #: {last character: beginnings of our own secrets that end in it}, longest first
        self._own_begun: dict[str, list[str]] = {}
        for value in sorted(own, key=len, reverse=True):
            for n in range(len(value) - 1, 0, -1):
                self._own_begun.setdefault(value[n - 1], []).append(value[:n])

    def look(self, text: str, *, least: int = 1) -> tuple[list[tuple[int, int]], int]:
        """((from, to) of every secret, in order, without overlaps; where an unfinished one begins at the end of the
        text, its length: nowhere). ``least``: characters of one of our own secrets that count as its beginning."""
        found, begun, low = [], len(text), text.lower()
        for hint in _HINTS:
            if hint in low:
                found = [match.span(match.lastindex) for match in self._secret.finditer(text)]
                begun = begun_at(text)
                break
        if self._own is not None:
            found += [match.span() for match in self._own.finditer(text)]
        for pattern in self.more:
            found += [match.span() for match in pattern.finditer(text) if match.group()]
        for start in self._own_begun.get(text[-1:], ()):
            if len(start) >= least and text.endswith(start):
                begun = min(begun, len(text) - len(start))
                break
        return merged(found) if len(found) > 1 else found, begun

    @staticmethod
    def is_port(text: str) -> bool:
        return bool(_PORT.search(text))


def begun_at(text: str) -> int:
    """Where the end of a text may be the beginning of a secret without being one yet; its length: nowhere.

    Looks from the end, so that a long text costs no more than its last word: a search for something that ends at the
    end tries every place of the text before it.
    """
    found = [len(text)]
    run = len(text.rstrip(_IN_TOKEN))
    # The character before the run counts too: a token does not begin in the middle of a word.
    if token := _TOKEN.search(text, run):
        found.append(token.end())
    run = len(text.rstrip(_IN_HEADER))
    before = text[max(0, run - CONTEXT_OF_HEADER) : run]
    if run < len(text) and before != before.rstrip() and _HEADER.search(before.rstrip()):
        found.append(run)
    tail = text[-LONGEST_ADDRESS:]
    run = max((found.end() for found in _NOT_IN_PASSWORD.finditer(tail)), default=0)
    if tail[:run].endswith("://") and (user := _USER.match(tail, run)):
        found.append(len(text) - len(tail) + user.end())
    return min(found)


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    spans = sorted(spans)
    made = [spans[0]]
    for begin, end in spans[1:]:
        if begin <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((begin, end))
    return made


def hide(text: str, spans: list[tuple[int, int]]) -> str:
    """``text`` with MASK in place of each span."""
    parts, at = [], 0
    for begin, end in spans:
        parts += (text[at:begin], MASK)
        at = end
    return "".join((*parts, text[at:]))


@cache
def patterns() -> Patterns:
    """Those of this installation, from its settings; made once a process."""
    own = {settings.SECRET_KEY, settings.SHEAF_METRICS_TOKEN}
    for address in (settings.DATABASE_URL, settings.SHEAF_MAIL_URL):
        password = urlsplit(address).password or ""
        own |= {password, unquote(password)}
    return Patterns(tuple(sorted(value for value in own if len(value) >= SHORTEST_OWN)), tuple(settings.SHEAF_MASK))


def masked(text: str) -> str:
    """The text without secrets. Doing it twice changes nothing more."""
    spans, _begun = patterns().look(text)
    return hide(text, spans) if spans else text


def masked_values(value: Any) -> Any:
    """The same for every text inside a JSON value; a value under a key such as ``password`` goes too."""
    if isinstance(value, str):
        return masked(value if len(value) <= LONGEST_VALUE else value[:LONGEST_VALUE] + "…")
    if isinstance(value, dict):
        return {name: _masked_under(name, inside) for name, inside in value.items()}
    if isinstance(value, list | tuple):
        return [masked_values(inside) for inside in value]
    return value


def _masked_under(name: Any, value: Any) -> Any:
    if isinstance(value, str) and value and patterns().look(f"{name}=x")[0]:
        return MASK
    return masked_values(value)
