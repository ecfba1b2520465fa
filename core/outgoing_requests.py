"""Requests to other sites, the one way out: with everything guarded.

Whoever asks says which hosts may be asked. The address is checked, the name is resolved once,
each address it has must be public, and the connection goes to exactly that address, so that a
name cannot turn into another machine in between. Nothing of the surroundings is trusted: no
proxy, no variable, no redirect, no cookie.
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
TIME_OUT = 5.0
"""Seconds for all of it: the name, the connection and the whole answer."""
HTTP, HTTPS = 80, 443
LOOPBACK = {"localhost": ("127.0.0.1", "::1"), "127.0.0.1": ("127.0.0.1",), "::1": ("::1",)}
"""Names of this machine, each with its addresses."""
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME_OF_A_HOST = re.compile(rf"(?=.{{4,253}}\Z)(?:{LABEL}\.)+[a-z]{{2,63}}\Z")
"""No address as numbers, no port, no account before it: a name in the public order of names."""


class OutgoingRefused(Refusal):
    """Another site was not asked, or did not answer as it should.

    `was_sent`: the other site may have got some of the request, or all of it.
    """

    code = "outgoing"
    was_sent = False


class AddressNotAllowed(OutgoingRefused):
    """The address is not one of those that may be asked."""


class Unreachable(OutgoingRefused):
    """The site cannot be reached from here: no network, or it does not answer."""


class TooSlow(OutgoingRefused):
    """The answer took longer than anybody waits."""


class TooBig(OutgoingRefused):
    """The answer has more bytes than such a thing needs."""


class WrongStatus(OutgoingRefused):
    """The site answered, but not with what was asked.

    `details["status"]` is its number; `details["retry_after"]` is there when it says how long to
    wait.
    """


@dataclass(frozen=True)
class Policy:
    """Which hosts may be asked, and how much of an answer is taken.

    `hosts` are exact names in lower case; None is any name whose machines are public, for an
    address that somebody of the staff has set. What follows `most_bytes` is for tests, which serve
    from this machine under a certificate of their own, and for `loopback_policy`; elsewhere it
    keeps its default.
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
    """`wanted` are the only statuses that are an answer; without them any is, and its beginning."""

    method: str
    body: bytes | None
    headers: Mapping[str, str]
    wanted: Container[int] | None = None
    reads_body: bool = True


@dataclass(frozen=True)
class Answered:
    """What a site said, whatever its status; of a long body only the beginning."""

    status: int
    body: bytes
    retry_after: str = ""


def get_json(url: str, policy: Policy) -> Json:
    """The JSON at the address. Raises OutgoingRefused, and NotJson of `core.json_guard`."""
    return parse(get(url, policy))


def get(url: str, policy: Policy) -> bytes:
    """The body of what is at the address, which must answer 200. Raises OutgoingRefused."""
    accept = {"Accept": "application/json, */*;q=0.1"}
    return _asked(url, policy, Request("GET", None, accept, wanted=(200,))).body


def post(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> bytes:
    """Send the body; what is answered with a status from 200 to 299. Raises OutgoingRefused."""
    return _asked(url, policy, Request("POST", body, headers, wanted=range(200, 300))).body


def exchange(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> Answered:
    """Send the body; the answer with any status. Raises OutgoingRefused where there is none."""
    return _asked(url, policy, Request("POST", body, headers))


def send(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> Answered:
    """As `exchange`, and nobody waits for the body of the answer: it is not read."""
    return _asked(url, policy, Request("POST", body, headers, reads_body=False))


def check(url: str, policy: Policy) -> str:
    """The host of an address that may be asked, as it is written. Raises AddressNotAllowed."""
    return _checked(url, policy)[0]


def loopback_policy(url: str) -> Policy | None:
    """The policy for a program on this machine: plain http, any port. None for other addresses.

    For development only: a site that others can reach must never ask addresses on its own machine.
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
        # Without an account in the address, which the host alone does not have.
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
    """Host and target of an address that may be asked."""
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
