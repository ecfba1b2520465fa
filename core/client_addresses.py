"""The network address of the device that a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def client_address(request: HttpRequest | Request) -> str:
    """Return the address of the device, as reported by trusted proxies."""
    seen = str(request.META.get("REMOTE_ADDR", ""))
    return forwarded_address(seen, request.headers.get("X-Forwarded-For", ""))


def forwarded_address(seen: str, forwarded: str) -> str:
    """Return the client address from X-Forwarded-For.

    Each trusted proxy appends the address it saw. Addresses further left come from the client and
    are not trusted.
    """
    count: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    named = [address.strip() for address in forwarded.split(",") if address.strip()]
    return _without_port(named[-count]) if count and len(named) >= count else seen


def _without_port(named: str) -> str:
    """Remove the port that some proxies add: 192.0.2.1:51234 or [2001:db8::1]:51234."""
    if named.startswith("["):
        return named[1:].partition("]")[0]
    return named.partition(":")[0] if named.count(":") == 1 else named


def counted_address(request: HttpRequest | Request) -> str:
    """Return the address that limits count by: for IPv6 the /64 of a household or host."""
    return network_of(client_address(request))


def network_of(seen: str) -> str:
    """Return the IPv4 address, or the /64 of an IPv6 address."""
    try:
        address = ip_address(seen)
    except ValueError:
        return seen
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address)
