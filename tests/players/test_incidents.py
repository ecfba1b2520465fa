"""Refused logins and unsent emails: counted by hour and address, without names."""

from datetime import UTC, datetime, timedelta
from smtplib import SMTPAuthenticationError, SMTPRecipientsRefused

import pytest
import time_machine
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client

from players import incidents
from players.models import IncidentCount, IncidentKind, User
from tests.players.factors import give_app
from tests.players.test_accounts import PASSWORD, log_in
from tournaments import tasks

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 21, 12, 40, tzinfo=UTC)


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


def counts() -> list[tuple[str, str, int]]:
    rows = IncidentCount.objects.order_by("hour", "kind", "subject")
    return list(rows.values_list("kind", "subject", "count"))


def test_wrong_passwords_are_counted_by_hour_and_address(user):
    with time_machine.travel(NOON, tick=False) as clock:
        log_in(Client(REMOTE_ADDR="203.0.113.5"), password="wrong")
        log_in(Client(REMOTE_ADDR="203.0.113.5"), login="nobody-here", password="wrong")
        log_in(Client(REMOTE_ADDR="2001:db8::17"), password="wrong")
        clock.shift(timedelta(hours=1))
        log_in(Client(REMOTE_ADDR="203.0.113.5"), password="wrong")

    assert counts() == [
        ("wrong_password", "2001:db8::/64", 1),
        ("wrong_password", "203.0.113.5", 2),
        ("wrong_password", "203.0.113.5", 1),
    ]


def test_row_names_neither_account_nor_password(user, client):
    log_in(client, login="nobody-here", password="a-wrong-password")

    row = str(IncidentCount.objects.values().get())
    assert "nobody-here" not in row
    assert "a-wrong-password" not in row


def test_right_password_is_not_counted(user, client):
    log_in(client)

    assert counts() == []


def test_login_after_too_many_tries_is_counted_separately(user, client, own_clock):
    for _ in range(6):
        log_in(client, password="wrong")

    assert counts() == [("too_many_tries", "127.0.0.1", 1), ("wrong_password", "127.0.0.1", 5)]


def test_wrong_code_of_second_factor_is_counted(user, client):
    give_app(user)
    log_in(client)
    client.post("/account/2fa/authenticate/", {"code": "000000"})

    assert counts() == [("wrong_code", "127.0.0.1", 1)]


def test_addresses_beyond_the_maximum_share_a_row(monkeypatch):
    monkeypatch.setattr(incidents, "MAX_SUBJECTS", 2)
    for number in (1, 2, 3, 4, 1):
        incidents.record_incident(IncidentKind.WRONG_PASSWORD, f"203.0.113.{number}")

    assert counts() == [
        ("wrong_password", "", 2),
        ("wrong_password", "203.0.113.1", 2),
        ("wrong_password", "203.0.113.2", 1),
    ]


def test_counts_are_deleted_after_a_week():
    with time_machine.travel(NOON, tick=False):
        incidents.record_incident(IncidentKind.WRONG_PASSWORD, "203.0.113.5")
    with time_machine.travel(NOON + timedelta(days=6, hours=23), tick=False):
        tasks.forget_absent()
        assert len(counts()) == 1
    with time_machine.travel(NOON + timedelta(days=7, hours=1), tick=False):
        tasks.forget_absent()
        assert counts() == []


class RefusingBackend(BaseEmailBackend):
    """A mail server that rejects the login."""

    def send_messages(self, email_messages: object) -> int:
        raise SMTPAuthenticationError(535, b"5.7.8 ada@example.org may not send")


def test_email_that_the_server_refuses_is_counted_without_its_recipient(user, client, settings):
    settings.EMAIL_BACKEND = f"{__name__}.RefusingBackend"

    client.post("/account/password/reset/", {"email": "ada@example.org"})

    row = IncidentCount.objects.get()
    assert (row.kind, row.subject) == ("unsent_email", "password reset key")
    assert row.detail == "SMTPAuthenticationError 535"


def test_error_of_refused_recipients_is_stored_as_its_code():
    error = SMTPRecipientsRefused({"ada@example.org": (550, b"no such user ada")})

    incidents.record_unsent_email("tables of a round", error, "550")

    assert IncidentCount.objects.get().detail == "SMTPRecipientsRefused 550"
