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
    FULL = "The disk is full. Whoever runs this site has to make room; tell them now."


OF_THE_SYSTEM = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EFBIG: Trouble.FULL,
    errno.EIO: Trouble.GONE,
    errno.EROFS: Trouble.GONE,
}
"""What the operating system says of a file."""

OF_SQLITE = {
    "SQLITE_BUSY": Trouble.BUSY,
    "SQLITE_LOCKED": Trouble.BUSY,
    "SQLITE_PROTOCOL": Trouble.BUSY,
    "SQLITE_FULL": Trouble.FULL,
    # A file system that takes no more, be it for want of room or of a disk.
    "SQLITE_IOERR": Trouble.FULL,
    "SQLITE_CANTOPEN": Trouble.GONE,
    "SQLITE_READONLY": Trouble.GONE,
    "SQLITE_NOMEM": Trouble.GONE,
}
"""By the beginning of the error's name (sqlite.org/rescode.html)."""

OF_POSTGRESQL = {
    "40": Trouble.BUSY,
    "53100": Trouble.FULL,
    "53": Trouble.GONE,
    "55": Trouble.BUSY,
    "57014": Trouble.BUSY,
    "25006": Trouble.GONE,
}
"""By the beginning of the SQLSTATE (PostgreSQL manual, appendix A), the longest that fits."""

BROKEN_OFF = ("40001", "40P01", "SQLITE_BUSY_SNAPSHOT")
"""A transaction that lost against another one: the same again may well succeed."""


def trouble_of(error: BaseException) -> Trouble | None:
    """What is wrong with the database when this error, or one it came from, tells so."""
    for one in _chain(error):
        trouble = _trouble(one)
        if trouble is not None:
            return trouble
    return None


def was_broken_off(error: BaseException) -> bool:
    """Whether the database gave up this transaction for the sake of another one."""
    return any(_code(one) in BROKEN_OFF for one in _chain(error))


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
        if not was_broken_off(error):
            raise
        logger.warning("a transaction was broken off and is tried again: %s", error)
    return act()


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and all it came from."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__


def _code(error: BaseException) -> str:
    """The driver's name of the error: that of SQLite, or the SQLSTATE."""
    cause = error.__cause__ or error
    return getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""


def _trouble(error: BaseException) -> Trouble | None:
    if isinstance(error, OSError):
        return OF_THE_SYSTEM.get(error.errno or 0)
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    code = _code(error)
    if not code and str(error) == "database is locked":
        # As core.sqlite3 says it of the line before the lock.
        return Trouble.BUSY
    if code.startswith("SQLITE_"):
        names = [name for name in OF_SQLITE if code.startswith(name)]
        return OF_SQLITE[names[0]] if names else None
    states = [state for state in OF_POSTGRESQL if code.startswith(state)]
    if states:
        return OF_POSTGRESQL[max(states, key=len)]
    # The others of this kind are a server that ends, or a connection that is no more.
    is_gone = isinstance(error, OperationalError | InterfaceError)
    return Trouble.GONE if is_gone else None
