"""One web process for the tests of this folder that need no other, and connections that do not outlive a test."""

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from playwright.async_api import expect

from tests.processes import Web

#: On two cores that four processes and Chromium share, five seconds (the default) are soon over.
expect.set_options(timeout=20_000)

#: What a reader would wait for, in a fraction of the time.
QUICK = {"SHEAF_LIVE_PING_S": 0.5, "SHEAF_LIVE_RECHECK_S": 0.5}


@pytest.fixture(scope="package")
def web(django_db_setup):
    with Web(env=QUICK) as web:
        yield web


@pytest.fixture(autouse=True)
async def _no_connection_stays():
    """The ORM's thread of asynchronous tests keeps its connection, and the test database could not be dropped."""
    yield
    await sync_to_async(connections.close_all)()
