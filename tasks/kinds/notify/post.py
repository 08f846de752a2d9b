"""Sends the letter by Django's mail, in a thread, and says what the mail server's answer means.

The mail server is one for all, so its trouble is the queue's (ServiceDown); a refused mailbox is the notice's own.
"""

from __future__ import annotations

import asyncio
import smtplib

from django.conf import settings
from django.core.mail import EmailMessage

from tasks.errors import Permanent, ServiceDown, Transient
from tasks.kinds.notify import addresses, letter, wished


async def send_mail(attempt) -> dict:
    """Hand the letter to the mail server."""
    wish = await wished.of(attempt)
    if not settings.SHEAF_MAIL_CONFIGURED:
        raise Permanent("mail_off")
    if not addresses.may_be_written_to(wish.address, wish.by):
        raise Permanent("not_your_mailbox")  # the account's address was changed since
    subject, text = letter.written(attempt.input["body"]["data"], wish.language)
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("<> ") or "sheaf"
    # One id for every try: a mailbox that gets it twice shows it once
    headers = {"Message-ID": f"<{attempt.input['notice']}@{domain}>", "Auto-Submitted": "auto-generated"}
    message = EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [wish.address], headers=headers)
    try:
        await asyncio.to_thread(message.send)
    except smtplib.SMTPAuthenticationError as error:
        raise ServiceDown("mail_server", f"{error.smtp_code}", until_reset=True, detail=str(error.smtp_code)) from None
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        if _for_good(error):
            raise Permanent("mail_refused", str(error)[:300]) from None
        raise Transient("mail_server", str(error)[:300], detail=type(error).__name__) from None
    except (smtplib.SMTPException, OSError) as error:
        detail = f"{type(error).__name__}"
        raise ServiceDown("mail_server", f"{detail}: {error}"[:300], burns=True, detail=detail) from None
    return {"sent": True}


def _for_good(error: Exception) -> bool:
    """Whether the server said 5xx (never) or 4xx (later)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(500 <= code < 600 for code, _words in error.recipients.values())
    return 500 <= error.smtp_code < 600
