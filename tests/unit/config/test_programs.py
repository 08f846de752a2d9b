"""How the web process is started: in daphne's words, with room for a crowd that comes at once."""

import pytest
from twisted.internet import reactor
from twisted.internet.endpoints import serverFromString

from config.machine import programs


@pytest.mark.parametrize(("host", "told"), [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[::]", "::")])
def test_daphne_understands_where_it_listens(host, told):
    listening = serverFromString(reactor, programs.endpoint(host, 8000))
    assert (listening._port, listening._interface, listening._backlog) == (8000, told, programs.BACKLOG)


def test_the_web_process_is_started_so():
    assert programs.endpoint("127.0.0.1", 8123) in programs.web("127.0.0.1", 8123).command
