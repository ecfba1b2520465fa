"""Which machines a name leads to, and whether they stand in the public network."""

import queue
import socket
import threading
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# Global unicast (RFC 4291), the only part of IPv6 that machines of the public network have.
GLOBAL_UNICAST = IPv6Network("2000::/3")
# Within it, networks that carry an IPv4 address somewhere else (Teredo, 6to4), or nobody
# (documentation, benchmarks, ORCHID).
TUNNELS = tuple(
    map(
        IPv6Network,
        ("2001::/32", "2002::/16", "2001:db8::/32", "3fff::/20", "2001:2::/48", "2001:10::/28"),
    )
)


def is_public(address: str) -> bool:
    """Whether the address, as numbers, is one machine of the public network.

    Private, loopback, link-local, shared, reserved and multicast ones are not, nor is IPv6
    that stands for an IPv4 address (mapped, NAT64, 6to4, Teredo), nor one with a zone.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_public_v4(parsed) if isinstance(parsed, IPv4Address) else _is_public_v6(parsed)


def is_loopback(host: str) -> bool:
    """Return whether a host name or IP address can be reached from this computer only."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False


def _is_public_v4(address: IPv4Address) -> bool:
    special = address.is_multicast or address.is_reserved or address.is_private
    # The relay of 6to4 (192.88.99.0/24) is no machine of its own.
    return address.is_global and not special and address.packed[:3] != b"\xc0\x58\x63"


def _is_public_v6(address: IPv6Address) -> bool:
    if address.scope_id or address not in GLOBAL_UNICAST:
        return False
    return address.is_global and not any(address in network for network in TUNNELS)


def resolved(host: str, port: int, wait: float) -> Sequence[str]:
    """The addresses of the host, IPv4 first; waits `wait` seconds at most.

    Raises OSError for a name that has none, and TimeoutError.
    """
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(_looked_up(host, port))
        except (OSError, UnicodeError) as error:
            answers.put(OSError(str(error)))

    # The look-up of the system takes its own time and cannot be stopped.
    threading.Thread(target=look_up, daemon=True).start()
    try:
        found = answers.get(timeout=wait)
    except queue.Empty as error:
        raise TimeoutError(f"{host} was not resolved within {wait:g} seconds") from error
    if isinstance(found, OSError):
        raise found
    return found


def _looked_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found.sort(key=lambda one: one[0] != socket.AF_INET)
    return list(dict.fromkeys(str(one[4][0]) for one in found))
