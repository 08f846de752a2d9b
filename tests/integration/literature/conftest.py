"""People and drafts for the tests of literature sets."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tasks import fanout
from tests.integration.literature.papers import JSON


@pytest.fixture
def people(db, django_user_model):
    """ana and ben: researchers; staff: may look at all batches; boss: may do everything."""
    from django.contrib.auth.models import Permission

    make = django_user_model.objects.create_user
    people = {"ana": make("ana"), "ben": make("ben"), "staff": make("staff", is_staff=True)}
    people["boss"] = django_user_model.objects.create_superuser("boss")
    people["staff"].user_permissions.add(Permission.objects.get(codename="view_task"))
    return people


@pytest.fixture
def ana(client, people):
    """A client logged in as ana."""
    client.force_login(people["ana"])
    return client


@pytest.fixture
def draft(people):
    """A set of ana's that has not started."""
    return fanout.create("literature", people["ana"], "Hay and its uses")


@pytest.fixture
def give(ana, draft):
    """Give a file to the draft through the door; the response."""

    def give(data: bytes, name: str = "hay.pdf", folder: str = "", **extra):
        body = {"file": SimpleUploadedFile(name, data), "folder": folder}
        return ana.post(f"/sets/{draft.pk}/files/", body, **JSON, **extra)

    return give
