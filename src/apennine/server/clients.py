"""Who asks: a client is an address, and what is done for it anywhere is done in its name."""

from __future__ import annotations

from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Set where a request or a socket comes in; tasks begun for it have it too. Empty: the server."""


def client_of(connection: HTTPConnection) -> str:
    """The client of a request or a socket."""
    return client_at(connection.client.host if connection.client else "")


def client_at(host: str) -> str:
    """The client at an address: of IPv6 the network of a household, which has 2**64 of them.

    >>> client_at("192.0.2.7"), client_at("2001:db8:1:2:3:4:5:6"), client_at("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)
