"""PostgreSQL takes no NUL in a text: an address or a cookie with one is refused before anything is asked of it."""

import pytest

from tests.integration.literature.conftest import people  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    [
        "/admin/tasks/task/?state=%00",
        "/admin/tasks/subtask/?queue=a%00b",
        "/admin/tasks/queue/%00/change/",
        "/static/%00",
        "/sets/?q=%00",
        "/sets/?%00=1",
        "/tasks/1/log.json?key=%00",
    ],
)
def test_an_address_with_a_nul_is_a_bad_request(client, people, address):  # noqa: F811
    client.force_login(people["boss"])
    assert client.get(address).status_code == 400


@pytest.mark.parametrize("address", ["/", "/sets/", "/login/", "/admin/", "/tasks/1/log.json", "/tasks/1/events"])
def test_a_cookie_with_a_nul_is_a_bad_request_for_whoever_sends_it(client, address):
    # A quoted cookie may hold any character by its octal number
    assert client.get(address, HTTP_COOKIE='sessionid="\\000abcdefghij"').status_code == 400


def test_a_percent_sign_that_is_meant_as_one_passes(client, people):  # noqa: F811
    client.force_login(people["ana"])
    assert client.get("/sets/", {"q": "100%00"}).status_code == 200
