"""How many queries a call asks."""

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def queries_of(act: Callable[..., object], *args: object, **named: object) -> int:
    with CaptureQueriesContext(connection) as asked:
        act(*args, **named)
    return len(asked)
