"""The JSON Schema of the exported records, made from ``fields``.

``manage.py record_schema`` writes it to PATH, where the page of a set's exports links it; a test holds the two equal.
"""

from __future__ import annotations

from pathlib import Path

from tasks.kinds.literature.fields import FIELDS, Field, Type
from tasks.kinds.literature.outcomes import OUTCOMES
from tasks.kinds.literature.review.models import Act

PATH = Path(__file__).resolve().parents[1] / "static" / "literature" / "records.schema.json"
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_WHOLE_OR_NULL = {"type": ["integer", "null"]}
_VALUE = {"description": "Text, number, list or object, by field."}
_BOX = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}
_OF_TYPE: dict[Type, dict] = {
    Type.WHOLE: _WHOLE_OR_NULL,
    Type.TEXTS: {"type": "array", "items": _TEXT},
    Type.PEOPLE: {"type": "array", "items": {"$ref": "#/$defs/author"}},
    Type.SECTIONS: {"type": "array", "items": {"$ref": "#/$defs/section"}},
    Type.REFERENCES: {"type": "array", "items": {"$ref": "#/$defs/reference"}},
}


def document() -> dict:
    """The whole schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:sheaf:records:1",
        "title": "Records of a literature set",
        "description": "What Sheaf exports as JSON: an object for each paper given, in the order of giving. Every key "
        "is always there; what the paper does not say is null or an empty list.",
        "type": "array",
        "items": {"$ref": "#/$defs/record"},
        "$defs": {
            "record": _record(),
            "author": _author(),
            "section": _section(),
            "reference": _reference(),
            "field": _entry(),
            "signed": {
                "type": "object",
                "required": ["by", "at"],
                "properties": {"by": _TEXT_OR_NULL, "at": {**_TEXT, "description": "ISO 8601."}},
            },
        },
    }


def _record() -> dict:
    parts = {field.name: _part(field) for field in FIELDS if field.is_part}
    properties = {
        "file": {**_TEXT, "description": "Folder and name of the file as it was given."},
        "status": {
            "enum": sorted(OUTCOMES),
            "description": "What became of it; a paper that succeeded has values from its text, one that is listed "
            "those of its reference list.",
        },
        "error_code": {**_TEXT_OR_NULL, "description": "Why there are no values; the same in every language."},
        "error": {**_TEXT_OR_NULL, "description": "The reason in words, with what to do."},
        **parts,
        "fields": {
            "type": "array",
            "items": {"$ref": "#/$defs/field"},
            "description": "Every value with the place where it stands.",
        },
        "listed": {
            "description": "What a reference list says of the same paper, under the names of a record.",
            "anyOf": [{"type": "null"}, {"type": "object"}],
        },
        "reviewed": {
            "description": "Who marked the paper as reviewed, and when.",
            "anyOf": [{"type": "null"}, {"$ref": "#/$defs/signed"}],
        },
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["text", "by", "at"],
                "properties": {"text": _TEXT, "by": _TEXT_OR_NULL, "at": _TEXT},
            },
        },
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties | {"wanted": _answers()},
        "required": list(properties),
    }


def _part(field: Field) -> dict:
    found = _OF_TYPE.get(field.type, _TEXT_OR_NULL)
    return {**found, "description": field.in_json} if field.in_json else found


def _answers() -> dict:
    return {
        "type": "object",
        "description": "Only in sets with a template: its fields by name, in their order.",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": False,
            "required": ["words", "value", "unit"],
            "properties": {
                "words": {**_TEXT, "description": "What people call the field."},
                "value": {
                    "description": "Text, number, true or false; null when it was not found and nobody filled it in."
                },
                "unit": _TEXT_OR_NULL,
            },
        },
    }


def _author() -> dict:
    return {
        "type": "object",
        "properties": {
            "family": _TEXT_OR_NULL,
            "given": _TEXT_OR_NULL,
            "affiliations": {"type": "array", "items": _TEXT},
            "email": _TEXT_OR_NULL,
            "orcid": _TEXT_OR_NULL,
        },
        "additionalProperties": False,
    }


def _section() -> dict:
    return {
        "type": "object",
        "required": ["title", "level", "page"],
        "properties": {
            "title": _TEXT,
            "level": {"type": "integer", "minimum": 1},
            "page": {**_WHOLE_OR_NULL, "description": "Counted from 1."},
        },
        "additionalProperties": False,
    }


def _reference() -> dict:
    return {
        "type": "object",
        "required": ["text"],
        "properties": {
            "text": {**_TEXT, "description": "As printed."},
            "doi": _TEXT_OR_NULL,
            "year": _WHOLE_OR_NULL,
            "title": _TEXT_OR_NULL,
            "authors": {"type": ["array", "null"], "items": _TEXT},
            "journal": _TEXT_OR_NULL,
        },
        "additionalProperties": False,
    }


def _entry() -> dict:
    """An entry of "fields". ``source``, ``why`` and ``sources`` are there where several sources read the paper."""
    place = {"value": _VALUE, "unit": _TEXT_OR_NULL, "page": _WHOLE_OR_NULL, "quote": _TEXT_OR_NULL}
    return {
        "type": "object",
        "required": ["name", "value", "page", "quote", "verified", "status"],
        "properties": {
            "name": _TEXT,
            "value": _VALUE,
            "unit": _TEXT_OR_NULL,
            "page": {**_WHOLE_OR_NULL, "description": "Page of the file, counted from 1."},
            "quote": {**_TEXT_OR_NULL, "description": "The words from which the value was read."},
            "box": {
                "description": "[x0, y0, x1, y1] in points from the page's top left, around all boxes.",
                "anyOf": [{"type": "null"}, _BOX],
            },
            "boxes": {
                "type": "array",
                "items": _BOX,
                "description": "One box for each printed line of the quote.",
            },
            "verified": {
                "type": "boolean",
                "description": "The quote was looked up on that page and stands there.",
            },
            "confidence": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
            "calibrated": {
                "type": "boolean",
                "description": "Whether the confidence was measured on papers whose values are known; where false it "
                "is a count of signs, and no share of right values.",
            },
            "status": {"enum": ["found", "ambiguous"]},
            "candidates": {
                "type": "array",
                "description": "Of an ambiguous field.",
                "items": {"type": "object", "properties": place},
            },
            "machine_value": {"description": "What was read from the paper, where a person has judged the value."},
            "review": {
                "type": "object",
                "required": ["act", "by", "at"],
                "properties": {
                    "act": {"enum": [Act.CONFIRMED.value, Act.CORRECTED.value]},
                    "by": _TEXT_OR_NULL,
                    "at": _TEXT,
                },
            },
            "source": {**_TEXT, "description": "The source whose value stands, where several read the paper."},
            "why": {
                "enum": ["only", "verified", "agreed", "surer", "preferred"],
                "description": "Why that source's value stands and not another's.",
            },
            "sources": {
                "type": "array",
                "description": "What each of several sources said.",
                "items": {
                    "type": "object",
                    "required": ["source", "value"],
                    "properties": {"source": _TEXT, **place},
                },
            },
        },
        "additionalProperties": False,
    }
