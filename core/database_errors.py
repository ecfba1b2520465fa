"""Errors of the database itself: unavailable, locked or full. All others are bugs."""

import errno
import logging
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Trouble(Enum):
    """The problem with the database, in words for users."""

    BUSY = "The database is busy with something else."
    GONE = "The database does not answer."
    FULL = "The disk is full. Tell the site's administrator now."


# Fragments of messages of SQLite and PostgreSQL; any other error counts as no answer.
WORDS = {
    Trouble.FULL: ("is full", "no space left", "disk i/o error"),
    Trouble.BUSY: ("locked", "timeout", "deadlock", "serialize"),
}
# States of PostgreSQL for a transaction that lost a conflict; a retry may succeed.
BROKEN_OFF = ("40001", "40P01")


def trouble_of(error: BaseException) -> Trouble | None:
    """Return the database problem that caused this error, or None."""
    return next(filter(None, map(_trouble, _chain(error))), None)


def tried_twice(act: Callable[[], Answer]) -> Answer:
    """Run a transaction, and retry it once if it lost a conflict.

    `act` is the whole transaction and has no other effects. Within a larger transaction it is not
    retried, as only that transaction can be.
    """
    if connection.in_atomic_block:
        return act()
    try:
        return act()
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", "") not in BROKEN_OFF:
            raise
        logger.warning("a transaction was broken off and is tried again")
    return act()


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes."""
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__ or following.__context__


def _trouble(error: BaseException) -> Trouble | None:
    if isinstance(error, OSError):
        return Trouble.FULL if error.errno == errno.ENOSPC else None
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    if getattr(error.__cause__, "sqlite_errorname", "") == "SQLITE_ERROR":
        return None  # A wrong query, which PostgreSQL calls a ProgrammingError.
    text = str(error).lower()
    for trouble, words in WORDS.items():
        if any(word in text for word in words):
            return trouble
    return Trouble.GONE
