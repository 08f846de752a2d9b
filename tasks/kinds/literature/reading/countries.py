"""Names of countries as addresses print them."""

import re

_NAMES = (
    "Afghanistan|Albania|Algeria|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|Belarus|"
    "Belgium|Benin|Bhutan|Bolivia|Bosnia and Herzegovina|Botswana|Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|"
    "Cambodia|Cameroon|Canada|Chad|Chile|China|Colombia|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|"
    "Denmark|Ecuador|Egypt|El Salvador|Eritrea|Estonia|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Georgia|Germany|"
    "Ghana|Greece|Guatemala|Guinea|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|"
    "Israel|Italy|Ivory Coast|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kuwait|Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|"
    "Liberia|Libya|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Mali|Malta|Mauritania|Mauritius|Mexico|Moldova|"
    "Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Niger|Nigeria|"
    "North Macedonia|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland|"
    "Portugal|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Senegal|Serbia|Sierra Leone|Singapore|Slovakia|Slovenia|"
    "Somalia|South Africa|South Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|"
    "Thailand|Togo|Trinidad and Tobago|Tunisia|Turkey|Turkmenistan|Uganda|Ukraine|United Arab Emirates|"
    "United Kingdom|United States|Uruguay|Uzbekistan|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe"
)
_OTHER = {
    "usa": "United States",
    "u.s.a.": "United States",
    "united states of america": "United States",
    "us": "United States",
    "uk": "United Kingdom",
    "u.k.": "United Kingdom",
    "england": "United Kingdom",
    "scotland": "United Kingdom",
    "wales": "United Kingdom",
    "northern ireland": "United Kingdom",
    "korea": "South Korea",
    "republic of korea": "South Korea",
    "p.r. china": "China",
    "pr china": "China",
    "the netherlands": "Netherlands",
    "türkiye": "Turkey",
    "turkiye": "Turkey",
    "viet nam": "Vietnam",
    "brasil": "Brazil",
    "méxico": "Mexico",
    "españa": "Spain",
    "deutschland": "Germany",
    "czechia": "Czech Republic",
    "russian federation": "Russia",
    "uae": "United Arab Emirates",
    "ksa": "Saudi Arabia",
    "kingdom of saudi arabia": "Saudi Arabia",
    "islamic republic of iran": "Iran",
    "côte d’ivoire": "Ivory Coast",
    "中国": "China",
}
_FIND = re.compile(
    rf"(?<![\w-])({_NAMES}|" + "|".join(re.escape(k) for k in sorted(_OTHER, key=len, reverse=True)) + r")(?![\w-])",
    re.I,
)


def is_country(text: str) -> bool:
    """The text is the name of a country and nothing else."""
    return bool(_FIND.fullmatch(text.strip(" ,.")))


def countries_in(text: str) -> list[tuple[str, int, int]]:
    """[(country, start, end)] of every one in a sentence."""
    return [
        (_OTHER.get(m[1].lower(), m[1].title() if m[1].isupper() else m[1]), m.start(), m.end())
        for m in _FIND.finditer(text)
        if m[1] != "us" and not m[1].islower()
    ]
