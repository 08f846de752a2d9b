"""The tables of docs/settings.md and docs/errors.md, made from the code.

    python -m tests.documented        writes them anew, keeping what people wrote in the last column of errors.md

``tests/unit/test_docs.py`` fails while a table differs from what is made here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
MARK = "<!-- table: {name} -->"
_TODO = "TODO"


def _cell(text) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ").strip()


def _row(*cells) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def settings_table() -> list[str]:
    """One row a variable of the environment, in the order in which config/settings.py asks for them."""
    from config.env import REGISTRY

    rows = [_row("variable", "default", "allowed", "what it is"), "|---|---|---|---|"]
    for variable in REGISTRY.values():
        default = f"`{variable.default}`" if variable.default else "(empty)"
        if variable.name == "SHEAF_HOST":
            default = "the machine's name"
        purpose = variable.purpose + (" Secret." if variable.secret else "")
        rows.append(_row(f"`{variable.name}`", default, variable.allowed, purpose))
    return rows


def catalogue() -> dict[str, str]:
    """{code: English sentence} of the engine and of every Kind."""
    from django.utils import translation

    from tasks import sentences
    from tasks.kinds.base import registered

    registered()
    with translation.override("en"):
        return {code: str(words) for code, words in sentences._CATALOGUE.items()}


def written_advice(text: str) -> dict[str, str]:
    """{code: last column} of the table as it stands."""
    found = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", text, re.M)
    return {code: advice.strip() for code, advice in found}


def errors_table(advice: dict[str, str]) -> list[str]:
    rows = [_row("code", "what people read", "what staff do"), "|---|---|---|"]
    return rows + [_row(f"`{code}`", words, advice.get(code, _TODO)) for code, words in catalogue().items()]


def with_table(text: str, name: str, rows: list[str]) -> str:
    """``text`` with what lies between the two marks of this name replaced by ``rows``."""
    mark = MARK.format(name=name)
    before, _, after = text.split(mark) if text.count(mark) == 2 else (text + "\n", "", "\n")
    return f"{before}{mark}\n" + "\n".join(rows) + f"\n{mark}{after}"


def expected() -> dict[Path, str]:
    """{file: its text with the tables as they should be}."""
    settings, errors = DOCS / "settings.md", DOCS / "errors.md"
    written = errors.read_text()
    return {
        settings: with_table(settings.read_text(), "settings", settings_table()),
        errors: with_table(written, "errors", errors_table(written_advice(written))),
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    for path, text in expected().items():
        path.write_text(text)
