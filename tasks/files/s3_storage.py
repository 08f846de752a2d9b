"""Papers in a bucket of an S3-compatible service: django-storages' storage, with every call bounded in time.

Its own file object downloads a paper in one call without an end; here a paper is read and written in parts, each a
call of its own, so that a slow reader of a large file holds no connection and no call exceeds its deadline.

A 404 may mean that the paper is missing or that the bucket is. The first is that paper's trouble, the second
everybody's, so they are told apart by the error's code (a HEAD has none, so nothing here is asked with HEAD).
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator

from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    PartialCredentialsError,
)
from django.core.files.base import File
from storages.backends.s3 import S3Storage
from urllib3.exceptions import HTTPError

from tasks.files.storage_down import DELETE_S, StorageDown, within

PART = 8 * 2**20  # S3 wants parts of 5 MiB at least
_MEMORY = 2**20
_MISSING = {"NoSuchKey"}
_NO_BUCKET = {"NoSuchBucket", "PermanentRedirect", "AuthorizationHeaderMalformed"}  # the last two: of another region
_KEYS = {"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "RequestTimeTooSkewed"}
#: Checksums only where the service demands them: many that are compatible with S3 don't know the newer ones.
CONFIG = Config(
    connect_timeout=5,
    read_timeout=20,
    retries={"mode": "standard", "total_max_attempts": 3},
    signature_version="s3v4",
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class Bucket(S3Storage):
    """Raises FileNotFoundError for a paper that isn't there, StorageDown for a service that isn't, or refuses us."""

    def __init__(self, *, addressing_style: str = "auto", **options):
        config = CONFIG.merge(Config(s3={"addressing_style": addressing_style}))
        super().__init__(client_config=config, file_overwrite=True, **options)
        self._made = threading.Lock()
        self._client = None

    @property
    def client(self):
        """One for all threads: it may be shared, and takes a tenth of a second to make."""
        with self._made:
            self._client = self._client or self.connection.meta.client
            return self._client

    def _save(self, name: str, content: File) -> str:
        content.seek(0)
        first = content.read(PART)
        if len(first) < PART:
            self._call("put_object", name, Body=first)
            return name
        upload = self._call("create_multipart_upload", name)["UploadId"]
        try:
            tags, part = [], first
            while part:
                number = len(tags) + 1
                etag = self._call("upload_part", name, UploadId=upload, PartNumber=number, Body=part)["ETag"]
                tags.append({"ETag": etag, "PartNumber": number})
                part = content.read(PART)
            self._call("complete_multipart_upload", name, UploadId=upload, MultipartUpload={"Parts": tags})
        except BaseException:
            self._abort(name, upload)
            raise
        return name

    def _abort(self, name: str, upload: str) -> None:
        try:
            self._call("abort_multipart_upload", name, UploadId=upload)
        except (StorageDown, FileNotFoundError):
            return  # the bucket's own rule for unfinished uploads takes it; what went wrong first is what counts

    def parts(self, name: str) -> Iterator[bytes]:
        """The bytes of a paper, a part at a time."""
        start, whole = 0, 1
        while start < whole:
            part, whole = self._range(name, start, PART)
            yield part
            start += len(part)

    def _range(self, name: str, start: int, length: int) -> tuple[bytes, int]:
        """(bytes from ``start`` on, bytes of the whole)."""

        def read(answer) -> tuple[bytes, int]:
            data = answer["Body"].read()
            whole = answer.get("ContentRange", "").rpartition("/")[2]
            return data, int(whole) if whole.isdecimal() else len(data)

        part, whole = self._call("get_object", name, read, Range=f"bytes={start}-{start + length - 1}")
        if len(part) < min(length, whole - start):
            raise StorageDown("storage_down", f"{name}: a part came short", burns=True, detail="short answer")
        return part, whole

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError(f"{name} can be read only, not opened with {mode!r}")
        copy = tempfile.SpooledTemporaryFile(max_size=_MEMORY)
        for part in self.parts(name):
            copy.write(part)
        copy.seek(0)
        return File(copy, name)

    def size(self, name: str) -> int:
        return self._range(name, 0, 1)[1]

    def exists(self, name: str) -> bool:
        try:
            self.size(name)
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        self._call("delete_object", name, limit_s=DELETE_S)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name itself: the same name is the same content."""
        return name

    def _call(self, operation: str, name: str, read: Callable = lambda answer: answer, limit_s=None, **given):
        """One call with its answer read to the end, within its deadline."""
        key, client = self._normalize_name(name), self.client

        def call():
            try:
                return read(getattr(client, operation)(Bucket=self.bucket_name, Key=key, **given))
            except ClientError as error:
                raise self._meaning(error, name) from error
            except (NoCredentialsError, PartialCredentialsError) as error:
                raise StorageDown("storage_denied", str(error), until_reset=True, detail="no keys") from error
            except (BotoCoreError, HTTPError, OSError) as error:
                began = not isinstance(error, EndpointConnectionError | ConnectTimeoutError)
                kind = type(error).__name__
                raise StorageDown("storage_down", str(error)[:300], burns=began, detail=kind) from error

        return within(call, limit_s)

    def _meaning(self, error: ClientError, name: str) -> Exception:
        """What an answer that is no success says of the paper, of us, of the service."""
        code = error.response.get("Error", {}).get("Code", "")
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in _MISSING:
            return FileNotFoundError(name)
        if code in _NO_BUCKET:
            return StorageDown("storage_missing", f"{code}: {self.bucket_name}", detail=self.bucket_name)
        if code in _KEYS:
            return StorageDown("storage_denied", code, until_reset=True, detail=code)
        if status == 403:  # of one paper perhaps: without the right to list, a missing one is "denied" too
            return StorageDown("storage_denied", code, burns=True, detail=code)
        away = status in (429, 502, 503, 504) or code == "SlowDown"
        return StorageDown("storage_down", f"{status} {code}"[:300], burns=not away, detail=f"{status} {code}".strip())
