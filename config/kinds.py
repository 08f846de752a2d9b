"""Which Django apps the Kinds of SHEAF_KINDS need, found without importing one of them."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path


def apps_of(kinds: Iterable[str]) -> list[str]:
    """The packages to install for these dotted paths (``shouting.kind.Shout``), each once, in order.

    A Kind's package is the one that holds its module. It brings its own ``templates/``, ``static/``, ``templatetags/``
    and models, with or without an ``apps.py``; packages below it that have an ``apps.py`` are apps of their own. What
    can't be found is left out: loading the Kinds says so in a sentence.
    """
    found: dict[str, None] = {}
    for path in kinds:
        package = path.rpartition(".")[0].rpartition(".")[0]
        for name in (package, *_apps_below(package)) if package else ():
            if _folder(name):
                found.setdefault(name)
    return list(found)


def _folder(package: str) -> Path | None:
    try:
        spec = find_spec(package)
    except ModuleNotFoundError:
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _apps_below(package: str) -> list[str]:
    folder = _folder(package)
    inner = sorted(folder.rglob("apps.py")) if folder else []
    return [".".join((package, *file.parent.relative_to(folder).parts)) for file in inner if file.parent != folder]
