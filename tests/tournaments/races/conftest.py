"""Time-outs for tests in which threads wait for each other on a busy machine."""

import pytest
from django.db import connection

TIMEOUT_SECONDS = 60
"""Seconds. In production PostgreSQL stops a statement after five (tests/faults)."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the lock and statement time-outs of new connections.

    These tests check who gets the lock, not how soon.
    """
    if connection.vendor == "postgresql":
        timeouts = f"-c statement_timeout={TIMEOUT_SECONDS * 1000}"
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "options", timeouts)
    else:
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", TIMEOUT_SECONDS)
