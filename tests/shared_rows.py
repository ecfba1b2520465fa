"""Rows shared by the tests of a module: created once, and rolled back after the module."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from django.db import transaction
from pytest_django import DjangoDbBlocker

Made = TypeVar("Made")


def shared_rows(blocker: DjangoDbBlocker, make: Callable[[], Made]) -> Iterator[Made]:
    """Share rows in a module fixture: `yield from shared_rows(django_db_blocker, make_scene)`.

    Each test starts with these rows and is rolled back to them. Changes to the Python objects
    remain, so tests read the rows again. The fixture requires `django_db_setup`.
    """
    with blocker.unblock():
        rows = transaction.atomic()
        rows.__enter__()
        result = make()
    yield result
    with blocker.unblock():
        transaction.set_rollback(True)
        rows.__exit__(None, None, None)
