"""Papers in a bucket: kept, read by workers elsewhere, pruned; and when the service is away nothing is lost."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile

from config.env import WrongSetting
from config.files import backend
from tasks import fanout
from tasks.files import s3_storage, storage_down, store, unused
from tasks.files.models import Chunk, Kept
from tasks.files.storage_down import StorageDown
from tasks.models import Queue, Task
from tests.integration.literature.papers import JSON, pdf_bytes, sha256
from tests.processes import Worker, wait_until
from tests.standin.s3 import Bucket

LARGE = os.urandom(1000) * 18_000  # three parts, the last one not full


@pytest.fixture
def s3(settings, monkeypatch):
    with Bucket("papers") as bucket:
        for name, value in bucket.environment().items():
            monkeypatch.setenv(name, value)
        use(settings, bucket)
        yield bucket


def use(settings, bucket, name="papers", **more):
    place = {"folder": None, "bucket": name, "endpoint": bucket.url, **more}
    settings.STORAGES = {**settings.STORAGES, "papers": backend("s3", **place)}


def quickly(monkeypatch, limit_s=60.0):
    """Without trying again; a call is given up after ``limit_s``."""
    from botocore.config import Config

    monkeypatch.setattr(s3_storage, "CONFIG", s3_storage.CONFIG.merge(Config(retries={"total_max_attempts": 1})))
    monkeypatch.setattr(storage_down, "CALL_S", limit_s)


@pytest.mark.parametrize("data", [b"x", LARGE], ids=["small", "in parts"])
def test_bytes_come_back_whole_by_each_way_of_reading(db, s3, data):
    address = sha256(data)
    store.keep(io.BytesIO(data), address)
    assert s3.objects == {store.address(address): data} and not s3.uploads
    assert b"".join(store.blocks(address)) == data
    assert store.size(address) == len(data)
    path = store.write_out(address)
    try:
        assert Path(path).read_bytes() == data
    finally:
        os.unlink(path)
    with storages["papers"].open(store.address(address)) as file:
        assert file.read() == data


def test_a_prefix_keeps_papers_apart_from_other_things_in_the_bucket(db, s3, settings):
    use(settings, s3, prefix="sheaf/live")
    store.keep(io.BytesIO(b"hay"), sha256(b"hay"))
    assert list(s3.objects) == [f"sheaf/live/{store.address(sha256(b'hay'))}"]
    assert b"".join(store.blocks(sha256(b"hay"))) == b"hay"


def test_what_is_there_is_not_sent_again_and_what_is_forgotten_is_gone(db, s3):
    address = sha256(b"hay")
    for _twice in range(2):
        store.keep(io.BytesIO(b"hay"), address)
    assert s3.calls.count("PUT") == 1
    store.forget(address)
    assert not s3.objects and not store.is_kept(address)
    with pytest.raises(FileNotFoundError):
        list(store.blocks(address))


def test_bytes_that_changed_in_the_bucket_are_not_read_as_the_paper(db, s3):
    store.keep(io.BytesIO(b"hay"), sha256(b"hay"))
    s3.objects[store.address(sha256(b"hay"))] = b"hey"
    with pytest.raises(FileNotFoundError, match="other bytes"):
        store.write_out(sha256(b"hay"))


def test_a_missing_paper_and_a_missing_bucket_are_told_apart(db, s3, settings):
    with pytest.raises(FileNotFoundError):
        store.size(sha256(b"never kept"))
    use(settings, s3, name="no-such-bucket")
    with pytest.raises(StorageDown) as raised:
        store.size(sha256(b"never kept"))
    assert raised.value.code == "storage_missing" and not raised.value.burns


@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_a_wrong_key_closes_the_door_until_a_person_acts(db, s3, settings, monkeypatch, name):
    monkeypatch.setenv(name, "wrong")
    use(settings, s3)
    with pytest.raises(StorageDown) as raised:
        store.keep(io.BytesIO(b"hay"), sha256(b"hay"))
    assert raised.value.code == "storage_denied" and raised.value.until_reset
    assert "standin-secret" not in str(raised.value.data) + raised.value.message


@pytest.mark.parametrize(("weather", "burns"), [("503", False), ("hang", True), ("drip", True), ("cut", True)])
def test_a_bad_service_is_given_up_in_time_whatever_it_does(db, s3, settings, monkeypatch, weather, burns):
    store.keep(io.BytesIO(LARGE), sha256(LARGE))
    quickly(monkeypatch, 1.0 if weather in ("hang", "drip") else 60.0)
    use(settings, s3)
    s3.weather = weather
    with pytest.raises(StorageDown) as raised:
        list(store.blocks(sha256(LARGE)))
    assert raised.value.code == "storage_down" and raised.value.burns is burns
    monkeypatch.setattr(storage_down, "CALL_S", 60.0)
    s3.weather = None
    assert b"".join(store.blocks(sha256(LARGE))) == LARGE


def test_a_call_may_never_take_longer_than_a_call_over_the_network_may():
    assert storage_down.CALL_S <= 90 and s3_storage.CONFIG.read_timeout < storage_down.CALL_S


def test_a_service_that_refuses_connections_spends_no_attempt(db, s3, settings, monkeypatch):
    quickly(monkeypatch)
    s3.__exit__()
    use(settings, s3)
    with pytest.raises(StorageDown) as raised:
        store.is_kept(sha256(b"hay"))
    assert not raised.value.burns


def test_half_of_a_large_paper_is_never_there(db, s3, monkeypatch):
    quickly(monkeypatch)
    sent = s3_storage.Bucket._call

    def cut_off(self, operation, name, *args, **given):
        if given.get("PartNumber") == 2:
            raise StorageDown("storage_down", "away")
        return sent(self, operation, name, *args, **given)

    monkeypatch.setattr(s3_storage.Bucket, "_call", cut_off)
    with pytest.raises(StorageDown):
        store.keep(io.BytesIO(LARGE), sha256(LARGE))
    assert not s3.objects and not s3.uploads


def test_an_upload_while_the_storage_is_away_says_so_and_works_again_later(s3, ana, draft, give):
    s3.weather = "503"
    answer = give(pdf_bytes("hay"))
    assert answer.status_code == 503 and answer.json()["code"] == "storage_down" and answer["Retry-After"]
    assert not draft.papers.exists()
    s3.weather = None
    assert give(pdf_bytes("hay")).json()["paper"]["state"] == "accepted"


def test_a_download_while_the_storage_is_away_is_a_page_that_says_so(s3, ana, draft, give):
    paper = give(pdf_bytes("hay")).json()["paper"]
    s3.weather = "denied"
    answer = ana.get(f"/sets/{draft.pk}/file/{paper['id']}.pdf")
    assert answer.status_code == 503 and b"Nothing is lost" in answer.content


def test_what_could_not_be_deleted_is_found_by_the_sweep(s3, ana, draft, give):
    give(pdf_bytes("hay"))
    s3.weather = "503"
    assert ana.post(f"/sets/{draft.pk}/discard/", **JSON).json() == {"done": True}
    assert len(s3.objects) == 1 and Kept.objects.count() == 1
    Kept.objects.update(kept_at="2001-01-01T00:00:00Z")
    assert unused.forget_orphans(time.monotonic() + 60) == 0
    s3.weather = None
    assert unused.forget_orphans(time.monotonic() + 60) == 1
    assert not s3.objects and not Kept.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_elsewhere_reads_from_the_bucket_and_waits_out_an_outage(s3, client, people):
    client.force_login(people["ana"])
    task = fanout.create("literature", people["ana"], "Hay and its uses")
    for name in ("one", "two"):
        file = SimpleUploadedFile(f"{name}.pdf", pdf_bytes(name))
        assert client.post(f"/sets/{task.pk}/files/", {"file": file}, **JSON).status_code == 201
    s3.weather = "503"
    client.post(f"/sets/{task.pk}/start/", **JSON)
    quick = {"SHEAF_BACKOFF_S": "0.2", "SHEAF_BREAKER_OPEN_S": "0.2", "SHEAF_BREAKER_MAX_S": "1", "SHEAF_LINGER_S": "0"}
    with Worker(concurrency=2, env={**s3.environment(), **quick}) as worker:
        wait_until(
            lambda: task.children.filter(error_code="storage_down").exists(), 60, what="the outage", processes=[worker]
        )
        assert not task.children.filter(attempt__gt=1).exists()
        s3.weather = None
        wait_until(lambda: Task.objects.get(pk=task.pk).is_terminal, 60, what="the end", processes=[worker])
    task.refresh_from_db()
    assert (task.succeeded, task.failed) == (2, 0) and not Chunk.objects.exists()
    assert Queue.objects.get(name="local").breaker == "closed"


def test_s3_without_its_libraries_stops_the_start_with_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr("config.files.find_spec", lambda name: None)
    with pytest.raises(WrongSetting, match="requirements-s3.txt"):
        backend("s3", folder=tmp_path, bucket="papers", endpoint="")
