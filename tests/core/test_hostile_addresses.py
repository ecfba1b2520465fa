"""No address leads to a connection into a private network."""

import pytest

from core import http
from core.http import AddressNotAllowed, Policy, Unreachable, is_public
from tests.core.network import PUBLIC, record

pytestmark = pytest.mark.check(17)

HOST = "netrunnerdb.com"
POLICY = Policy(frozenset({HOST}))
LONG = "a" * 5000

HOSTILE = [
    # Other hosts
    "https://example.com/",
    "https://example.com/netrunnerdb.com",
    "https://netrunnerdb.com.example.com/",
    "https://examplenetrunnerdb.com/",
    "https://evil.netrunnerdb.com/",
    "https://www.netrunnerdb.com/",
    "https://netrunnerdb.co/",
    "https://netrunnerdb.com./",
    "https://.netrunnerdb.com/",
    "https://netrunnerdb..com/",
    "https://example.com#@netrunnerdb.com/",
    "https://example.com?@netrunnerdb.com/",
    "https://example.com\\@netrunnerdb.com/",
    "https://netrunnerdb.com\\.example.com/",
    "https:\\\\netrunnerdb.com\\",
    "https://example.com;netrunnerdb.com/",
    "https://example.com,netrunnerdb.com/",
    "https://[netrunnerdb.com]/",
    "https://netrunnerdb.com%2eexample.com/",
    "https://netrunnerdb.com%00.example.com/",
    "https://%6eetrunnerdb.com/",
    # Accounts before the host
    "https://user@netrunnerdb.com/",
    "https://user:secret@netrunnerdb.com/",
    "https://netrunnerdb.com@example.com/",
    "https://netrunnerdb.com:443@example.com/",
    "https://@netrunnerdb.com/",
    "https://netrunnerdb.com%40example.com/",
    # Ports
    "https://netrunnerdb.com:22/",
    "https://netrunnerdb.com:443/",
    "https://netrunnerdb.com:8443/",
    "https://netrunnerdb.com:0/",
    "https://netrunnerdb.com:/",
    "https://netrunnerdb.com:99999/",
    "https://netrunnerdb.com:-1/",
    "https://netrunnerdb.com:http/",
    # Numbers
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0/",
    "https://0.0.0.0/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.168.1.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fe80::1%eth0]/",
    "https://[fc00::1]/",
    "https://[::1",
    "https://::1/",
    # Names of this machine
    "https://localhost/",
    "https://localhost.localdomain/",
    "https://127.0.0.1.nip.io/",
    "https://metadata.google.internal/",
    "https://router/",
    # Lookalike letters
    "https://xn--netrunnrdb-x4c.com/",
    "https://n\u0435trunnerdb.com/",
    "https://netrunnerdb\u3002com/",
    "https://netrunnerdb.\u212aom/",
    "https://\u24dd\u24d4\u24e3runnerdb.com/",
    "https://netrunnerdb.com\u200b/",
    "https://netrunnerdb.com\u2215example.com/",
    # Other schemes
    "http://netrunnerdb.com/",
    "HTTP://netrunnerdb.com/",
    "ftp://netrunnerdb.com/",
    "file:///etc/passwd",
    "file://netrunnerdb.com/etc/passwd",
    "gopher://netrunnerdb.com:70/_x",
    "dict://netrunnerdb.com:11211/stat",
    "data:application/json,{}",
    "javascript:alert(1)",
    "unix:///var/run/docker.sock",
    "httpss://netrunnerdb.com/",
    "//netrunnerdb.com/",
    "netrunnerdb.com/api",
    "/api/2.0/public/deck/1",
    "https:/netrunnerdb.com/",
    "https:netrunnerdb.com/",
    "https:///netrunnerdb.com/",
    "https://",
    "",
    # Line breaks and blanks
    "https://netrunnerdb.com/\r\nHost: example.com",
    "https://netrunnerdb.com/ HTTP/1.1\r\nX: y",
    "https://netrunnerdb.com\t/",
    "https://netrunnerdb.com /",
    " https://netrunnerdb.com/",
    "https://netrunnerdb.com/\x00",
    "https://netrunnerdb.com\n.example.com/",
    f"https://{LONG}.com/",
]

NOT_PUBLIC = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254"),
    *("169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1"),
    *("192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "233.252.0.1"),
    *("240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1"),
    *("::ffff:198.41.0.4", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::c629:4"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:db8::1", "2002:7f00:1::"),
    *("3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1"),
    *("ff02::1", "not an address", "2130706433", "0177.0.0.1", "127.1", ""),
]
PUBLIC_ONES = ["1.1.1.1", "8.8.8.8", PUBLIC, "172.32.0.1", "2606:4700:4700::1111", "2a00:1450::5"]


@pytest.mark.parametrize("url", HOSTILE)
def test_no_hostile_address_is_looked_up_or_connected_to(monkeypatch: pytest.MonkeyPatch, url: str):
    network = record(monkeypatch, {HOST: [PUBLIC], "www.netrunnerdb.com": [PUBLIC]})

    with pytest.raises(AddressNotAllowed):
        http.get(url, POLICY)
    assert (network.looked_up, network.connected) == ([], [])


@pytest.mark.parametrize(
    "url", ["https://netrunnerdb.com/api", "HTTPS://NetrunnerDB.com/api", "https://netrunnerdb.com"]
)
def test_allowed_request_is_recorded(monkeypatch: pytest.MonkeyPatch, url: str):
    network = record(monkeypatch, {HOST: [PUBLIC]})

    with pytest.raises(Unreachable):
        http.get(url, POLICY)
    assert (network.looked_up, network.connected) == ([HOST], [(PUBLIC, 443)])


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_name_that_resolves_to_a_private_address_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str
):
    network = record(monkeypatch, {HOST: [PUBLIC, address]})

    assert not is_public(address)
    with pytest.raises(AddressNotAllowed, match="not on the public internet"):
        http.get(f"https://{HOST}/", POLICY)
    assert network.connected == []


@pytest.mark.parametrize("address", PUBLIC_ONES)
def test_connection_uses_the_checked_address(monkeypatch: pytest.MonkeyPatch, address: str):
    network = record(monkeypatch, {HOST: [address]})

    assert is_public(address)
    with pytest.raises(Unreachable):
        http.get(f"https://{HOST}/", POLICY)
    assert network.connected == [(address, 443)]


def test_dns_change_after_the_check_has_no_effect(monkeypatch: pytest.MonkeyPatch):
    # DNS rebinding: a second look-up would return this machine.
    network = record(monkeypatch, {HOST: [PUBLIC]})
    first = network.look_up

    def rebinding(host: str, *args: object, **kwargs: object) -> list[object]:
        addresses = first(host, 443)
        network.names[HOST] = ["127.0.0.1"]
        return addresses

    monkeypatch.setattr(network, "look_up", rebinding)
    with pytest.raises(Unreachable):
        http.get(f"https://{HOST}/", POLICY)
    assert network.connected == [(PUBLIC, 443)]
    assert network.looked_up == [HOST]


def test_name_without_an_address_is_unreachable(monkeypatch: pytest.MonkeyPatch):
    network = record(monkeypatch)

    with pytest.raises(Unreachable, match=r"netrunnerdb\.com cannot be reached from here"):
        http.get(f"https://{HOST}/", POLICY)
    assert network.connected == []
