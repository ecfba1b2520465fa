"""Responses while the database is unavailable."""

import errno
import sqlite3
from html import unescape

import psycopg
import pytest
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
)
from django.http import HttpRequest
from django.test import RequestFactory

from core import service_unavailable
from core.database import DatabaseTrouble, find_trouble, retry_on_conflict

pytestmark = [pytest.mark.check(36), pytest.mark.goal("G12")]


def of_postgresql(sqlstate: str, message: str = "no") -> DatabaseError:
    """Return an error of the driver as Django raises it."""
    return _caused(OperationalError(message), psycopg.errors.lookup(sqlstate)(message))


def of_sqlite(message: str, name: str = "") -> DatabaseError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorname = name
    return _caused(OperationalError(message), error)


def _caused(error: DatabaseError, cause: Exception) -> DatabaseError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (of_sqlite("database is locked"), DatabaseTrouble.BUSY),
        (of_sqlite("database or disk is full"), DatabaseTrouble.FULL),
        (of_sqlite("disk I/O error"), DatabaseTrouble.FULL),
        (of_sqlite("unable to open database file"), DatabaseTrouble.GONE),
        (of_postgresql("40P01", "deadlock detected"), DatabaseTrouble.BUSY),
        (
            of_postgresql("57014", "canceling statement due to statement timeout"),
            DatabaseTrouble.BUSY,
        ),
        (of_postgresql("57P01", "terminating connection"), DatabaseTrouble.GONE),
        (of_postgresql("53100", 'extend file "x": No space left on device'), DatabaseTrouble.FULL),
        (InterfaceError("connection already closed"), DatabaseTrouble.GONE),
        (OSError(errno.ENOSPC, "No space left on device"), DatabaseTrouble.FULL),
        (of_sqlite("no such table: x", "SQLITE_ERROR"), None),
        (ProgrammingError("no such table"), None),
        (IntegrityError("taken"), None),
        (ZeroDivisionError("no"), None),
        (ConnectionRefusedError(errno.ECONNREFUSED, "somebody else's server"), None),
    ],
)
def test_only_outages_count_as_database_trouble(error: Exception, trouble: DatabaseTrouble | None):
    assert find_trouble(error) is trouble


def test_error_caused_by_the_database_is_recognised():
    # Raised when the session of a request cannot be saved.
    session_error = SessionInterrupted("The session was deleted.")
    session_error.__context__ = of_sqlite("database is locked")

    assert service_unavailable.bad_request(form(name="Ada"), session_error).status_code == 503
    assert (
        service_unavailable.bad_request(
            form(name="Ada"), SessionInterrupted("So it was.")
        ).status_code
        == 400
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("sqlstate", "tries"), [("40P01", 2), ("40001", 2), ("57P01", 1)])
def test_lost_conflict_is_retried_once(sqlstate: str, tries: int):
    error, tried = of_postgresql(sqlstate), []

    def act() -> None:
        tried.append(sqlstate)
        raise error

    with pytest.raises(OperationalError):
        retry_on_conflict(act)
    assert len(tried) == tries


def form(**fields: object) -> HttpRequest:
    return RequestFactory().post("/events/new/?from=desk", fields)


def test_503_page_repeats_the_form():
    answer = service_unavailable.answer_503(
        form(name='Zoë "<b>" O\'Hara', csrfmiddlewaretoken="sent"), DatabaseTrouble.GONE
    )

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert 'action="/events/new/?from=desk"' in answer.text
    assert 'value="sent"' in answer.text
    assert "<b>" not in answer.text
    assert 'value="Zoë "<b>" O\'Hara"' in unescape(answer.text)


def test_503_page_has_no_passwords_or_files():
    for typed in (
        {"login": "ada", "password": "open sesame"},
        {"name": "ada", "roster": SimpleUploadedFile("names.csv", b"name\nAda\n")},
    ):
        answer = service_unavailable.answer_503(form(**typed), DatabaseTrouble.BUSY)
        assert "ada" not in answer.text
        assert "sesame" not in answer.text
        assert "Go back and send it again" in answer.text


def test_503_is_an_api_error_or_a_sentence_for_polls():
    asking = RequestFactory()
    answer = service_unavailable.answer_503(asking.get("/api/v1/events/"), DatabaseTrouble.FULL)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer["Retry-After"] == "60"
    assert '"code": "unavailable"' in answer.text
    assert "The disk is full" in answer.text

    polled = service_unavailable.answer_503(
        asking.get("/events/", headers={"X-Fragment": "1"}), DatabaseTrouble.BUSY
    )
    assert polled.text == "The database is busy."
