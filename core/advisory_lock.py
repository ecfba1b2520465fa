"""Advisory locks by name, released at the end of a transaction or session."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.db import connection

_process_locks: defaultdict[str, Lock] = defaultdict(Lock)


def held(name: str) -> bool:
    """Lock this name until the transaction ends; return False if it is already locked.

    Never waits. On PostgreSQL it is an advisory lock, so rows are not locked; a lost machine holds
    it until its session times out. On SQLite a transaction is the only writer, so it needs no lock.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("Nothing is held outside of a transaction.")
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])


@contextmanager
def session_lock(name: str) -> Iterator[bool]:
    """Lock this name for the length of the block without a transaction; yield whether it worked.

    Never waits. On PostgreSQL all processes of the site share the lock; on SQLite only the threads
    of this process do, which is the whole site in the embedded profile.
    """
    if connection.vendor != "postgresql":
        lock = _process_locks[name]
        is_locked = lock.acquire(blocking=False)
        try:
            yield is_locked
        finally:
            if is_locked:
                lock.release()
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        is_locked = bool(cursor.fetchone()[0])
    try:
        yield is_locked
    finally:
        if is_locked:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])
