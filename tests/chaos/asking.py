"""A person at the pages while everything breaks: the web process is asked all the time, and has to answer."""

from __future__ import annotations

import http.client
import threading
import time

from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client

from tests.chaos.database import Downtime, insist

EVERY_S = 0.5
PATIENCE_S = 15
#: A connection that was cut is felt by the request that used it, and by nobody later.
GRACE_S = 2.0
#: What lives whatever the database does, and a page that reads rows.
ALIVE, PAGE = "/healthz", "/admin/tasks/task/"
#: What a page may say while the database is away: to come again, or nothing yet. A fault (500) is never right.
AWAY = (503, 0)


class Asking:
    """``statuses``: answers by path and status; ``errors``: answers that no fault of this moment excuses."""

    def __init__(self, port: int, downtime: Downtime):
        self._port, self._downtime = port, downtime
        self._cookie = ""
        self._away: list[tuple[float, str, int]] = []
        self.statuses: dict[str, dict[int, int]] = {ALIVE: {}, PAGE: {}}
        self.slowest_s = 0.0

    def log_in(self) -> None:
        user, _ = get_user_model().objects.get_or_create(
            username="chaos-staff", defaults={"is_staff": True, "is_superuser": True}
        )
        client = Client()
        client.force_login(user)
        self._cookie = f"sessionid={client.cookies['sessionid'].value}"

    def ask_on(self, over: threading.Event) -> None:
        """Until ``over``. A process that is not there (killed, or starting) refuses the connection: none is due."""
        insist(self.log_in)
        connection.close()
        while not over.wait(EVERY_S):
            for path in (ALIVE, PAGE):
                began = time.time()
                if (status := self._get(path)) is None:
                    continue
                self.slowest_s = max(self.slowest_s, round(time.time() - began, 2))
                counted = self.statuses[path]
                counted[status] = counted.get(status, 0) + 1
                if status != 200:
                    self._away.append((began, path, status))

    def _get(self, path: str) -> int | None:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        try:
            line.request("GET", path, headers={"Cookie": self._cookie})
            return line.getresponse().status
        except TimeoutError:
            return 0  # it is there, and says nothing
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    @property
    def errors(self) -> list[str]:
        """Answers that were wrong: all but 200, and but AWAY while the database was."""
        return [
            f"{path}: {status}"
            for at, path, status in self._away
            if path == ALIVE
            or status not in AWAY
            or not self._downtime.disturbed(at - GRACE_S, at + PATIENCE_S + GRACE_S)
        ]
