"""Every way a child can end, and what its caller is told."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tasks.sandbox.isolate import Isolate, IsolateError

V = "tests.unit.sandbox.victims"
ROOT = Path(__file__).parents[3]


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[Isolate]:
    async with Isolate(size=1, memory_mib=512, modules=(V,)) as pool:
        await pool.call(f"{V}:pid", timeout_s=30)  # warm, so that a test times its own call only
        yield pool


def gone(pid: int) -> bool:
    """Whether no live process has this number; a zombie that waits for its parent counts as gone."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


async def until(condition: Callable[[], bool], within_s: float, what: str) -> float:
    """Wait for a condition; the seconds it took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > within_s:
            pytest.fail(f"not within {within_s} s: {what}")
        await asyncio.sleep(0.005)
    return time.monotonic() - began


def pids(marker: Path) -> list[int]:
    return [int(word) for word in marker.read_text().split()] if marker.exists() else []


async def test_a_hang_is_killed_at_its_time_with_all_it_started(pool: Isolate, tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    began = time.monotonic()
    with pytest.raises(IsolateError) as caught:
        await pool.call(f"{V}:hang_in_c", str(marker), timeout_s=1)
    assert caught.value.code == "timeout"
    assert 0.9 < time.monotonic() - began < 20
    both = pids(marker)
    assert len(both) == 2
    await until(lambda: all(map(gone, both)), 20, f"{both} gone")
    assert await pool.call(f"{V}:echo", timeout_s=30) == [[], {}]


async def test_half_an_answer_and_then_silence_ends_at_its_time(
    pool: Isolate,
) -> None:
    with pytest.raises(IsolateError) as caught:
        await pool.call(f"{V}:forge", "J", "x", 1000, timeout_s=0.5)  # half an answer, then silence
    assert caught.value.code == "timeout"
    assert await pool.call(f"{V}:echo", 2, timeout_s=30) == [[2], {}]


async def test_a_memory_hog_is_out_of_memory(pool: Isolate) -> None:
    with pytest.raises(IsolateError) as caught:
        await pool.call(f"{V}:hog", timeout_s=60)
    assert caught.value.code == "out_of_memory"
    assert "512 MiB" in caught.value.detail
    assert await pool.call(f"{V}:echo", timeout_s=30) == [[], {}]


async def test_a_library_that_aborts_for_want_of_memory_is_out_of_memory(pool: Isolate) -> None:
    with pytest.raises(IsolateError) as caught:
        await pool.call(f"{V}:rust_style_abort", timeout_s=30)
    assert caught.value.code == "out_of_memory"


def write_path_bomb(path: Path) -> None:
    """A page of 250 kB that PDFium wants gigabytes for: ten million line segments, deflated."""
    squeeze = zlib.compressobj()
    piece = b"0 0 m 1 1 l " * 10_000  # in pieces: the peak of this process is carried over into its children's
    content = b"".join(squeeze.compress(piece) for _ in range(1000)) + squeeze.flush()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(content), content),
    ]
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%b\nendobj\n" % pair for pair in enumerate(objects, 1))
    path.write_bytes(body + b"trailer<</Size 5/Root 1 0 R>>\n%%EOF")  # no xref: PDFium rebuilds it


async def test_a_page_that_bursts_pdfium_is_out_of_memory_and_not_just_a_crash(tmp_path: Path) -> None:
    write_path_bomb(tmp_path / "bomb.pdf")
    async with Isolate(size=1, memory_mib=200, modules=(V,)) as pool:
        with pytest.raises(IsolateError) as caught:
            await pool.call(f"{V}:page_count", str(tmp_path / "bomb.pdf"), timeout_s=60)
    assert caught.value.code == "out_of_memory", caught.value.detail


@pytest.mark.parametrize(
    ("function", "args", "says"),
    [
        ("segfault", (), "SIGSEGV"),
        ("be_killed", (), "SIGKILL"),
        ("leave", (7,), "exit code 7"),
        ("leave", (0,), "exit code 0"),
        ("leave_politely", (), "exit code 1"),
        ("chatter_then_crash", (), "last words"),
    ],
)
async def test_a_crash_says_how(function: str, args: tuple[int, ...], says: str) -> None:
    async with Isolate(size=1, memory_mib=8192, modules=(V,)) as pool:  # far from the peak of a long run of tests
        with pytest.raises(IsolateError) as caught:
            await pool.call(f"{V}:{function}", *args, timeout_s=30)
        assert caught.value.code == "crashed"
        assert says in caught.value.detail
        assert len(caught.value.detail) < 2300  # only the end of what it wrote
        assert await pool.call(f"{V}:echo", timeout_s=30) == [[], {}]


async def test_a_segfault_says_where_in_python_it_was(pool: Isolate) -> None:
    with pytest.raises(IsolateError, match="in segfault"):
        await pool.call(f"{V}:segfault", timeout_s=30)


async def test_a_child_that_hangs_up_but_lives_on_is_killed(pool: Isolate) -> None:
    began = time.monotonic()
    with pytest.raises(IsolateError) as caught:
        await pool.call(f"{V}:hang_up", timeout_s=60)
    assert caught.value.code == "crashed"
    assert time.monotonic() - began < 30


async def test_a_child_that_died_while_idle_costs_nobody_a_call(pool: Isolate) -> None:
    idle = await pool.call(f"{V}:pid", timeout_s=30)
    os.kill(idle, signal.SIGKILL)
    await until(lambda: gone(idle), 20, "the idle child is dead")
    assert await pool.call(f"{V}:pid", timeout_s=30) != idle


async def test_cancelling_kills_the_child_at_once_and_leaves_no_half_answer(pool: Isolate, tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    call = asyncio.create_task(pool.call(f"{V}:sleep", 600, str(marker), timeout_s=900))
    await until(lambda: len(pids(marker)) == 1, 60, "the function runs")
    (pid,) = pids(marker)
    call.cancel()
    await until(lambda: gone(pid), 30, "the child is dead")
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await pool.call(f"{V}:echo", "mine", timeout_s=30) == [["mine"], {}]


async def test_cancelling_while_the_child_is_starting_leaves_none_behind() -> None:
    async with Isolate(size=1, memory_mib=512, modules=(V,)) as pool:
        call = asyncio.create_task(pool.call(f"{V}:pid", timeout_s=30))
        await asyncio.sleep(0)  # it has spawned and waits for the greeting
        await until(lambda: bool(pool._busy), 5, "a child is starting")
        (child,) = pool._busy
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: gone(child.process.pid), 2, "the child is dead")
        assert await pool.call(f"{V}:echo", timeout_s=30) == [[], {}]


async def test_a_module_that_cannot_be_imported_is_told_with_the_reason() -> None:
    async with Isolate(size=1, memory_mib=512, modules=("no_such_module_here",)) as pool:
        with pytest.raises(IsolateError, match="no_such_module_here") as caught:
            await pool.call(f"{V}:echo", timeout_s=30)
        assert caught.value.code == "crashed"


PARENT = """
import asyncio, sys
from tasks.sandbox.isolate import Isolate

async def main():
    pool = Isolate(size=2, memory_mib=512, modules=("{v}",))
    await asyncio.gather(*(pool.call("{v}:sleep", 600, sys.argv[1], timeout_s=900) for _ in range(2)))

asyncio.run(main())
"""


async def test_children_do_not_outlive_a_killed_worker(tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    worker = subprocess.Popen([sys.executable, "-c", PARENT.format(v=V), str(marker)], cwd=ROOT)  # noqa: ASYNC220
    try:
        await until(lambda: len(pids(marker)) == 2, 30, "both functions run")
        children = pids(marker)
        worker.kill()
        await until(lambda: all(map(gone, children)), 2, f"{children} gone")
    finally:
        worker.kill()
        worker.wait()


async def test_closing_ends_busy_and_idle_children(tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    pool = Isolate(size=2, memory_mib=512, modules=(V,))
    busy = asyncio.create_task(pool.call(f"{V}:sleep", 600, str(marker), timeout_s=900))
    idle = await pool.call(f"{V}:pid", timeout_s=30)
    await until(lambda: len(pids(marker)) == 1, 30, "the function runs")
    await pool.aclose()
    assert gone(idle)
    assert all(map(gone, pids(marker)))
    with pytest.raises(IsolateError, match="closed"):
        await busy
    with pytest.raises(RuntimeError, match="closed"):
        await pool.call(f"{V}:echo", timeout_s=30)
