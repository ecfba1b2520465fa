"""Locks, conflicts, outages and time limits of the database."""

import errno
import logging
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from django.apps import apps
from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections
from django.utils.translation import gettext_noop

from core.errors import Refusal

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_process_locks: defaultdict[str, Lock] = defaultdict(Lock)


def try_lock(name: str) -> bool:
    """Lock this name until the transaction ends, without waiting; return False if it is locked."""
    # On SQLite a transaction is the only writer, so it needs no lock.
    if not connection.in_atomic_block:
        raise RuntimeError("Locks require a transaction.")
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])


@contextmanager
def try_session_lock(name: str) -> Iterator[bool]:
    """Lock this name for the block, without a transaction; yield False if it is locked."""
    # On SQLite only this process shares the lock: the whole site in the embedded profile.
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


# Errors and conflicts.


class DatabaseTrouble(Enum):
    BUSY = gettext_noop("The database is busy.")
    GONE = gettext_noop("The database does not respond.")
    FULL = gettext_noop("The disk is full. Tell the site's administrator now.")


# Fragments of messages of SQLite and PostgreSQL; any other error counts as no answer.
TROUBLE_MESSAGES = {
    DatabaseTrouble.FULL: ("is full", "no space left", "disk i/o error"),
    DatabaseTrouble.BUSY: ("locked", "timeout", "deadlock", "serialize"),
}
# States of PostgreSQL for a transaction that lost a conflict; a retry may succeed.
CONFLICT_STATES = ("40001", "40P01")


def find_trouble(error: BaseException) -> DatabaseTrouble | None:
    """Return the database problem that caused this error, or None."""
    cause: BaseException | None = error
    while cause is not None:
        if trouble := _classify_error(cause):
            return trouble
        cause = cause.__cause__ or cause.__context__
    return None


def retry_on_conflict(act: Callable[[], T]) -> T:
    """Run a whole transaction without other effects, and retry it once if it lost a conflict."""
    if connection.in_atomic_block:
        return act()
    try:
        return act()
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", "") not in CONFLICT_STATES:
            raise
        logger.warning("a transaction lost a conflict and is retried")
    return act()


def _classify_error(error: BaseException) -> DatabaseTrouble | None:
    if isinstance(error, OSError):
        return DatabaseTrouble.FULL if error.errno == errno.ENOSPC else None
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    if getattr(error.__cause__, "sqlite_errorname", "") == "SQLITE_ERROR":
        return None  # A wrong query, which PostgreSQL calls a ProgrammingError.
    text = str(error).lower()
    for trouble, words in TROUBLE_MESSAGES.items():
        if any(word in text for word in words):
            return trouble
    return DatabaseTrouble.GONE


# Slow I/O outside the write transaction.

_answers: ContextVar[dict[Hashable, Any] | None] = ContextVar("answers", default=None)


class _FetchNeededError(Exception):
    """Rolls back the write to fetch an answer."""

    def __init__(self, question: Hashable, ask: Callable[[], Any]) -> None:
        super().__init__(question)
        self.question, self.ask = question, ask


def run_with_fetches(act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `act`, restarting it after each external request it makes.

    Each request is made only once. `act` must work in a transaction before a request, or be safe to
    repeat. In a nested call, the outermost `act` restarts.
    """
    if _answers.get() is not None:
        return act(*args, **kwargs)
    answers: dict[Hashable, Any] = {}
    token = _answers.set(answers)
    try:
        while True:
            try:
                return act(*args, **kwargs)
            except _FetchNeededError as error:
                question, ask = error.question, error.ask
            try:
                answers[question] = ask()
            except Refusal as refusal:
                answers[question] = refusal
    finally:
        _answers.reset(token)


def fetch_outside_transaction(question: Hashable, ask: Callable[[], T]) -> T:
    """Return the answer, or abort the transaction to fetch it first. Raises what `ask` raises."""
    answers = _answers.get()
    if answers is None:
        return ask()
    if question not in answers:
        raise _FetchNeededError(question, ask)
    answer: T | Refusal = answers[question]
    if isinstance(answer, Refusal):
        raise answer
    return answer


# Limits during migrations.

STATEMENT_LIMITS = ("statement_timeout", "idle_in_transaction_session_timeout")
TABLE_LOCK_TIMEOUT = "5s"


def lift_statement_limits(using: str, **_: Any) -> None:
    _execute_on_postgresql(using, *(f"SET {limit} = 0" for limit in STATEMENT_LIMITS))
    _execute_on_postgresql(using, f"SET lock_timeout = '{TABLE_LOCK_TIMEOUT}'")


def restore_statement_limits(using: str, **_: Any) -> None:
    _execute_on_postgresql(
        using, *(f"RESET {limit}" for limit in (*STATEMENT_LIMITS, "lock_timeout"))
    )


def _execute_on_postgresql(using: str, *statements: str) -> None:
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


def update_table_statistics(app_label: str) -> None:
    # The statistics of empty tables make searches slow after an import.
    tables = {model._meta.db_table for model in apps.get_app_config(app_label).get_models()}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")
