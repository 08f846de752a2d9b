"""The far end of ``tasks.sandbox.isolate``: one warm process that runs one function at a time.

Started by path under ``python -I`` (so neither this folder nor the environment
decides what it imports), it reads its orders from file descriptor 0, a socket
whose other end is the worker:

    worker -> child    frame of pickle   {"function", "args", "kwargs", "cpu_s"}
    child  -> worker   one kind byte, a length, a payload:
        R  ready, nothing else
        J  the value as JSON             B  the value, which was bytes
        E  the function raised           M  it ran out of memory
        X  the value could not be sent

The worker is trusted by the child and not the other way round: a paper may have
taken this process over, so nothing that it says is ever unpickled.

Standard library only, and no Django: this is the process that a hostile file
may break, so it holds neither the settings nor a database connection.
"""

import ctypes
import faulthandler
import importlib
import json
import os
import pickle
import resource
import signal
import socket
import struct
import sys
from typing import Any, NoReturn

LENGTH = struct.Struct(">Q")
REPLY_HEAD = struct.Struct(">cQ")
READY, VALUE, BYTES, RAISED, NO_MEMORY, UNSENDABLE = b"R", b"J", b"B", b"E", b"M", b"X"

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
MAX_OPEN_FILES = 64
# The kernel's OOM killer takes this process before the worker that started it.
OOM_SCORE_ADJ = "700"


def die_with(parent_pid: int) -> None:
    """Have the kernel kill this process when the worker is gone, however it went."""
    if not sys.platform.startswith("linux"):
        return  # elsewhere the end of the socket is the only sign
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    # The worker may have died before the line above: then nobody would ever signal us.
    if os.getppid() != parent_pid:
        os._exit(0)


def lower(limit: int, value: int) -> None:
    """Lower a limit for good; what the machine already holds lower stays."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


def set_limits(memory_mib: int, file_mib: int) -> None:
    """Cap address space, open files and file size; no core dump; last in line for the CPU."""
    lower(resource.RLIMIT_AS, memory_mib * 2**20)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, file_mib * 2**20)
    lower(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    os.nice(5)
    try:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write(OOM_SCORE_ADJ)
    except OSError as error:  # no /proc, or not allowed in this container: the caps above hold
        print(f"oom_score_adj not set: {error}", file=sys.stderr)


def limit_cpu(seconds: float) -> None:
    """Second line behind the worker's wall clock, for when the worker itself is frozen."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def resolve(function: str) -> Any:
    """The object behind ``package.module:name``."""
    module, _, name = function.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def describe(error: Exception) -> bytes:
    """An exception as JSON: its type's address, its arguments, its attributes.

    ``sendable`` is false when arguments or attributes aren't JSON; the worker then
    reports the text alone.
    """
    cls = type(error)
    known = {
        "type": f"{cls.__module__}:{cls.__qualname__}",
        "text": str(error)[:2000],
        "sendable": True,
    }
    try:
        reduced = error.__reduce_ex__(2)
        args = reduced[1] if isinstance(reduced, tuple) and reduced[0] is cls else error.args
        return json.dumps(known | {"args": list(args), "state": vars(error)}).encode()
    except (TypeError, ValueError):
        return json.dumps(known | {"sendable": False}).encode()


class Wire:
    """The child's end of the socket."""

    def __init__(self, sock: socket.socket, max_reply: int) -> None:
        self.sock = sock
        self.stream = sock.makefile("rb")
        self.max_reply = max_reply

    def order(self) -> dict[str, Any] | None:
        """The next order; None when the worker has hung up."""
        head = self.stream.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack(head)
        body = self.stream.read(length)
        return pickle.loads(body) if len(body) == length else None

    def reply(self, kind: bytes, payload: bytes = b"") -> None:
        if len(payload) > self.max_reply:
            kind = UNSENDABLE
            payload = f"an answer of {len(payload)} bytes, allowed are {self.max_reply}".encode()
        self.sock.sendall(REPLY_HEAD.pack(kind, len(payload)))
        self.sock.sendall(payload)


def answer(order: dict[str, Any]) -> tuple[bytes, bytes]:
    """Run one order; its reply's kind and payload."""
    try:
        value = resolve(order["function"])(*order["args"], **order["kwargs"])
    except MemoryError:
        return NO_MEMORY, b""
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller is told
        return RAISED, describe(error)
    if isinstance(value, bytes):
        return BYTES, value
    try:
        return VALUE, json.dumps(value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        return UNSENDABLE, f"an answer that is not JSON: {error}".encode()


def serve(wire: Wire) -> None:
    wire.reply(READY)
    while (order := wire.order()) is not None:
        limit_cpu(order["cpu_s"])
        try:
            kind, payload = answer(order)
        except MemoryError:  # while encoding the answer
            kind, payload = NO_MEMORY, b""
        del order
        wire.reply(kind, payload)
        if kind == NO_MEMORY:
            return  # what is left of the heap is in pieces; the worker starts a fresh child


def take_over_standard_streams() -> socket.socket:
    """Move the socket away from fd 0 and give stdin to /dev/null, stdout to stderr.

    A parser that prints or reads must not be able to spoil the conversation.
    """
    sock = socket.socket(fileno=os.dup(0))
    sock.set_inheritable(False)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return sock


def main() -> NoReturn:
    faulthandler.enable()  # where it crashed becomes the error's detail
    sock = take_over_standard_streams()
    hello = Wire(sock, max_reply=0).order()
    if hello is None:
        os._exit(0)
    die_with(hello["parent_pid"])
    sys.path[:] = hello["sys_path"]
    for module in hello["modules"]:
        importlib.import_module(module)
    set_limits(hello["memory_mib"], hello["max_file_mib"])
    serve(Wire(sock, hello["max_reply"]))
    sys.stderr.flush()
    os._exit(0)  # no clean-up code of a library that a hostile file has been through


if __name__ == "__main__":
    main()
