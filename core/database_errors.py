"""Which errors are the database's own: it is gone, locked or full. All others are bugs."""

import errno
import logging
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class Trouble(Enum):
    """What is wrong with the database, in words for who is waiting for it."""

    BUSY = "The database is busy with something else."
    GONE = "The database does not answer."
    FULL = "The disk is full. Tell the site's administrator now."


WORDS = {
    Trouble.FULL: ("is full", "no space left", "disk i/o error"),
    Trouble.BUSY: ("locked", "timeout", "deadlock", "serialize"),
}
"""In what SQLite and PostgreSQL say; whatever else stops them, they do not answer."""
BROKEN_OFF = ("40001", "40P01")
"""States of PostgreSQL: a transaction that lost against another; again it may well succeed."""


def trouble_of(error: BaseException) -> Trouble | None:
    """What is wrong with the database when this error, or one it came from, tells so."""
    return next(filter(None, map(_trouble, _chain(error))), None)


def tried_twice(act: Callable[[], Answer]) -> Answer:
    """What one transaction answers; broken off for the sake of another, it is tried once more.

    `act` is the whole transaction and does nothing outside of it. Within a larger one, that one
    alone can be tried again.
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
    """The error and all it came from."""
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
