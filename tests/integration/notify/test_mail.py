"""The letter: in the asker's language, once, and what the mail server says is understood."""

from __future__ import annotations

import smtplib
from types import SimpleNamespace

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.core import mail
from django.utils import translation

from tasks.errors import Permanent, ServiceDown, Transient
from tasks.kinds.notify import post, wishes
from tasks.kinds.notify.models import Wish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def send(batch, settings, monkeypatch):
    """Ask, tell, and run the stage here; the letters sent."""
    settings.SHEAF_MAIL_CONFIGURED = True
    settings.DEFAULT_FROM_EMAIL = "Sheaf <sheaf@example.org>"

    def send(language="en", error=None):
        with translation.override(language):
            wishes.ask(batch, "mail", "ana@example.org", by=batch.owner, origin="https://s.example.org/")
        (notice,) = wishes.tell(batch, "/sets/7/report/")
        if error is not None:

            def fail(_message):
                raise error

            monkeypatch.setattr(post.EmailMessage, "send", fail)
        params = notice.task.params

        async def db(function, *arguments):
            from asgiref.sync import sync_to_async

            return await sync_to_async(function)(*arguments)

        attempt = SimpleNamespace(input={"notice": params["notice"], "body": params["body"]}, db=db)
        async_to_sync(post.send_mail)(attempt)
        return mail.outbox

    return send


def test_an_address_that_is_not_the_askers_any_more_gets_nothing(send, batch):
    send()
    Wish.objects.update(address="stranger@example.org")
    batch.notices.all().delete()
    before = list(mail.outbox)
    with pytest.raises(Permanent, match="not_your_mailbox"):
        async_to_sync(post.send_mail)(_again(batch))
    assert mail.outbox == before


def _again(batch):
    (notice,) = wishes.tell(batch, "/sets/7/report/")

    async def db(function, *arguments):
        return await sync_to_async(function)(*arguments)

    return SimpleNamespace(input={"notice": notice.task.params["notice"], "body": notice.task.params["body"]}, db=db)


def test_the_letter_says_what_the_batch_came_to_and_where_the_report_is(send):
    (letter,) = send()
    assert letter.to == ["ana@example.org"] and letter.from_email == "Sheaf <sheaf@example.org>"
    assert letter.subject == "Ended, 1 failed: Hay and its uses"
    assert "2 in all: 1 succeeded, 1 failed, 0 cancelled." in letter.body
    assert "https://s.example.org/sets/7/report/" in letter.body
    assert letter.extra_headers["Message-ID"].endswith("@example.org>")


def test_the_letter_is_in_the_language_of_who_asked(send):
    (letter,) = send("zh-hans")
    assert any("一" <= character <= "龥" for character in letter.subject)


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (smtplib.SMTPRecipientsRefused({"a@b.org": (550, b"no")}), Permanent, "mail_refused"),
        (smtplib.SMTPRecipientsRefused({"a@b.org": (450, b"later")}), Transient, "mail_server"),
        (smtplib.SMTPDataError(554, b"spam"), Permanent, "mail_refused"),
        (smtplib.SMTPServerDisconnected("gone"), ServiceDown, "mail_server"),
        (ConnectionRefusedError(111, "refused"), ServiceDown, "mail_server"),
        (smtplib.SMTPAuthenticationError(535, b"key"), ServiceDown, "mail_server"),
    ],
)
def test_what_the_mail_server_says_is_understood(send, error, kind, code):
    with pytest.raises(kind) as caught:
        send(error=error)
    assert caught.value.code == code
    assert getattr(caught.value, "until_reset", False) == isinstance(error, smtplib.SMTPAuthenticationError)
