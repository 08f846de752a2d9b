"""The stand-in in a process of its own: ``with StandIn() as service: ... service.stats()["max_in_flight"]``."""

from __future__ import annotations

import http.client
import json
import sys

from tests.processes import Process, free_port, wait_until


class StandIn(Process):
    """``url`` has no slash at its end."""

    name = "stand-in"

    def __init__(self, port: int | None = None):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._control_port = free_port()
        super().__init__(sys.executable, "-m", "tests.standin.server", str(self.port), str(self._control_port))

    def wait_ready(self) -> None:
        wait_until(lambda: "ready" in self.output, 15, what="the stand-in to listen", processes=[self])

    def control(self, word: str, **given) -> dict:
        line = http.client.HTTPConnection("127.0.0.1", self._control_port, timeout=5)
        try:
            line.request("POST", f"/control/{word}", json.dumps(given))
            return json.loads(line.getresponse().read())
        finally:
            line.close()

    def stats(self) -> dict:
        """Of the phase since ``mark``: calls, max_in_flight, over, ...; ``..._ever`` since the start."""
        return self.control("stats")

    def mark(self) -> dict:
        """Begin a new phase."""
        return self.control("mark")

    def weather(self, **order) -> dict:
        """From now on every call is answered so: weather(do="503"); weather() lets each call say for itself."""
        return self.control("weather", **order)
