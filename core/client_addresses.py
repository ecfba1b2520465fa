"""The network address of the device that a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def client_address(request: HttpRequest | Request) -> str:
    """The address of the device, as named by the proxies that are trusted."""
    seen = str(request.META.get("REMOTE_ADDR", ""))
    return forwarded_address(seen, request.headers.get("X-Forwarded-For", ""))


def forwarded_address(seen: str, forwarded: str) -> str:
    """The address of the device behind the one that was seen, by its X-Forwarded-For.

    Each trusted proxy appends the address it saw, so what stands further left
    was written by the client and is not believed.
    """
    count: int = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    named = [address.strip() for address in forwarded.split(",") if address.strip()]
    return _without_port(named[-count]) if count and len(named) >= count else seen


def _without_port(named: str) -> str:
    """Some proxies name the port as well: 192.0.2.1:51234 or [2001:db8::1]:51234."""
    if named.startswith("["):
        return named[1:].partition("]")[0]
    return named.partition(":")[0] if named.count(":") == 1 else named


def counted_address(request: HttpRequest | Request) -> str:
    """By what limits count who asks: of IPv6 the whole /64, which is one household or one host."""
    return network_of(client_address(request))


def network_of(seen: str) -> str:
    """The address itself, or of IPv6 its /64."""
    try:
        address = ip_address(seen)
    except ValueError:
        return seen
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address)
