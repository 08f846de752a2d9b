"""An S3 service in memory, as strict as the real one where a client may go wrong, and as bad as it can get on request.

    with Bucket("papers") as s3:        its address is s3.url, what it holds s3.objects
        s3.weather = "503"              from now on; None is fair weather

Signatures are checked (AWS Signature Version 4, written from its specification, not with the client's own code), a
missing key and a missing bucket answer as Amazon's do, HEAD has no body, parts below 5 MiB are refused.

=============  ====================================================
503            every call: SlowDown
hang           takes the request and never answers
drip           answers a byte a quarter of a second
cut            says how long its answer is, then hangs up half-way
denied         every call: 403 AccessDenied
=============  ====================================================
"""

from __future__ import annotations

import hashlib
import hmac
import re
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, urlsplit

LEAST_PART = 5 * 2**20


class Bucket:
    def __init__(self, name: str, key: str = "standin", secret: str = "standin-secret"):
        self.name, self.key, self.secret = name, key, secret
        self.objects: dict[str, bytes] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.calls: list[str] = []
        self.weather: str | None = None
        self.over = threading.Event()

    def __enter__(self) -> Bucket:
        bucket = self

        class Answering(_Answering):
            s3 = bucket

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def environment(self) -> dict[str, str]:
        """What a process needs to keep its papers here."""
        return {
            "SHEAF_STORAGE": "s3",
            "SHEAF_S3_BUCKET": self.name,
            "SHEAF_S3_ENDPOINT": self.url,
            "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": self.secret,
        }


class _Answering(BaseHTTPRequestHandler):
    s3: Bucket
    protocol_version = "HTTP/1.1"

    def log_message(self, *_) -> None:
        """Nothing: tests count calls instead."""

    def _serve(self) -> None:
        url = urlsplit(self.path)
        self.query = dict(parse_qsl(url.query, keep_blank_values=True))
        bucket, _, self.object = url.path.lstrip("/").partition("/")
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.s3.calls.append(self.command)
        if self.s3.weather == "hang":
            self.s3.over.wait()
            self.close_connection = True
        elif self.s3.weather == "503":
            self._fault(503, "SlowDown")
        elif self.s3.weather == "denied":
            self._fault(403, "AccessDenied")
        elif wrong := self._wrong_signature(url.path):
            self._fault(403, wrong)
        elif bucket != self.s3.name:
            self._fault(404, "NoSuchBucket")
        else:
            getattr(self, f"_{self.command.lower()}")()

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _serve

    # --- objects ---

    def _put(self) -> None:
        if "partNumber" in self.query:
            upload = self.s3.uploads.get(self.query["uploadId"])
            if upload is None:
                return self._fault(404, "NoSuchUpload")
            upload[int(self.query["partNumber"])] = self.body
        else:
            self.s3.objects[self.object] = self.body
        self._send(200, headers={"ETag": f'"{hashlib.md5(self.body).hexdigest()}"'})

    def _post(self) -> None:
        if "uploads" in self.query:
            upload = uuid.uuid4().hex
            self.s3.uploads[upload] = {}
            return self._send(200, self._xml("InitiateMultipartUploadResult", UploadId=upload))
        parts = self.s3.uploads.get(self.query["uploadId"])
        if parts is None:
            return self._fault(404, "NoSuchUpload")
        numbers = [int(number) for number in re.findall(rb"<PartNumber>(\d+)", self.body)]
        if any(len(parts[number]) < LEAST_PART for number in numbers[:-1]):
            return self._fault(400, "EntityTooSmall")
        self.s3.objects[self.object] = b"".join(parts[number] for number in numbers)
        del self.s3.uploads[self.query["uploadId"]]
        self._send(200, self._xml("CompleteMultipartUploadResult", Key=self.object))

    def _get(self) -> None:
        data = self.s3.objects.get(self.object)
        if data is None:
            return self._fault(404, "NoSuchKey")
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not wanted:
            return self._send(200, data)
        first, last = int(wanted[1]), min(int(wanted[2]), len(data) - 1)
        if first > last:
            return self._fault(416, "InvalidRange")
        self._send(206, data[first : last + 1], headers={"Content-Range": f"bytes {first}-{last}/{len(data)}"})

    def _head(self) -> None:
        known = self.object in self.s3.objects
        self._send(200 if known else 404, headers={"Content-Length": str(len(self.s3.objects.get(self.object, b"")))})

    def _delete(self) -> None:
        if "uploadId" in self.query:
            self.s3.uploads.pop(self.query["uploadId"], None)
        else:
            self.s3.objects.pop(self.object, None)
        self._send(204)

    # --- answers ---

    def _xml(self, name: str, **values: str) -> bytes:
        inside = "".join(f"<{key}>{value}</{key}>" for key, value in values.items())
        return f'<?xml version="1.0" encoding="UTF-8"?><{name}>{inside}</{name}>'.encode()

    def _fault(self, status: int, code: str) -> None:
        self._send(status, b"" if self.command == "HEAD" else self._xml("Error", Code=code, Message=code))

    def _send(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.s3.weather == "cut" and len(body) > 1:
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        elif self.s3.weather == "drip":
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                if self.s3.over.wait(0.25):
                    return
        else:
            self.wfile.write(body)

    # --- signature ---

    def _wrong_signature(self, path: str) -> str:
        """The code of what is wrong with it; empty when it is right."""
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8}/[\w-]+/s3/aws4_request), ?"
            r"SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})",
            self.headers.get("Authorization", ""),
        )
        if not found:
            return "AccessDenied"
        key, scope, names, given = found.groups()
        if key != self.s3.key:
            return "InvalidAccessKeyId"
        stamp = self.headers["X-Amz-Date"]
        if abs(time.time() - _seconds(stamp)) > 900:
            return "RequestTimeTooSkewed"
        digest = self.headers["X-Amz-Content-SHA256"]
        if digest != "UNSIGNED-PAYLOAD" and digest != hashlib.sha256(self.body).hexdigest():
            return "XAmzContentSHA256Mismatch"
        pairs = sorted((quote(name, safe="-_.~"), quote(value, safe="-_.~")) for name, value in self.query.items())
        lines = [
            self.command,
            path,
            "&".join(f"{name}={value}" for name, value in pairs),
            *(f"{name}:{' '.join(self.headers[name].split())}" for name in names.split(";")),
            "",
            names,
            digest,
        ]
        told = ["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256("\n".join(lines).encode()).hexdigest()]
        secret = f"AWS4{self.s3.secret}".encode()
        for part in scope.split("/"):
            secret = hmac.new(secret, part.encode(), hashlib.sha256).digest()
        made = hmac.new(secret, "\n".join(told).encode(), hashlib.sha256).hexdigest()
        return "" if hmac.compare_digest(made, given) else "SignatureDoesNotMatch"


def _seconds(stamp: str) -> float:
    """Of 20260101T120000Z."""
    import calendar

    return calendar.timegm(time.strptime(stamp, "%Y%m%dT%H%M%SZ"))
