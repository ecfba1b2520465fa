"""Django's backend for SQLite, with a line in front of the write lock.

SQLite wakes nobody who waits for its lock: each looks again after a while, and whoever looks at
the right moment has it. With many at once some find it taken until their patience ends, and that
is "database is locked" for a person who did nothing wrong. Here the threads of this process write
one after the other in the order in which they came. The patience of SQLite itself (OPTIONS
"timeout") is then for other processes only.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from core.sqlite3.turns import Turns

PATIENCE = 20.0
"""Seconds in the line. Whoever is in front leaves it soon, with the lock or without."""
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")

_turns: defaultdict[str, Turns] = defaultdict(Turns)
"""One line for each file."""
# A process that is forked has none of the threads that stand in line.
os.register_at_fork(after_in_child=_turns.clear)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that takes its turn before it writes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turns: Turns | None = None
        self._opened: tuple[int, int] | None = None

    def get_new_connection(self, conn_params: Any) -> Any:
        """As Django's; remembers which file it is."""
        before = self._file()
        connection = super().get_new_connection(conn_params)
        self._opened = before or self._file()
        return connection

    def close_if_unusable_or_obsolete(self) -> None:
        """Before and after a request; a kept connection would go on with a file that is no more."""
        is_kept = self.connection is not None and not self.in_atomic_block
        if is_kept and self._opened != self._file():
            self.close()
        super().close_if_unusable_or_obsolete()

    def _file(self) -> tuple[int, int] | None:
        """What file stands at the address now: a backup that is restored puts another there."""
        try:
            found = os.stat(self.settings_dict["NAME"])
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _start_transaction_under_autocommit(self) -> None:
        self.take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self.give_turn()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self.give_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self.give_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self.connection = None
            self.give_turn()

    def create_cursor(self, name: str | None = None) -> "Cursor":
        cursor: Cursor = self.connection.cursor(factory=partial(Cursor, wrapper=self))
        return cursor

    @property
    def waiting(self) -> int:
        """How many threads of this process stand in line to write to the file."""
        return self._line.waiting

    @property
    def _line(self) -> Turns:
        return _turns[str(self.settings_dict["NAME"])]

    def take_turn(self) -> None:
        """Wait until nobody else of this process writes to the file."""
        turns = self._line
        if not turns.take(PATIENCE):
            raise OperationalError("database is locked")
        self._turns = turns

    def give_turn(self) -> None:
        """The next one writes, unless the transaction goes on."""
        if self._turns is None or (self.connection and self.connection.in_transaction):
            return
        turns, self._turns = self._turns, None
        turns.give()


class Cursor(base.SQLiteCursorWrapper):
    """Takes a turn for one statement that writes where there is no transaction around it."""

    def __init__(self, connection: Any, *, wrapper: DatabaseWrapper) -> None:
        super().__init__(connection)
        self._wrapper = wrapper

    def execute(self, query: str, params: Any = None) -> Any:
        with self._turn(query):
            return super().execute(query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        with self._turn(query):
            return super().executemany(query, param_list)

    @contextmanager
    def _turn(self, query: str) -> Iterator[None]:
        if self.connection.in_transaction or not query.lstrip().upper().startswith(WRITES):
            yield
            return
        self._wrapper.take_turn()
        try:
            yield
        finally:
            self._wrapper.give_turn()
