"""Sentences about a set after its start, by code."""

from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "not_replaceable": _("Only a file that failed or was refused can be replaced, in a set that has started."),
    "not_one_paper": _("This is not one paper ({found}). Give a PDF, DOCX, HTML, JATS or TEI file."),
    "replaced": _("A better file was given. Retry it, and it is read."),
    "not_duplicate": _("This file is not a duplicate any more. Look at the list again."),
    "no_name": _("Type the user name of a colleague, of at most 150 characters."),
    "shared_with_many": _("A set can be shared with {limit} names. Take some out first."),
    "is_owner": _("This set is yours already."),
    "no_such_role": _("Choose a role: reader or reviewer."),
    "is_draft": _("This set has not started. Discard the draft instead."),
}
