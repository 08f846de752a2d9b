"""What the page of one paper shows: values with evidence and verdicts, what its list says, sections."""

from __future__ import annotations

from tasks.files import store
from tasks.kinds.literature.fields import FIELDS, JUDGED_PARTS, LISTED, NAMED, as_text
from tasks.kinds.literature.forms.questions import Question, questions_of
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.outcomes import error_of
from tasks.kinds.literature.record import effective, read
from tasks.kinds.literature.record.sources import SOURCES, WHY
from tasks.kinds.literature.review import beside, effect
from tasks.kinds.literature.review.typing import as_typed
from tasks.kinds.literature.sentences import FIELD_WORDS


def words_of(name: str, wanted: dict[str, Question]) -> object:
    return wanted[name].words if name in wanted else FIELD_WORDS.get(name, name.replace("_", " "))


def _asked_for(name: str, wanted: dict[str, Question]) -> dict:
    """What a form for the value has to know of the template's field."""
    field = wanted.get(name)
    plain = field is None or name in JUDGED_PARTS
    return {
        "hint": field.description if field else "",
        "type": "text" if plain else field.type,
        "choices": [] if plain else field.choices,
        "wanted_unit": field.unit if field else "",
        "left_to_people": field is not None and not field.source,
    }


def _field(number: int, nth: int, field: dict, record: dict, standing: dict, wanted: dict[str, Question]) -> dict:
    name, value = field.get("name", ""), field.get("value")
    whole = record.get(name) if nth == 0 and name in JUDGED_PARTS else value
    candidates = field.get("candidates") or []
    verdict = standing.get((name, nth))
    return {
        "number": number,
        "name": name,
        "nth": nth,
        "words": words_of(name, wanted),
        **_asked_for(name, wanted),
        "value": as_text(effect.as_field(name, value)),
        "typed": as_typed(name, whole if whole not in (None, []) else value, as_text),
        "unit": field.get("unit") or (wanted[name].unit if name in wanted else ""),
        "page": field.get("page"),
        "quote": field.get("quote") or "",
        "box": field.get("box"),
        "boxes": field.get("boxes") or ([field["box"]] if field.get("box") else []),
        "verified": bool(field.get("verified")),
        "found": bool(field.get("page") or field.get("quote")),
        "ambiguous": field.get("status") == "ambiguous",
        "candidates": [as_text(c.get("value") if isinstance(c, dict) else c) for c in candidates],
        "confidence": field.get("confidence"),
        "sources": _sources(field),
        "why": WHY.get(field.get("why", ""), ""),
        "verdict": verdict,
        "seen": verdict.pk if verdict else 0,
        "machine": as_text(effect.as_field(name, verdict.machine_value)) if verdict else "",
        "long": name in NAMED and NAMED[name].long,
    }


def _sources(entry: dict) -> list[dict]:
    """What each of several sources said; [] where one source alone read the paper or has the value."""
    said = entry.get("sources") or []
    if len({one["source"] for one in said}) < 2:
        return []
    return [
        {
            "label": SOURCES[one["source"]].label if one["source"] in SOURCES else one["source"],
            "value": as_text(one.get("value")) or as_text([c.get("value") for c in one.get("candidates") or []]),
            "page": one.get("page"),
            "quote": one.get("quote") or "",
            "verified": bool(one.get("verified")),
            "stands": one["source"] == entry.get("source"),
        }
        for one in said
    ]


def _fields(record: dict, paper: Paper, wanted: dict[str, Question]) -> list[dict]:
    """Every value of the record; of an item without full text, what its list says."""
    given = record["fields"]
    if not read(paper):
        have = {field["name"] for field in given}
        plain = [{"name": name, "value": record[name]} for name in LISTED if record[name] and name not in have]
        given = plain + given
    standing = {(one.name, one.nth): one for one in effect.latest(paper)}
    shown, seen = [], {}
    for number, field in enumerate(given):
        nth = seen.get(field.get("name"), 0)
        seen[field.get("name")] = nth + 1
        shown.append(_field(number, nth, field, record, standing, wanted))
    return shown


def _missing(fields: list[dict], paper: Paper, wanted: dict[str, Question]) -> list[dict]:
    """What was looked for and not found: a reviewer may fill it in."""
    have = {field["name"] for field in fields}
    taken_back = {one.name: one.pk for one in effect.latest(paper) if one.nth == 0}
    names = list(wanted) if wanted else [field.name for field in FIELDS if field.judged]
    return [
        {
            "number": f"new-{n}",
            "name": name,
            "nth": 0,
            "words": words_of(name, wanted),
            "seen": taken_back.get(name, 0),
            "long": name in NAMED and NAMED[name].long,
            **_asked_for(name, wanted),
        }
        for n, name in enumerate(names)
        if name not in have
    ]


def _asked(page: str) -> int:
    return int(page) if page.isdecimal() and len(page) < 7 else 1


def _opened(fields: list[dict], record: dict, query) -> dict:
    """The page to show: that of ``field=N`` with its boxes, else ``page=N``, else the first."""
    chosen = query.get("field", "")
    field = next((f for f in fields if str(f["number"]) == chosen and f["page"]), None)
    sizes, pages = record.get("page_sizes") or [], record.get("pages") or 0
    number = field["page"] if field else _asked(query.get("page", ""))
    number = max(1, min(number, pages or 1))
    width, height = sizes[number - 1] if number <= len(sizes) else (612, 792)
    boxes = [
        {"x": x0 - 2, "y": y0 - 2, "width": max(x1 - x0, 1) + 4, "height": max(y1 - y0, 1) + 4}
        for x0, y0, x1, y1 in (field["boxes"] if field else [])
    ]
    return {
        "number": number,
        "pages": pages,
        "width": width,
        "height": height,
        "boxes": boxes,
        "field": field,
        "before": number - 1 if number > 1 else None,
        "after": number + 1 if number < pages else None,
    }


def _large(record: dict) -> dict:
    """Tables and captions, which the archive keeps; empty if the file is gone (the rest of the page stands)."""
    if not record.get("artefact"):
        return {}
    try:
        return store.read_json(record["artefact"])
    except FileNotFoundError:
        return {}


def _differences(record: dict, fields: list[dict]) -> list[dict]:
    seen = {field["name"]: field["seen"] for field in fields if field["nth"] == 0}
    return [
        {
            **one,
            "seen": seen.get(one["name"], 0),
            "words": FIELD_WORDS[one["name"]],
            "paper": as_typed(one["name"], one["paper"], as_text),
            "listed": as_typed(one["name"], one["listed"], as_text),
        }
        for one in beside.differences(record)
    ]


def of(paper: Paper, query, version=None) -> dict:
    """The context of the page: ``record`` is None until the paper has been read. ``version``: of the set's template."""
    code, error = error_of(paper)
    found = read(paper)
    if not found and not paper.listed:
        return {"record": None, "code": code, "error": error}
    wanted = {field.key: field for field in questions_of(version)}
    record = effective(paper)
    fields = _fields(record, paper, wanted)
    if wanted:  # what was asked for comes first, in the order of asking
        places = {key: place for place, key in enumerate(wanted)}
        fields.sort(key=lambda field: places.get(field["name"], len(places)))
    missing = _missing(fields, paper, wanted)
    large = _large(found)
    differences = _differences(record, fields + missing)
    return {
        "record": record,
        "read": bool(found),
        "authors": [" ".join(filter(None, (a.get("given"), a.get("family")))) for a in record["authors"]],
        "fields": fields,
        "missing": missing,
        "looked_for": sum(not field["left_to_people"] for field in missing),
        "left_to_people": sum(field["left_to_people"] for field in missing),
        "verified": sum(field["verified"] for field in fields),
        "judged": sum(bool(field["verdict"]) and field["verdict"].act != "withdrawn" for field in fields),
        "opened": _opened(fields, found, query),
        "has_picture": bool(found.get("page_sizes")) or paper.format == "pdf",
        "tables": large.get("tables") or [],
        "captions": large.get("captions") or [],
        "differences": differences,
        "differing": sum(one["differs"] for one in differences),
        "code": code,
        "error": error,
    }
