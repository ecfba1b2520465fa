"""Time limits of the database during migrations.

On PostgreSQL the site aborts statements after seconds (DATABASES in the settings). A migration of a
large table may take longer. It waits for a table lock no longer than that, as all readers of the
table would wait too.
"""

from typing import Any

from django.db import connections

OF_A_QUESTION = ("statement_timeout", "idle_in_transaction_session_timeout")
WAIT_FOR_A_TABLE = "5s"


def begin(using: str, **_: Any) -> None:
    """Lift the limits on statements, as receiver of pre_migrate."""
    _say(using, *(f"SET {limit} = 0" for limit in OF_A_QUESTION))
    _say(using, f"SET lock_timeout = '{WAIT_FOR_A_TABLE}'")


def end(using: str, **_: Any) -> None:
    """Restore the limits of the settings, as receiver of post_migrate."""
    _say(using, *(f"RESET {limit}" for limit in (*OF_A_QUESTION, "lock_timeout")))


def _say(using: str, *words: str) -> None:
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for one in words:
                cursor.execute(one)
