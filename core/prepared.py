"""Queries that a whole hall asks in the same seconds, written as SQL once.

Django writes the SQL of a query anew whenever it is asked, which takes many times longer than the
database takes to answer. A prepared query is written when a thread first asks it; from then on
only its values change. Its rows are those of the same query of Django's.
"""

from collections.abc import Callable
from threading import local
from typing import Any, Generic, TypeAlias, TypeVar

from django.core.exceptions import MultipleObjectsReturned
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import QuerySet
from django.db.models.expressions import Expression
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=models.Model)
Value: TypeAlias = int | str


class Given(Expression):
    """Stands in a query for the value that is given under this name when it is asked.

    It is compared with `=`, so it is never None.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """A place for one value; it stands itself among the parameters."""
        return "%s", [self]


class Prepared(Generic[Row]):
    """The query that `find` makes, with a Given where each of its values will be.

    One that locks rows is asked within a transaction, as any; nothing is prefetched.
    """

    def __init__(self, find: Callable[[], QuerySet[Row]]) -> None:
        self._find = find
        self._here = local()

    def rows(self, **values: Value) -> list[Row]:
        """The rows for these values, asked for at once.

        Raises KeyError for a missing value, ValueError for None.
        """
        if None in values.values():
            raise ValueError(f"No row is equal to None: {values}")
        connection = connections[DEFAULT_DB_ALIAS]
        written: _Written[Row] | None = getattr(self._here, "written", None)
        if written is None or written.connection is not connection:
            written = self._here.written = _Written(self._find(), connection)
        return written.rows(values)

    def one(self, **values: Value) -> Row | None:
        """The row for these values; None for none. Raises MultipleObjectsReturned for more."""
        rows = self.rows(**values)
        if len(rows) > 1:
            raise MultipleObjectsReturned(f"{len(rows)} rows instead of one: {values}")
        return rows[0] if rows else None


class _Written(Generic[Row]):
    """A query with its SQL and all that Django has found out to write it, for one connection."""

    def __init__(self, query: Any, connection: Any) -> None:
        if query._prefetch_related_lookups:
            raise ValueError("A prepared query fetches nothing beside its own rows.")
        self.connection = connection
        self._values: list[Any] = []
        # What is changed below is of this copy alone.
        self._query = query.all()
        inner = self._query.query
        compiler = inner.get_compiler(connection=connection)
        sql, self._parameters = compiler.as_sql()
        converters = compiler.get_converters([row[0] for row in compiler.select])
        # From here on Django finds its work done.
        compiler.as_sql = lambda: (sql, self._values)
        compiler.get_converters = lambda expressions: converters
        inner.get_compiler = lambda using: compiler

    def rows(self, values: dict[str, Value]) -> list[Row]:
        """What the query finds with these values."""
        if self._query.query.select_for_update and not self.connection.in_atomic_block:
            raise TransactionManagementError("No transaction would hold the rows to be locked.")
        self._values = [
            values[one.name] if isinstance(one, Given) else one for one in self._parameters
        ]
        try:
            return list(self._query._iterable_class(self._query))
        except OverflowError:
            # SQLite is told of no number beyond 64 bits, and has none.
            return []
