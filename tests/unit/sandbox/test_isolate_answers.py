"""What comes back from a child: values, exceptions by type, and nothing a forger wants."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tasks.sandbox.isolate import Isolate, IsolateError
from tests.unit.sandbox import victims

V = "tests.unit.sandbox.victims"


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[Isolate]:
    async with Isolate(size=1, memory_mib=512, modules=(V,), max_reply_mib=1) as pool:
        yield pool


async def test_a_value_comes_back_as_json(pool: Isolate) -> None:
    answer = await pool.call(f"{V}:echo", 1, ("a", None), timeout_s=30, page="Ünïcode 论文")
    assert answer == [[1, ["a", None]], {"page": "Ünïcode 论文"}]


async def test_bytes_come_back_as_bytes(pool: Isolate) -> None:
    assert await pool.call(f"{V}:picture", timeout_s=30) == victims.picture()


async def test_a_large_argument_reaches_the_child(pool: Isolate) -> None:
    text = "0123456789" * 400_000
    with pytest.raises(IsolateError, match="answer of"):  # it came, the echo is above the cap
        await pool.call(f"{V}:echo", text, timeout_s=30)


async def test_the_same_warm_child_serves_call_after_call(pool: Isolate) -> None:
    pids = {await pool.call(f"{V}:pid", timeout_s=30) for _ in range(5)}
    assert len(pids) == 1


async def test_an_exception_of_the_function_is_raised_here_by_type(pool: Isolate) -> None:
    with pytest.raises(victims.PaperError) as caught:
        await pool.call(f"{V}:raise_paper_error", "damaged", timeout_s=30)
    assert caught.value.code == "damaged"
    assert caught.value.detail == {"page": 3}
    assert "cut in half" in str(caught.value)


async def test_an_exception_made_from_keywords_keeps_its_attributes(pool: Isolate) -> None:
    with pytest.raises(victims.KeywordOnlyError) as caught:
        await pool.call(f"{V}:raise_keyword_only", timeout_s=30)
    assert caught.value.page == 7


async def test_builtin_exceptions_come_back_whole(pool: Isolate) -> None:
    with pytest.raises(ValueError, match="not a number"):
        await pool.call(f"{V}:raise_value_error", timeout_s=30)
    with pytest.raises(FileNotFoundError) as caught:
        await pool.call(f"{V}:raise_not_found", "/nowhere/at.all", timeout_s=30)
    assert caught.value.errno == 2
    assert caught.value.filename == "/nowhere/at.all"


async def test_an_exception_does_not_cost_the_child(pool: Isolate) -> None:
    before = await pool.call(f"{V}:pid", timeout_s=30)
    with pytest.raises(ValueError, match="not a number"):
        await pool.call(f"{V}:raise_value_error", timeout_s=30)
    assert await pool.call(f"{V}:pid", timeout_s=30) == before


@pytest.mark.parametrize(
    ("function", "says"),
    [
        ("raise_foreign", "CalledProcessError"),  # importable, but not the pool's own
        ("raise_unsendable", "PaperError: x"),
        ("not_json", "not JSON"),
        ("does_not_exist", "AttributeError|does_not_exist"),
    ],
)
async def test_what_cannot_come_back_is_told_in_words(pool: Isolate, function: str, says: str) -> None:
    with pytest.raises((IsolateError, AttributeError), match=says):
        await pool.call(f"{V}:{function}", timeout_s=30)


async def test_an_answer_above_the_cap_is_an_error_and_the_next_call_works(pool: Isolate) -> None:
    with pytest.raises(IsolateError, match="allowed are 1048576") as caught:
        await pool.call(f"{V}:answer_of", 2, timeout_s=30)
    assert caught.value.code == "crashed"
    assert len(await pool.call(f"{V}:answer_of", 0, timeout_s=30)) == 0


@pytest.mark.parametrize(
    "account",
    [
        {"type": "subprocess:Popen", "args": ["/bin/true"]},
        {"type": "subprocess:CalledProcessError", "args": [1, "x"]},
        {"type": "builtins:SystemExit", "args": [0]},
        {"type": "builtins:eval", "args": ["1/0"]},
        {"type": f"{V}:subprocess.Popen", "args": ["/bin/true"]},
        {"type": f"{V}:PaperError.__init__.__globals__", "args": []},
        {"type": 5, "args": 5},
    ],
)
async def test_a_forged_exception_makes_nothing_but_an_isolate_error(
    pool: Isolate, account: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = json.dumps({"text": "", "sendable": True, "state": {}} | account)
    monkeypatch.setattr(subprocess.Popen, "communicate", lambda *_: pytest.fail("ran"))
    with pytest.raises(IsolateError) as caught:
        await pool.call(f"{V}:forge", "E", forged, timeout_s=30)
    assert caught.value.code == "crashed"


@pytest.mark.parametrize(
    ("kind", "payload", "length"),
    [
        ("J", "cos\nsystem\n(S'true'\ntR.", None),  # a pickle
        ("J", "[" * 100_000, None),
        ("J", "", 2**40),
        ("E", "[]", None),
        ("E", "null", None),
        ("Z", "{}", None),
    ],
)
async def test_a_forged_answer_is_an_error(pool: Isolate, kind: str, payload: str, length: int | None) -> None:
    with pytest.raises(IsolateError) as caught:
        await asyncio.wait_for(pool.call(f"{V}:forge", kind, payload, length, timeout_s=30), timeout=20)
    assert caught.value.code == "crashed"


async def test_printing_and_reading_cannot_spoil_the_conversation(pool: Isolate) -> None:
    assert await pool.call(f"{V}:chatter", 512, timeout_s=30) == "quiet"
    assert await pool.call(f"{V}:echo", 1, timeout_s=30) == [[1], {}]
