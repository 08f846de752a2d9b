"""Addresses that are nobody's on the public internet, from IANA's registries of special-purpose addresses (RFC 6890).

Python's ``ipaddress`` knows most of them, by version of Python not the same ones. A list of our own is longer and can
be read: whatever is in it is never called unless an operator lists the host.
"""

from __future__ import annotations

import ipaddress

_V4 = (
    "0.0.0.0/8",  # this network
    "10.0.0.0/8",  # private
    "100.64.0.0/10",  # shared by customers of one provider
    "127.0.0.0/8",  # loopback
    "168.63.129.16/32",  # the platform of Azure, answers to its guests only
    "169.254.0.0/16",  # link-local; clouds give out credentials here
    "172.16.0.0/12",  # private
    "192.0.0.0/24",  # protocols, among them 192.0.0.192 where Oracle's cloud gives out credentials
    "192.0.2.0/24",  # documentation
    "192.31.196.0/24",  # AS112
    "192.52.193.0/24",  # automatic multicast tunnels
    "192.88.99.0/24",  # relays of 6to4, deprecated
    "192.168.0.0/16",  # private
    "192.175.48.0/24",  # AS112
    "198.18.0.0/15",  # benchmarks
    "198.51.100.0/24",  # documentation
    "203.0.113.0/24",  # documentation
    "224.0.0.0/4",  # multicast
    "240.0.0.0/4",  # reserved, and broadcast
)
_V6 = (
    "::/96",  # unspecified, loopback, and IPv4 addresses in the deprecated form ::a.b.c.d
    "64:ff9b:1::/48",  # translation within one network
    "100::/64",  # discarded
    "100:0:0:1::/64",  # dummy prefix
    "2001::/23",  # protocols: Teredo, ORCHID, benchmarks
    "2001:db8::/32",  # documentation
    "2620:4f:8000::/48",  # AS112
    "3fff::/20",  # documentation
    "5f00::/16",  # segment routing
    "fc00::/7",  # unique local
    "fe80::/10",  # link-local
    "fec0::/10",  # site-local, deprecated, still routed inside some sites
    "ff00::/8",  # multicast
)
SPECIAL = tuple(map(ipaddress.ip_network, (*_V4, *_V6)))
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
#: What the internet's registries give out to networks; the rest of IPv6 is reserved.
_GLOBAL_V6 = ipaddress.ip_network("2000::/3")


def is_public(text: str) -> bool:
    """Whether an IP address belongs to the public internet. An IPv4 address inside an IPv6 one counts as itself.
    Raises ValueError for what is no address."""
    address = ipaddress.ip_address(text.split("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if inside := address.ipv4_mapped or address.sixtofour:
            return is_public(str(inside))
        if address not in _GLOBAL_V6:
            return False
    return not any(address in network for network in SPECIAL if network.version == address.version)
