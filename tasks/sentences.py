"""Every sentence a person reads about a batch, by code. The codes travel; the words are made here, per language.

Kinds add their own with ``register``. A test compares this catalogue with the codes used and with the docs.
"""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

_CATALOGUE = {
    # how a child failed
    "worker_lost": _(
        "The program that worked on it was lost three times. Try it alone; if it is lost again, look at the file."
    ),
    "timeout": _("It took longer than allowed ({limit_s} s) and was stopped. Try again, or split the file."),
    "out_of_memory": _("It needed more memory than allowed ({limit_mib} MiB) and was stopped. Try a smaller file."),
    "crashed": _("Reading it crashed the reader, which nothing else noticed. The file is most likely malformed."),
    "unexpected": _("An unexpected error: {detail}. Staff find the details in the log."),
    "service_down": _("The service does not answer. The work goes on by itself when it is back."),
    "service_slow": _("The service ({where}) did not answer within {limit_s} s. It is asked again."),
    "service_failed": _("The service ({where}) failed with status {status}. It is asked again."),
    "service_garbled": _(
        "The service ({where}) gave an answer that cannot be read. It is asked again; staff may look at its address."
    ),
    "service_rejected": _("The service ({where}) does not take this item (status {status}). Look at the file."),
    "answer_too_large": _("The service answered with more than {limit_mib} MiB. Try a smaller file."),
    "address_refused": _(
        "The service ({where}) has an address that may not be called. Staff must allow it or correct it."
    ),
    "service_refused": _("The service refuses our key or our quota is spent. Staff must look at the queue."),
    "later_too_long": _(
        "The service was asked {asked} times in {hours} h and was never done. Retry it; staff may look at the service."
    ),
    # how a batch failed
    "expand_failed": _("The list of work could not be made: {detail}. Nothing was lost; start it again."),
    "finalize_failed": _("All the work is done, but the closing step failed: {detail}. Choose “Finalize again”."),
    "too_many_failed": _("Stopped: {failed} failed, and that is where it was to stop. Look why, then run the rest."),
    # why a verb was refused
    "not_draft": _("This batch has started already."),
    "not_ended": _("This batch has not ended yet. Wait for the end, or cancel it, then retry."),
    "nothing_failed": _("Nothing failed in this batch, so there is nothing to retry."),
    "nothing_left": _("All of this batch succeeded; there is nothing left to run."),
    "nothing_new": _("All of this is in the batch already."),
    "has_ended": _("This batch has ended already."),
    "not_failed": _("Only a batch that failed at the end can be finalized again."),
    "unknown_kind": _("This installation has no batch feature named {kind}."),
    "database_away": _("The database can't be reached just now. Nothing is lost; try again in a few seconds."),
    # lines of the log
    "submitted": _("Submitted by {who}: {expected} to do."),
    "submitted_open": _("Submitted by {who}."),
    "sealed": _("All {total} are in the queue."),
    "paused": _("Paused by {who}."),
    "resumed": _("Resumed by {who}."),
    "cancelling": _("Cancelled by {who}; what has not begun will not begin."),
    "retrying": _("{who} retries what failed ({failed})."),
    "running_rest": _("{who} runs the rest: {cancelled} cancelled, {failed} failed."),
    "extended": _("{who} added {added} more."),
    "child_failed": _("{key} failed: {reason}"),
    "child_retry": _("{key} will be tried again in {after_s} s: {reason}"),
    "child_lost": _("The worker of {key} was lost; it goes back to the queue."),
    "finalizing": _("All have ended: {succeeded} succeeded, {failed} failed, {cancelled} cancelled. Closing."),
    "finalize_retry": _("The closing step failed and will be tried again: {detail}"),
    "ended": _("Ended after {duration_s} s: {succeeded} succeeded, {failed} failed, {cancelled} cancelled."),
    "log_truncated": _("Lines that were not kept, because the database could not be reached for too long: {n}."),
    "healed": _("The counters did not match the rows and were corrected: {before} → {after}."),
    "drift": _("The counters did not match the rows and were corrected: {before} → {after}."),
    "unsettled": _("This batch has ended, but {n} of its children have not. Look at who put them there."),
    "old_transaction": _(
        "A transaction of {program} (user {user}, process {pid}, {state}) has been open for {minutes} minutes. "
        "Until it ends, the database can't clean up, and everything slows down."
    ),
    # what a batch is waiting for (tasks/observe/waiting.py)
    "waiting_start": _("It has not been started."),
    "waiting_pause": _("It is paused; {running} of it still run. Resume it to go on."),
    "waiting_expand": _("Its list of work is still being made ({total} so far)."),
    "waiting_cancel": _("It is being cancelled; {running} of it still run."),
    "waiting_finalize": _("All have ended; the closing step runs (failed attempts so far: {attempts})."),
    "waiting_no_queue": _("The queue “{queue}” does not exist here. Staff must add it in the admin."),
    "waiting_queue_paused": _("The queue “{queue}” is paused for everybody. Staff can let it go on."),
    "waiting_limit_zero": _("The limit of the queue “{queue}” is 0, so nothing begins there. Staff can raise it."),
    "waiting_limit": _(
        "All {limit} places of the queue “{queue}” are taken, {own} of them by this batch; the others by {batches}."
    ),
    "waiting_turn": _("Others have the places of the queue “{queue}” just now; this batch takes its turn in a moment."),
    "waiting_limit_own": _("It uses all {limit} places of the queue “{queue}” itself."),
    "waiting_breaker": _(
        "The service of the queue “{queue}” does not answer; it is tried again {until}. Last reason: {reason}"
    ),
    "waiting_breaker_person": _("The queue “{queue}” is stopped until staff close its breaker. Reason: {reason}"),
    "waiting_rate": _("The queue “{queue}” may begin {rate} calls a minute; the next in {seconds} s."),
    "waiting_retry_after": _("The service of the queue “{queue}” asked to be left alone for another {seconds} s."),
    "waiting_retry": _("{n} wait for another attempt, the first at {until}."),
    "waiting_later": _("{n} wait for the service, asked up to {asked} times so far; the next is asked at {until}."),
    "waiting_no_worker": _("No living worker serves the queue “{queue}”. Start one: manage.py worker --queues {queue}"),
}


#: Two members of a list; a language that has another comma than ", " puts it here.
_COMMA = _("%(one)s, %(other)s")
#: {name: words} that sentences list: a value that is a list of names is said in these words.
_WORDS: dict = {}


class _Blank(dict):
    def __missing__(self, key):
        return "…"


def register(sentences: dict) -> None:
    """Add a Kind's sentences: {code: lazy string with {named} places}. A code that exists already is a mistake."""
    clash = {code for code in sentences if code in _CATALOGUE and str(_CATALOGUE[code]) != str(sentences[code])}
    if clash:
        raise ValueError(f"These sentence codes exist already: {', '.join(sorted(clash))}")
    _CATALOGUE.update(sentences)


def register_words(named: dict) -> None:
    """Add words that a Kind's sentences list: {name: lazy string}. Of two Kinds the first gives a name its word."""
    _WORDS.update({name: said for name, said in named.items() if name not in _WORDS})


def words() -> dict[str, str]:
    """{name: words} in the active language."""
    return {name: str(said) for name, said in _WORDS.items()}


def comma() -> str:
    """What stands between the words of a list in the active language."""
    return _COMMA % {"one": "", "other": ""}


def listed(names: Iterable) -> str:
    """Names in the words of the active language; an unknown name is shown as it is."""
    return comma().join(str(_WORDS.get(name, name)) for name in names)


def codes() -> frozenset:
    return frozenset(_CATALOGUE)


def templates() -> dict[str, str]:
    """{code: sentence with its {named} places} in the active language, for pages that fill in the values themselves."""
    return {code: str(words) for code, words in _CATALOGUE.items()}


def sentence(code: str, data: dict | None = None) -> str:
    """The sentence of a code in the active language; an unknown code is shown as it is.

    A line about a child carries its error as ``reason_code``: {reason} is then that code's own sentence.
    A value that is a list of names is said in words (``register_words``).
    """
    data = dict(data or {})
    if "reason_code" in data:
        data["reason"] = sentence(data.pop("reason_code"), data)
    data = {name: listed(value) if isinstance(value, list | tuple) else value for name, value in data.items()}
    said = _CATALOGUE.get(code)
    return str(said).format_map(_Blank(data)) if said else code
