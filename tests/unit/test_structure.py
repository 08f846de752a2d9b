"""The project guards its own shape: import direction, layout of the tree, one door to the network, templates."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils.translation import template as template_strings

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = ("config", "streaming", "tasks")

#: A file this long usually has two purposes. Where it has one, its reason is written below; nothing is packed or cut
#: up to stay under the number.
LONG = 400
LONG_FOR_A_REASON = {
    "config/settings.py": "every setting in one place",
    "tasks/kinds/literature/reading/bylines.py": "the segments of a byline and their roles, decided together",
    "tasks/kinds/literature/reading/journal.py": "the named predicates of one field, weighed in one table below them",
}
#: Aligned by hand because they are read down their columns.
TABLES: set[str] = set()

#: Who else may speak HTTP, and why.
NETWORK_DOORS = {
    "tasks/outbound/calls.py": "the door",
    "tasks/outbound/wire.py": "the door's own transport",
    "tasks/kinds/notify/post.py": "names what Django's mail may raise; the mail server is the operator's own",
    "tasks/management/demo": "asks the project's own web server on this machine, as a browser does",
    "config/middleware/health.py": "asks the project's own web server on this machine",
}
HTTP_CLIENTS = {
    "http.client",
    "urllib.request",
    "urllib3",
    "requests",
    "httpx",
    "httpcore",
    "aiohttp",
    "websockets",
    "ftplib",
    "smtplib",
}


@cache
def sources(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_imports_point_one_way():
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]


def test_the_engine_knows_no_kind():
    """It finds them through the registry; whoever writes a new one touches no file of the engine."""
    engine = [*(ROOT / "tasks").glob("*.py"), ROOT / "tasks/kinds/base.py"]
    guilty = [name(path) for path in engine if any(m.startswith("tasks.kinds.literature") for m in imports(path))]
    assert not guilty


def test_only_one_door_leads_to_the_network():
    guilty = {
        name(path): sorted(used)
        for path in sources(*CODE)
        if (used := imports(path) & HTTP_CLIENTS) and not any(name(path).startswith(door) for door in NETWORK_DOORS)
    }
    assert not guilty, f"calls go through tasks/outbound/calls.py: {guilty}"


@pytest.mark.parametrize("folder", [*CODE, "tests"])
def test_a_long_file_has_a_reason(folder):
    long = {name(path): n for path in sources(folder) if (n := len(path.read_text().splitlines())) > LONG}
    unexplained = long.keys() - LONG_FOR_A_REASON.keys()
    assert not unexplained, (
        f"two purposes in one file? Split it, or give the reason in LONG_FOR_A_REASON: {unexplained}"
    )


def test_only_tables_are_laid_out_by_hand():
    mark = "# fmt: " + "skip"
    by_hand = {name(path) for path in sources(*CODE, "tests") if mark in path.read_text()}
    literature = {one for one in by_hand if one.startswith("tasks/kinds/literature/")}
    assert by_hand - literature <= TABLES, "the formatter decides how a line is broken; a real table goes into TABLES"


def test_every_module_says_what_it_is_for():
    silent = [
        name(path)
        for path in sources(*CODE)
        if tree(path).body and ast.get_docstring(tree(path)) is None and "migrations" not in path.parts
    ]
    assert not silent, f"no module docstring: {', '.join(silent)}"


def test_no_module_has_a_name_that_says_nothing():
    empty = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "service", "services"}
    assert not [name(path) for path in sources(*CODE) if path.stem in empty]


@pytest.mark.django_db
def test_no_migration_is_missing():
    try:
        call_command("makemigrations", check=True, dry_run=True, verbosity=1)
    except SystemExit:
        pytest.fail("models changed without a migration: manage.py makemigrations")


class TestTemplates:
    PAGES = sorted(page for top in ("templates", "tasks", "streaming") for page in (ROOT / top).rglob("*.html"))
    INLINE = {
        "a script without src": re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*type=[\"']application/json)[^>]*>", re.I),
        "a style element": re.compile(r"<style\b", re.I),
        "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
        "an event attribute": re.compile(r"<[^>]*\son[a-z]+\s*=", re.I),
        "a javascript: address": re.compile(r"javascript:", re.I),
        "something from another host": re.compile(
            r"<(?:script|link|img|iframe|source)[^>]*(?:src|href)=[\"']https?://", re.I
        ),
    }

    @staticmethod
    def without_tags(text: str) -> str:
        """Django's own tags and comments taken out: a ``>`` within one ends no element."""
        return re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", text, flags=re.S)

    def test_every_room_has_some(self):
        tops = {page.relative_to(ROOT).as_posix().rpartition("/templates/")[0] for page in self.PAGES}
        assert tops >= {"", "streaming", "tasks/web", "tasks/admin", "tasks/kinds/literature"}

    @pytest.mark.parametrize("what", INLINE)
    def test_none_holds(self, what):
        guilty = [name(page) for page in self.PAGES if self.INLINE[what].search(self.without_tags(page.read_text()))]
        assert not guilty, f"the Content-Security-Policy blocks {what}: {guilty}"

    def test_none_in_html_that_code_builds(self):
        """Looked for in modules that mark strings as HTML; elsewhere "<style" may be a word of somebody's XML."""
        builders = {
            "django.utils.html.format_html",
            "django.utils.html.format_html_join",
            "django.utils.safestring.mark_safe",
        }
        guilty = []
        for path in sources(*CODE):
            if imports(path) & builders:
                texts = [node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)]
                texts = [text for text in texts if isinstance(text, str) and "<" in text]
                if any(rule.search(text) for text in texts for rule in self.INLINE.values()):
                    guilty.append(name(path))
        assert not guilty


class TestTranslations:
    """Every marked string is in the compiled Chinese catalogue. msgfmt leaves out what is empty or fuzzy."""

    MARKS = {"_", "gettext", "gettext_lazy", "_now", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}

    def marked_in_code(self) -> set[str]:
        found = set()
        for path in sources(*CODE):
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in self.MARKS and node.args:
                    at = 1 if node.func.id.startswith("pgettext") else 0
                    first = node.args[at]
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        found.add(first.value)
        return found

    def marked_in_templates(self) -> set[str]:
        found = set()
        for page in TestTemplates.PAGES:
            as_code = template_strings.templatize(page.read_text(), origin=str(page))
            for call in re.finditer(
                r"\bn?gettext\(\s*u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|r?'''.*?'''|r?\"\"\".*?\"\"\")",
                as_code,
                re.S,
            ):
                found.add(ast.literal_eval(call[1].lstrip("u")))
        return found

    @pytest.mark.parametrize("where", ["code", "templates"])
    def test_nothing_is_untranslated(self, where):
        import gettext

        marked = getattr(self, f"marked_in_{where}")()
        assert marked
        compiled = ROOT / "locale/zh_Hans/LC_MESSAGES/django.mo"
        assert compiled.exists(), "make messages"
        with compiled.open("rb") as file:
            known = gettext.GNUTranslations(file)._catalog
        known = {key[0] if isinstance(key, tuple) else key for key in known}
        known = {key.rpartition("\x04")[2] for key in known}
        missing = sorted(marked - known)
        assert not missing, f"{len(missing)} without Chinese (make messages, translate, compile):\n" + "\n".join(
            missing
        )

    def test_no_translation_is_marked_as_doubtful(self):
        catalogue = ROOT / "locale/zh_Hans/LC_MESSAGES/django.po"
        assert not re.findall(r"^#,.*fuzzy", catalogue.read_text(), re.M) if catalogue.exists() else False
