"""A receiver of webhooks in this process: answers by a script, and remembers what came.

    with Receiver(500, 500, 200) as receiver: ...; receiver.calls[0].headers["webhook-id"]

An entry of the script is a status, a (status, headers) pair, or a number of seconds to wait before the connection is
closed without a word; the last entry answers all that follow.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


class Receiver:
    """``url`` has a path, as a real webhook's."""

    def __init__(self, *script):
        self._script = list(script) or [200]
        self.calls: list[Call] = []
        self._lock = threading.Lock()

    def __enter__(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with receiver._lock:
                    receiver.calls.append(Call(self.command, self.path, headers, body, time.time()))
                    answer = receiver._script.pop(0) if len(receiver._script) > 1 else receiver._script[0]
                if isinstance(answer, float):
                    time.sleep(answer)
                    self.close_connection = True
                    return
                status, more = answer if isinstance(answer, tuple) else (answer, {})
                self.send_response(status)
                for name, value in {"content-length": "2", **more}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(b"ok")

            do_GET = do_POST

            def log_message(self, *_):
                """Nothing to stderr."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hooks/T0PSECRET"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
