"""How states, progress, ages and links look in the admin: an icon and a word, never colour alone."""

from __future__ import annotations

import json

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

_ICONS = {
    "draft": "○",
    "expanding": "◔",
    "running": "▶",
    "cancelling": "◌",
    "finalizing": "◕",
    "completed": "✓",
    "cancelled": "⊘",
    "failed": "✕",
    "pending": "○",
    "succeeded": "✓",
    "closed": "✓",
    "open": "✕",
    "half_open": "◔",
    "paused": "❚❚",
    "alive": "✓",
    "silent": "✕",
    "stopping": "◌",
    "seen": "✓",
    "unseen": "✕",
    "debug": "·",
    "info": "·",
    "warning": "!",
    "error": "✕",
}

#: Characters of a JSON value that a page shows.
SHOWN = 20_000


def badge(name: str, words) -> str:
    """A state as icon and word; ``name`` chooses both icon and colour."""
    return format_html(
        '<span class="sheaf-badge sheaf-{}"><span aria-hidden="true">{}</span> {}</span>',
        name,
        _ICONS.get(name, "·"),
        words,
    )


def number(n: int) -> str:
    """With groups of thousands, as the reader's language writes them."""
    return number_format(n, use_l10n=True, force_grouping=True)


def progress(task) -> str:
    """The bar and the same in words. Read off the counters, so it costs no query."""
    due = max(task.expected or 0, task.total)
    words = _("%(settled)s of %(due)s") % {"settled": number(task.settled), "due": number(due)}
    if task.failed:
        words += " · " + ngettext("%(n)s failed", "%(n)s failed", task.failed) % {"n": number(task.failed)}
    if task.cancelled:
        words += " · " + ngettext("%(n)s cancelled", "%(n)s cancelled", task.cancelled) % {"n": number(task.cancelled)}
    return format_html(
        '<span class="sheaf-progress"><progress max="100" value="{}" aria-label="{}"></progress>'
        " <span>{} % · {}</span></span>",
        task.percent,
        _("Progress"),
        task.percent,
        words,
    )


def moment(when) -> str:
    return date_format(timezone.localtime(when), "DATETIME_FORMAT")


def age(when) -> str:
    """How long ago, in the largest two units that matter; empty for never."""
    if when is None:
        return "–"
    return duration((timezone.now() - when).total_seconds())


def duration(seconds: float) -> str:
    seconds = max(0, int(seconds))
    if seconds < 120:
        return _("%(n)s s") % {"n": seconds}
    if seconds < 7200:
        return _("%(n)s min") % {"n": seconds // 60}
    if seconds < 172_800:
        return _("%(n)s h") % {"n": seconds // 3600}
    return _("%(n)s days") % {"n": seconds // 86_400}


def named(task, longest: int = 50) -> str:
    """Number and title of a batch, cut so that a long title doesn't make every row of a list tall."""
    return f"{task.pk} · {Truncator(task).chars(longest)}"


def link(row, words=None) -> str:
    """A link to a row's page in the admin."""
    meta = row._meta
    return format_html(
        '<a href="{}">{}</a>', reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk]), words or row
    )


def list_url(model: str, **lookups) -> str:
    """The address of a list of ``tasks``, narrowed: ``list_url("subtask", task__id__exact=7)``."""
    return reverse(f"admin:tasks_{model}_changelist") + ("?" + urlencode(lookups) if lookups else "")


def list_link(model: str, words, **lookups) -> str:
    return format_html('<a href="{}">{}</a>', list_url(model, **lookups), words)


def flat(data: dict) -> dict:
    """Values for a sentence: {"before": {"failed": 1}} reads "failed 1", not as a program would write it."""
    return {
        name: ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        for name, value in data.items()
    }


def pretty(value) -> str:
    """JSON for reading; a very long one is cut, since a page of megabytes helps nobody."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    if len(text) > SHOWN:
        text = text[:SHOWN] + "\n… " + _("(%(n)s characters in all)") % {"n": len(text)}
    return format_html('<pre class="sheaf-json" tabindex="0">{}</pre>', text)
