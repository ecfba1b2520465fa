"""Queries of a call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


def queries_of(act: Callable[..., object], *args: object, **kwargs: object) -> int:
    with queries_asked() as queries:
        act(*args, **kwargs)
    return len(queries)


@contextmanager
def queries_asked() -> Iterator[list[str]]:
    """The queries of a block, without the values that a debug cursor on SQLite would insert."""
    queries: list[str] = []

    def ask(execute: Callable[..., object], sql: str, *args: Any) -> object:
        queries.append(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(ask):
        yield queries
