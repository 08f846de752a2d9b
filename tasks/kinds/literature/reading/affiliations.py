"""Addresses, e-mail and ORCID of the authors, matched by the marks of the print."""

import re

from .lines import Line
from .names import part_of

AFFILIATION = re.compile(
    r"\b(universi|univ\b|department|dept\b|depart[ea]ment|institut|istituto|facult|faculdade|facultad|fakult|school of|"
    r"college|hospital|laborator|centre|center for|center of|centro de|academy|academia|ministry|division of|"
    r"corporation|inc\.|ltd|gmbh|clinic|clínica|foundation|fundação|fundación|research group|p\.?o\.? ?box|unit of|"
    r"programme?|programa de|graduate|council|e-?mail|escola|escuela|école|hochschule|lehrstuhl|dipartimento|"
    r"universit|laboratoire|politecnic|polytechnic|technische|labs?\b|research center|"
    r"университет|институт|кафедр|факультет|академи|лаборатори|студент|аспирант|доцент|профессор|СПбГУ|"
    r"департамент|г\. )|大学|大學|学院|研究所|研究院|研究室|医院|病院|公司|实验室",
    re.I,
)
ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_LEGAL = re.compile(
    r"permission to make|copyright|©|creative commons|licen[cs]e|distributed under|unrestricted use|open access", re.I
)


def attach_affiliations(people: list[dict], after: list[Line]) -> None:
    """Affiliations by mark, or all of them when nothing is marked; e-mails by name; in place."""
    block, legal = [], False
    for line in after[:70]:
        if part_of(line.text) or re.match(
            r"^\W*(abstract|summary|background:|keywords?|received|introduction|article history)\b", line.text, re.I
        ):
            break
        if _LEGAL.search(line.text):
            legal = True
        elif legal and not (line.words[0].raised or AFFILIATION.match(line.text)):
            continue
        else:
            legal = False
        if not legal:
            block.append(line)
    entries = _address_entries(block)
    marked = {m: a for m, a in entries if m}
    for person in people:
        marks = re.findall(r"\d+|[IVX]{1,4}|[a-z]|[^\w\s,]", person.pop("marks"))
        places = [marked[m] for m in marks if m in marked]
        if not places and not marked:
            places = [a for _, a in entries]
        person["affiliations"] = places
        person["email"], person["orcid"] = None, None
        person["corresponding"] = any(m in "*∗⁎✉" for m in marks)
    text = " ".join(k.text for k in after)
    emails = list(dict.fromkeys(m.rstrip(".-") for m in EMAIL.findall(text)))
    for email in emails:
        owners = [p for p in people if _of(email, p)]
        if len(owners) > 1:
            owners = [p for p in owners if _given_in(email, p)]
        if len(owners) == 1 and not owners[0]["email"]:
            owners[0]["email"] = email
    chief = [p for p in people if p["corresponding"]]
    if people and len(emails) == 1 and not any(p["email"] for p in people):
        (chief or people)[0 if chief or len(people) == 1 else -1]["email"] = (
            emails[0] if chief or len(people) == 1 else None
        )
    ids = ORCID.findall(text)
    if len(ids) == len(people):
        for person, orcid in zip(people, ids, strict=True):
            person["orcid"] = orcid


def _given_in(email, person) -> bool:
    local = re.sub(r"[^a-z]", "", email.split("@")[0].lower())
    given = person["given"].split(" ")[0].strip(".").lower()
    return len(given) > 1 and given in local


def _of(email, person) -> bool:
    local = re.sub(r"[^a-z]", "", email.split("@")[0].lower())
    family = re.sub(r"[^a-z]", "", person["family"].lower())
    return len(family) > 3 and family in local


def _address_entries(block):
    entries: list[list] = []
    for line in block:
        if (
            "@" in line.text
            or re.match(r"^\W*(correspond|e-?mail|address)", line.text, re.I)
            and not AFFILIATION.search(line.text)
        ):
            continue
        mark, text = "", ""
        for word in line.words:
            token = word.text.strip(",")
            starts = word.raised and re.fullmatch(r"\d{1,2}|[IVX]{1,4}|[a-z]|[*†‡§¶#]", token)
            inline = re.fullmatch(r"(\d{1,2})[.)]", word.text) if not word.raised else None
            if starts or (inline and (not text or text.rstrip().endswith((";", ",", ".")))):
                if text.strip():
                    _push(entries, mark, text)
                mark, text = (token if starts else inline[1]), ""
            else:
                text += word.text if word.glue and text else " " + word.text
        leading = re.match(r"^\s*(\d{1,2}|[a-z])(?=\s*[A-Z])\s*(.*)", text) if not mark else None
        if leading and len(leading[1]) and not AFFILIATION.match(leading[1]):
            mark, text = leading[1], leading[2]
        if text.strip():
            _push(entries, mark, text)
    tidy = [(m, re.sub(r"\s+", " ", a).strip(" ;,.")) for m, a in entries if AFFILIATION.search(a)]
    return [(m, a) for m, a in tidy if len(a) < 400]


def _push(entries, mark, text):
    if not mark and entries and not (AFFILIATION.match(text.strip()) and entries[-1][1].rstrip().endswith(".")):
        entries[-1][1] += " " + text.strip()
    else:
        entries.append([mark, text.strip()])
