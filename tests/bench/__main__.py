"""``python -m tests.bench NAME [arguments] [--json]``: measure one thing; the last line is one JSON object.

A bench is a module here with ``main(arguments) -> dict``; its docstring says what the figures mean. Figures are
ratios against a peer in the same run, since machines differ and are noisy.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

from tests.bench import ground

FOLDER = Path(__file__).parent
#: Modules here that benches stand on.
NOT_BENCHES = {
    "__main__",
    "bare",
    "counted_app",
    "crowd",
    "empty_app",
    "ground",
    "peers",
    "stream_peer",
    "stream_peer_app",
}


def names() -> list[str]:
    return sorted({module.name for module in pkgutil.iter_modules([str(FOLDER)])} - NOT_BENCHES)


def main() -> int:
    arguments = sys.argv[1:]
    as_json = "--json" in arguments
    arguments = [argument for argument in arguments if argument != "--json"]
    if not arguments or arguments[0] not in names():
        print(f"usage: python -m tests.bench NAME [--json]; NAME is one of: {', '.join(names())}", file=sys.stderr)
        return 2
    ground.say = (lambda *words: print(*words, file=sys.stderr, flush=True)) if as_json else print
    result = importlib.import_module(f"tests.bench.{arguments[0]}").main(arguments[1:])
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
