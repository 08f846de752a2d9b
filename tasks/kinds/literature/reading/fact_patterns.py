"""What study facts look like in print: designs, counts, registries, dates, places, statements, statistics.

One pattern a fact; the rules that weigh what they match are in facts.
"""

import re

DESIGNS = [
    (
        "systematic review and meta-analysis",
        r"systematic review and (?:network )?meta-?analys[ie]s|systematic review with meta-?analysis",
    ),
    ("systematic review and meta-analysis", r"系统评价(?:与|和|及)\s?meta\s?分析"),
    ("meta-analysis", r"meta-?analys[ie]s|meta\s?分析|荟萃分析"),
    ("systematic review", r"systematic(?:ally)? review(?:ed)?|systematic literature review|系统(?:评价|综述)"),
    ("scoping review", r"scoping review"),
    ("study protocol", r"study protocol|protocol (?:for|of) a"),
    (
        "randomised controlled trial",
        r"randomi[sz]ed,? (?:[\w-]+,? ){0,4}(?:controlled |clinical )*trial|randomi[sz]ed controlled (?:study|"
        r"trial)|randomi[sz]ed,? (?:double|single|triple)-?\s?blind",
    ),
    (
        "randomised controlled trial",
        r"随机(?:、|，)?(?:双盲|单盲)?(?:、|，)?(?:平行)?对照(?:试验|研究|设计)|随机对照|随机分为",
    ),
    (
        "crossover trial",
        r"(?<!case-)(?<!case )(?<!case–)cross-?over (?:trial|study)|randomi[sz]ed,? (?:[\w-]+,? ){0,4}cross-?over|"
        r"cross-?over design[^.]{0,60}\b(?:was used|patients|participants|volunteers|subjects)",
    ),
    (
        "non-randomised trial",
        r"(?:non-?randomi[sz]ed|open-label|single-arm),? (?:[\w-]+,? ){0,4}?(?:trial|study)|quasi-experimental",
    ),
    (
        "cohort study",
        r"(?:prospective|retrospective)?,? ?(?:[\w-]+ )?cohort (?:study|analysis)|longitudinal study|prospective "
        r"(?:observational )?study|retrospective (?:observational )?(?:study|analysis|review)",
    ),
    ("cohort study", r"队列研究|回顾性(?:分析|研究)|前瞻性(?:观察|研究)"),
    ("case-crossover study", r"case-?\s?cross-?over"),
    ("case-control study", r"case[-–]?\s?control(?:led)? (?:study|studies|analysis|investigation|design)|病例对照研究"),
    (
        "interrupted time series",
        r"interrupted time[- ]series|segmented regression (?:was|analysis)|controlled before-?\s?and-?\s?after study|"
        r"中断时间序列",
    ),
    (
        "prediction model study",
        r"(?:external|internal|temporal) validation of|validation of an? [\w -]{0,40}(?:model|classifier|score|"
        r"algorithm|tool|"
        r"rule)|prediction model|prognostic model|we (?:externally )?validated (?:an?|the|one)\b|predictive nomogram",
    ),
    ("outbreak investigation", r"outbreak investigation|investigation of an outbreak|an outbreak of"),
    ("ecological study", r"ecological (?:study|analysis)|time-?series (?:study|analysis)"),
    ("economic evaluation", r"cost-?\s?effectiveness (?:analysis|study)|cost-?\s?utility|economic evaluation"),
    ("Mendelian randomisation", r"mendelian randomi[sz]ation"),
    ("genome-wide association study", r"genome-?wide association (?:study|analysis)"),
    (
        "cross-sectional study",
        r"cross-?\s?sectional (?:[\w-]+ ){0,2}(?:study|survey|analysis|design|data)|横断面|现况调查|school-?based "
        r"survey|"
        r"population-?based survey|household survey|questionnaire survey|online survey|national survey|: an? survey\b|"
        r"\bsurvey of [\d,]+",
    ),
    (
        "clinical trial",
        r"\bphase (?:[1-4]|I{1,3}|IV)[ab]?(?:[/-](?:[1-4]|I{1,3})[ab]?)? (?:[\w-]+,? ){0,3}(?:trial|study)\b|"
        r"prospective (?:[\w-]+ )?clinical trial",
    ),
    ("case report", r"case report\b(?! form)|个案报道|病例报告|we report (?:a|the) case"),
    ("case series", r"case series"),
    (
        "qualitative study",
        r"qualitative (?:\w+ )?(?:study|interviews?|research)|focus groups?|质性研究|thematic analysis",
    ),
    (
        "diagnostic accuracy study",
        r"diagnostic (?:test )?accuracy|study of diagnostic accuracy|诊断(?:准确性|试验)|"
        r"sensitivity and specificity of .{0,80}(?:for|against|compared)",
    ),
    (
        "animal experiment",
        r"\b(?:wistar|sprague[- ]?dawley|swiss albino|balb/?c|c57bl/?6\w*|albino) (?:[\w-]+ )?(?:rats?|mice|"
        r"mouse)|\b(?:rats|mice|broilers?|rabbits|zebrafish|piglets) (?:were|was) (?:randomly |divided|fed|"
        r"treated|allocated|assigned)",
    ),
    (
        "in vitro study",
        r"in[ -]?vitro (?:study|model|evaluation|assays?|antifungal|antibacterial|antimicrobial|antioxidant|"
        r"activity|cytotoxicity)|cell lines? (?:was|were)|cells (?:was|were) (?:cultured|seeded|treated|maintained|"
        r"plated|grown|"
        r"incubated|exposed)|(?:agar|dis[ck]|well)[- ]diffusion|broth (?:micro-?)?dilution|minim(?:um|"
        r"al) inhibitory concentrations?",
    ),
    ("in silico study", r"in[ -]?silico|molecular docking study"),
    (
        "review",
        r"\b(?:this|present|the current|narrative) review(?! (?:process|team|system|comment|request))\b|^a review|"
        r": an? "
        r"(?:[\w-]+ ){0,2}review\b|\bthis (?:literature|review article|mini-?review)\b|"
        r"\b(?:this|the present) (?:paper|article|work) (?:\w+ )?reviews?\b|\bwe review(?:ed)? (?:here )?(?:the |"
        r"recent |current |"
        r"available |published )*(?:literature|evidence|studies|research|advances|progress|data|knowledge)",
    ),
]
IN_TITLE = [  # said in a title these name the design, elsewhere they may tell of others' work
    (
        "animal experiment",
        r"\bin (?:[\w-]+ ){0,2}(?:rats?|mice|rabbits?|broilers?|piglets?|pigs|zebrafish|dogs|sheep|goats|chickens?|"
        r"(?:mouse|rat|murine|rabbit) models?)\b",
    ),
    ("in vitro study", r"\bin[ -]?vitro\b"),
]
HINTS = {  # one of these words must be there, for a plain search is ten times cheaper than a pattern
    "systematic review and meta-analysis": ("meta", "系统评价"),
    "meta-analysis": ("meta", "荟萃"),
    "systematic review": ("systematic", "系统"),
    "scoping review": ("scoping",),
    "study protocol": ("protocol",),
    "randomised controlled trial": ("randomi", "随机"),
    "crossover trial": ("over",),
    "non-randomised trial": ("randomi", "open-label", "single-arm", "quasi"),
    "cohort study": ("cohort", "longitudinal", "prospective", "retrospective", "队列", "回顾", "前瞻"),
    "case-crossover study": ("crossover", "cross-over"),
    "case-control study": ("case", "病例对照"),
    "interrupted time series": ("time series", "time-series", "segmented", "before", "中断"),
    "prediction model study": ("validat", "model", "nomogram"),
    "outbreak investigation": ("outbreak",),
    "ecological study": ("ecological", "series"),
    "economic evaluation": ("cost", "economic"),
    "Mendelian randomisation": ("mendelian",),
    "genome-wide association study": ("genome",),
    "cross-sectional study": ("sectional", "survey", "横断面", "现况"),
    "clinical trial": ("phase", "clinical trial"),
    "case report": ("case report", "we report", "个案", "病例报告"),
    "case series": ("case series",),
    "qualitative study": ("qualitative", "focus group", "thematic", "质性"),
    "diagnostic accuracy study": ("accuracy", "sensitivity", "诊断"),
    "animal experiment": ("rat", "mice", "mouse", "broiler", "zebrafish", "piglet", "rabbit", "albino", "wistar"),
    "in vitro study": ("vitro", "cell", "diffusion", "dilution", "inhibitory"),
    "in silico study": ("silico", "docking"),
    "review": ("review",),
}
REGISTRY = re.compile(
    r"(?<![A-Za-z0-9])(NCT\s?-?0\d{7}|ISRCTN\s?\d{8}|ChiCTR[-\w]{0,6}\d{6,11}|ACTRN\s?\d{14}|"
    r"CTRI/\d{4}/\d{1,3}/\d{3,6}|"
    r"IRCT\s?\d{8,18}(?:N\d+)?|(?:JPRN-)?UMIN\s?\d{9}|JPRN-\w{6,16}|DRKS\s?\d{8}|NTR\s?\d{3,5}|NL\d{4,5}(?![\d.])|"
    r"NL-OMON\d{4,6}|PACTR\s?\d{12,18}|jRCT\w?\d{9,10}|KCT\s?\d{7}|TCTR\s?\d{11}|RBR-\w{6,7}|CRD\s?42\d{6,12}|"
    r"SLCTR/\d{4}/\d{3}|LBCTR\d{8,10}|RPCEC\d{8}|PER-\d{3}-\d{2}|HKUCTR-\d{3,5}|TPCTR\d{6,9}|"
    r"(?:EUCTR|EudraCT(?: (?:number|no\.?))?:?\s?)20\d\d[-–]\d{6}[-–]\d\d|U1111-\d{4}-\d{4}|"
    r"20\d\d-5\d{5}-\d\d-\d\d|INPLASY\d{9}|"
    r"osf\.io/[a-z0-9]{5}\b|OSF-[A-Z0-9]{2,}(?:-[A-Z0-9]+)*)"
)
UNITS = (
    r"(?:(?:[a-z-]+ ){0,3}?)(?:patients|participants|subjects|individuals|women|men|children|adults|"
    r"volunteers|students|respondents|infants|neonates|adolescents|people|persons|cases|pregnant women|nurses|"
    r"physicians|households|rats|mice|animals|broilers|birds|chicks|rabbits|pigs|piglets|dogs|cats|goats|sheep|"
    r"cows|calves|fish|isolates|samples|specimens|genotypes|accessions|pupils|residents|workers|smokers|never-smokers|"
    r"mothers|newborns|neonates|boys|girls|older people|veterans|donors|survivors|caregivers|eyes|knees|teeth|"
    r"admissions|births|pregnancies|doctors|villagers|farmers|teachers|outpatients|inpatients|volunteers)"
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
MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|"
    r"Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?"
)
DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{MONTH} (?:\d{{1,2}}, )?)?(?:19|20)\d\d"
PERIOD = re.compile(
    rf"(?:\b(?:[Bb]etween|[Ff]rom|[Dd]uring|in the period|over the period|[Dd]ates?:?)\s|[(])((?:\d{{1,2}}(?:st|nd|"
    rf"rd|th)? )?{MONTH}"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?,?)? ?(?:(?:19|20)\d\d)?,?|(?:19|20)\d\d|\d{{1,2}} {MONTH}) "
    rf"?(?:and|to|until|till|through|–|-|—) ?(?:the end of )?({DATE})\b"
    r"|((?:19|20)\d\d\s?年\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?)\s?[至到—～–-]+\s?"
    r"((?:(?:19|20)\d\d\s?年\s?)?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?)"
)
GROUPS = re.compile(
    rf"\b(?:divided|assigned|allocated|randomi[sz]ed|distributed|split|categori[sz]ed|"
    rf"grouped)\b[^.;]{{0,70}}?\b(?:in)?to (?:one of )?({COUNT}) (?:[\w-]+ ){{0,3}}(?:groups|arms|categories|"
    rf"treatments)\b",
    re.I,
)
SETTING = re.compile(
    r"\b(?:conducted|performed|carried out|recruited|admitted|attending|enrolled|undertaken|held|housed|reared|"
    r"collected)\b[^.;]{0,60}?\b(?:at|in|from|by) ((?:the |a |an )?(?:[A-Z][\w’'.&-]*|of|and|for|the|in|"
    r",)(?: (?:[A-Z][\w’'.&-]*,?|of|and|for|the|in|de|del)){0,14})"
)
PLACE = re.compile(
    r"hospital|universit|clinic|cent(?:er|re)|institute|college|school|laborator|farm|ward|department|faculty", re.I
)
OUTCOME = re.compile(
    r"\b(?:primary|main) (?:efficacy |study |clinical )?(?:outcomes?|end-?\s?points?)(?: measures?| variables?| "
    r"points?)?,? (?:was|"
    r"were|is|are|included|of)\b|主要(?:结局|终点)(?:指标)?(?:为|是)",
    re.I,
)
P = re.compile(
    r"(?<![A-Za-z0-9])[pP](?:-?\s?values?)?(?:\s?for (?:trend|interaction|difference))?\s*(?:of\s*)?([<>=≤≥]|"
    r"&lt;)\s*(0?[.·]\d+(?:\s?[×x]\s?10\s?[-−–]\s?\d+)?|[01]\.0+|"
    r"\d\.?\d*\s?[×x]\s?10\s?[-−–]\s?\d+)"
)
EFFECT = re.compile(
    r"\b(adjusted odds ratio|odds ratio|hazard ratio|relative risk|risk ratio|rate ratio|risk difference|"
    r"(?:standardi[sz]ed |weighted )?mean difference|"
    r"(?:adjusted |between-group )?difference|prevalence ratio|a?PR|m?aOR|mOR|aHR|OR|RR|HR|IRR|SMD|WMD|MD|ARR)\b"
    r"[\s,:=(\[\]]*(?:of|was|is)?[\s:=]*([-−–]?\d+(?:[.·]\d+)?)[^.\d]{0,20}?"
    r"\(?\[?\s*(?:(\d\d)\s?%\s?(?:CI|(?:confidence|credible) "
    r"interval)s?)[\s:,=(\[]*([-−–]?\d+(?:[.·]\d+)?)\s*(?:-|–|−|to|,|;)\s*([-−–]?\d+(?:[.·]\d+)?)",
    re.I,
)
ETHICS = re.compile(
    r"伦理(?:审查)?委员会|伦理批准|\b(?:ethic\w*|institutional review|IRB|animal care|IACUC|IAEC|Helsinki|CPCSEA)\b",
    re.I,
)
APPROVED = re.compile(
    r"批准|审批|同意|豁免|approv|waive|exempt|permission|in accordance|according to|complied|guidelines|not required|"
    r"not applicable|"
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
