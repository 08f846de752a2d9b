"""Which addresses may be asked for."""

from types import SimpleNamespace

import pytest

from tasks.errors import Refused
from tasks.kinds.notify import addresses

ANA = SimpleNamespace(email="ana@example.org")


@pytest.mark.parametrize("url", ["https://hooks.example.org/a?b=c", "http://example.org:8080/x", " https://例え.jp/ "])
def test_a_url_that_leads_out_is_taken(url):
    assert addresses.hook(url) == url.strip()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "ftp://a.org/",
        "https://",
        "https://user:pw@a.org/",
        "https://user@a.org/",
        "javascript:alert(1)",
        "https://a.org:99999/",
        "https://a b.org/",
        "https://a.org/" + "x" * 500,
        "https://[::1/",
        "file:///etc/passwd",
        "https://a.org/\r\nX: y",
    ],
)
def test_what_is_no_url_or_carries_a_password_is_refused(url):
    with pytest.raises(Refused) as refused:
        addresses.hook(url)
    assert refused.value.code == "no_hook"


@pytest.mark.parametrize("url", ["http://mineru.lab:8000/x", "http://MINERU.lab:8000/", "http://grobid.lab/api"])
def test_a_service_of_ours_is_not_opened_to_peoples_webhooks(settings, url):
    settings.SHEAF_SERVICES_PRIVATE = ["mineru.lab:8000", "grobid.lab"]
    with pytest.raises(Refused) as refused:
        addresses.hook(url)
    assert refused.value.code == "hook_inside"
    settings.SHEAF_WEBHOOK_PRIVATE = ["mineru.lab:8000", "grobid.lab"]
    assert addresses.hook(url) == url


def test_a_mailbox_needs_mail_to_be_set_up_and_to_be_one(settings):
    settings.SHEAF_MAIL_CONFIGURED = False
    with pytest.raises(Refused, match="mail_off"):
        addresses.mailbox("ana@example.org", ANA)
    settings.SHEAF_MAIL_CONFIGURED = True
    assert addresses.mailbox(" ana@example.org ", ANA) == "ana@example.org"
    for wrong in ("ana", "ana@x@y.org", "a@b.org\nBcc: c@d.org", "a@b.org, c@d.org"):
        with pytest.raises(Refused, match="no_mailbox"):
            addresses.mailbox(wrong, ANA)


@pytest.mark.parametrize("text", ["ana@example.org", "Ana@Example.ORG", "team@lab.example", "team@LAB.example"])
def test_mail_goes_to_ones_own_address_and_to_the_domains_of_the_house(settings, text):
    settings.SHEAF_MAIL_CONFIGURED, settings.SHEAF_MAIL_DOMAINS = True, ["@Lab.example", "x.example"]
    assert addresses.mailbox(text, ANA) == text


@pytest.mark.parametrize("text", ["ben@example.org", "a@sub.lab.example", "a@lab.example.evil.org", "a@example.org"])
def test_mail_to_strangers_is_refused(settings, text):
    settings.SHEAF_MAIL_CONFIGURED, settings.SHEAF_MAIL_DOMAINS = True, ["lab.example"]
    for by in (ANA, SimpleNamespace(email="")):
        with pytest.raises(Refused, match="not_your_mailbox"):
            addresses.mailbox(text, by)
