"""Webhooks to a program on the same machine, which only a development site permits."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from core import jobs
from core.encryption import webhook_signature
from core.http import AddressNotAllowed
from tests.factories.tournaments import make_event
from tests.factories.webhooks import add_webhook
from tournaments.integrations import webhooks
from tournaments.models import DeliveryState, Job, JobKind, Tournament


class Receiver(BaseHTTPRequestHandler):
    """Server that stores each request and answers 204."""

    arrived: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.arrived.append((self.path, dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Suppress the log."""


@pytest.fixture
def port() -> Iterator[int]:
    Receiver.arrived = []
    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def make_scene() -> Tournament:
    return make_event(players=2)


def deliver(event: Tournament) -> None:
    for job in event.jobs.filter(kind=JobKind.WEBHOOK):
        jobs.run_aside(Job, job.pk, webhooks.deliver_messages)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost"])
def test_test_message_reaches_a_program_on_the_same_machine(event, settings, port: int, name: str):
    settings.DEBUG = True
    webhook = add_webhook(event, address=f"http://{name}:{port}/hook?key=1")

    delivery = webhooks.send_webhook_test(webhook)
    deliver(event)

    delivery.refresh_from_db()
    assert (delivery.state, delivery.last_status) == (DeliveryState.DELIVERED, 204)
    ((path, headers, body),) = Receiver.arrived
    assert path == "/hook?key=1"
    sent_at = int(headers["Datafort-Signature"].partition("t=")[2].partition(",")[0])
    assert headers["Datafort-Signature"] == webhook_signature(webhook.secret, body, sent_at)


@pytest.mark.parametrize(
    "address",
    [
        "http://me@localhost:9000/",
        "http://localhost.example.org/",
        "http://10.0.0.8:9000/",
        "http://hook.example/",
        "http://2130706433/",
        "http://0.0.0.0:9000/",
        "http://localhost:99999/",
    ],
)
def test_development_site_refuses_other_plain_addresses(event, settings, address: str):
    settings.DEBUG = True

    with pytest.raises(AddressNotAllowed):
        add_webhook(event, address=address)


@pytest.mark.parametrize(
    "address", ["http://localhost:9000/", "https://127.0.0.1/", "http://[::1]/"]
)
def test_production_site_refuses_loopback_addresses(event, address: str):
    with pytest.raises(AddressNotAllowed):
        add_webhook(event, address=address)


def test_loopback_webhook_fails_with_a_reason_on_a_production_site(event, settings, port: int):
    settings.DEBUG = True
    webhook = add_webhook(event, address=f"http://localhost:{port}/")
    delivery = webhooks.send_webhook_test(webhook)
    settings.DEBUG = False

    deliver(event)

    delivery.refresh_from_db()
    assert "Only https addresses" in delivery.last_error
    assert Receiver.arrived == []
    assert webhooks.webhook_site(webhook) == f"localhost:{port}"
