"""Recorder in place of the socket layer."""

import errno
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

PUBLIC = "198.41.0.4"


@dataclass
class Network:
    """`names` maps host names to addresses; every connection fails."""

    names: dict[str, list[str]] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)

    def look_up(self, host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        self.looked_up.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [_address_info(address, port) for address in self.names[host]]

    def connect(self, address: Iterable[Any]) -> None:
        host, port, *_ = address
        self.connected.append((host, port))
        raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")


def record(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str]] | None = None) -> Network:
    """Replace the sockets of this process by a recorder."""
    network = Network(names or {})
    # create_connection calls getaddrinfo too, and needs the real result for numbers.
    real = socket.getaddrinfo

    def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        if _is_number(host):
            return list(real(host, port, *args, **kwargs))
        return network.look_up(host, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", lambda _, address: network.connect(address))
    return network


def _is_number(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def _address_info(address: str, port: int) -> tuple[Any, ...]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return (family, socket.SOCK_STREAM, 6, "", (address, port))
