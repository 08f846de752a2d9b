"""Whether a paper reports a study of its own, and whether a sentence tells of it or of somebody else's.

Papers on methods, theory and software use the words of studies all the time: "cohort", "in all three cases", "can be
divided into two groups". Facts of a study are looked for only where there is evidence of one.
"""

import re

from .fact_patterns import APPROVED, ETHICS, REGISTRY, P
from .passages import Passage

#: Whom or what a study is done on.
WHO = (
    r"(?:patients|participants|subjects|volunteers|respondents|individuals|women|men|children|adults|infants|"
    r"students|nurses|"
    r"pupils|employees|workers|farmers|households|animals|rats|mice|broilers|birds|chicks|rabbits|pigs|piglets|dogs|"
    r"sheep|cows|"
    r"fish|larvae|samples|specimens|isolates|strains|plants|leaves|seeds|seedlings|cells|accessions|genotypes|"
    r"cultivars|teeth|eyes)"
)
_DONE = (
    r"(?:enrol+ed|included|recruited|randomi[sz]ed|divided|assigned|allocated|collected|obtained|interviewed|asked|"
    r"examined|"
    r"treated|fed|cultured|grown|harvested|surveyed|selected|housed|incubated|inoculated|stored|anaesthetized|"
    r"sacrificed|"
    r"seeded|dried|extracted|isolated|genotyped|followed|excluded|invited|identified|measured|sampled)"
)
#: Kinds of evidence of a study; two of them make one.
_EVIDENCE = (
    re.compile(rf"\b{WHO}\b[^.;]{{0,80}}?\b(?:was|were|had been) (?:\w+ ){{0,2}}?{_DONE}\b", re.I),
    re.compile(
        rf"\bwe (?:\w+ )?(?:recruited|enrol+ed|interviewed|surveyed|randomi[sz]ed|sampled|included|collected|"
        rf"asked)\b[^.;]{{0,60}}?"
        rf"\b(?:{WHO}|data|interviews|questionnaires?)\b|\b(?:interviews?|questionnaires?|focus groups?|"
        rf"surveys?)\b[^.;]{{0,40}}?"
        r"\b(?:was|were) (?:conducted|held|sent|distributed|administered|completed|created|developed|carried out)\b",
        re.I,
    ),
    re.compile(r"\b(?:written |verbal |oral )?informed consent\b", re.I),
    REGISTRY,
    re.compile(
        r"\bANOVA\b|\bt-?\s?tests?\b|\bchi-?squared?\b|χ2|Mann[-–]Whitney|Wilcoxon|Kruskal|Fisher[’']s exact|"
        r"\bSPSS\b|\bStata\b|"
        r"\bTukey\b|\b(?:logistic|Cox|linear|Poisson) regression\b|mean ± (?:SD|SE)|\b95\s?% (?:CI|"
        r"confidence interval)",
    ),
    P,
    re.compile(
        r"\b(?:mg|g|ml|µg|μg|ug)\s?/\s?(?:kg|ml|l)\b|\bin (?:triplicate|duplicate)\b|\b(?:PCR|HPLC|GC[-–/ ]?MS|"
        r"ELISA|centrifuged|electrophoresis)\b|\d\s?°\s?C for \d|\brpm\b",
        re.I,
    ),
    re.compile(
        r"\b(?:study (?:was|is) (?:conducted|performed|carried out|undertaken|approved)|study population|"
        r"study participants|"
        r"inclusion (?:and exclusion )?criteria|participantes|pacientes|受试者|患者|纳入标准)\b",
        re.I,
    ),
)
#: Enough by itself: living beings, and what is done to them in studies only.
_ENROLLED = re.compile(
    r"\b(?:patients|participants|subjects|volunteers|respondents|women|men|children|adults|infants|students|nurses|"
    r"rats|mice|"
    r"animals|broilers|piglets|rabbits)\b[^.;]{0,80}?\b(?:was|were) (?:\w+ ){0,2}?(?:enrol+ed|recruited|randomi[sz]ed|"
    r"randomly|interviewed|consented|anaesthetized|sacrificed|euthani[sz]ed)\b",
    re.I,
)
_STUDY_PARTS = ("title", "abstract", "methods", "results", "ethics", "")
_NAMED = r"[A-ZÀ-Þ][\w’'-]+(?:,? (?:and|&) [A-ZÀ-Þ][\w’'-]+| et al\.?|,? and colleagues)?"
#: A sentence of somebody else's study, of what might be done, or of studies in general.
_FOREIGN = re.compile(
    rf"\b{_NAMED},? ?[(\[](?:19|20)\d\d[a-z]?[)\]]"
    r"|\b(?:previous|prior|earlier|other|another|similar|existing|related|recent|several|many|most|some|numerous|"
    r"future|further|"
    r"published|numerous) (?:[\w-]+ ){0,3}?(?:study|studies|trials?|work|works|papers?|authors|researchers|surveys?|"
    r"reviews?|"
    r"experiments?|research)\b"
    r"|\b(?:for example|e\.g\.|for instance|such as|in general|generally|originally|traditionally|typically|usually|"
    r"hybrid between|"
    r"analogous to|similar to an?|known as|refers? to|is defined as|careful to generali[sz]e|in the literature)\b"
    r"|\b(?:can|could|may|might|should|would|must) (?:also |then |therefore )?(?:be|have|use|require)\b",
    re.I,
)
_OWN = re.compile(
    r"\b(?:we|our|us)\b|\b(?:this|the present|present|the current|current|the) (?:[\w-]+,? ){0,5}?(?:study|trial|"
    r"survey|review|"
    r"analysis|investigation|work|article|paper|report|experiment|research|meta-analysis|cohort|case)\b|"
    r"\bhere(?:in)?\b|"
    r"\b(?:was|were) (?:\w+ ){0,3}?(?:conducted|performed|carried out|undertaken|done|used|recruited|enrol+ed|"
    r"included|divided|"
    r"randomi[sz]ed|assigned|allocated|collected|analy[sz]ed|evaluated|designed|adopted|applied|reviewed|searched|"
    r"treated|fed)\b|"
    r"^\W*(?:(?:study )?design|methods?|objectives?|aims?|background|setting|materials and methods|"
    r"patients and methods)\b|本研究|本文",
    re.I,
)
_CITES = re.compile(
    r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|\((?:see |e\.g\.,? )?[A-ZÀ-Þ][\w’'-]+[^()]{0,60}(?:19|20)\d\d[a-z]?\)"
)


def reports_a_study(texts: list[Passage]) -> bool:
    """Whether something was done to people, animals, samples or cells: one strong sign of it, or two kinds of "
    "evidence."""
    kinds = set()
    for passage in texts:
        if passage.part not in _STUDY_PARTS:
            continue
        if (match := _ENROLLED.search(passage.text)) and is_own(passage.sentence(*match.span()), passage.part):
            return True
        kinds |= {n for n, pattern in enumerate(_EVIDENCE) if n not in kinds and pattern.search(passage.text)}
        if (
            2 not in kinds
            and (match := ETHICS.search(passage.text))
            and APPROVED.search(passage.sentence(*match.span()))
        ):
            kinds.add(2)
    return len(kinds) >= 2 and bool(kinds & {0, 1, 2, 3, 7})


def is_own(sentence: str, part: str) -> bool:
    """Whether a sentence tells of this paper's study.

    In the title and the abstract it does unless it says otherwise; methods and results are a paper's own where they
    cite nobody; elsewhere it has to say that it is this one.
    """
    if part == "title":
        return True
    if _FOREIGN.search(sentence):
        return False
    if part == "abstract":
        return True
    if part in ("methods", "results"):
        return _OWN.search(sentence) is not None or _CITES.search(sentence) is None
    return _OWN.search(sentence) is not None and _CITES.search(sentence) is None
