"""What a person's name looks like in print, in any script, and what only looks like one."""

import re

from .countries import is_country
from .families import EAST_NAME, PARTICLES

_DEGREES = re.compile(
    r"^(?=.{1,48}$)(?:(?:ph\.?\s?d|d\.?phil|m\.?\s?d|m\.?sc|m\.?phil|b\.?sc|b\.?a|sc\.?d|d\.?sc|mph|mha|mhs|msph|mpp|dds|mds|bds|"
    r"r\.?n|msn|bsn|mn|cns|fr?c[ps]\w*+|mrc[ps]\w*+|fac[cps]|fesc|faha|fidsa|mbbs|mbb?\.?ch\w?|mb|bs|bch\w?|dvm|"
    r"pharm\.?d|mba|"
    r"ms|ma|dmd|dr\.?ph|psy\.?d|ed\.?d|[bm]pharm|m\.?eng|b\.?eng|m\.?tech|b\.?med\.?sci|bmedsc|bm|m\.?med|rd|rph|pt|"
    r"dpt|"
    r"hons|esq|d\.?o|dnb|mch|dch|d\.?m|cph|ccc-slp|dr|prof|professor|associate professor|assistant professor|"
    r"ing|dipl\.?-?ing|mag|(?:(?:senior|student|life|associate|graduate student)\s+)?(?:member|fellow)|ieee|acm)"
    r"\.?[\s/]*)+$",
    re.I,
)
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv|2nd|3rd)\.?$", re.I)
_SMALL_WORDS = set("the a an of in on for to from with or is are and und et".split())
_NO_PERSON = {  # words of labels, organisations and addresses of which each could be part of a name by its look
    *"study trial trials review article protocol report analysis access journal letter version".split(),
    *"check updates view online original research open volume supplementary results methods abstract".split(),
    *"university universidade universidad universität universitat universite université universita college".split(),
    *"school institute institut instituto istituto laboratory laboratories labs lab center centre centro".split(),
    *"department departamento departement faculty faculdade facultad fakultät division section unit academy".split(),
    *"corporation corp inc ltd llc gmbh company technologies technology systems solutions software group team".split(),
    *"hospital clinic clinical foundation society association council ministry agency bureau office campus".split(),
    *"google microsoft yahoo ibm facebook amazon intel nvidia adobe baidu tencent alibaba huawei rstudio".split(),
    *"deepmind openai inria cnrs kaist nasa mitre epfl ucla ucsd csail uc mit cmu eth usa uk".split(),
    *"science sciences engineering computing computer informatics mathematics physics statistics medicine".split(),
    *"independent researcher student professor lecturer member fellow editor editors supervisor advisor".split(),
    *"road avenue boulevard province county city district building".split(),
    *"proceedings conference workshop symposium technical tech thesis dissertation project manuscript draft".split(),
    *"january february july september october november december".split(),
    *"running head author authors note corresponding contents table figure introduction keywords".split(),
    *"entertainment ecole école normale technische universiteit via rue calle strasse straße suite".split(),
    *"palo alto angeles pittsburgh seattle cambridge berkeley stanford".split(),
    *"grid verlag publishers publishing bank capital ventures partners consulting studio".split(),
    *"università universitaria politecnico politécnica politécnico polytechnic hochschule fachhochschule".split(),
    *"кафедра кафедры университет университета институт института студент студентка аспирант аспирантка".split(),
    *"доцент профессор преподаватель руководитель научный российская федерация департамент факультет удк".split(),
    *"инженер бакалавр магистрант аннотация введение санкт-петербург москва".split(),
}
_STATES = set(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA RI SC SD TN TX UT VT VA WA WV WI WY DC ON BC QC".split()
)
_COUNTRY_NAMES = {"Jordan", "Chad", "Israel", "Georgia", "Niger", "Cuba", "Wales", "England", "Ireland", "France"}
_EAST_PLACE = re.compile(
    "大学|大學|学院|研究|公司|中心|医院|病院|实验室|研究所|学校|科学|技术|工程|课题|摘要|目录|关键|学号|专业|论文|教授"
)
_CAPITALS = re.compile(r"[^\W\d_](?:[\w’'`´ʼ.]|-)*")
_ELIDED = re.compile(r"(?:[dDlLO][’'`´]|[aAeE]l-|ʻ)[^\W\d_][\w’'-]+")
_SMALL_PARTS = {*PARTICLES, "e", "y", "i", "s/o", "d/o"}


def is_degree(text: str) -> bool:
    """A degree, a grade of membership or a form of address: belongs to the name before it."""
    return bool(_DEGREES.match(text))


def is_suffix(text: str) -> bool:
    """`Jr.`, `III`."""
    return bool(_SUFFIX.match(text))


def without_suffixes(tokens: list[str]) -> tuple[list[str], list[str]]:
    """(tokens of the name, what was taken off its end: single letters of a mark, degrees, `Jr.`)."""
    name, ends = list(tokens), []
    while len(name) > 2 and (_is_mark(name[-1]) or is_suffix(name[-1]) or _capital_degree(name[-1])):
        ends.insert(0, name.pop())
    return name, ends


def _is_mark(token: str) -> bool:
    return len(token) == 1 and token.islower()


def _capital_degree(last: str) -> bool:
    """`MD` in `Ana Ruiz MD`."""
    return (
        is_degree(last)
        and len(last.strip(".")) > 1
        and (last.isupper() or not last.islower())
        and sum(c.isupper() for c in last) > 1
    )


def _token(token: str) -> bool:
    if token.lower().rstrip(".") in _SMALL_PARTS or token.lower() in _SMALL_PARTS:
        return True
    if _ELIDED.fullmatch(token):
        return True
    return token[:1].isupper() and bool(_CAPITALS.fullmatch(token))


def is_name(text: str) -> bool:
    """A person's name of two words or more, or of two to five East Asian characters; a degree counts as one, too."""
    if is_east_name(text):
        return True
    tokens = text.split()
    if tokens and is_degree(text):
        return True
    tokens, _ = without_suffixes(tokens)
    if not 1 < len(tokens) <= 7 or not all(_token(t) for t in tokens):
        return False
    if not any(len(t.strip(".")) > 1 and t[:1].isupper() for t in tokens):
        return False
    return not has_no_person(" ".join(tokens))


def is_east_name(text: str) -> bool:
    """Two to five Chinese characters, or Korean syllables, that name no institution."""
    return bool(EAST_NAME.match(text)) and not _EAST_PLACE.search(text)


def has_no_person(text: str) -> bool:
    """One of the words is no person's: an institution, a place, a label, a month, a web address."""
    tokens = [t.strip(".,") for t in text.split()]
    if any(t.lower() in _NO_PERSON or t in _SMALL_WORDS for t in tokens):
        return True
    if any(t.lower() in ("the", "of", "for") for t in tokens):
        return True
    if re.search(r"\b(?:San|Los|New|Fort) (?:Diego|Francisco|Jose|José|Angeles|York|Jersey|Haven|Delhi)\b", text):
        return True
    if re.search(r"\.(?:com|org|edu|net|ai|io)\b|!", text):
        return True
    if tokens and tokens[-1] in _STATES and len(tokens) > 1 and not all(t.isupper() for t in tokens):
        return True
    return is_country(text) or len(tokens) > 1 and is_country(tokens[-1]) and tokens[-1] not in _COUNTRY_NAMES
