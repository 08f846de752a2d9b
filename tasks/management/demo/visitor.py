"""Goes through the web form's own HTTP door as a person with a browser would, on this machine's loopback address.

Product code reaches the network through `tasks.outbound.calls` alone. This is not product code but a visitor of our own
server, so it speaks HTTP itself: a session cookie, the CSRF token, one file per request.
"""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Mapping
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

_FORM = "application/x-www-form-urlencoded"


class Refused(Exception):
    """The server answered with an error; the text says to what, and what it said."""


class Visitor:
    """One person's session with the server on `port`. Raises OSError if nobody answers, Refused on an error."""

    def __init__(self, host: str, port: int, *, timeout_s: float = 60.0):
        self._address = (host, port)
        self._timeout_s = timeout_s
        self._cookies: dict[str, str] = {}

    def is_ready(self) -> bool:
        """Whether the server says that visitors may come."""
        try:
            self._ask("GET", "/readyz")
        except (OSError, Refused):
            return False
        return True

    def log_in(self, path: str, name: str, password: str) -> None:
        """Open the login page for its token, then send the form; Refused if that gave no session."""
        self._ask("GET", path)
        self._ask("POST", path, urlencode({"username": name, "password": password}).encode(), _FORM)
        if "sessionid" not in self._cookies:
            raise Refused(f"{path}: the name or the password was not accepted")

    def get(self, path: str) -> Any:
        """The JSON at `path`."""
        return json.loads(self._ask("GET", path))

    def post(self, path: str, fields: Mapping[str, str] | None = None) -> Any:
        """Send a form; its JSON answer."""
        return json.loads(self._ask("POST", path, urlencode(fields or {}).encode(), _FORM))

    def give(self, path: str, file: Path) -> Any:
        """Upload one file to `path`; the JSON answer says what became of it."""
        boundary = f"sheaf-{secrets.token_hex(16)}"
        name = file.name.replace("\\", "\\\\").replace('"', '\\"')
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/pdf\r\n\r\n"
        )
        body = head.encode() + file.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        return json.loads(self._ask("POST", path, body, f"multipart/form-data; boundary={boundary}"))

    def _ask(self, method: str, path: str, body: bytes | None = None, content_type: str = "") -> bytes:
        """One request on a connection of its own; keeps the cookies that come back."""
        host, port = self._address
        headers = {"Accept": "application/json", "Cookie": "; ".join(f"{k}={v}" for k, v in self._cookies.items())}
        if body is not None:
            headers |= {"Content-Type": content_type, "X-CSRFToken": self._cookies.get("csrftoken", "")}
        connection = http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            said = answer.read()
        except http.client.HTTPException as error:
            raise Refused(f"{method} {path}: {error!r}") from error
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        if answer.status >= 400:
            raise Refused(f"{method} {path}: {answer.status} {said[:300].decode(errors='replace')}")
        return said
