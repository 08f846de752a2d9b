"""What a person reads about a notice that could not be asked for, or could not be delivered."""

from django.utils.translation import gettext_lazy as _

WEBHOOK = {
    "no_hook": _("This is no address that can be called. Give one that begins with https://, without a password."),
    "hook_inside": _("{host} is within this installation's own network. Ask staff, or give another address."),
    "hook_failed": _("{host} did not take the message ({status}). It is sent again."),
    "hook_refused": _("{host} refused the message ({status}). Look at the receiving server, then send it again."),
    "secret_lost": _(
        "The secret of this webhook can't be read any more: the key of this installation was changed. Make a new one."
    ),
    "notice_off": _("Nobody wants to be told any more."),
}
MAIL = {
    "mail_off": _("E-mail is not configured on this installation. Staff can set SHEAF_MAIL_URL."),
    "no_mailbox": _("This is no e-mail address. Look for a typing error."),
    "not_your_mailbox": _(
        "Mail goes to your own address, as staff have entered it with your account, or to a domain that staff allow. "
        "Give one of those, or ask staff."
    ),
    "mail_server": _("The mail server did not take the message ({detail}). It is sent again."),
    "mail_refused": _("The mail server refuses this address. Look for a typing error, and ask for the mail again."),
    "notice_off": WEBHOOK["notice_off"],
}
