"""A migration of a large table may last longer than any question of a page.

On PostgreSQL the site breaks off what lasts for seconds (DATABASES in the settings). A migration
goes on, but waits for no table longer than that: whoever reads it meanwhile would wait as well.
"""

from typing import Any

from django.db import connections

OF_A_QUESTION = ("statement_timeout", "idle_in_transaction_session_timeout")
WAIT_FOR_A_TABLE = "5s"


def begin(using: str, **_: Any) -> None:
    """Receiver of pre_migrate: the migrations of this connection take the time they need."""
    _say(using, *(f"SET {limit} = 0" for limit in OF_A_QUESTION))
    _say(using, f"SET lock_timeout = '{WAIT_FOR_A_TABLE}'")


def end(using: str, **_: Any) -> None:
    """Receiver of post_migrate: the limits of the settings again."""
    _say(using, *(f"RESET {limit}" for limit in (*OF_A_QUESTION, "lock_timeout")))


def _say(using: str, *words: str) -> None:
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for one in words:
                cursor.execute(one)
