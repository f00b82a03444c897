"""Connections before anything was asked: how many there may be, and how long a request may take.

The web server itself waits for ever for the headers of a request, and takes any number of
connections: here is its protocol with bounds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from apennine.server.clients import client_at
from apennine.server.limits import Limits
from apennine.server.messages import Failure

Network = IPv4Network | IPv6Network


def read_networks(addresses: Iterable[str]) -> list[Network]:
    """Addresses and networks, such as 10.0.0.7 or 10.0.0.0/8; ValueError, a sentence."""
    found: list[Network] = []
    for address in addresses:
        try:
            found.append(ip_network(address))
        except ValueError:
            raise ValueError(
                f"A trusted proxy is an address or a network, such as 10.0.0.7, not {address!r}."
            ) from None
    return found


class Connections:
    """How many connections each client has."""

    def __init__(self, limits: Limits, proxies: Collection[Network] = ()) -> None:
        self.limits = limits
        self._proxies = proxies
        self._open: dict[str, int] = {}
        self._all = 0

    def admit(self, host: str) -> str:
        """Count a connection from an address; a sentence if there are too many, else nothing."""
        limits, client = self.limits, client_at(host)
        mine = self._open.get(client, 0)
        if limits.enforced and self._all >= limits.connections_in_all:
            return "The server has too many connections; try again soon."
        if limits.enforced and mine >= limits.connections and not self._is_proxy(host):
            return "This address has too many connections open."
        self._open[client] = mine + 1
        self._all += 1
        return ""

    def release(self, host: str) -> None:
        """A connection that was let in has gone."""
        client = client_at(host)
        self._all -= 1
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]

    def _is_proxy(self, host: str) -> bool:
        """A proxy brings the connections of many."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


def bounded(connections: Connections) -> type[H11Protocol]:
    """The protocol of the web server, with these bounds."""

    class Bounded(H11Protocol):
        _counted = False
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            refusal = connections.admit(self._host())
            if refusal:
                transport.write(_refusal(refusal))
                transport.close()
            else:
                self._counted = True
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._leave()
            super().connection_lost(exc)

        def handle_events(self) -> None:
            super().handle_events()
            # The cycle is that of the last request whose headers are all there.
            cycle: Any = self.cycle
            if cycle is not None and not cycle.response_complete:
                self._stop_waiting()

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._leave()  # sockets are counted by themselves
            super().handle_websocket_upgrade(event)

        def on_response_complete(self) -> None:
            self._stop_waiting()
            self._wait()
            super().on_response_complete()

        def _host(self) -> str:
            return self.client[0] if self.client else ""

        def _wait(self) -> None:
            """Wait for the headers of a request, and not for ever."""
            self._deadline = self.loop.call_later(
                connections.limits.header_seconds, self.transport.close
            )

        def _stop_waiting(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _leave(self) -> None:
            self._stop_waiting()
            if self._counted:
                self._counted = False
                connections.release(self._host())

    return Bounded


def _refusal(sentence: str) -> bytes:
    body = msgspec.json.encode(Failure(sentence))
    head = (
        "HTTP/1.1 503 Service Unavailable\r\n"
        "content-type: application/json\r\n"
        "retry-after: 5\r\n"
        f"content-length: {len(body)}\r\n"
        "connection: close\r\n\r\n"
    )
    return head.encode() + body
