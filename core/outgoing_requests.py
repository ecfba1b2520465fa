"""Requests to other sites, protected against request forgery.

The caller names the hosts that are allowed. The address is checked and the name is resolved only
once. Each IP address must be public, and the connection goes to exactly that address, so the name
cannot lead to another machine in between. Proxies, environment variables, redirects and cookies are
ignored.
"""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import certifi

from core.errors import Refusal
from core.json_guard import Json, parse
from core.public_addresses import is_loopback, is_public, resolved

MOST_BYTES = 512 * 1024
# Seconds for the name, the connection and the whole answer together.
TIME_OUT = 5.0
HTTP, HTTPS = 80, 443
# Names of this machine, each with its addresses.
LOOPBACK = {"localhost": ("127.0.0.1", "::1"), "127.0.0.1": ("127.0.0.1",), "::1": ("::1",)}
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# A public host name: no IP address, port or account.
NAME_OF_A_HOST = re.compile(rf"(?=.{{4,253}}\Z)(?:{LABEL}\.)+[a-z]{{2,63}}\Z")


class OutgoingRefused(Refusal):
    """A request to another site was refused or failed.

    `was_sent`: the other site may have received all or part of the request.
    """

    code = "outgoing"
    was_sent = False


class AddressNotAllowed(OutgoingRefused):
    """The policy does not allow this address."""


class Unreachable(OutgoingRefused):
    pass


class TooSlow(OutgoingRefused):
    pass


class TooBig(OutgoingRefused):
    pass


class WrongStatus(OutgoingRefused):
    """The site answered with an unexpected status.

    `details["status"]` is the status, `details["retry_after"]` its Retry-After header if present.
    """


@dataclass(frozen=True)
class Policy:
    """Allowed hosts, and limits of an answer.

    `hosts` are exact names in lower case. None allows any public host, for an address that staff
    have set. The fields after `most_bytes` have other values only in `loopback_policy` and in
    tests, which use a local server and a certificate of their own.
    """

    hosts: frozenset[str] | None
    time_out: float = TIME_OUT
    most_bytes: int = MOST_BYTES
    scheme: str = "https"
    port: int = HTTPS
    may_connect: Callable[[str], bool] = is_public
    resolve: Callable[[str, int, float], Sequence[str]] = resolved
    authorities: str = field(default_factory=certifi.where)


@dataclass(frozen=True)
class Request:
    """A request. `wanted` are the accepted statuses.

    None accepts any status, and reads only the beginning of a long body.
    """

    method: str
    body: bytes | None
    headers: Mapping[str, str]
    wanted: Container[int] | None = None
    reads_body: bool = True


@dataclass(frozen=True)
class Answered:
    """The response of a site, with any status; only the beginning of a long body."""

    status: int
    body: bytes
    retry_after: str = ""


def get_json(url: str, policy: Policy) -> Json:
    """Return the JSON at the address. Raises OutgoingRefused and `core.json_guard.NotJson`."""
    return parse(get(url, policy))


def get(url: str, policy: Policy) -> bytes:
    """Return the body of a response with status 200. Raises OutgoingRefused."""
    accept = {"Accept": "application/json, */*;q=0.1"}
    return _asked(url, policy, Request("GET", None, accept, wanted=(200,))).body


def post(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> bytes:
    """Send the body and return that of a response from 200 to 299. Raises OutgoingRefused."""
    return _asked(url, policy, Request("POST", body, headers, wanted=range(200, 300))).body


def exchange(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> Answered:
    """Send the body and return the response, whatever its status. Raises OutgoingRefused."""
    return _asked(url, policy, Request("POST", body, headers))


def send(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> Answered:
    """Send the body as `exchange` does, without reading the body of the response."""
    return _asked(url, policy, Request("POST", body, headers, reads_body=False))


def check(url: str, policy: Policy) -> str:
    """Return the host of an allowed address, as it is written. Raises AddressNotAllowed."""
    return _checked(url, policy)[0]


def loopback_policy(url: str) -> Policy | None:
    """Return the policy for a program on this machine, None for other addresses.

    It allows plain http and any port. For development only: a public site must never send requests
    to its own machine.
    """
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or name not in LOOPBACK:
        return None
    host = f"[{name}]" if ":" in name else name
    return Policy(
        # The netloc must equal the host and port, so that an address with an account is refused.
        hosts=frozenset({host if port is None else f"{host}:{port}"}),
        scheme="http",
        port=HTTP if port is None else port,
        may_connect=is_loopback,
        resolve=lambda *_: LOOPBACK[name],
    )


def _asked(url: str, policy: Policy, request: Request) -> Answered:
    from core import outgoing_connection  # slow to load

    host, target = _checked(url, policy)
    return outgoing_connection.ask(host, target, policy, request)


def _checked(url: str, policy: Policy) -> tuple[str, str]:
    if not url.isascii() or not url.isprintable() or any(mark in url for mark in " \\"):
        raise AddressNotAllowed("This is not a web address.")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise AddressNotAllowed("This is not a web address.") from error
    host = parts.netloc.lower()
    if parts.scheme != policy.scheme or not _is_allowed(host, policy):
        allowed = "a public site" if policy.hosts is None else " or ".join(sorted(policy.hosts))
        raise AddressNotAllowed(f"Only https addresses of {allowed} can be asked.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, target


def _is_allowed(host: str, policy: Policy) -> bool:
    if policy.hosts is None:
        return NAME_OF_A_HOST.match(host) is not None
    return host in policy.hosts
