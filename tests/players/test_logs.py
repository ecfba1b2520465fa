import logging
from typing import Any

import pytest
from django.conf import settings

from players.logs import HideSecrets

pytestmark = pytest.mark.check(23)


def logged(message: str, *args: object) -> str:
    record = logging.LogRecord("django.server", logging.INFO, "", 0, message, args, None)

    assert HideSecrets().filter(record)
    return record.getMessage()


@pytest.mark.parametrize("address", ["/claim/{}/", "/claim/{}", "/account/password/reset/key/{}/"])
def test_the_secret_of_a_link_is_left_out(address):
    line = logged('"%s" %s', f"GET {address.format('4r3u-xFyt_T1tN8')} HTTP/1.1", "302")

    assert "4r3u" not in line
    assert line.endswith('HTTP/1.1" 302')


def test_a_token_is_left_out_wherever_it_stands():
    line = logged("GET /api/v1/events/?token=%s HTTP/1.1", "0af9" * 16)

    assert line == "GET /api/v1/events/?token=... HTTP/1.1"


def test_the_key_of_a_channel_is_left_out():
    line = logged("%s has no answer", "https://discord.com/api/webhooks/123/aB-c_d")

    assert line == "https://discord.com/api/webhooks/123/... has no answer"


@pytest.mark.parametrize("line", ["GET /claim/ HTTP/1.1", "GET /me/ HTTP/1.1", "100 % done"])
def test_other_lines_stay_as_they_are(line):
    assert logged(line) == line


def test_every_handler_leaves_secrets_out():
    handlers: dict[str, Any] = settings.LOGGING["handlers"]

    assert all("hide_secrets" in handler["filters"] for handler in handlers.values())


def test_a_warning_about_a_link_does_not_hold_its_secret(client, capfd, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("players.services.claim_digest", lambda secret: 1 / 0)

    response = client.get("/claim/4r3uxFytT1tN8/")

    written = "".join(capfd.readouterr())
    assert response.status_code == 500
    assert "4r3uxFytT1tN8" not in written
