"""Rows that the tests of a module share: made once, and taken back when the module is done."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from django.db import transaction
from pytest_django import DjangoDbBlocker

Made = TypeVar("Made")


def shared_rows(blocker: DjangoDbBlocker, make: Callable[[], Made]) -> Iterator[Made]:
    """For a fixture of a module: `yield from shared_rows(django_db_blocker, make_scene)`.

    Each test begins with these rows and is rolled back to them; what it changes in the objects
    themselves stays, so tests read the rows anew. The fixture wants `django_db_setup`.
    """
    with blocker.unblock():
        rows = transaction.atomic()
        rows.__enter__()
        made = make()
    yield made
    with blocker.unblock():
        transaction.set_rollback(True)
        rows.__exit__(None, None, None)
