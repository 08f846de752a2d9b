"""How a child may fail, and what the engine does then.

==============  =============================================================================
``Permanent``   fails now: trying again cannot help (a damaged file)
``Transient``   tried again with back-off and jitter, up to the Kind's ``max_attempts``
``ServiceDown`` the service is at fault, not the child: the queue's breaker counts it, the wait
                burns no attempt where the call never began (refused, 503, 429)
==============  =============================================================================

Anything else that a stage raises counts as Transient with the code ``unexpected``.
"""


class ChildError(Exception):
    """An ending with a code (see ``tasks.sentences``), a developer-facing message and JSON-able data."""

    def __init__(self, code: str, message: str = "", **data):
        super().__init__(message or code)
        self.code, self.message, self.data = code, message or code, data


class Permanent(ChildError):
    pass


class Transient(ChildError):
    """``after_s``: seconds to wait before the next attempt; None leaves it to the back-off."""

    def __init__(self, code: str, message: str = "", *, after_s: float | None = None, **data):
        super().__init__(code, message, **data)
        self.after_s = after_s


class ServiceDown(ChildError):
    """``burns``: the call began, so an attempt is spent. ``until_reset``: only a person can mend it (401, quota)."""

    def __init__(self, code, message="", *, retry_after_s=None, burns=False, until_reset=False, **data):
        super().__init__(code, message, **data)
        self.retry_after_s, self.burns, self.until_reset = retry_after_s, burns, until_reset


class LaneStale(Exception):
    """No call may begin: the lane was not renewed for so long that another worker may hold it. The child goes back."""


class Refused(Exception):
    """A verb that cannot be carried out now (retry of a running batch). ``code`` names the sentence for people."""

    def __init__(self, code: str, **data):
        super().__init__(code)
        self.code, self.data = code, data
