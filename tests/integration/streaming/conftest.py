"""Web processes that the tests of this folder share, and connections that do not outlive a test."""

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from tests.processes import Web

#: A tenth of the usual intervals where a test waits for them.
QUICK = {
    "SHEAF_LIVE_HEARTBEAT_S": 0.5,
    "SHEAF_LIVE_PING_S": 0.5,
    "SHEAF_LIVE_RECHECK_S": 0.5,
    "SHEAF_LIVE_ACK_S": 2,
}


@pytest.fixture(scope="package")
def two_webs(django_db_setup):
    with Web(env=QUICK) as first, Web(env=QUICK) as second:
        yield first, second


@pytest.fixture(scope="package")
def web(two_webs):
    return two_webs[0]


@pytest.fixture(autouse=True)
async def _no_connection_stays():
    """The ORM's thread of asynchronous tests keeps its connection, and the test database could not be dropped."""
    yield
    await sync_to_async(connections.close_all)()
