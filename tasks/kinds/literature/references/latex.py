"""LaTeX as it stands in BibTeX fields, into plain text: accents, special letters, commands around words, braces."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c",
    "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ",
    "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
    "textquotedblright": "”",
    "textregistered": "®", "texttrademark": "™", "copyright": "©", "textdegree": "°", "degree": "°", "ldots": "…",
    "dots": "…", "textellipsis": "…",
    "times": "×", "pm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "approx": "≈", "sim": "∼", "cdot": "·",
    "infty": "∞", "to": "→",
    "textless": "<", "textgreater": ">", "textbackslash": "\\", "textunderscore": "_", "textasciitilde": "~",
    "S": "§", "P": "¶", "pounds": "£", "euro": "€",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "textmu": "μ", "textalpha": "α", "textbeta": "β",
}  # fmt: skip
_ACCENT = re.compile(
    r"\\([`'^~\"=.]|[uvHckrdb](?![A-Za-z]))\s*(?:\{\s*(\\?[A-Za-z]|\\[ij]\s*)\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))"
)
_NAMED = re.compile(r"\\([A-Za-z]+)(?:\{\}|\s+|(?![A-Za-z]))")
_AROUND = re.compile(
    r"\\(?:emph|text\w{2,4}|mbox|mathrm|mathit|mathbf|mathsf|ensuremath|uppercase|MakeUppercase|textsuperscript|textsubscript|url|href|enquote|it|bf|em|sc|rm|tt)(?![A-Za-z])\s*"
)


def plain(text: str) -> str:
    """The text as a reader sees it; braces are gone, formulas keep their letters."""
    if not any(c in text for c in "\\{}$~") and "--" not in text and "``" not in text:
        return text
    text = _ACCENT.sub(_accent, text)
    text = re.sub(
        r"\\([&%$#_{} ,;:!/@-])",
        lambda m: {",": " ", ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": ""}.get(m[1], f"\0{m[1]}"),
        text,
    )
    text = _AROUND.sub("", text)
    text = _NAMED.sub(lambda m: _LETTERS.get(m[1], m[0].replace("\\", "") if len(m[1]) > 1 else m[1]), text)
    text = re.sub(r"(?<!\0)[{}]", "", text)
    text = re.sub(r"(?<!\0)~", " ", text)
    text = re.sub(r"(?<!\0)\$([^$]*)(?<!\0)\$", r"\1", text)
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”").replace("\0", "")
    return re.sub(r"\s+", " ", text).strip()


def _accent(match: re.Match) -> str:
    letter = (match[2] or match[3]).strip().lstrip("\\")
    return unicodedata.normalize("NFC", letter + _ACCENTS[match[1]])
