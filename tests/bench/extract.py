"""Structured extraction of a folder of papers on one core, beside the plain text of pdfplumber and of markitdown.

`pages_per_s`: pages of full extraction a second of processor time, so that a busy machine does not change it much;
`peer`: the faster of the two, on the same pages in the same run, each in a process of its own; null when neither is
installed (they are in requirements-bench.txt); `ratio`: ours over the peer's; `peak_mib`: peak memory of our process.
The papers are read one after the other, twice, and the better round counts.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from tests.bench import ground

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "papers" / "dev"

_OURS = """
import json, resource, sys, time
from tasks.kinds.literature.reading import ExtractionError, extract_file
best = None
for _ in range(2):
    pages = papers = 0
    began = time.process_time()
    for path in sys.argv[1:]:
        try:
            pages += extract_file(path)["pages"]
            papers += 1
        except ExtractionError as error:
            print(path, error, file=sys.stderr)
    took = time.process_time() - began
    best = took if best is None else min(best, took)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"papers": papers, "pages": pages, "seconds": best, "peak_mib": peak}))
"""
_PDFPLUMBER = """
import json, sys, time
import pdfplumber
began, pages = time.process_time(), 0
for path in sys.argv[1:]:
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            page.extract_text()
            page.close()
            pages += 1
print(json.dumps({"pages": pages, "seconds": time.process_time() - began}))
"""
_MARKITDOWN = """
import json, sys, time
from markitdown import MarkItDown
import pypdfium2
convert, pages = MarkItDown(), 0
for path in sys.argv[1:]:
    pages += len(pypdfium2.PdfDocument(path))
began = time.process_time()
for path in sys.argv[1:]:
    convert.convert(path)
print(json.dumps({"pages": pages, "seconds": time.process_time() - began}))
"""
_PEERS = {"pdfplumber": _PDFPLUMBER, "markitdown": _MARKITDOWN}


def main(arguments: list[str]) -> dict:
    """Measure the folder given (default: the development papers beside the checkout)."""
    folder = Path(arguments[0]) if arguments else FOLDER
    papers = sorted(str(path) for path in folder.glob("*.pdf"))
    if not papers:
        raise SystemExit(f"no PDF in {folder}")
    ours = _run(_OURS, papers)
    speed = ours["pages"] / ours["seconds"]
    peers = {name: _peer(name, code, papers) for name, code in _PEERS.items()}
    speeds = {name: value for name, value in peers.items() if value}
    peer = max(speeds, key=speeds.get) if speeds else None
    return {
        "papers": ours["papers"],
        "pages": ours["pages"],
        "pages_per_s": round(speed, 1),
        "peer": peer,
        "peer_pages_per_s": round(speeds[peer], 2) if peer else None,
        "ratio": round(speed / speeds[peer], 1) if peer else None,
        "peak_mib": round(ours["peak_mib"]),
    }


def _peer(name: str, code: str, papers: list[str]) -> float | None:
    if importlib.util.find_spec(name) is None:
        ground.say(f"{name} is not installed: pip install -r requirements-bench.txt")
        return None
    result = _run(code, papers)
    ground.say(f"{name}: {result['pages'] / result['seconds']:.2f} pages/s")
    return result["pages"] / result["seconds"]


def _run(code: str, papers: list[str]) -> dict:
    """Run a program on the papers in a fresh interpreter; its last line is JSON."""
    done = subprocess.run([sys.executable, "-c", code, *papers], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout.strip().splitlines()[-1])
