"""Being at work on something for as long as a transaction lasts, however it ends.

Nothing has to be given back: where a process dies, its transaction ends with it.
"""

from django.db import connection


def held(name: str) -> bool:
    """Hold this name until the transaction around ends; False when another transaction holds it.

    Nobody waits. On PostgreSQL it is an advisory lock, so rows stay free for others; a machine
    that is lost keeps it until the session times out. On SQLite whoever is in a transaction is
    the only writer, and alone already.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("Nothing is held outside of a transaction.")
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])
