"""Faults inside a worker process: named in its SHEAF_KINDS, this module breaks what SHEAF_TEST_FAULT says."""

import itertools
import os

from django.db import OperationalError

from tasks.queueing import ledger
from tests.kinds import Noop


def doubt_every(n: int) -> None:
    """Every nth round trip is committed, and then looks as if the connection had been lost before the answer."""
    trip, calls = ledger.trip, itertools.count(1)

    def doubtful(work, known):
        answer = trip(work, known)
        if next(calls) % n == 0:
            raise OperationalError("the connection was lost; whether it was committed nobody knows")
        return answer

    ledger.trip = doubtful


def fail_every(n: int) -> None:
    """Every nth round trip does nothing and raises."""
    trip, calls = ledger.trip, itertools.count(1)

    def failing(work, known):
        if next(calls) % n == 0:
            raise OperationalError("the connection was lost")
        return trip(work, known)

    ledger.trip = failing


class Faulty(Noop):
    name = "faulty"


match os.environ.get("SHEAF_TEST_FAULT"):
    case "doubt":
        doubt_every(3)
    case "fail":
        fail_every(3)
