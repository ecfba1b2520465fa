"""Statement limits are lifted during migrations."""

import pytest
from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import connection

from core.database import TABLE_LOCK_TIMEOUT

pytestmark = [pytest.mark.django_db, pytest.mark.check(37)]
LIMITS = ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout")


def limits() -> list[str]:
    with connection.cursor() as cursor:
        return [_get_limit(cursor, limit) for limit in LIMITS]


def _get_limit(cursor, limit: str) -> str:
    cursor.execute(f"SHOW {limit}")
    return str(cursor.fetchone()[0])


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such limits")
def test_migration_has_no_statement_limit_and_waits_briefly_for_locks():
    before = limits()

    emit_pre_migrate_signal(verbosity=0, interactive=False, db="default", plan=[])
    during_migration = limits()
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default", plan=[])

    assert before == ["30s", "10min", "0"]
    assert during_migration == ["0", "0", TABLE_LOCK_TIMEOUT]
    assert limits() == before
