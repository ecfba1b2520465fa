"""Outgoing requests against a real TLS site on this machine."""

import gzip
import json
import socket
import ssl
import threading
import time
from pathlib import Path

import pytest

from core import http
from core.http import AddressNotAllowed, Policy, TooBig, TooSlow, Unreachable, WrongStatus
from core.json_guard import NestedTooDeeply, NotJson
from tests.core.tls_site import HOST, replies, tls_site

pytestmark = pytest.mark.check(17)

URL = f"https://{HOST}/api/deck?id=1"


def test_json_response_is_returned(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK", b'{"deck"', b": 1}")) as site:
        assert http.get_json(URL, site.policy()) == {"deck": 1}

    assert site.resolved == [HOST]
    request = site.requests[0].decode()
    assert request.startswith("GET /api/deck?id=1 HTTP/1.1\r\n")
    assert f"Host: {HOST}\r\n" in request
    assert "User-Agent: Datafort/1" in request
    assert "Accept-Encoding: identity" in request


def test_cookies_are_not_sent_back(tmp_path: Path):
    cookie = "Set-Cookie: who=you\r\n"
    with tls_site(tmp_path, replies("200 OK", b"[]", headers=cookie)) as site:
        http.get(URL, site.policy())
        http.get(URL, site.policy())

    assert len(site.requests) == 2
    assert all(b"ookie" not in request for request in site.requests)


def test_environment_proxies_and_certificates_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "nothing.pem"))
    with tls_site(tmp_path, replies("200 OK", b"[]")) as site:
        assert http.get_json(URL, site.policy()) == []


def test_certificate_for_another_name_is_refused(tmp_path: Path):
    with (
        tls_site(tmp_path, replies("200 OK", b"[]"), name="other.example") as site,
        pytest.raises(Unreachable, match=r"^decks\.example cannot be reached from here\.$"),
    ):
        http.get(URL, site.policy())
    assert site.requests == []


def test_self_signed_certificate_is_refused(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK", b"[]")) as site, pytest.raises(Unreachable):
        http.get(URL, site.policy(authorities=Policy(frozenset()).authorities))
    assert site.requests == []


@pytest.mark.parametrize(
    ("status", "number"),
    [("404 Not Found", 404), ("500 Broken", 500), ("204 No Content", 204), ("206 Part", 206)],
)
def test_unexpected_status_is_refused_with_its_number(tmp_path: Path, status: str, number: int):
    with (
        tls_site(tmp_path, replies(status, b"{}")) as site,
        pytest.raises(WrongStatus, match=f"status {number}") as refusal_,
    ):
        http.get(URL, site.policy())
    assert refusal_.value.details == {"status": number}


ASK = {
    "get": lambda policy: http.get(URL, policy),
    "post": lambda policy: http.post(URL, b"secret", policy, {}),
}


@pytest.mark.parametrize("method", ASK)
@pytest.mark.parametrize(
    "location", ["https://127.0.0.1/", f"https://{HOST}/other", "file:///etc/passwd", "//evil"]
)
def test_redirect_is_not_followed(tmp_path: Path, method: str, location: str):
    moved = replies("307 Temporary Redirect", headers=f"Location: {location}\r\n")
    with tls_site(tmp_path, moved) as site, pytest.raises(WrongStatus, match="status 307"):
        ASK[method](site.policy())

    assert len(site.requests) == 1


@pytest.mark.parametrize("length", ["", "Content-Length: 3000000\r\n"])
def test_huge_response_is_cut_off(tmp_path: Path, length: str):
    chunks = []

    def pour(connection: ssl.SSLSocket) -> None:
        connection.sendall(f"HTTP/1.1 200 OK\r\n{length}\r\n".encode())
        for _ in range(3000):
            connection.sendall(b"x" * 1000)
            chunks.append(1000)

    with tls_site(tmp_path, pour) as site, pytest.raises(TooBig, match="more than 20,000 bytes"):
        http.get(URL, site.policy(max_bytes=20_000))

    assert len(chunks) < 3000


def test_response_of_exactly_the_limit_is_read(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK", b"x" * 20_000)) as site:
        assert len(http.get(URL, site.policy(max_bytes=20_000))) == 20_000


def test_compressed_response_is_not_expanded(tmp_path: Path):
    bomb = gzip.compress(b"[" + b" " * 10_000_000 + b"]")
    packed = replies("200 OK", bomb, headers="Content-Encoding: gzip\r\n")
    with tls_site(tmp_path, packed) as site, pytest.raises(NotJson):
        http.get_json(URL, site.policy())


def drip(connection: ssl.SSLSocket) -> None:
    # Each byte arrives in time, but the response never ends.
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(500):
        connection.sendall(b"x")
        time.sleep(0.02)


def drip_headers(connection: ssl.SSLSocket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(500):
        connection.sendall(f"X-{number}: x\r\n".encode())
        time.sleep(0.02)


def stay_silent(connection: ssl.SSLSocket) -> None:
    connection.recv(1)


@pytest.mark.parametrize("answer", [drip, drip_headers, stay_silent])
def test_slow_response_times_out(tmp_path: Path, answer):
    with tls_site(tmp_path, answer) as site, pytest.raises(TooSlow, match=r"within 0\.3 seconds"):
        http.get(URL, site.policy(time_out=0.3))


def test_slow_tls_handshake_times_out(tmp_path: Path):
    with tls_site(tmp_path, stay_silent) as site, socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        with pytest.raises(TooSlow):
            http.get(URL, site.policy(time_out=0.3, port=port))


def test_slow_name_server_times_out(monkeypatch: pytest.MonkeyPatch):
    is_done = threading.Event()

    def look_up(*args: object, **kwargs: object) -> list[object]:
        is_done.wait(10)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(TooSlow):
        http.get(URL, Policy(frozenset({HOST}), time_out=0.2))
    is_done.set()


@pytest.mark.parametrize(
    "reply", [b"", b"HTTP/9 nonsense\r\n\r\n", b"\x00\xff" * 50, b"HTTP/1.1 200 OK\r\nCont"]
)
def test_invalid_http_response_is_unreachable(tmp_path: Path, reply: bytes):
    with (
        tls_site(tmp_path, lambda connection: connection.sendall(reply)) as site,
        pytest.raises(Unreachable),
    ):
        http.get(URL, site.policy())


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (b"<html>", NotJson),
        (b'{"a": NaN}', NotJson),
        (b"[" * 5000 + b"]" * 5000, NestedTooDeeply),
        (b"\xff\xfe[\x00]\x00", NotJson),
    ],
)
def test_invalid_json_response_is_refused(tmp_path: Path, body: bytes, refusal: type[NotJson]):
    with tls_site(tmp_path, replies("200 OK", body)) as site, pytest.raises(refusal):
        http.get_json(URL, site.policy())


def test_closed_port_is_unreachable(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK")) as site:
        closed = site.policy()
    with pytest.raises(Unreachable):
        http.get(URL, closed)


def test_next_address_is_tried_after_a_failure(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK", json.dumps("here").encode())) as site:
        policy = site.policy(
            resolve=lambda host, port, wait: ["127.0.0.9", "127.0.0.1"],
            may_connect=lambda address: address.startswith("127.0.0."),
        )
        assert http.get_json(URL, policy) == "here"


def test_post_accepts_any_2xx(tmp_path: Path):
    with tls_site(tmp_path, replies("204 No Content")) as site:
        answer = http.post(URL, b'{"a": 1}', site.policy(), {"Content-Type": "text/x"})

    assert answer == b""
    request = site.requests[0].decode()
    assert request.startswith("POST /api/deck?id=1 HTTP/1.1\r\n")
    assert "Content-Length: 8\r\n" in request
    assert "Content-Type: text/x\r\n" in request
    assert request.endswith('\r\n\r\n{"a": 1}')


def test_wrong_status_has_retry_after(tmp_path: Path):
    slow_down = replies("429 Too Many Requests", headers="Retry-After: 7\r\n")
    with tls_site(tmp_path, slow_down) as site, pytest.raises(WrongStatus) as error_:
        http.post(URL, b"", site.policy(), {})

    assert error_.value.details == {"status": 429, "retry_after": "7"}


def test_policy_without_hosts_allows_any_public_name(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK", b"[]")) as site:
        assert http.get_json(URL, site.policy(hosts=None)) == []


@pytest.mark.parametrize(
    "url",
    [
        "http://discord.example/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://localhost/x",
        "https://me@discord.example/x",
        "https://discord.example:8443/x",
        "https://discord.example./x",
        "https://-discord.example/x",
        f"https://{'a.' * 130}example/x",
        "https:///x",
    ],
)
def test_policy_without_hosts_refuses_ports_accounts_and_ip_addresses(url: str):
    with pytest.raises(AddressNotAllowed):
        http.check_url(url, Policy(hosts=None))


def test_public_name_with_a_private_address_is_refused():
    private_policy = Policy(hosts=None, resolve=lambda *_: ["10.0.0.8"])

    with pytest.raises(AddressNotAllowed, match="not on the public internet"):
        http.post("https://hook.example/x", b"", private_policy, {})


def test_exchange_returns_any_status_and_the_start_of_the_body(tmp_path: Path):
    busy = replies("503 Busy", b"a" * 40, headers="Retry-After: 3\r\n")
    with tls_site(tmp_path, busy) as site:
        answered = http.exchange(URL, b"{}", site.policy(max_bytes=16), {})

    assert answered == http.OutgoingResponse(503, b"a" * 16, "3")


def test_exchange_returns_a_redirect(tmp_path: Path):
    redirect = replies("302 Found", headers=f"Location: https://{HOST}/elsewhere\r\n")
    with tls_site(tmp_path, redirect) as site:
        assert http.exchange(URL, b"{}", site.policy(), {}).status == 302

    assert len(site.requests) == 1


def test_request_may_have_been_sent_before_a_hang_up_or_time_out(tmp_path: Path):
    with tls_site(tmp_path, lambda _: None) as site, pytest.raises(Unreachable) as error_:
        http.exchange(URL, b"{}", site.policy(), {})
    with tls_site(tmp_path, stay_silent) as site, pytest.raises(TooSlow) as late:
        http.exchange(URL, b"{}", site.policy(time_out=0.3), {})

    assert error_.value.was_sent
    assert late.value.was_sent


def test_request_was_not_sent_without_a_trusted_connection(tmp_path: Path):
    with tls_site(tmp_path, replies("200 OK"), name="other.example") as site:
        with pytest.raises(Unreachable) as wrong:
            http.exchange(URL, b"{}", site.policy(), {})
        with pytest.raises(Unreachable) as closed:
            http.exchange(URL, b"{}", site.policy(port=1), {})

    assert not wrong.value.was_sent
    assert not closed.value.was_sent
