"""The mail server from one address."""

import pytest

from config import mail
from config.env import WrongSetting


def test_without_an_address_nothing_is_sent():
    assert mail.configured("")["EMAIL_BACKEND"].endswith("dummy.EmailBackend")


def test_smtp_turns_to_tls_and_smtps_begins_with_it():
    plain = mail.configured("smtp://me%40x.org:p%3Aw@mail.example.org")
    assert (plain["EMAIL_HOST"], plain["EMAIL_PORT"]) == ("mail.example.org", 587)
    assert (plain["EMAIL_HOST_USER"], plain["EMAIL_HOST_PASSWORD"]) == ("me@x.org", "p:w")
    assert (plain["EMAIL_USE_TLS"], plain["EMAIL_USE_SSL"]) == (True, False)
    assert mail.configured("smtp://localhost:25?tls=none")["EMAIL_USE_TLS"] is False
    secure = mail.configured("smtps://mail.example.org")
    assert (secure["EMAIL_PORT"], secure["EMAIL_USE_TLS"], secure["EMAIL_USE_SSL"]) == (465, False, True)


@pytest.mark.parametrize("url", ["smtp://", "smtp://h:x", "smtp://h?tls=maybe"])
def test_a_wrong_address_stops_the_start_with_a_sentence_that_does_not_show_it(url):
    with pytest.raises(WrongSetting) as wrong:
        mail.configured(url)
    assert "SHEAF_MAIL_URL" in str(wrong.value)
