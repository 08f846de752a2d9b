"""What study facts look like in print: designs, counts, registries, dates, places, statements, statistics.

One pattern a fact; the rules that weigh what they match are in facts.
"""

import re

DESIGNS = [
    (
        "systematic review and meta-analysis",
        r"systematic review and (?:network )?meta-?analys[ie]s|systematic review with meta-?analysis",
    ),
    ("meta-analysis", r"meta-?analys[ie]s"),
    ("systematic review", r"systematic(?:ally)? review(?:ed)?|systematic literature review"),
    ("scoping review", r"scoping review"),
    ("study protocol", r"study protocol|protocol (?:for|of) a"),
    (
        "randomised controlled trial",
        r"randomi[sz]ed,? (?:[\w-]+,? ){0,4}(?:controlled |clinical )*trial|randomi[sz]ed controlled (?:study|"
        r"trial)|randomi[sz]ed,? (?:double|single|triple)-?\s?blind",
    ),
    ("crossover trial", r"cross-?over (?:trial|study|design)"),
    ("non-randomised trial", r"(?:non-?randomi[sz]ed|open-label|single-arm) (?:[\w-]+ )?trial|quasi-experimental"),
    (
        "cohort study",
        r"(?:prospective|retrospective)?,? ?(?:[\w-]+ )?cohort (?:study|analysis)|longitudinal study|prospective "
        r"(?:observational )?study|retrospective (?:observational )?(?:study|analysis|review)",
    ),
    ("case-control study", r"case-?\s?control(?:led)? study"),
    ("cross-sectional study", r"cross-?sectional (?:[\w-]+ )?(?:study|survey|analysis|design)"),
    ("case report", r"case report|we report (?:a|the) case"),
    ("case series", r"case series"),
    ("qualitative study", r"qualitative (?:study|interview|research)|focus group"),
    ("diagnostic accuracy study", r"diagnostic (?:accuracy|test accuracy) study"),
    (
        "animal experiment",
        r"\b(?:wistar|sprague[- ]?dawley|swiss albino|balb/?c|c57bl/?6\w*|albino) (?:[\w-]+ )?(?:rats?|mice|"
        r"mouse)|\b(?:rats|mice|broilers?|rabbits|zebrafish|piglets) (?:were|was) (?:randomly |divided|fed|"
        r"treated|allocated|assigned)",
    ),
    (
        "in vitro study",
        r"in[ -]?vitro (?:study|model|evaluation|assays?|antifungal|antibacterial|antimicrobial|antioxidant|"
        r"activity|cytotoxicity)|cell lines? (?:was|were)",
    ),
    ("in silico study", r"in[ -]?silico|molecular docking study"),
    (
        "review",
        r"\b(?:this|present|the current|narrative|literature|an?) review\b|^a review|: a review|review article|we "
        r"review\b",
    ),
]
HINTS = {  # a word that must be there, for a plain search is ten times cheaper than a pattern
    "": (
        "trial",
        "study",
        "studies",
        "report",
        "series",
        "interview",
        "focus group",
        "research",
        "analys",
        "survey",
        "design",
        "review",
    ),
    "animal experiment": ("rat", "mice", "mouse", "broiler", "zebrafish", "piglet", "rabbit"),
    "in vitro study": ("vitro", "cell line"),
    "in silico study": ("silico", "docking"),
}
REGISTRY = re.compile(
    r"\b(NCT\s?0\d{7}|ISRCTN\s?\d{8}|ChiCTR[-\w]{0,6}\d{6,11}|ACTRN\s?\d{14}|CTRI/\d{4}/\d{1,3}/\d{3,6}|"
    r"IRCT\s?\d{8,18}(?:N\d+)?|UMIN\s?\d{9}|DRKS\s?\d{8}|NTR\s?\d{3,5}|"
    r"PACTR\s?\d{15,16}|jRCT\w?\d{9,10}|KCT\s?\d{7}|TCTR\s?\d{11}|RBR-\w{6,7}|CRD\s?42\d{6,10}|SLCTR/\d{4}/\d{3}|"
    r"EudraCT(?: (?:number|no\.?))?:?\s?20\d\d-\d{6}-\d\d)"
)
UNITS = (
    r"(?:(?:[a-z-]+ ){0,3}?)(?:patients|participants|subjects|individuals|women|men|children|adults|"
    r"volunteers|students|respondents|infants|neonates|adolescents|people|persons|cases|pregnant women|nurses|"
    r"physicians|households|rats|mice|animals|broilers|birds|chicks|rabbits|pigs|piglets|dogs|cats|goats|sheep|"
    r"cows|calves|fish|isolates|samples|specimens|studies|articles|trials|genotypes|accessions)"
)
WORDS = {
    w: n
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}
WORDS |= {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
}
COUNT = (
    r"(?:\d{1,3}(?:[, ]\d{3})+|\d+|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|"
    r"four|five|six|seven|eight|nine))?|" + "|".join(list(WORDS)[2:21]) + ")"
)
TAKEN = (
    r"(?:enrol+ed|included|recruited|randomi[sz]ed|randomly|divided|allocated|assigned|studied|participated|"
    r"analy[sz]ed|selected|completed|used in|were used|evaluated|collected|took part|obtained)"
)
SAMPLE = [
    (3, re.compile(rf"\b(?:a )?total of ({COUNT}) ({UNITS})\b", re.I)),
    (3, re.compile(rf"\bsample (?:size )?(?:of|was|consisted of|comprised) ({COUNT})()\b ?(?:{UNITS})?", re.I)),
    (2, re.compile(rf"\b({COUNT}) ({UNITS})\b[^.;]{{0,60}}?\b(?:were|was|had been)?\s*{TAKEN}", re.I)),
    (
        2,
        re.compile(
            rf"\b(?:enrol+ed|included|recruited|randomi[sz]ed|identified|analy[sz]ed) ({COUNT}) ({UNITS})\b", re.I
        ),
    ),
    (1, re.compile(rf"\b(?:in|of|with|on|from|among) ({COUNT}) ({UNITS})\b", re.I)),
]
MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|"
    r"Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{MONTH} (?:\d{{1,2}}, )?)?(?:19|20)\d\d"
PERIOD = re.compile(
    rf"\b(?:between|from|during) ((?:\d{{1,2}} )?{MONTH}(?: \d{{1,2}},?)? ?(?:(?:19|20)\d\d)?|(?:19|20)\d\d) "
    rf"?(?:and|to|until|till|through|–|-) ?({DATE})\b"
)
GROUPS = re.compile(
    rf"\b(?:divided|assigned|allocated|randomi[sz]ed|distributed|split|categori[sz]ed|"
    rf"grouped)\b[^.;]{{0,70}}?\b(?:in)?to (?:one of )?({COUNT}) (?:[\w-]+ ){{0,3}}(?:groups|arms|categories|"
    rf"treatments)\b",
    re.I,
)
SETTING = re.compile(
    r"\b(?:conducted|performed|carried out|recruited|admitted|attending|enrolled|undertaken|held|housed|reared|"
    r"procured|collected)\b[^.;]{0,60}?\b(?:at|in|from|by) ((?:the |a |an )?(?:[A-Z][\w’'.&-]*|of|and|for|the|in|"
    r",)(?: (?:[A-Z][\w’'.&-]*,?|of|and|for|the|in|de|del)){0,14})"
)
PLACE = re.compile(
    r"hospital|universit|clinic|cent(?:er|re)|institute|college|school|laborator|farm|ward|department|faculty", re.I
)
OUTCOME = re.compile(
    r"\bprimary (?:efficacy |study |clinical )?(?:outcomes?|end-?\s?points?)(?: measures?| variables?)? (?:was|"
    r"were|is|are|included|of)\b",
    re.I,
)
P = re.compile(
    r"\b[pP](?:-?\s?values?)?\s*(?:of\s*)?([<>=≤≥]|&lt;)\s*(0?\.\d+(?:\s?[×x]\s?10\s?[-−–]\s?\d+)?|[01]\.0+|"
    r"\d\.?\d*\s?[×x]\s?10\s?[-−–]\s?\d+)"
)
EFFECT = re.compile(
    r"\b(adjusted odds ratio|odds ratio|hazard ratio|relative risk|risk ratio|rate ratio|risk difference|"
    r"(?:standardi[sz]ed |weighted )?mean difference|aOR|aHR|OR|RR|HR|IRR|SMD|WMD|MD|ARR)\b"
    r"[\s,:=(\[]*(?:of|was|is)?[\s:=]*([-−–]?\d+(?:\.\d+)?)[^.\d]{0,20}?\(?\[?\s*(?:(\d\d)\s?%\s?(?:CI|confidence "
    r"interval)s?)[\s:,=(\[]*([-−–]?\d+(?:\.\d+)?)\s*(?:-|–|−|to|,|;)\s*([-−–]?\d+(?:\.\d+)?)",
    re.I,
)
ETHICS = re.compile(r"\b(?:ethic\w*|institutional review|IRB|animal care|IACUC|IAEC|Helsinki|CPCSEA)\b", re.I)
APPROVED = re.compile(
    r"approv|waive|exempt|permission|in accordance|according to|complied|guidelines|not required|not applicable|"
    r"certificate",
    re.I,
)
FUNDED = re.compile(
    r"\b(?:(?:was|is|were|been|are) (?:\w+ )?(?:supported|funded|financed|sponsored)\b|supported by|funded by|"
    r"financial(?:ly)? support|funding (?:from|was|by)|grants? (?:from|no|number)|self-funded|received no (?:\w+ "
    r")?(?:funding|financial)|no (?:specific )?funding|acknowledge .{0,60}(?:grant|funding|financial))",
    re.I,
)
CONFLICT = re.compile(
    r"\b(?:no|any|not have (?:any )?)\s?(?:potential |financial |known |commercial )?(?:conflicts? of interests?|"
    r"competing (?:financial |non-financial )?interests?|competing)|\bcompeting interests?\b[^.]*\bdeclare|"
    r"\bconflicts? of interests?\b[^.]*\b(?:declare|disclose|none)",
    re.I,
)
DATA = re.compile(
    r"\b(?:data(?:sets?)?|sequences?|materials?)\b[^.]{0,120}\b(?:available|deposited|accessible|included within|"
    r"accession)\b|\ball data (?:generated|supporting)|\bdata sharing (?:is )?not applicable",
    re.I,
)
