"""Which storage keeps the papers: PostgreSQL (every machine reaches it), a shared folder, an S3-compatible service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from config.env import WrongSetting

CHOICES = ("postgres", "folder", "s3")


def backend(choice: str, *, folder: Path, bucket: str, endpoint: str) -> dict[str, Any]:
    """STORAGES["papers"]. S3 takes its keys from the environment, as its library does everywhere."""
    if choice == "folder":
        # Names are made of the content's hash: writing one again writes the same bytes.
        options = {"location": folder, "allow_overwrite": True}
        return {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}
    if choice == "s3":
        if not bucket:
            raise WrongSetting("SHEAF_STORAGE is 's3', so SHEAF_S3_BUCKET must name the bucket.")
        options = {"bucket_name": bucket, "endpoint_url": endpoint or None, "file_overwrite": True}
        return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    return {"BACKEND": "tasks.kinds.literature.storage.PostgresStorage"}
