"""Turns a child's account of an exception back into that exception.

The child may be in a hostile file's hands, so it chooses among exceptions, not
among all that can be imported: the type must be a plain ``Exception`` that lives
in Python's builtins or in one of the modules the pool was made for.
"""

import builtins
import functools
import importlib
import sys
from typing import Any


def rebuild(account: Any, modules: tuple[str, ...]) -> Exception | None:
    """The exception in ``account`` ({"type", "args", "state", "sendable"}), or None.

    None means: not one of ours, or it can't be made again from what was sent.
    """
    if not isinstance(account, dict) or account.get("sendable") is not True:
        return None
    cls = _exception_type(str(account.get("type")), modules)
    args, state = account.get("args"), account.get("state")
    if cls is None or not isinstance(args, list) or not isinstance(state, dict):
        return None
    # A constructor may take something else than the exception's args, e.g. keywords only.
    # What a reader needs, args and attributes, can do without the constructor.
    for make in (cls, functools.partial(cls.__new__, cls)):
        try:
            error: Exception = make(*args)
        except Exception:  # noqa: BLE001, S112 - any constructor may refuse; the caller is told in words then
            continue
        vars(error).update(state)
        return error
    return None


def _exception_type(address: str, modules: tuple[str, ...]) -> type[Exception] | None:
    module, _, name = address.partition(":")
    if module == "builtins":
        found: Any = getattr(builtins, name, None)
    else:
        home = next((m for m in modules if module == m or module.startswith(m + ".")), None)
        if home is None:
            return None
        # The pool's own module may be imported; one below it must have come along with it.
        importlib.import_module(home)
        found = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None
