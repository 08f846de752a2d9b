"""A stand-in service for the whole module, and an attempt that calls it."""

import time

import pytest

from tasks.outbound import calls
from tests.standin.process import StandIn


class FakeAttempt:
    """What the door needs of an attempt; ``fresh`` may be turned off."""

    def __init__(self, seconds=5.0):
        self.until, self.fresh, self.answered = time.monotonic() + seconds, True, False

    def seconds_left(self):
        return max(0.0, self.until - time.monotonic())

    def is_fresh(self):
        return self.fresh

    def heard(self):
        self.answered = True


@pytest.fixture(scope="module")
def service():
    with StandIn() as service:
        yield service


@pytest.fixture
def attempt(settings):
    settings.SHEAF_SERVICES_PRIVATE = ["127.0.0.1"]
    return FakeAttempt()


@pytest.fixture
async def get(service, attempt):
    """Call the stand-in with a scenario; ``get("503", retry_after=7)``."""

    async def call(do="ok", *, method="GET", options=None, **query):
        params = {"do": do, **{name: str(value) for name, value in query.items()}}
        return await calls.call(attempt, method, f"{service.url}/call", params=params, **(options or {}))

    yield call
    await calls.close()
