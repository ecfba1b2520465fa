"""Log lines: with the request id, without names and secrets."""

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from celery import shared_task
from django.core.cache import cache
from django.db import IntegrityError, OperationalError
from django.test import Client

from core import logs
from core.logs import REQUEST_ID_HEADER
from tests.factories.tournaments import make_event, make_user
from tournaments import tasks
from tournaments.models import ApiToken

CANARIES = ("Canaria", "canaria@example.org", "c4n4ry-s3cr3t-of-a-link", "f00d" * 16)
NAME, MAIL, SECRET, TOKEN = CANARIES


class Lines(io.StringIO):
    """Log lines as JSON documents."""

    def documents(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def of(self, logger: str) -> dict[str, Any]:
        """Return the only line of a logger."""
        (line,) = [line for line in self.documents() if line["logger"] == logger]
        return line


@pytest.fixture
def lines() -> Iterator[Lines]:
    """All lines from DEBUG on, in the format of production."""
    yield from _listening(logs.json_formatter())


@pytest.fixture
def text() -> Iterator[Lines]:
    """The same lines in the plain format."""
    yield from _listening(logs.plain_formatter())


def _listening(formatter: logging.Formatter) -> Iterator[Lines]:
    written = Lines()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield written
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def make_raiser(error: Exception) -> Any:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    return fail


@pytest.fixture
def browser(client: Client) -> Client:
    client.raise_request_exception = False
    return client


@pytest.mark.django_db
def test_lines_and_response_have_the_request_id(browser, lines, monkeypatch):
    monkeypatch.setattr("core.secret_links.digest", make_raiser(ValueError("no")))

    answer = browser.get("/claim/abc/")
    other_response = browser.get("/livez")

    ids = [line["request_id"] for line in lines.documents() if "request_id" in line]
    assert set(ids) == {answer[REQUEST_ID_HEADER], other_response[REQUEST_ID_HEADER]}
    assert answer[REQUEST_ID_HEADER] in answer.text
    assert "ValueError" not in answer.text
    assert all(line["timestamp"].endswith("Z") for line in lines.documents())


def test_request_is_logged_with_its_url_name(browser, lines):
    browser.post("/livez?q=Canaria")

    logged = [line for line in lines.documents() if line["event"] == "request_finished"]
    assert [(line["request"], line["code"], line["level"]) for line in logged] == [
        ("POST livez", 405, "info")
    ]


def test_only_a_trusted_proxy_sets_the_request_id(browser, settings):
    header = {REQUEST_ID_HEADER: "proxy-0123456789"}
    assert browser.get("/livez", headers=header)[REQUEST_ID_HEADER] != header[REQUEST_ID_HEADER]

    settings.DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
    assert browser.get("/livez", headers=header)[REQUEST_ID_HEADER] == header[REQUEST_ID_HEADER]


@pytest.mark.parametrize("forged", ["short", "x" * 65, "12345678\u00e9", "12345678 level=error"])
def test_unusual_request_id_of_a_proxy_is_replaced(browser, settings, forged):
    settings.DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True

    assert re.fullmatch(
        "[0-9a-f-]{36}",
        browser.get("/livez", headers={REQUEST_ID_HEADER: forged})[REQUEST_ID_HEADER],
    )


@pytest.mark.django_db
def test_refusals_of_an_address_are_logged_once_a_minute(browser, lines, settings):
    settings.API_LIMITS = {**settings.API_LIMITS, "address": 0}
    cache.clear()

    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"):
        answer = browser.get("/api/v1/formats/", REMOTE_ADDR=address)
        assert answer.status_code == 429
    cache.clear()
    browser.get("/api/v1/formats/", REMOTE_ADDR="192.0.2.1")
    cache.clear()

    finished = [line for line in lines.documents() if line["event"] == "request_finished"]
    assert [line["code"] for line in finished] == [429] * 3
    assert not any("is_repeated" in line for line in finished)


def _has_canary(line: str) -> bool:
    return any(canary.lower() in line.lower() for canary in CANARIES)


@pytest.mark.django_db
def test_no_line_has_names_emails_tokens_or_links(browser, lines, monkeypatch):
    # Any error may occur, with any part of the request in its variables.
    event = make_event(players=2, name="Spring Run")
    make_user("canaria-account", email=MAIL)
    broken = [
        ValueError(f"invalid literal: {NAME}"),
        KeyError(NAME),
        IntegrityError(f"duplicate key\nDETAIL:  Key (email)=({MAIL}) already exists."),
        OperationalError(f"terminated\nDETAIL:  Key (name)=({NAME}) is held"),
        OSError(2, "No such file", f"/var/{NAME}"),
    ]

    browser.post("/account/login/", {"login": MAIL, "password": SECRET})
    browser.post(f"/events/{event.slug}/join/", {"name": NAME, "email": MAIL})
    browser.get(f"/events/{NAME}/players/{NAME}/")
    browser.get(
        f"/api/v1/events/{NAME}/?token={TOKEN}", headers={"Authorization": f"Token {TOKEN}"}
    )
    browser.get("/livez", headers={"Host": f"{NAME}_bad.example"})
    for error in broken:
        monkeypatch.setattr("core.secret_links.digest", make_raiser(error))
        assert browser.get(f"/claim/{SECRET}/").status_code >= 500
    logging.getLogger("django.request").warning("Gone: %s by %s", f"/claim/{SECRET}/", MAIL)
    logging.getLogger("core.http").info("sent %s with %s", MAIL, TOKEN)

    assert len(lines.documents()) > 10
    leaking = [line for line in lines.getvalue().splitlines() if _has_canary(line)]
    assert leaking == []
    assert not ApiToken.objects.exists()


@pytest.mark.django_db
def test_error_is_logged_with_type_location_and_cause(browser, lines, monkeypatch):
    def fail(*_: object) -> None:
        try:
            dict[str, str]()[NAME]
        except KeyError as missing:
            raise ZeroDivisionError("by nothing") from missing

    monkeypatch.setattr("core.secret_links.digest", fail)

    browser.get("/claim/abc/")

    (failed,) = [line for line in lines.documents() if line["event"] == "request_failed"]
    newest, first = failed["errors"]
    assert (newest["kind"], first["kind"]) == ("ZeroDivisionError", "KeyError")
    assert __file__ in first["at"][0]


@pytest.mark.django_db
def test_failed_task_is_logged_without_its_message(lines):
    @shared_task(name="tests.canary")
    def broken() -> None:
        raise ValueError(f"{NAME} is there already")

    broken.apply()

    line = lines.of("celery.app.trace")
    assert line["event"].startswith("tests.canary[")
    assert line["event"].endswith("] raised unexpected")
    assert line["errors"][0]["kind"] == "ValueError"
    assert NAME not in lines.getvalue()


@pytest.mark.django_db
def test_finished_task_logs_one_line_and_a_timer_none(lines):
    logging.getLogger().setLevel(logging.INFO)

    @shared_task(name="tests.quiet")
    def quiet(number: int) -> None:
        pass

    quiet.apply([1])
    assert tasks.sweep_jobs.apply().successful()

    line = lines.of("celery.app.trace")
    assert line["event"].startswith("tests.quiet[")
    assert line["event"].endswith("] done")
    assert line["seconds"] >= 0
    assert len(lines.documents()) == 1

    logging.getLogger().setLevel(logging.DEBUG)
    tasks.sweep_jobs.apply()
    assert "tournaments.tasks.sweep_jobs[" in lines.getvalue()


def test_plain_format_has_the_same_fields(browser, text, monkeypatch):
    monkeypatch.setattr("core.secret_links.digest", make_raiser(ValueError(NAME)))

    answer = browser.get("/claim/abc/")

    (line,) = [line for line in text.getvalue().splitlines() if "request_failed" in line]
    assert line.startswith("timestamp=20")
    assert f"request_id={answer[REQUEST_ID_HEADER]}" in line
    assert "ValueError" in line
    assert NAME not in text.getvalue()


@pytest.mark.check(23)
@pytest.mark.parametrize(
    "line",
    [
        "GET /claim/{}/ HTTP/1.1",
        "GET /account/password/reset/key/{}/",
        "https://discord.com/api/webhooks/123/{} has no answer",
    ],
)
def test_link_secrets_are_removed(lines, line):
    logging.getLogger("core.http").info(line.format("4r3u-xFyt_T1tN8"))

    assert lines.documents()[0]["event"] == line.format("...")


def test_line_breaks_cannot_forge_a_line(text):
    logging.getLogger("core").warning("no answer from %s", "x\n2026-01-01 ERROR core all is lost")

    assert text.getvalue().count("\n") == 1


@pytest.mark.django_db
def test_api_error_has_the_request_id_and_no_details(browser, lines, monkeypatch):
    monkeypatch.setattr("decks.queries.formats_with_snapshots", make_raiser(ValueError(NAME)))

    answer = browser.get("/api/v1/formats/")

    assert answer.status_code == 500
    assert answer.json()["code"] == "error"
    assert answer.json()["errors"] == {"request": [answer[REQUEST_ID_HEADER]]}
    assert answer[REQUEST_ID_HEADER] in answer.json()["detail"]
    assert NAME not in answer.text + lines.getvalue()
