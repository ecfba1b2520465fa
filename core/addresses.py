"""Network addresses of clients, and the address of this site for other devices."""

import socket
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from core.http import is_loopback


def client_address(request: HttpRequest | Request) -> str:
    peer = str(request.META.get("REMOTE_ADDR", ""))
    return forwarded_address(peer, request.headers.get("X-Forwarded-For", ""))


def forwarded_address(peer: str, forwarded: str) -> str:
    """Return the address that the first trusted proxy saw: clients can forge earlier entries."""
    count: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    hops = [address.strip() for address in forwarded.split(",") if address.strip()]
    if not count or len(hops) < count:
        return peer
    address = hops[-count]
    # Some proxies add a port: 192.0.2.1:51234 or [2001:db8::1]:51234.
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def counted_address(request: HttpRequest | Request) -> str:
    """Return the address for rate limits: for IPv6 the /64 of a household or host."""
    return network_of(client_address(request))


def network_of(seen: str) -> str:
    try:
        address = ip_address(seen)
    except ValueError:
        return seen
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address)


# The address of this site.

ANY_HOST = ("0.0.0.0", "::", "*", "")  # noqa: S104 - compared, not bound
PROBED_HOSTS = (
    # Any address beyond the default route.
    "10.255.255.255",
    # Networks without a default route: hotspots of Windows, Linux, Android, macOS and iOS, and
    # the usual networks of small routers.
    "192.168.137.2",
    "10.42.0.2",
    "192.168.43.2",
    "192.168.2.2",
    "172.20.10.3",
    "192.168.0.2",
    "192.168.1.2",
)


class Listener(NamedTuple):
    host: str
    port: int


# Set by `manage.py serve`; sites behind other servers have DATAFORT_PUBLIC_URL.
listener: Listener | None = None


def host_in_network(bound: str) -> str:
    """Return the host for connections: this computer's address if all addresses are bound."""
    if bound not in ANY_HOST:
        return bound
    for probed in PROBED_HOSTS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                # Sends nothing: connecting a datagram socket only selects the route.
                probe.connect((probed, 1))
            except OSError:
                continue
            return str(probe.getsockname()[0])
    return "127.0.0.1"


def with_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def served_address(host: str, port: int) -> str:
    """Return the address of a server bound to this host and port, as other devices see it."""
    return f"http://{with_port(host_in_network(host), port)}"


def staff_address(host: str, port: int) -> str:
    # Logins need https, or this computer.
    if settings.SITE_ADDRESS.startswith("https://"):
        return str(settings.SITE_ADDRESS)
    return f"http://{with_port(host if is_loopback(host) else '127.0.0.1', port)}"


def shared_address(request: HttpRequest | Request | None = None) -> str:
    """Return the site's address for links used on other devices, without a final slash, or ""."""
    if settings.SITE_ADDRESS:
        return str(settings.SITE_ADDRESS)
    requested = request.build_absolute_uri("/").rstrip("/") if request is not None else ""
    if requested and not is_local_only(requested):
        return requested
    if listener is not None:
        served = served_address(*listener)
        host = urlsplit(served).hostname or ""
        is_answered = "*" in settings.ALLOWED_HOSTS or host in settings.ALLOWED_HOSTS
        if is_answered and not is_local_only(served):
            return served
    return requested


def is_made_up_host(request: HttpRequest) -> bool:
    """Return True if the client may have invented the host: the site accepts every host."""
    if settings.SITE_ADDRESS or "*" not in settings.ALLOWED_HOSTS:
        return False
    shared = shared_address(request)
    is_listener = listener is not None and shared == served_address(*listener)
    return not is_listener and not is_local_only(shared)


def shared_url(request: HttpRequest | Request, path: str) -> str:
    return f"{shared_address(request)}{path}"


def is_local_only(address: str) -> bool:
    """Return True for an address of this computer only, and for a malformed one."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return True
    return is_loopback(host) or host in ANY_HOST
