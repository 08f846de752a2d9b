"""Asking to be told on the page of a set: who may, what is refused, and a secret that is shown once."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model

from tasks.kinds.literature.kind import Literature
from tasks.kinds.notify.models import Notice, Wish
from tasks.models import Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON

HOOK = {"channel": "webhook", "address": "https://hooks.example.org/x"}


@pytest.fixture
def url(draft):
    return f"/sets/{draft.pk}/tell/"


def test_a_webhooks_secret_is_shown_once_and_stays_for_the_same_address(ana, url):
    page = ana.post(url, HOOK).content.decode()
    secret = re.search(r'<code id="secret">(whsec_[\w+/=]+)</code>', page)[1]
    assert Wish.objects.get().secret == secret
    assert "whsec_" not in ana.get(url).content.decode()
    assert "whsec_" not in ana.post(url, HOOK, follow=True).content.decode()
    assert Wish.objects.get().secret == secret
    other = ana.post(url, {**HOOK, "address": "https://other.example.org/"}, **JSON).json()["secret"]
    assert other != secret == secret and Wish.objects.get().secret == other
    renewed = ana.post(url, {**HOOK, "do": "renew_secret"}, **JSON).json()["secret"]
    assert Wish.objects.get().secret == renewed != other


def test_a_wish_can_be_taken_back(ana, url):
    ana.post(url, HOOK)
    ana.post(url, {**HOOK, "do": "take_back"})
    assert not Wish.objects.exists()


@pytest.mark.parametrize("address", ["", "http://user:pw@example.org/", "nonsense", "\x00"])
def test_a_wrong_address_is_refused_on_the_page_with_what_was_typed(ana, url, address):
    answer = ana.post(url, {**HOOK, "address": address})
    assert answer.status_code == 400 and 'aria-invalid="true"' in answer.content.decode()
    assert ana.post(url, {**HOOK, "address": address}, **JSON).json()["code"] == "no_hook"
    assert not Wish.objects.exists()


def test_without_a_mail_server_the_page_says_so_and_a_program_is_refused(ana, url, settings):
    settings.SHEAF_MAIL_CONFIGURED = False
    assert "E-mail is not configured" in ana.get(url).content.decode()
    answer = ana.post(url, {"channel": "mail", "address": "ana@example.org"}, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "mail_off")


def test_with_a_mail_server_an_address_is_kept_with_the_askers_language(ana, url, settings):
    settings.SHEAF_MAIL_CONFIGURED = True
    get_user_model().objects.filter(username="ana").update(email="ana@example.org")
    ana.cookies["django_language"] = "zh-hans"
    ana.post(url, {"channel": "mail", "address": "ana@example.org"})
    wish = Wish.objects.get()
    assert (wish.address, wish.language, wish.origin) == ("ana@example.org", "zh-hans", "http://testserver/")


def test_mail_to_a_stranger_is_refused_with_what_to_do(ana, url, settings):
    settings.SHEAF_MAIL_CONFIGURED = True
    answer = ana.post(url, {"channel": "mail", "address": "stranger@example.org"}, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "not_your_mailbox")
    assert not Wish.objects.exists()


def test_a_webhooks_secret_is_not_in_the_database_as_it_is(ana, url):
    secret = ana.post(url, HOOK, **JSON).json()["secret"]
    (row,) = Wish.objects.values()
    assert secret not in str(row) and secret.removeprefix("whsec_") not in str(row)
    assert Wish.objects.get().secret == secret


def test_an_unknown_channel_is_400(ana, url):
    assert ana.post(url, {"channel": "pigeon", "address": "x"}).status_code == 400
    assert ana.put(url).status_code == 405


def test_only_who_may_operate_the_set_may_ask(client, people, url):
    for who, status in (("ben", 404), ("staff", 403), ("boss", 200)):
        client.force_login(people[who])
        assert client.get(url).status_code == status
    assert client.post(url, HOOK).status_code == 200


def test_the_closing_step_tells_once_and_the_report_shows_what_became_of_it(ana, people):
    task = ended_set(people["ana"])
    ana.post(f"/sets/{task.pk}/tell/", HOOK)
    Literature().complete(task)
    Literature().complete(task)
    notice = Notice.objects.get()
    assert list(Task.objects.filter(kind="webhook")) == [notice.task]
    assert (notice.about, notice.generation) == (task, 1)
    data = notice.task.params["body"]["data"]
    assert data["url"] == f"http://testserver/sets/{task.pk}/report/" and data["failed"] == 1
    assert "hooks.example.org" not in str(notice.task.params)
    assert "Webhook: on its way" in ana.get(f"/sets/{task.pk}/report/").content.decode()
    sets = ana.get("/sets/", **JSON).json()["sets"]
    assert [one["id"] for one in sets] == [task.pk]
