"""Writers of one process stand in line for SQLite."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction

from core.sqlite3 import base
from core.sqlite3.turns import Turns
from players.models import Player
from tests.tournaments.races.hands import at_once

only_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
PATIENCE = 30.0


def in_line(turns: Turns, hands: ThreadPoolExecutor, act: Callable[[], object]) -> Future[object]:
    """A thread that waits for its turn, known to be in the line."""
    before = turns.waiting

    def wait() -> object:
        assert turns.take(PATIENCE)
        try:
            return act()
        finally:
            turns.give()

    future = hands.submit(wait)
    while turns.waiting == before:
        assert not future.done()
    return future


def test_turns_come_in_the_order_in_which_they_were_asked_for():
    turns, served = Turns(), list[int]()
    assert turns.take(0)

    with ThreadPoolExecutor(5) as hands:
        for number in range(5):
            in_line(turns, hands, partial(served.append, number))
        turns.give()

    assert served == [0, 1, 2, 3, 4]
    assert turns.take(0)


def test_whoever_waited_in_vain_holds_nobody_up():
    turns = Turns()
    assert turns.take(0)

    assert not turns.take(0.01)

    assert turns.waiting == 0
    turns.give()
    assert turns.take(0)


@only_sqlite
@pytest.mark.check(36)
@pytest.mark.django_db(transaction=True)
def test_many_who_write_at_once_all_write(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(base, "PATIENCE", PATIENCE)
    Player.objects.create(name="Ada")

    def alone(name: str) -> None:
        Player.objects.create(name=name)
        Player.objects.filter(name="Ada").update(name="Ada")

    def together(name: str) -> None:
        with transaction.atomic():
            Player.objects.create(name=name)
            with transaction.atomic():
                Player.objects.create(name=f"{name} too")

    at_once(
        [
            *[partial(alone, f"Bo {number}") for number in range(20)],
            *[partial(together, f"Cy {number}") for number in range(20)],
        ]
    )

    assert Player.objects.count() == 1 + 20 + 40


@only_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_turn_ends_with_what_it_was_for(monkeypatch: pytest.MonkeyPatch):
    """A commit, a rollback, a lost connection and a refused statement all let the next one in."""
    monkeypatch.setattr(base, "PATIENCE", 0.0)
    with transaction.atomic():
        Player.objects.create(name="Ada")
    with transaction.atomic():
        Player.objects.create(name="Bo")
        transaction.set_rollback(True)
    with transaction.atomic():
        connection.close()
    with pytest.raises(OperationalError), connection.cursor() as cursor:
        cursor.execute("UPDATE nowhere SET name = ''")

    Player.objects.create(name="Cy")

    assert list(Player.objects.order_by("name").values_list("name", flat=True)) == ["Ada", "Cy"]


@only_sqlite
@pytest.mark.check(36)
@pytest.mark.django_db(transaction=True)
def test_patience_ends_as_sqlite_tells_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(base, "PATIENCE", 0.0)

    def write() -> None:
        try:
            Player.objects.create(name="Bo")
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as hands:
        waits = hands.submit(write)

        with pytest.raises(OperationalError, match="database is locked"):
            waits.result()
