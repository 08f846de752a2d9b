"""Where a call may go: to the public internet, and to the private hosts that an operator listed."""

import asyncio
import ipaddress
import socket

import pytest

from tasks.errors import Permanent, ServiceDown
from tasks.outbound import calls, special_addresses, wire
from tests.unit.outbound.conftest import FakeAttempt


@pytest.mark.parametrize(
    "private",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "ff02::1",
        "fe80::1%eth0",
        "192.0.0.192",
        "168.63.129.16",
        "::127.0.0.1",
        "::a00:1",
        "64:ff9b:1::1",
        "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
        "fec0::1",
        "2001:db8::1",
        "2001::1",
        "3fff::1",
        "100::1",
        "5f00::1",
        "4000::1",
        "192.88.99.1",
        "255.255.255.255",
    ],
)
def test_a_private_address_is_known_in_every_dress(private):
    assert not wire.is_public(private)


@pytest.mark.parametrize("network", special_addresses.SPECIAL, ids=str)
def test_both_ends_of_every_special_range_are_refused(network):
    for address in (network[0], network[-1]):
        assert not special_addresses.is_public(str(address))
        if network.version == 4:
            assert not special_addresses.is_public(f"::ffff:{address}")
            assert not special_addresses.is_public(str(ipaddress.IPv6Address((0x64FF9B << 96) | int(address))))


def test_whatever_python_calls_not_global_is_in_the_table():
    for number in range(0, 2**32, 2**32 // 4093):
        address = ipaddress.IPv4Address(number)
        assert address.is_global or not special_addresses.is_public(str(address))


@pytest.mark.parametrize(
    "public",
    ["8.8.8.8", "192.0.1.1", "168.63.129.15", "2a00:1450::1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"],
)
def test_a_public_address_is_public(public):
    assert wire.is_public(public)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "0x7f000001", "[::1]"])
async def test_a_private_host_is_not_called_unless_it_is_listed(service, settings, host):
    settings.SHEAF_SERVICES_PRIVATE = []
    service.mark()
    with pytest.raises(Permanent) as caught:
        await calls.call(FakeAttempt(), "GET", f"http://{host}:{service.port}/call")
    assert caught.value.code == "address_refused"
    assert service.stats()["calls"] == 0
    await calls.close()


@pytest.mark.parametrize("port", [True, False])
async def test_a_listed_host_is_called_with_or_without_its_port(service, settings, port):
    settings.SHEAF_SERVICES_PRIVATE = [f"LocalHost:{service.port}" if port else "localhost"]
    assert (await calls.call(FakeAttempt(), "GET", f"http://localhost:{service.port}/call")).status == 200
    await calls.close()


async def test_a_listed_port_opens_no_other(service, settings):
    settings.SHEAF_SERVICES_PRIVATE = ["127.0.0.1:1"]
    with pytest.raises(Permanent):
        await calls.call(FakeAttempt(), "GET", f"{service.url}/call")
    await calls.close()


async def test_a_name_that_changes_its_address_after_the_check_reaches_nothing(service, settings, monkeypatch):
    """DNS rebinding: public when it is checked, private when it is asked again. It is not asked again."""
    settings.SHEAF_SERVICES_PRIVATE = []
    answers = iter(["192.0.2.1", "127.0.0.1"])  # a test network is nobody's, so let it pass as public here
    monkeypatch.setattr(wire, "is_public", lambda address: address == "192.0.2.1")
    monkeypatch.setattr(calls, "CONNECT_S", 0.3)
    connected = []

    async def resolve(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    async def connect(self, address, *_, **__):
        connected.append(address)
        raise wire.httpcore.ConnectError("nobody there")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    monkeypatch.setattr(wire.httpcore.AnyIOBackend, "connect_tcp", connect)
    with pytest.raises(ServiceDown):
        await calls.call(FakeAttempt(), "GET", f"http://rebind.example:{service.port}/call")
    assert connected == ["192.0.2.1"]
    await calls.close()


async def test_a_redirect_within_the_host_is_followed(get):
    assert (await get("redirect", to="/call?do=ok")).json()["ok"]


@pytest.mark.parametrize(
    "to", ["http://localhost:{port}/call?do=ok", "http://127.0.0.1:1/", "//example.org/", "ftp://a/"]
)
async def test_a_redirect_to_another_host_or_port_is_not(get, service, to):
    service.mark()
    with pytest.raises(ServiceDown) as caught:
        await get("redirect", to=to.format(port=service.port))
    assert caught.value.code == "service_garbled"
    assert service.stats()["calls"] == 1


async def test_a_circle_of_redirects_ends(get, service):
    service.weather(do="redirect", to="/call")
    try:
        with pytest.raises(ServiceDown):
            await get()
    finally:
        service.weather()
