"""The connection of core.outgoing_requests: to checked addresses only, with a deadline."""

import ssl
import time
from collections.abc import Iterable

import httpcore

from core.outgoing_requests import (
    AddressNotAllowed,
    Answered,
    Policy,
    Request,
    TooBig,
    TooSlow,
    Unreachable,
    WrongStatus,
)

USER_AGENT = "Datafort/1 (tournament organiser; one request at a time)"
WAIT_FOR_AN_ADDRESS = 2.0


def ask(host: str, target: str, policy: Policy, request: Request) -> Answered:
    """Send the request and return the response. Raises OutgoingRefused."""
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


def _ask(host: str, target: str, network: "_CheckedNetwork", request: Request) -> Answered:
    policy = network.policy
    url = httpcore.URL(scheme=policy.scheme.encode(), host=host, port=policy.port, target=target)
    headers: dict[bytes | str, bytes | str] = {"Host": host, "User-Agent": USER_AGENT}
    headers.update(request.headers)
    # A small compressed answer may expand to a huge size, so request it uncompressed.
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


def _answered(request: Request, host: str, answer: httpcore.Response, most: int) -> Answered:
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
    """Network backend that connects to checked addresses only, before the deadline.

    `was_sent` is set once any part of the request was written. Only the TLS handshake comes
    earlier.
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
    """A connection whose reads and writes share the deadline of the request."""

    def __init__(self, stream: httpcore.NetworkStream, network: _CheckedNetwork) -> None:
        self._stream, self._network = stream, network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._network.deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # The TLS handshake does not pass here, so this is the request itself.
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
    """Seconds until the deadline. Raises ReadTimeout when it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time is up")
    return left
