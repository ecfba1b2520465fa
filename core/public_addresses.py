"""Name resolution, and checks whether an address is in the public network."""

import queue
import socket
import threading
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# Global unicast (RFC 4291), the only IPv6 range of machines in the public network.
GLOBAL_UNICAST = IPv6Network("2000::/3")
# Networks within it that tunnel to an IPv4 address (Teredo, 6to4) or have no machines
# (documentation, benchmarks, ORCHID).
TUNNELS = tuple(
    map(
        IPv6Network,
        ("2001::/32", "2002::/16", "2001:db8::/32", "3fff::/20", "2001:2::/48", "2001:10::/28"),
    )
)


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to a machine in the public network.

    False for private, loopback, link-local, shared, reserved and multicast addresses. Also false
    for IPv6 that maps to IPv4 (mapped, NAT64, 6to4, Teredo), and with a zone.
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
    # The 6to4 relay (192.88.99.0/24) is not a machine of its own.
    return address.is_global and not special and address.packed[:3] != b"\xc0\x58\x63"


def _is_public_v6(address: IPv6Address) -> bool:
    if address.scope_id or address not in GLOBAL_UNICAST:
        return False
    return address.is_global and not any(address in network for network in TUNNELS)


def resolved(host: str, port: int, wait: float) -> Sequence[str]:
    """Return the addresses of the host, IPv4 first, within `wait` seconds.

    Raises OSError for a name without addresses, and TimeoutError.
    """
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(_looked_up(host, port))
        except (OSError, UnicodeError) as error:
            answers.put(OSError(str(error)))

    # The system's look-up has its own time limit and cannot be stopped.
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
