"""Requests to other sites, the one way out: with everything guarded.

Whoever asks says which hosts may be asked. The address is checked, the name is resolved once,
each address it has must be public, and the connection goes to exactly that address, so that a
name cannot turn into another machine in between. Nothing of the surroundings is trusted: no
proxy, no variable, no redirect, no cookie.
"""

import re
import ssl
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import certifi
import httpcore

from core.errors import Refusal
from core.json_guard import Json, parse
from core.public_addresses import is_public, resolved

USER_AGENT = "Datafort/1 (tournament organiser; one request at a time)"
MOST_BYTES = 512 * 1024
TIME_OUT = 5.0
"""Seconds for all of it: the name, the connection and the whole answer."""
WAIT_FOR_AN_ADDRESS = 2.0
HTTPS = 443
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
    from this machine under a certificate of their own; elsewhere it keeps its default.
    """

    hosts: frozenset[str] | None
    time_out: float = TIME_OUT
    most_bytes: int = MOST_BYTES
    port: int = HTTPS
    may_connect: Callable[[str], bool] = is_public
    resolve: Callable[[str, int, float], Sequence[str]] = resolved
    authorities: str = field(default_factory=certifi.where)


def get_json(url: str, policy: Policy) -> Json:
    """The JSON at the address. Raises OutgoingRefused, and NotJson of `core.json_guard`."""
    return parse(get(url, policy))


def get(url: str, policy: Policy) -> bytes:
    """The body of what is at the address, which must answer 200. Raises OutgoingRefused."""
    accept = {"Accept": "application/json, */*;q=0.1"}
    return _asked(url, policy, _Request("GET", None, accept, wanted=(200,))).body


def post(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> bytes:
    """Send the body; what is answered with a status from 200 to 299. Raises OutgoingRefused."""
    return _asked(url, policy, _Request("POST", body, headers, wanted=range(200, 300))).body


@dataclass(frozen=True)
class Answered:
    """What a site said, whatever its status; of a long body only the beginning."""

    status: int
    body: bytes
    retry_after: str = ""


def exchange(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> Answered:
    """Send the body; the answer with any status. Raises OutgoingRefused where there is none."""
    return _asked(url, policy, _Request("POST", body, headers))


def send(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> Answered:
    """As `exchange`, and nobody waits for the body of the answer: it is not read."""
    return _asked(url, policy, _Request("POST", body, headers, reads_body=False))


def check(url: str, policy: Policy) -> str:
    """The host of an address that may be asked, as it is written. Raises AddressNotAllowed."""
    return _checked(url, policy)[0]


def _asked(url: str, policy: Policy, request: "_Request") -> Answered:
    host, target = _checked(url, policy)
    network = _CheckedNetwork(policy, time.monotonic() + policy.time_out)
    try:
        return _ask(host, target, network, request)
    except httpcore.TimeoutException as error:
        raise _too_slow(host, network) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        if time.monotonic() >= network.deadline:
            raise _too_slow(host, network) from error
        refusal = Unreachable(f"{host} cannot be reached from here.")
        refusal.was_sent = network.was_sent
        raise refusal from error


def _too_slow(host: str, network: "_CheckedNetwork") -> TooSlow:
    wait = network.policy.time_out
    refusal = TooSlow(f"{host} did not answer within {wait:g} seconds.")
    refusal.was_sent = network.was_sent
    return refusal


def _checked(url: str, policy: Policy) -> tuple[str, str]:
    """Host and target of an address that may be asked."""
    if not url.isascii() or not url.isprintable() or any(mark in url for mark in " \\"):
        raise AddressNotAllowed("This is no address of a page.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressNotAllowed("This is no address of a page.") from error
    host = parts.netloc.lower()
    if parts.scheme != "https" or port or not _is_allowed(host, policy):
        allowed = "a public site" if policy.hosts is None else " or ".join(sorted(policy.hosts))
        raise AddressNotAllowed(f"Only https addresses of {allowed} can be asked.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, target


def _is_allowed(host: str, policy: Policy) -> bool:
    if policy.hosts is None:
        return NAME_OF_A_HOST.match(host) is not None
    return host in policy.hosts


@dataclass(frozen=True)
class _Request:
    """`wanted` are the only statuses that are an answer; without them any is, and its beginning."""

    method: str
    body: bytes | None
    headers: Mapping[str, str]
    wanted: Container[int] | None = None
    reads_body: bool = True


def _ask(host: str, target: str, network: "_CheckedNetwork", request: _Request) -> Answered:
    policy = network.policy
    url = httpcore.URL(scheme=b"https", host=host, port=policy.port, target=target)
    headers: dict[bytes | str, bytes | str] = {"Host": host, "User-Agent": USER_AGENT}
    headers.update(request.headers)
    # Packed, a small answer may be a huge one: it is asked for as it is.
    headers["Accept-Encoding"] = "identity"
    if request.body is not None:
        headers["Content-Length"] = str(len(request.body))
    with (
        httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context(cafile=policy.authorities),
            network_backend=network,
            max_keepalive_connections=0,
        ) as pool,
        pool.stream(request.method, url, headers=headers, content=request.body) as answer,
    ):
        return _answered(request, host, answer, policy.most_bytes)


def _answered(request: _Request, host: str, answer: httpcore.Response, most: int) -> Answered:
    named = {name.lower(): value for name, value in answer.headers}
    wait = named.get(b"retry-after", b"")[:40].decode("latin-1")
    if request.wanted is not None and answer.status not in request.wanted:
        said = {"retry_after": wait} if b"retry-after" in named else {}
        text = f"{host} answered with status {answer.status}."
        raise WrongStatus(text, status=answer.status, **said)
    body = bytearray()
    for piece in answer.iter_stream() if request.reads_body else ():
        body += piece
        if request.wanted is None and len(body) >= most:
            break
        if len(body) > most:
            raise TooBig(f"{host} answered with more than {most:,} bytes.")
    return Answered(answer.status, bytes(body[:most]), wait)


class _CheckedNetwork(httpcore.SyncBackend):
    """Connects to addresses that were checked, and to nothing else, before the deadline.

    `was_sent` once anything of the request went out: before it, nothing was but a greeting.
    """

    def __init__(self, policy: Policy, deadline: float) -> None:
        self.policy, self.deadline = policy, deadline
        self.was_sent = False

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = self.policy.resolve(host, port, _left(self.deadline))
        if not all(self.policy.may_connect(address) for address in addresses):
            raise AddressNotAllowed(f"{host} leads into a network that is not public.")
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in addresses:
            wait = min(_left(self.deadline), WAIT_FOR_AN_ADDRESS)
            try:
                stream = super().connect_tcp(address, port, wait)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _TimedStream(stream, self)
        raise failure

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        raise AddressNotAllowed("Only https addresses can be asked.")


class _TimedStream(httpcore.NetworkStream):
    """A connection that waits for each piece no longer than until the deadline of all."""

    def __init__(self, stream: httpcore.NetworkStream, network: _CheckedNetwork) -> None:
        self._stream, self._network = stream, network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._network.deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # Nothing is written before the connection is secured: that greeting is not seen here.
        self._network.was_sent = True
        self._stream.write(buffer, _left(self._network.deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        wait = _left(self._network.deadline)
        secured = self._stream.start_tls(ssl_context, server_hostname, wait)
        return _TimedStream(secured, self._network)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)


def _left(deadline: float) -> float:
    """Seconds until the deadline. Raises a time-out when there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time is up")
    return left
