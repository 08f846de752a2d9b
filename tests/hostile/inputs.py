"""Texts that make a backtracking engine work: parts of a pattern, repeated, and then something that fits nothing."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_constants as op
    import sre_parse

#: Tried where a pattern leaves open which character it is.
_CANDIDATES = "a1 A-.;:(<\"'/\n\té中_=%@"
_END = "\x00"
_MOST_UNITS = 30


def _member(items, negated: bool) -> str:
    """One character of a class."""

    def fits(c: str) -> bool:
        for kind, value in items:
            if kind is op.LITERAL and ord(c) == value or kind is op.RANGE and value[0] <= ord(c) <= value[1]:
                return True
            if kind is op.CATEGORY and _in_category(value, c):
                return True
        return False

    for kind, value in items:
        if not negated and kind is op.LITERAL:
            return chr(value)
        if not negated and kind is op.RANGE:
            return chr(value[0])
    return next((c for c in _CANDIDATES if fits(c) is not negated), "a")


def _in_category(category, c: str) -> bool:
    name = str(category).rsplit("_", 1)[-1].lower()
    fits = {"digit": c.isdigit(), "space": c.isspace(), "word": c.isalnum() or c == "_"}.get(name, False)
    return fits is not ("NOT" in str(category))


def sample(tree, most: int = 0) -> str:
    """A text that the parsed pattern (roughly) matches, every repeat at its least number of rounds or at ``most``."""
    out = []
    for kind, value in tree:
        if kind is op.LITERAL:
            out.append(chr(value))
        elif kind is op.NOT_LITERAL:
            out.append(next(c for c in _CANDIDATES if ord(c) != value))
        elif kind is op.ANY:
            out.append("a")
        elif kind is op.IN:
            negated = value[0][0] is op.NEGATE
            out.append(_member(value[1:] if negated else value, negated))
        elif kind in _REPEATS:
            low, high, body = value
            out.append(sample(body, most) * min(max(low, most), int(high), 50))
        elif kind is op.SUBPATTERN:
            out.append(sample(value[-1], most))
        elif kind is op.BRANCH:
            out.append(sample(value[1][0], most))
        elif kind is op.ATOMIC_GROUP:
            out.append(sample(value, most))
        elif kind is op.AT and value in (op.AT_BEGINNING_LINE,):
            out.append("\n")
    return "".join(out)


_REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, getattr(op, "POSSESSIVE_REPEAT", None)}


def _repeats(tree, before: str = "") -> Iterator[tuple[str, list[str]]]:
    """(what leads to it, the texts its body may be) of every repeat that can be long."""
    for at, (kind, value) in enumerate(tree):
        lead = before + sample(tree[:at], 1)
        if kind in _REPEATS:
            low, high, body = value
            if int(high) > 20:
                yield lead, [one for one in _choices(body) if one]
            yield from _repeats(body, lead)
        elif kind is op.SUBPATTERN:
            yield from _repeats(value[-1], lead)
        elif kind is op.ATOMIC_GROUP:
            yield from _repeats(value, lead)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, lead)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _repeats(value[1], lead)


def _choices(tree) -> list[str]:
    if len(tree) == 1 and tree[0][0] is op.BRANCH:
        return [sample(branch, 1) for branch in tree[0][1][1]]
    if len(tree) == 1 and tree[0][0] is op.SUBPATTERN:
        return _choices(tree[0][1][-1])
    if len(tree) == 1 and tree[0][0] is op.IN and tree[0][1][0][0] is not op.NEGATE:
        return [_member([item], False) for item in tree[0][1]][:4]
    return [sample(tree, 1), sample(tree, 2)]


def units(pattern: re.Pattern) -> list[tuple[str, str, str]]:
    """(beginning, what is repeated, end) of the hostile texts for a pattern."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = sre_parse.parse(text, pattern.flags & ~re.U if isinstance(pattern.pattern, bytes) else pattern.flags)
    found: dict[tuple[str, str], None] = {}
    whole = sample(tree, 1)
    starts = [whole[: max(1, n)] for n in {1, 2, 3, len(whole) // 2, len(whole) - 1, len(whole)} if whole]
    for lead, bodies in _repeats(tree):
        for body in bodies:
            found[(lead, body)] = None
            found[("", lead + body)] = None
        if len(bodies) > 1:
            found[(lead, "".join(bodies))] = None
        if lead:
            found[("", lead)] = None
    for start in starts:
        found[("", start)] = None
    for kind, value in tree:
        if kind is op.BRANCH:
            for branch in value[1]:
                found[("", sample(branch, 1) or "a")] = None
    return [(lead, body, _END) for lead, body in list(found)[:_MOST_UNITS] if body]
