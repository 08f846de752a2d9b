"""The log over plain HTTP: pages, search, text file, events, long polling; each for those who may see the Task."""

import json

import httpx
import pytest
from asgiref.sync import sync_to_async

from tasks.models import SubTask, Task
from tests.integration.streaming.watching import person, running_task, session_of, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task():
    return running_task(person())


@pytest.fixture
async def client(web, task):
    headers = {"Cookie": await sync_to_async(session_of)(task.owner)}
    async with httpx.AsyncClient(base_url=f"{web.url}/tasks/{task.id}/", headers=headers, timeout=40) as client:
        yield client


def lines_of(answer):
    return [line for message in answer.json()["messages"] for line in message.get("lines", [])]


async def test_pages_of_the_log_follow_each_other_without_hole_or_overlap(client, task):
    await sync_to_async(write)(task.id, *(f"line {n}" for n in range(1, 26)))
    first = await client.get("log.json", params={"after": 0, "limit": 10})
    assert (first.json()["messages"][0]["after"], first.json()["messages"][0]["last"]) == (0, 10)
    second = await client.get("log.json", params={"after": 10, "limit": 1000})
    assert [line["seq"] for line in lines_of(first) + lines_of(second)] == list(range(1, 26))
    assert second.json()["messages"][0]["last"] == 25


async def test_search_finds_words_of_free_text_of_keys_and_of_sentences(client, task):
    child = await SubTask.objects.acreate(task=task, position=1, key="smith2020.pdf", stage="parse", queue="local")
    await sync_to_async(write)(task.id, "100% of_it", "nothing here")
    await sync_to_async(write)(task.id, "", code="paused", data={"who": "Grace"})
    await sync_to_async(write)(
        task.id, "", code="child_failed", level=40, data={"key": "x", "reason_code": "worker_lost"}
    )
    await Task.objects.filter(pk=task.id).aupdate(log_seq=5)
    await task.log.acreate(seq=5, subtask=child, text="title found")

    async def hits(**params):
        answer = await client.get("log/search", params=params)
        assert answer.json()["upto"] == 5
        return answer.json()["hits"]

    assert await hits(q="100%") == [1]
    assert await hits(q="f_i") == [1]
    assert await hits(q="paused by GRACE") == [3]
    assert await hits(q="x failed: The program that worked on it") == [4]
    assert await hits(level=40) == [4]
    assert await hits(key="smith2020.pdf") == [5]
    assert await hits(q="smith") == [5]
    assert await hits(q="absent") == []
    assert await hits(after=3, q="e") == [4, 5]


async def test_the_text_file_holds_every_line_in_words(client, task):
    await sync_to_async(write)(task.id, "free text")
    await sync_to_async(write)(task.id, "", code="resumed", data={"who": "Grace"}, level=30)
    plain = await client.get("log.txt", params={"times": 0})
    assert plain.text.splitlines() == ["INFO    free text", "WARNING Resumed by Grace."]
    assert plain.headers["content-disposition"].startswith("attachment")
    with_times = await client.get("log.txt")
    assert with_times.text.splitlines()[0].endswith("Z INFO    free text")


async def events_of(client, count, **options):
    """The first ``count`` events that are not pings, as (id, message)."""
    got = []
    async with client.stream("GET", "events", **options) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["x-accel-buffering"] == "no"
        last = None
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                last = int(line[4:])
            elif line.startswith("data: ") and '"ping"' not in line:
                got.append((last, json.loads(line[6:])))
                if len(got) == count:
                    break
    return got


async def test_events_go_on_after_the_last_event_id(client, task):
    await sync_to_async(write)(task.id, "one", "two", "three")
    (_, snapshot), (last, lines) = await events_of(client, 2, params={"after": 0})
    assert snapshot["type"] == "task" and last == 3
    assert [line["text"] for line in lines["lines"]] == ["one", "two", "three"]
    _, (last, lines) = await events_of(client, 2, headers={"Last-Event-ID": "2"})
    assert last == 3 and [line["seq"] for line in lines["lines"]] == [3]


async def test_a_long_poll_answers_when_a_line_is_written(client, task):
    import asyncio

    now = (await client.get("log.json", params={"after": 0, "wait": 0})).json()["messages"]
    version = now[0]["version"]
    waiting = asyncio.create_task(client.get("log.json", params={"after": 0, "version": version, "wait": 20}))
    done, _ = await asyncio.wait({waiting}, timeout=0.7)
    assert not done
    await sync_to_async(write)(task.id, "news")
    answer = await asyncio.wait_for(waiting, 15)
    assert [line["text"] for line in lines_of(answer)] == ["news"]


@pytest.mark.parametrize("door", ["events", "log.json", "log.json?wait=1", "log/search?q=a", "log.txt"])
async def test_strangers_and_people_without_a_session_see_nothing(web, task, door):
    await sync_to_async(write)(task.id, "secret")
    stranger = await sync_to_async(session_of)(await sync_to_async(person)("eve"))
    async with httpx.AsyncClient(base_url=f"{web.url}/tasks/{task.id}/", timeout=10) as client:
        assert (await client.get(door)).status_code == 401
        refused = await client.get(door, headers={"Cookie": stranger})
        assert refused.status_code == 404 and "secret" not in refused.text


@pytest.mark.parametrize(
    "address", ["log.json?after=x", "log.json?limit=0", "log.json?limit=9999999", "log/search?level=-1"]
)
async def test_a_wrong_number_is_a_bad_request(client, address):
    assert (await client.get(address)).status_code == 400


@pytest.mark.parametrize("last", ["x", "-1", "9" * 5000, str(2**53 + 1)])
async def test_a_last_event_id_that_no_event_had_is_a_bad_request(client, last):
    assert (await client.get("events?until=end", headers={"Last-Event-ID": last})).status_code == 400
