"""Which storage keeps the papers: PostgreSQL (every machine reaches it), a shared folder, an S3-compatible service."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from config import env
from config.env import WrongSetting

CHOICES = ("postgres", "folder", "s3")


def papers(var: Path) -> dict[str, Any]:
    """STORAGES["papers"], as the environment says."""
    return backend(
        env.text(
            "SHEAF_STORAGE",
            "postgres",
            "Where papers are kept; a folder must be shared by all machines.",
            choices=CHOICES,
        ),
        folder=Path(
            env.text("SHEAF_STORAGE_FOLDER", "", "The folder of SHEAF_STORAGE=folder; empty: papers below SHEAF_VAR.")
            or var / "papers"
        ),
        bucket=env.text("SHEAF_S3_BUCKET", "", "The bucket of SHEAF_STORAGE=s3; its keys are AWS_ACCESS_KEY_ID etc."),
        endpoint=env.url(
            "SHEAF_S3_ENDPOINT",
            "",
            "Address of an S3-compatible service other than Amazon's.",
            schemes=("https", "http"),
        ),
        region=env.text("SHEAF_S3_REGION", "us-east-1", "The region of the bucket."),
        prefix=env.text("SHEAF_S3_PREFIX", "", "Papers get names below this one, in a bucket with other things."),
    )


def backend(
    choice: str, *, folder: Path, bucket: str, endpoint: str, region: str = "us-east-1", prefix: str = ""
) -> dict[str, Any]:
    """STORAGES["papers"]. S3 takes its keys from the environment, as its library does everywhere."""
    if choice == "folder":
        return {"BACKEND": "tasks.files.folder_storage.FolderStorage", "OPTIONS": {"location": folder}}
    if choice == "s3":
        if not bucket:
            raise WrongSetting("SHEAF_STORAGE is 's3', so SHEAF_S3_BUCKET must name the bucket.")
        if find_spec("storages") is None or find_spec("boto3") is None:
            raise WrongSetting("SHEAF_STORAGE is 's3', which needs: pip install -r requirements-s3.txt.")
        options = {
            "bucket_name": bucket,
            "endpoint_url": endpoint or None,
            "region_name": region,
            "location": prefix,
            # A service of one's own seldom has a host name for each bucket
            "addressing_style": "path" if endpoint else "auto",
        }
        return {"BACKEND": "tasks.files.s3_storage.Bucket", "OPTIONS": options}
    return {"BACKEND": "tasks.files.storage.PostgresStorage"}
