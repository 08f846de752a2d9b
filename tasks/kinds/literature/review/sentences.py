"""Sentences about typed values that are refused, by code."""

from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "bad_decimal": _("“{text}” is no number. Type digits, with a point for decimals: 3.5."),
    "bad_date": _("“{text}” is no date. Type year-month-day, 2024-05-31; or 2024-05, or the year alone."),
    "bad_choice": _("“{text}” is none of the choices of this field. They are: {choices}."),
    "bad_yes_no": _("This field takes “yes” or “no”."),
}
