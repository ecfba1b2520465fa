"""Requests to other sites, protected against server-side request forgery."""

# Only public addresses are contacted. One deadline covers the DNS look-up, the connection and the
# response.

import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import certifi
import httpcore
from django.utils.text import get_text_list
from django.utils.translation import gettext

from core.errors import Refusal
from core.json_guard import Json, parse

# Global unicast (RFC 4291), the only IPv6 range of machines in the public network.
GLOBAL_UNICAST = IPv6Network("2000::/3")
# Networks within it that tunnel to an IPv4 address (Teredo, 6to4) or have no machines
# (documentation, benchmarks, ORCHID).
RESERVED_IPV6_NETWORKS = [
    IPv6Network("2001::/32"),
    IPv6Network("2002::/16"),
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
    IPv6Network("2001:2::/48"),
    IPv6Network("2001:10::/28"),
]


def is_public(address: str) -> bool:
    """Return whether an IP address is public; False for IPv6 that maps to IPv4, or with a zone."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        special = parsed.is_multicast or parsed.is_reserved or parsed.is_private
        # The 6to4 relay (192.88.99.0/24) is not a machine of its own.
        return parsed.is_global and not special and parsed.packed[:3] != b"\xc0\x58\x63"
    if parsed.scope_id or parsed not in GLOBAL_UNICAST:
        return False
    return parsed.is_global and not any(parsed in network for network in RESERVED_IPV6_NETWORKS)


def is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False


def resolve_host(host: str, port: int, wait: float) -> Sequence[str]:
    """Return the addresses of the host, IPv4 first. Raises OSError, and TimeoutError."""
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            answers.put(OSError(str(error)))
            return
        infos.sort(key=lambda info: info[0] != socket.AF_INET)
        answers.put(list(dict.fromkeys(str(info[4][0]) for info in infos)))

    # The system's look-up has its own time limit and cannot be stopped.
    threading.Thread(target=look_up, daemon=True).start()
    try:
        answer = answers.get(timeout=wait)
    except queue.Empty as error:
        raise TimeoutError(f"{host} was not resolved within {wait:g} seconds") from error
    if isinstance(answer, OSError):
        raise answer
    return answer


# Requests.

MAX_BYTES = 512 * 1024
# Seconds for the name, the connection and the whole answer together.
TIME_OUT = 5.0
HTTP_PORT, HTTPS_PORT = 80, 443
# Names of this machine, each with its addresses.
LOOPBACK_ADDRESSES = {
    "localhost": ("127.0.0.1", "::1"),
    "127.0.0.1": ("127.0.0.1",),
    "::1": ("::1",),
}
HOST_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# A public host name: no IP address, port or account.
PUBLIC_HOST_NAME = re.compile(rf"(?=.{{4,253}}\Z)(?:{HOST_LABEL}\.)+[a-z]{{2,63}}\Z")


class OutgoingRefused(Refusal):
    """`was_sent`: the other site may have received all or part of the request."""

    code = "outgoing"
    was_sent = False


class AddressNotAllowed(OutgoingRefused):
    pass


class Unreachable(OutgoingRefused):
    pass


class TooSlow(OutgoingRefused):
    pass


class TooBig(OutgoingRefused):
    pass


class WrongStatus(OutgoingRefused):
    """`details` hold the unexpected `status`, and the header Retry-After as `retry_after`."""


@dataclass(frozen=True)
class Policy:
    """Allowed hosts, and limits of a response.

    `hosts` are exact names in lower case. None allows any public host, for an address that staff
    have set. Only `loopback_policy` and tests change the fields after `max_bytes`.
    """

    hosts: frozenset[str] | None
    time_out: float = TIME_OUT
    max_bytes: int = MAX_BYTES
    scheme: str = "https"
    port: int = HTTPS_PORT
    may_connect: Callable[[str], bool] = is_public
    resolve: Callable[[str, int, float], Sequence[str]] = resolve_host
    authorities: str = field(default_factory=certifi.where)


@dataclass(frozen=True)
class OutgoingRequest:
    """`expected_statuses` None accepts any status, and reads only the beginning of a long body."""

    method: str
    body: bytes | None
    headers: Mapping[str, str]
    expected_statuses: Container[int] | None = None
    reads_body: bool = True


@dataclass(frozen=True)
class OutgoingResponse:
    status: int
    body: bytes
    retry_after: str = ""


def get_json(url: str, policy: Policy) -> Json:
    """Return the JSON at the address. Raises OutgoingRefused and `core.json_guard.NotJson`."""
    return parse(get(url, policy))


def get(url: str, policy: Policy) -> bytes:
    """Return the body of a response with status 200. Raises OutgoingRefused."""
    accept = {"Accept": "application/json, */*;q=0.1"}
    request = OutgoingRequest("GET", None, accept, expected_statuses=(200,))
    return _send_checked(url, policy, request).body


def post(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> bytes:
    """Send the body and return that of a response from 200 to 299. Raises OutgoingRefused."""
    request = OutgoingRequest("POST", body, headers, expected_statuses=range(200, 300))
    return _send_checked(url, policy, request).body


def exchange(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> OutgoingResponse:
    """Send the body and return the response, whatever its status. Raises OutgoingRefused."""
    return _send_checked(url, policy, OutgoingRequest("POST", body, headers))


def send(url: str, body: bytes, policy: Policy, headers: Mapping[str, str]) -> OutgoingResponse:
    """Send the body as `exchange` does, without reading the body of the response."""
    return _send_checked(url, policy, OutgoingRequest("POST", body, headers, reads_body=False))


def check_url(url: str, policy: Policy) -> str:
    """Return the host of an allowed address, as it is written. Raises AddressNotAllowed."""
    return _checked_url(url, policy)[0]


def loopback_policy(url: str) -> Policy | None:
    """Return the policy for a program on this machine; None for other addresses."""
    # For development: a public site must never send requests to its own machine.
    try:
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or name not in LOOPBACK_ADDRESSES:
        return None
    host = f"[{name}]" if ":" in name else name
    return Policy(
        # The netloc must equal the host and port, so that an address with an account is refused.
        hosts=frozenset({host if port is None else f"{host}:{port}"}),
        scheme="http",
        port=HTTP_PORT if port is None else port,
        may_connect=is_loopback,
        resolve=lambda *_: LOOPBACK_ADDRESSES[name],
    )


def _checked_url(url: str, policy: Policy) -> tuple[str, str]:
    if not url.isascii() or not url.isprintable() or any(mark in url for mark in " \\"):
        raise AddressNotAllowed(gettext("Enter a web address, such as https://example.org/."))
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise AddressNotAllowed(
            gettext("Enter a web address, such as https://example.org/.")
        ) from error
    host = parts.netloc.lower()
    if policy.hosts is None:
        is_allowed = PUBLIC_HOST_NAME.match(host) is not None
    else:
        is_allowed = host in policy.hosts
    if parts.scheme != policy.scheme or not is_allowed:
        if policy.hosts is None:
            raise AddressNotAllowed(gettext("Only https addresses of public sites are allowed."))
        raise AddressNotAllowed(
            gettext("Only https addresses of %(hosts)s are allowed.")
            % {"hosts": get_text_list(sorted(policy.hosts), gettext("and"))}
        )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, target


# The connection.

USER_AGENT = "Datafort/1 (tournament organiser; one request at a time)"
CONNECT_SECONDS = 2.0


def _send_checked(url: str, policy: Policy, request: OutgoingRequest) -> OutgoingResponse:
    host, target = _checked_url(url, policy)
    network = _CheckedNetwork(policy, time.monotonic() + policy.time_out)
    try:
        return _exchange_once(host, target, network, request)
    except httpcore.TimeoutException as error:
        raise _too_slow(host, network) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        if time.monotonic() >= network.deadline:
            raise _too_slow(host, network) from error
        refusal = Unreachable(gettext("%(host)s cannot be reached from here.") % {"host": host})
        refusal.was_sent = network.was_sent
        raise refusal from error


def _too_slow(host: str, network: "_CheckedNetwork") -> TooSlow:
    refusal = TooSlow(
        gettext("%(host)s did not answer within %(seconds)s seconds.")
        % {"host": host, "seconds": f"{network.policy.time_out:g}"}
    )
    refusal.was_sent = network.was_sent
    return refusal


def _exchange_once(
    host: str, target: str, network: "_CheckedNetwork", request: OutgoingRequest
) -> OutgoingResponse:
    policy = network.policy
    url = httpcore.URL(scheme=policy.scheme.encode(), host=host, port=policy.port, target=target)
    headers: dict[bytes | str, bytes | str] = {"Host": host, "User-Agent": USER_AGENT}
    headers.update(request.headers)
    # A small compressed response may expand to a huge size, so request it uncompressed.
    headers["Accept-Encoding"] = "identity"
    if request.body is not None:
        headers["Content-Length"] = str(len(request.body))
    expected, most = request.expected_statuses, policy.max_bytes
    with (
        httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context(cafile=policy.authorities),
            network_backend=network,
            max_keepalive_connections=0,
        ) as pool,
        pool.stream(request.method, url, headers=headers, content=request.body) as response,
    ):
        received = {name.lower(): value for name, value in response.headers}
        wait = received.get(b"retry-after", b"")[:40].decode("latin-1")
        if expected is not None and response.status not in expected:
            details = {"retry_after": wait} if b"retry-after" in received else {}
            text = gettext("%(host)s answered with status %(status)s.") % {
                "host": host,
                "status": response.status,
            }
            raise WrongStatus(text, status=response.status, **details)
        body = bytearray()
        for chunk in response.iter_stream() if request.reads_body else ():
            body += chunk
            if expected is None and len(body) >= most:
                break
            if len(body) > most:
                raise TooBig(
                    gettext("%(host)s sent more than %(most)s bytes.")
                    % {"host": host, "most": format(most, ",")}
                )
        return OutgoingResponse(response.status, bytes(body[:most]), wait)


class _CheckedNetwork(httpcore.SyncBackend):
    """Network backend for checked addresses. `was_sent`: part of the request was written."""

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
        addresses = self.policy.resolve(host, port, _seconds_until(self.deadline))
        if not all(self.policy.may_connect(address) for address in addresses):
            raise AddressNotAllowed(
                gettext("%(host)s is not on the public internet.") % {"host": host}
            )
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in addresses:
            wait = min(_seconds_until(self.deadline), CONNECT_SECONDS)
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
        raise AddressNotAllowed(gettext("Only https addresses are allowed."))


class _TimedStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, network: _CheckedNetwork) -> None:
        self._stream, self._network = stream, network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _seconds_until(self._network.deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # The TLS handshake does not pass here, so this is the request itself.
        self._network.was_sent = True
        self._stream.write(buffer, _seconds_until(self._network.deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        wait = _seconds_until(self._network.deadline)
        secured = self._stream.start_tls(ssl_context, server_hostname, wait)
        return _TimedStream(secured, self._network)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)


def _seconds_until(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time is up")
    return left
