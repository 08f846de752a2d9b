"""Other engines at the job of the ``fanout`` bench: as many no-op jobs, as many worker processes and places.

One module a peer, with ``measure(jobs, places, processes)``, which returns (jobs per second, jobs really run). Time
runs from the submission to the callback, or to the last job's end where the engine has no callback. Each runs with its
default settings, but for the number of processes and places. Those on Redis write nothing to disk.
"""

from __future__ import annotations

import importlib
import sys

#: Result key -> module here.
PEERS = {"celery_per_s": "celery_chord", "oban_per_s": "oban_jobs", "dramatiq_per_s": "dramatiq_group"}
#: Result key -> what has to be importable before the peer's module is.
PACKAGES = {"celery_per_s": ("celery", "redis"), "oban_per_s": ("oban",), "dramatiq_per_s": ("dramatiq", "redis")}


class Absent(Exception):
    """The peer can't be measured here; the message says what is missing."""


def measure(jobs: int, places: int, processes: int) -> dict:
    """``{"peers": {key: jobs per second or None}}``; with ``peers_jobs`` for those that got fewer than `jobs`."""
    rates: dict[str, int | None] = {}
    fewer: dict[str, int] = {}
    for key, module in PEERS.items():
        try:
            require(*PACKAGES[key])
            peer = importlib.import_module(f"{__name__}.{module}")
            rate, ran = peer.measure(jobs, places, processes)
        # AssertionError: it died or did not end in its time. The other figures of a run of minutes stay worth having.
        except (Absent, AssertionError) as error:
            print(f"{key}: null: {error}", file=sys.stderr, flush=True)
            rates[key] = None
            continue
        rates[key] = round(rate)
        if ran < jobs:
            fewer[key] = ran
        print(f"{key}: {ran} jobs, {rate:.0f} a second", file=sys.stderr, flush=True)
    return {"peers": rates, **({"peers_jobs": fewer} if fewer else {})}


def require(*packages: str) -> None:
    """Raises Absent for the first package that can't be imported."""
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError as error:
            version = ".".join(map(str, sys.version_info[:2]))
            raise Absent(
                f"the package {package} can't be imported by Python {version} ({error}); see requirements-bench.txt"
            ) from None
