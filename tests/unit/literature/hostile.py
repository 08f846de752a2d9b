"""Records that try every format: texts that a program would run, guess at, cut, or choke on."""

from __future__ import annotations

from tasks.kinds.literature.fields import PARTS

LONG = "长" * 40_000
HOSTILE = [
    "SEPT2",
    "MARCH1",
    "2310009E13",
    "00012345",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "-0.02",
    "{unbalanced",
    "un}balanced{",
    "100 % & $5 #1 a_b ~x ^y \\textbf{z}",
    "人参皂苷与心肌缺血",
    "_x0041_",
    "\U0001f33e hay",
    'a "b", c; d',
    "<b>&amp;</b>",
    "http://x.example/a",
    "TRUE",
    "1/2",
    "  ",
    "@article{evil,",
    "ER  - ",
    "TY  - BOOK",
]
#: What no format can hold, and what is left of it.
CONTROL = ("a\x00b\x0bc\x1fd\ufffee", "abcde")


def record(**parts) -> dict:
    """The record of a paper that was read, empty but for ``parts``."""
    beside = {"listed": None, "reviewed": None, "notes": []}
    return {"file": "a.pdf", "status": "succeeded", "error_code": None, "error": None, **PARTS, **beside, **parts}


def field(name: str, value, **more) -> dict:
    return {
        "name": name,
        "value": value,
        "unit": None,
        "page": 1,
        "quote": f"… {value} …",
        "box": None,
        "boxes": [],
        "verified": True,
        "confidence": 0.9,
        "status": "found",
        **more,
    }


FAILED = {**record(file="bad.pdf"), "status": "failed", "error_code": "damaged", "error": "It is damaged."}
