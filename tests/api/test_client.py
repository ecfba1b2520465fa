"""The example client and a site that drops connections."""

import importlib.util
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import pytest

from tests.serving import serving

ROOT = Path(__file__).resolve().parents[2]
BREAKS_OFF = 0


class Site(ThreadingHTTPServer):
    """Responds with the `statuses` in order; BREAKS_OFF closes the connection."""

    def __init__(self, statuses: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.statuses = statuses
        self.keys: list[str] = []


class Answering(BaseHTTPRequestHandler):
    server: Site

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.keys.append(self.headers["Idempotency-Key"])
        status = self.server.statuses.pop(0)
        if status == BREAKS_OFF:
            return
        answer = json.dumps({"code": "odd", "detail": "Odd.", "errors": {}}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("client", ROOT / "docs/examples/client.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "WAIT_SECONDS", 0)
    return module


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site([])) as site:
        yield site


def send(client: ModuleType, site: Site, *statuses: int) -> None:
    """Send a write to a site that responds with these statuses."""
    site.statuses = [*statuses]
    client.Client(f"http://127.0.0.1:{site.server_port}").post("events/", {"name": "Thursday"})


@pytest.mark.parametrize("first", [BREAKS_OFF, 429, 503])
def test_write_without_a_response_is_repeated_with_its_key(client, site, first):
    send(client, site, first, 201)

    assert len(site.keys) == 2
    assert len(set(site.keys)) == 1


def test_refusal_is_raised_without_a_retry(client, site):
    with pytest.raises(client.Refused) as raised:
        send(client, site, 409)

    assert (raised.value.status, raised.value.code) == (409, "odd")
    assert len(site.keys) == 1


def test_last_attempt_raises(client, site):
    with pytest.raises(client.NO_ANSWER):
        send(client, site, *[BREAKS_OFF] * client.TRIES)

    assert len(site.keys) == client.TRIES
