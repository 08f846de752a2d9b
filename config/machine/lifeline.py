"""Ends this process when its supervisor is gone, however it went (SIGKILL runs no clean-up).

The supervisor holds the writing end of a pipe and never writes; the kernel closes it with the process. Our reading end
then reports end of file, and we stop as if asked to: SIGTERM first, SIGKILL if that takes too long.
"""

from __future__ import annotations

import os
import signal
import threading
import time

VARIABLE = "SHEAF_LIFELINE_FD"  # set by the supervisor for its children, not a setting


def _watch(descriptor: int, patience_s: float) -> None:
    while os.read(descriptor, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(patience_s)
    os.kill(os.getpid(), signal.SIGKILL)


def hold(patience_s: float) -> None:
    """Watch the lifeline if a supervisor gave us one; processes we start don't get it."""
    given = os.environ.pop(VARIABLE, "")
    if given:
        os.set_inheritable(int(given), False)
        threading.Thread(target=_watch, args=(int(given), patience_s), name="lifeline", daemon=True).start()
