"""What the isolated children of these tests run: well-behaved, broken and hostile functions."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from typing import Any


class PaperError(Exception):
    """Made from keywords and carrying attributes, as a real extraction error does."""

    def __init__(self, code: str, message: str, detail: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail or {}


class KeywordOnlyError(Exception):
    def __init__(self, *, page: int) -> None:
        super().__init__(f"page {page}")
        self.page = page


def echo(*values: Any, **named: Any) -> Any:
    return [list(values), named]


def pid() -> int:
    return os.getpid()


def picture() -> bytes:
    return bytes(range(256)) * 4


def environment() -> dict[str, str]:
    return dict(os.environ)


def open_files() -> list[str]:
    """What each open descriptor above the standard three points to."""
    found = []
    for number in os.listdir("/proc/self/fd"):
        if int(number) > 2:
            try:
                found.append(os.readlink(f"/proc/self/fd/{number}"))
            except FileNotFoundError:  # the one that listed the folder
                continue
    return found


def loaded(prefix: str) -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] == prefix]


def sleep(seconds: float, marker: str = "") -> float:
    if marker:
        with open(marker, "a") as file:
            file.write(f"{os.getpid()}\n")
    time.sleep(seconds)
    return seconds


def hang_in_c(marker: str) -> None:
    """Deaf to everything but SIGKILL, as a loop inside a C library is."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    child = subprocess.Popen(["/bin/sleep", "600"])  # a grandchild that must go too
    with open(marker, "w") as file:
        file.write(f"{os.getpid()} {child.pid}\n")
    ctypes.CDLL(None).sleep(600)


def hog() -> int:
    kept = []
    while True:
        kept.append(bytearray(16 * 2**20))


def grow(mib: int) -> int:
    globals()["grown"] = bytearray(b"x") * (mib * 2**20)
    return os.getpid()


def rust_style_abort() -> None:
    os.write(2, b"memory allocation of 549755813888 bytes failed\n")
    os.abort()


def page_count(path: str) -> int:
    """Opens each page with PDFium, as an extraction does."""
    import pypdfium2

    return len([page for page in pypdfium2.PdfDocument(path)])


def segfault() -> None:
    ctypes.string_at(0)


def leave(code: int) -> None:
    os._exit(code)


def leave_politely() -> None:
    sys.exit("had enough")


def be_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def chatter(kib: int) -> str:
    print("x" * 1024 * kib)
    print("y" * 1024 * kib, file=sys.stderr)
    return sys.stdin.read() + "quiet"


def chatter_then_crash() -> None:
    print("z" * 10_000, file=sys.stderr, flush=True)
    print("last words", flush=True)  # a library that logs to stdout is heard as well
    os._exit(9)


def answer_of(mib: int) -> str:
    return "a" * (mib * 2**20)


def not_json() -> object:
    return object()


def raise_paper_error(code: str) -> None:
    raise PaperError(code, "the file is cut in half", {"page": 3})


def raise_keyword_only() -> None:
    raise KeywordOnlyError(page=7)


def raise_value_error() -> None:
    raise ValueError("not a number")


def raise_not_found(path: str) -> None:
    open(path).close()


def raise_foreign() -> None:
    raise subprocess.CalledProcessError(3, "cmd")


def raise_unsendable() -> None:
    raise PaperError("damaged", "x", {"handle": object()})


def _wire() -> socket.socket:
    """The conversation's own socket, as code that took over the child would find it."""
    for number in os.listdir("/proc/self/fd"):
        if int(number) > 2 and os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
            return socket.socket(fileno=os.dup(int(number)))
    raise LookupError("no socket")


def forge(kind: str, payload: str, length: int | None = None) -> None:
    """Answer by hand, with whatever payload, and stay alive."""
    import struct

    data = payload.encode()
    claimed = len(data) if length is None else length
    _wire().sendall(struct.pack(">cQ", kind.encode(), claimed) + data)
    time.sleep(600)


def hang_up() -> None:
    _wire().shutdown(socket.SHUT_RDWR)
    time.sleep(600)


def limits() -> dict[str, int]:
    import resource

    return {
        name: resource.getrlimit(getattr(resource, name))[0]
        for name in ("RLIMIT_AS", "RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CPU")
    }


def session() -> list[int]:
    return [os.getpid(), os.getsid(0), os.getpgid(0)]
