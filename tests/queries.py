"""How many queries a call asks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


def queries_of(act: Callable[..., object], *args: object, **named: object) -> int:
    with queries_asked() as asked:
        act(*args, **named)
    return len(asked)


@contextmanager
def queries_asked() -> Iterator[list[str]]:
    """The queries of a block without their values, which a debug cursor has SQLite write out."""
    asked: list[str] = []

    def ask(execute: Callable[..., object], sql: str, *rest: Any) -> object:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(ask):
        yield asked
