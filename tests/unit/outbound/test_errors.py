"""What a service's behaviour means to the engine."""

import pytest

from tasks.errors import Permanent, ServiceDown
from tasks.outbound import calls
from tests.processes import free_port


async def trouble(call):
    with pytest.raises(ServiceDown) as caught:
        await call
    return caught.value


async def test_an_answer_is_read_whole_and_tells_that_the_service_lives(get, attempt):
    reply = await get("ok", ms=5)
    assert reply.status == 200
    assert reply.json() == {"ok": True, "method": "GET"}
    assert attempt.answered


@pytest.mark.parametrize("status", ["503", "429"])
async def test_a_busy_service_costs_no_attempt_and_its_pause_is_obeyed(get, status, attempt):
    error = await trouble(get(status, retry_after=7))
    assert (error.code, error.burns, error.retry_after_s, error.until_reset) == ("service_down", False, 7, False)
    assert not attempt.answered


async def test_a_pause_may_be_given_as_a_date(get):
    error = await trouble(get("503", retry_after="Wed, 21 Oct 2099 07:28:00 GMT"))
    assert error.retry_after_s > 1_000_000
    error = await trouble(get("503", retry_after="Wed, 21 Oct 2015 07:28:00 GMT"))
    assert error.retry_after_s == 0
    error = await trouble(get("503", retry_after="soon"))
    assert error.retry_after_s is None


@pytest.mark.parametrize("status", ["500", "502", "504", "408"])
async def test_a_broken_service_burns_an_attempt(get, status):
    error = await trouble(get(status))
    assert (error.code, error.burns) == ("service_failed", True)


@pytest.mark.parametrize("status", ["401", "402", "403"])
async def test_a_closed_door_waits_for_a_person(get, status):
    error = await trouble(get(status))
    assert (error.code, error.burns, error.until_reset) == ("service_refused", False, True)


async def test_a_spent_quota_is_a_closed_door_though_it_says_429(get):
    error = await trouble(get("429", code="insufficient_quota"))
    assert (error.code, error.until_reset) == ("service_refused", True)


@pytest.mark.parametrize("status", ["400", "404", "422"])
async def test_another_refusal_is_the_fault_of_the_child_and_a_sign_of_life(get, status, attempt):
    with pytest.raises(Permanent) as caught:
        await get(status)
    assert caught.value.code == "service_rejected"
    assert caught.value.data["status"] == int(status)
    assert attempt.answered


async def test_a_status_that_the_caller_wants_to_read_is_handed_over(get):
    assert (await get("404", options={"also": {404}})).status == 404


@pytest.mark.parametrize("do", ["reset", "short", "brotli"])
async def test_a_broken_answer_burns_an_attempt(get, do):
    error = await trouble(get(do))
    assert (error.code, error.burns) == ("service_garbled", True)


@pytest.mark.parametrize("do", ["html", "badjson"])
async def test_a_page_or_half_of_the_json_is_no_answer(get, do):
    reply = await get(do)
    with pytest.raises(ServiceDown) as caught:
        reply.json()
    assert (caught.value.code, caught.value.burns) == ("service_garbled", True)


async def test_a_refused_connection_costs_no_attempt(attempt):
    error = await trouble(calls.call(attempt, "GET", f"http://127.0.0.1:{free_port()}/"))
    assert (error.code, error.burns) == ("service_down", False)
    await calls.close()


async def test_a_name_without_an_address_costs_no_attempt(attempt):
    error = await trouble(calls.call(attempt, "GET", "http://no-such-host.invalid/"))
    assert (error.code, error.burns) == ("service_down", False)
    await calls.close()


async def test_what_is_no_address_fails_the_child(attempt):
    for url in ("ftp://127.0.0.1/", "127.0.0.1/path", "http://host:port/"):
        with pytest.raises(Permanent) as caught:
            await calls.call(attempt, "GET", url)
        assert caught.value.code == "address_refused"
    await calls.close()


async def test_an_answer_beyond_the_cap_is_cut_off(get):
    for do in ("huge", "bomb"):
        with pytest.raises(Permanent) as caught:
            await get(do, options={"max_bytes": 1024 * 1024})
        assert caught.value.code == "answer_too_large"


async def test_a_compressed_answer_is_inflated(get):
    assert (await get("gzip")).json() == {"ok": True}


async def test_no_key_is_found_in_an_error(get):
    key = "sk-very-secret-0123456789"
    with pytest.raises(Permanent) as caught:
        await get("echo", status=422, token=key + "-query", options={"headers": {"Authorization": f"Bearer {key}"}})
    said = f"{caught.value} {caught.value.message} {caught.value.data} {caught.value.__cause__}"
    assert "422" in said
    assert "authorization" in said  # the service echoed the header ...
    assert key not in said  # ... and we hid what it holds
