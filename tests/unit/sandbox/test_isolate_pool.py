"""How the pool shares its places, what its children may have, and when they are replaced."""

import asyncio
import os
from pathlib import Path

import pytest

from tasks.sandbox.isolate import Isolate

V = "tests.unit.sandbox.victims"


async def test_callers_are_served_in_the_order_they_came() -> None:
    served: list[int] = []

    async def one(pool: Isolate, number: int) -> None:
        await pool.call(f"{V}:echo", number, timeout_s=30)
        served.append(number)

    async with Isolate(size=1, memory_mib=512, modules=(V,)) as pool:
        await asyncio.gather(*(one(pool, number) for number in range(12)))
    assert served == list(range(12))


async def test_never_more_than_size_children_run_and_all_places_are_used(tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    peak = 0

    async def one(pool: Isolate) -> None:
        nonlocal peak
        await pool.call(f"{V}:sleep", 0.05, str(marker), timeout_s=30)
        peak = max(peak, len(pool._busy))

    async with Isolate(size=3, memory_mib=512, modules=(V,)) as pool:
        await asyncio.gather(*(one(pool) for _ in range(12)))
    assert peak <= 3
    assert len(set(marker.read_text().split())) == 3


async def test_a_cancelled_caller_in_the_queue_gives_its_place_to_the_next() -> None:
    async with Isolate(size=1, memory_mib=512, modules=(V,)) as pool:
        first = asyncio.create_task(pool.call(f"{V}:sleep", 0.2, timeout_s=30))
        second = asyncio.create_task(pool.call(f"{V}:sleep", 600, timeout_s=900))
        third = asyncio.create_task(pool.call(f"{V}:echo", 3, timeout_s=30))
        await asyncio.sleep(0)
        second.cancel()
        assert await asyncio.wait_for(third, 20) == [[3], {}]
        assert await first == 0.2


async def test_secrets_and_open_files_stay_with_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "SECRET_KEY", "SHEAF_ANYTHING", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD"):
        monkeypatch.setenv(name, "hush")
    with open(tmp_path / "private", "w") as private:  # noqa: ASYNC230
        os.set_inheritable(private.fileno(), True)
        async with Isolate(size=1, memory_mib=512, modules=(V,)) as pool:
            environment = await pool.call(f"{V}:environment", timeout_s=30)
            files = await pool.call(f"{V}:open_files", timeout_s=30)
    assert "hush" not in environment.values()
    assert [name.partition(":")[0] for name in files] == ["socket"]  # the conversation, no more


async def test_django_is_not_in_the_child() -> None:
    async with Isolate(size=1, memory_mib=512, modules=(V,)) as pool:
        assert await pool.call(f"{V}:loaded", "django", timeout_s=30) == []


async def test_the_limits_hold_in_the_child() -> None:
    async with Isolate(size=1, memory_mib=300, modules=(V,)) as pool:
        limits = await pool.call(f"{V}:limits", timeout_s=30)
        pid, session, group = await pool.call(f"{V}:session", timeout_s=30)
    assert limits["RLIMIT_AS"] == 300 * 2**20
    assert limits["RLIMIT_CORE"] == 0
    assert limits["RLIMIT_NOFILE"] == 64
    assert limits["RLIMIT_FSIZE"] == 64 * 2**20
    assert 30 <= limits["RLIMIT_CPU"] <= 40  # behind the wall clock of 30 s
    assert pid == session == group


async def test_a_child_is_replaced_after_its_share_of_calls() -> None:
    async with Isolate(size=1, memory_mib=512, modules=(V,), max_calls=3) as pool:
        pids = [await pool.call(f"{V}:pid", timeout_s=30) for _ in range(6)]
    assert len(set(pids[:3])) == len(set(pids[3:])) == 1
    assert pids[0] != pids[3]


async def test_a_child_that_has_grown_is_replaced() -> None:
    async with Isolate(size=1, memory_mib=512, modules=(V,), max_growth_mib=20) as pool:
        small = await pool.call(f"{V}:grow", 1, timeout_s=30)
        assert await pool.call(f"{V}:grow", 60, timeout_s=30) == small
        assert await pool.call(f"{V}:pid", timeout_s=30) != small


def test_two_event_loops_never_share_a_pool() -> None:
    async def use(pool: Isolate) -> None:
        await pool.call(f"{V}:echo", timeout_s=30)

    async def first(pool: Isolate) -> None:
        await use(pool)
        await pool.aclose()
        pool._closed = False

    pool = Isolate(size=1, memory_mib=512, modules=(V,))
    asyncio.run(first(pool))
    with pytest.raises(RuntimeError, match="event loop"):
        asyncio.run(use(pool))
