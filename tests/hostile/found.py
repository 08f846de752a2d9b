"""Every regular expression of the product: compiled ones by walking the modules, inline ones by their source.

A pattern is known by where it is made. How it is used (``search`` may begin anywhere, ``match`` only at the start) is
read from the source too, since the same pattern may be linear for one and quadratic for the other.
"""

from __future__ import annotations

import ast
import importlib
import pickle
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("config", "streaming", "tasks")
#: Modules that start something when they are imported.
STARTING = ("config.asgi", "tasks.kinds.literature.samples.__main__")
#: How each function of ``re`` walks a text.
ANCHORED = {"match", "fullmatch"}
WALKING = {"search", "sub", "subn", "split", "findall", "finditer"}


@dataclass
class Found:
    """One expression and the ways it is used; empty means unknown, so anything may happen."""

    where: str
    pattern: re.Pattern
    uses: set[str] = field(default_factory=set)

    @property
    def anchored(self) -> bool:
        return bool(self.uses) and self.uses <= ANCHORED


def modules() -> Iterator[str]:
    for package in PACKAGES:
        yield package
        for info in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if "migrations" not in info.name and info.name not in STARTING:
                yield info.name


def _inside(value: object, name: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern]]:
    """The patterns in a module's value: itself, or what containers and plain objects hold."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth < 4 and isinstance(value, dict):
        for key, one in value.items():
            yield from _inside(one, f"{name}[{key!r}]", depth + 1)
            yield from _inside(key, f"{name}[{key!r}]", depth + 1)
    elif depth < 4 and isinstance(value, list | tuple | set | frozenset):
        for number, one in enumerate(value):
            yield from _inside(one, f"{name}[{number}]", depth + 1)
    elif depth < 4 and type(value).__module__.startswith(PACKAGES) and hasattr(value, "__dict__"):
        for key, one in vars(value).items():
            yield from _inside(one, f"{name}.{key}", depth + 1)


def _source(module: str) -> ast.Module | None:
    path = ROOT / Path(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(path.read_text()) if path.exists() else None


def _flags(call: ast.Call, at: int, names: dict) -> int:
    given = next((k.value for k in call.keywords if k.arg == "flags"), call.args[at] if len(call.args) > at else None)
    if given is None:
        return 0
    return int(eval(compile(ast.Expression(given), "flags", "eval"), {"re": re, **names}))


def _inline(module: str, tree: ast.Module, names: dict) -> Iterator[Found]:
    """``re.search("...", text)``: patterns that only their source shows."""
    places = {"sub": 4, "subn": 4, "split": 3}
    for node in ast.walk(tree):
        called = getattr(node, "func", None)
        if not (isinstance(node, ast.Call) and isinstance(called, ast.Attribute) and node.args):
            continue
        if getattr(called.value, "id", "") != "re" or called.attr not in ANCHORED | WALKING | {"compile"}:
            continue
        try:
            text = eval(compile(ast.Expression(node.args[0]), "pattern", "eval"), dict(names))
            flags = _flags(node, {"compile": 1}.get(called.attr, places.get(called.attr, 2)), names)
        except NameError:  # made of what a function is given: its callers' patterns are among the module's values
            continue
        pattern = text if isinstance(text, re.Pattern) else re.compile(text, flags)
        yield Found(f"{module}:{node.lineno}", pattern, set() if called.attr == "compile" else {called.attr})


def _uses(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """{name of a variable: methods called on it}, over all modules: names of patterns are seldom shared."""
    uses: dict[str, set[str]] = {}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in ANCHORED | WALKING:
                held = node.value
                name = held.id if isinstance(held, ast.Name) else held.attr if isinstance(held, ast.Attribute) else ""
                uses.setdefault(name, set()).add(node.attr)
    return uses


def _passed_on(trees: dict[str, ast.Module]) -> set[str]:
    """Names that are used otherwise than by a method: handed to a function, put into a table."""
    found = set()
    for tree in trees.values():
        methods = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in ANCHORED | WALKING | {"pattern"}
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in methods:
                found.add(node.id)
    return found


def everything() -> list[Found]:
    """Each pattern of the product once, with all its uses."""
    known: dict[tuple, Found] = {}
    trees = {name: tree for name in modules() if (tree := _source(name)) is not None}
    uses, passed = _uses(trees), _passed_on(trees)
    for module, tree in trees.items():
        values = vars(importlib.import_module(module))
        found: list[Found] = []
        for name, value in values.items():
            if name.startswith("__") or getattr(value, "__module__", module) != module and not _is_plain(value):
                continue
            for where, pattern in _inside(value, name):
                plain = where == name and name not in passed
                found.append(Found(f"{module}:{where}", pattern, set(uses.get(name, ())) if plain else set()))
        named = {id(one.pattern) for one in found}
        found += [one for one in _inline(module, tree, values) if id(one.pattern) not in named]
        for one in found:
            same = known.setdefault((one.pattern.pattern, one.pattern.flags), one)
            if same is not one:
                # where one use is unknown, all are
                same.uses = same.uses | one.uses if same.uses and one.uses else set()
    return list(known.values())


def everything_afresh() -> list[Found]:
    """``everything`` as a process of its own sees it: what other tests have put into modules does not count."""
    walk = "import django, pickle, sys; django.setup(); from tests.hostile.found import everything"
    made = subprocess.run(
        [sys.executable, "-c", f"{walk}; sys.stdout.buffer.write(pickle.dumps(everything()))"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if made.returncode:
        raise RuntimeError(made.stderr.decode(errors="replace")[-2000:])
    return pickle.loads(made.stdout)


def _is_plain(value: object) -> bool:
    return isinstance(value, re.Pattern | dict | list | tuple | set | frozenset)
