"""Where papers are kept: PostgreSQL by default, a folder by a setting; both keep the same bytes at one address."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from config.env import WrongSetting
from config.files import backend
from tasks.files import store
from tasks.files.models import Chunk
from tasks.files.storage import CHUNK
from tasks.files.storage_down import StorageDown
from tests.integration.literature.papers import keep_json, sha256

DATA = bytes(range(256)) * 4000  # four chunks, the last one not full


@pytest.fixture(params=["postgres", "folder"])
def storage(request, db, settings, tmp_path):
    settings.STORAGES = {
        **settings.STORAGES,
        "papers": backend(request.param, folder=tmp_path, bucket="", endpoint=""),
    }
    return storages["papers"]


def test_bytes_come_back_whole_by_each_way_of_reading(storage):
    address = sha256(DATA)
    store.keep(io.BytesIO(DATA), address)
    assert b"".join(store.blocks(address)) == DATA
    assert store.size(address) == len(DATA)
    path = store.write_out(address)
    try:
        assert Path(path).read_bytes() == DATA
    finally:
        os.unlink(path)
    with storage.open(store.address(address)) as file:
        file.seek(1000)
        assert file.read(256) == DATA[1000:1256]


def test_keeping_twice_keeps_one_copy_and_forgetting_leaves_none(storage):
    address = sha256(DATA)
    for _twice in range(2):
        store.keep(io.BytesIO(DATA), address)
    assert store.is_kept(address)
    store.forget(address)
    assert not store.is_kept(address)
    with pytest.raises(FileNotFoundError):
        list(store.blocks(address))


def test_a_large_text_comes_back_as_the_same_value(storage):
    value = {"page_text": ["多行\n文字", ""], "markdown": "# x\n" * 100_000}
    assert store.read_json(keep_json(value)) == value


def test_a_file_is_cut_into_chunks_of_256_kb(db):
    storages["papers"].save("x", ContentFile(DATA))
    sizes = [len(chunk.data) for chunk in Chunk.objects.order_by("number")]
    assert sizes[:-1] == [CHUNK] * 3 and sum(sizes) == len(DATA)


def test_a_chunk_that_went_missing_is_an_error_and_not_a_shorter_file(db):
    store.keep(io.BytesIO(DATA), sha256(DATA))
    Chunk.objects.filter(number=1).delete()
    with pytest.raises(FileNotFoundError, match="chunk 1"):
        list(store.blocks(sha256(DATA)))


@pytest.fixture
def folder(db, settings, tmp_path):
    settings.STORAGES = {**settings.STORAGES, "papers": backend("folder", folder=tmp_path, bucket="", endpoint="")}
    return tmp_path


def test_a_disk_that_fills_up_leaves_no_half_of_a_paper_behind(folder, monkeypatch):
    address = sha256(DATA)

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        with pytest.raises(StorageDown, match="No space left") as raised:
            store.keep(io.BytesIO(DATA), address)
    assert raised.value.code == "storage_down"
    assert [one for one in folder.rglob("*") if one.is_file()] == []
    store.keep(io.BytesIO(DATA), address)
    assert b"".join(store.blocks(address)) == DATA


def test_half_a_file_in_the_folder_is_not_read_as_the_paper(folder):
    store.keep(io.BytesIO(DATA), sha256(DATA))
    (folder / store.address(sha256(DATA))).write_bytes(DATA[:1000])
    with pytest.raises(FileNotFoundError, match="other bytes"):
        store.write_out(sha256(DATA))


def test_a_folder_that_may_not_be_read_is_staffs_affair_and_loses_nothing(folder, monkeypatch):
    store.keep(io.BytesIO(DATA), sha256(DATA))

    def forbidden(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os.path, "getsize", forbidden)
    with pytest.raises(StorageDown) as raised:
        store.size(sha256(DATA))
    assert raised.value.code == "storage_denied"


def test_s3_without_a_bucket_stops_the_start_with_a_sentence(tmp_path):
    with pytest.raises(WrongSetting, match="SHEAF_S3_BUCKET"):
        backend("s3", folder=tmp_path, bucket="", endpoint="")


def test_files_are_for_the_group_and_nobody_else(folder):
    address, before = sha256(DATA), os.umask(0)
    try:
        store.keep(io.BytesIO(DATA), address)
    finally:
        os.umask(before)
    path = folder / store.address(address)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o640, 0o750)
