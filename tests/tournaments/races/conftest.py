"""Hands that push at once wait for each other as long as it takes on a busy machine."""

import pytest
from django.db import connection

PATIENCE = 60
"""Seconds. As served, PostgreSQL breaks a statement off after five (tests/faults)."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections that threads open from now on; tests check who is served, not how soon."""
    if connection.vendor == "postgresql":
        timeouts = f"-c statement_timeout={PATIENCE * 1000}"
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "options", timeouts)
    else:
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", PATIENCE)
