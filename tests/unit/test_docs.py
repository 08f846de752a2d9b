"""What is not documented fails here: settings, commands, codes, checks, metrics, and links that lead nowhere."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import BaseCommand, find_commands, get_commands

import tasks
from config.machine.programs import endpoint
from tests import documented

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
TABLES = [documented.DOCS / "settings.md", documented.DOCS / "errors.md"]


def of_project(name: str) -> str:
    return (ROOT / name).read_text()


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_the_table_is_the_one_that_the_code_makes(path):
    missing = set(documented.expected()[path].splitlines()) - set(path.read_text().splitlines())
    assert path.read_text() == documented.expected()[path], (
        f"docs/{path.name} is behind the code: run `python -m tests.documented`. It lacks:\n"
        + "\n".join(sorted(missing))
    )


def test_every_code_says_what_staff_do():
    text = of_project("docs/errors.md")
    empty = [code for code, advice in documented.written_advice(text).items() if advice in ("", documented._TODO)]
    assert not empty, f"write the last column of docs/errors.md for: {', '.join(empty)}"


def test_settings_that_the_documents_name_exist():
    documented.settings_table()
    from config.env import REGISTRY

    named = {name for page in PAGES for name in re.findall(r"\bSHEAF_[A-Z0-9_]+\b", page.read_text())}
    unknown = named - set(REGISTRY) - {"SHEAF_KINDS", "SHEAF_PORT"}
    assert not unknown, f"the documents name settings that do not exist: {', '.join(sorted(unknown))}"


def test_every_management_command_is_in_operations():
    text = of_project("docs/operations.md")
    commands = find_commands(str(Path(tasks.__file__).parent / "management"))
    missing = [name for name in commands if f"`manage.py {name}`" not in text]
    assert not missing, f"docs/operations.md says nothing of: {', '.join(missing)}"


def test_every_option_of_our_commands_is_in_operations():
    text = of_project("docs/operations.md")
    stock = BaseCommand().create_parser("manage.py", "any")
    known = {option for action in stock._actions for option in action.option_strings}
    for name in find_commands(str(Path(tasks.__file__).parent / "management")):
        parser = import_module(f"tasks.management.commands.{name}").Command().create_parser("manage.py", name)
        options = {option for action in parser._actions for option in action.option_strings} - known
        missing = sorted(option for option in options if option not in text)
        assert not missing, f"docs/operations.md lacks {', '.join(missing)} of manage.py {name}"


def test_every_system_check_is_in_operations():
    text = of_project("docs/operations.md")
    ids = set(re.findall(r'id="(tasks\.[EWI]\d+)"', of_project("tasks/checks.py")))
    assert ids and not {each for each in ids if f"`{each}`" not in text}


def test_every_metric_is_in_operations():
    text = of_project("docs/operations.md")
    names = set(re.findall(r'_family\(\s*"(\w+)"', of_project("tasks/observe/metrics.py")))
    assert len(names) > 10
    assert not {name for name in names if f"`sheaf_{name}`" not in text}


def test_words_of_make_that_the_documents_use_exist():
    words = set(re.findall(r"^([a-z]+):.*##", of_project("Makefile"), re.M))
    used = {word for page in PAGES for word in re.findall(r"(?:^    |`)make ([a-z]+)", page.read_text(), re.M)}
    assert used and not used - words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text())
    lost = [link for link in links if not (page.parent / link).exists()]
    assert not lost, f"{page.name} links to {', '.join(lost)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_a_heading_find_it(page):
    lost = []
    for name, anchor in re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", page.read_text()):
        target = (page.parent / name if name else page).read_text()
        headings = {
            re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-") for words in re.findall(r"^#+ (.+)$", target, re.M)
        }
        lost += [] if anchor in headings else [f"{name}#{anchor}"]
    assert not lost, f"{page.name} links to {', '.join(lost)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_the_documents_use_exist(page):
    used = set(re.findall(r"manage\.py ([a-z]\w+)", page.read_text()))
    assert not used - set(get_commands()), f"{page.name} uses {', '.join(sorted(used - set(get_commands())))}"
    modules = set(re.findall(r"python -m (tests\.\w+|tasks\.[\w.]+)", page.read_text()))
    assert not {name for name in modules if find_spec(name) is None}


def test_the_pages_of_docs_are_all_in_their_index():
    index = of_project("docs/README.md")
    assert not [page.name for page in (ROOT / "docs").glob("*.md") if f"({page.name})" not in index + "(README.md)"]


def test_units_and_proxy_of_the_handbook_name_what_exists():
    """Settings are looked at with the rest; here: the grace of a unit, the program's arguments, the addresses."""
    text = of_project("docs/install.md")
    grace, patience = re.search(r"TimeoutStopSec=(\d+)", text)[1], documented.settings_table()
    (stop,) = [row for row in patience if "`SHEAF_STOP_S`" in row]
    assert int(grace) > int(re.search(r"`(\d+)`", stop.split("|")[2])[1])
    assert endpoint("127.0.0.1", 8000) in text and "proxy_set_header X-Forwarded-Proto" in text
    assert int(re.search(r"client_max_body_size (\d+)m", text)[1]) > 1024


def test_every_decision_is_in_the_index_under_a_number_of_its_own():
    decisions = sorted(path.name for path in (ROOT / "docs/adr").glob("[0-9]*.md") if not path.name.startswith("0000"))
    index = of_project("docs/adr/README.md")
    assert not [name for name in decisions if f"({name})" not in index]
    numbers = [name[:4] for name in decisions]
    assert len(numbers) == len(set(numbers))


def test_both_readmes_show_the_same_commands_and_headings():
    def shape(name):
        text = of_project(name)
        return re.findall(r"^    (.+)$", text, re.M), len(re.findall(r"^## ", text, re.M))

    assert shape("README.md") == shape("README.zh-Hans.md")
