"""What the live view's page says, in the reader's language; it travels once, with the page."""

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tasks import sentences
from tasks.states import TaskState


def catalogue() -> dict:
    """{"language", "ui": {key: words with {places}}, "states": {state: word}, "codes": {code: sentence},
    "listed": {name: words}}."""
    return {
        "language": get_language(),
        "ui": _ui(),
        "states": _states(),
        "codes": sentences.templates(),
        "listed": sentences.words(),
    }


def _states() -> dict[str, str]:
    return {state.value: str(state.label) for state in TaskState}


def _ui() -> dict[str, str]:
    return {
        "paused": _("paused"),
        # progress
        "of": _("{done} of {due} done"),
        "with_failures": _("{failed} failed"),
        "with_cancelled": _("{cancelled} cancelled"),
        "percent": _("{percent} %"),
        "eta": _("about {from} to {to} left"),
        "eta_one": _("about {from} left"),
        "stalled": _("No progress since {time}"),
        "took": _("took {time}"),
        "announce": _("{percent} percent done"),
        "seconds": _("{n} s"),
        "minutes": _("{n} min"),
        "hours": _("{n} h"),
        "done_title": _("{title}: {state}"),
        "done_body": _("{succeeded} succeeded, {failed} failed."),
        # the staff's board
        "running_one": _("1 batch under way"),
        "running_many": _("{n} batches under way"),
        "shown": _("the newest {n} are shown"),
        "all_done": _("{done} of {due} done in all"),
        "by": _("by {who}"),
        "waits_one": _("Paused. 1 change waits."),
        "waits_many": _("Paused. {n} changes wait."),
        # connection
        "live": _("live"),
        "live_events": _("live (event stream)"),
        "live_poll": _("live (polling)"),
        "catching_up": _("catching up"),
        "reconnecting": _("reconnecting"),
        "offline": _("offline since {time}"),
        "server_stale": _("the server cannot read the database since {time}"),
        "refused_session": _("Your session has ended. Log in again to go on watching."),
        "refused_access": _("You may no longer watch this batch."),
        "refused_gone": _("This batch was deleted."),
        "refused_other": _("The live view stopped ({code}). Reload the page."),
        # log
        "new_one": _("1 new line"),
        "new_many": _("{n} new lines"),
        "lines_one": _("1 line"),
        "lines_many": _("{n} lines"),
        "matches": _("{n} of {all} lines match"),
        "hit": _("{n} of {all}"),
        "no_hit": _("nothing found"),
        "capped": _("{n}+"),
        "search_failed": _("The search failed. Try again."),
        "waiting": _("Nothing has been written yet."),
        "ended_empty": _("It ended without a line."),
        "not_started": _("It has not begun yet."),
        "loading": _("loading…"),
        "deleted": _("deleted, its time was up"),
        "cut": _("… (+{n} characters; wrap lines to read them)"),
        "line": _("Line {n}"),
        "copying": _("Copying…"),
        "copied_one": _("1 line copied."),
        "copied_many": _("{n} lines copied."),
        "copy_failed": _("The lines could not be copied. Try again, or download the log."),
        "debug": _("debug"),
        "info": _("info"),
        "warning": _("warning"),
        "error": _("error"),
        "ago": _("{time} ago"),
        "comma": sentences.comma(),
    }
