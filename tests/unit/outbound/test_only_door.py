"""No other file of the product speaks HTTP to the outside."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CLIENTS = {"httpx", "httpcore", "requests", "aiohttp", "urllib3", "urllib.request", "http.client", "boto3", "botocore"}
DOOR = {"tasks/outbound/calls.py", "tasks/outbound/wire.py"}
#: The demo visits the web process that it has just started on this machine.
AT_HOME = {"tasks/management/demo/visitor.py"}
#: Papers in a bucket: the service's own protocol, every call within a deadline of its own (storage_down.within).
BUCKET = {"tasks/files/s3_storage.py"}


def clients_of(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if any(name == client or name.startswith(client + ".") for client in CLIENTS)}


def test_only_the_door_imports_an_http_client():
    files = [path for top in ("tasks", "streaming", "config") for path in (ROOT / top).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): clients_of(path) for path in files}
    assert {name for name, clients in found.items() if clients} == DOOR | AT_HOME | BUCKET


@pytest.mark.parametrize(
    "line", ["import http.client", "from urllib import request", "from urllib.request import urlopen"]
)
def test_the_search_sees_every_way_of_importing_one(tmp_path, line):
    path = tmp_path / "sneaky.py"
    path.write_text(line)
    assert clients_of(path)
