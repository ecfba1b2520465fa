"""External requests during a write."""

from collections.abc import Callable

import pytest
from django.db import transaction

from core import database
from core.errors import Refusal
from tests.factories.tournaments import make_event
from tournaments.models import Tournament


class Site:
    """Returns the same answer to every request, and records the requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []

    def answer_with(self, answer: str) -> Callable[[], str]:
        def ask() -> str:
            self.requests.append(answer)
            return f"heard of {answer}"

        return ask

    def refuse(self) -> str:
        self.requests.append("refused")
        raise Refusal("Not today.")


def test_fetch_outside_a_write_runs_directly():
    site = Site()

    assert database.fetch_outside_transaction("a", site.answer_with("a")) == "heard of a"
    assert database.fetch_outside_transaction("a", site.answer_with("a")) == "heard of a"
    assert site.requests == ["a", "a"]


def test_write_fetches_each_answer_once():
    site = Site()

    def act(*names: str) -> list[str]:
        return [database.fetch_outside_transaction(name, site.answer_with(name)) for name in names]

    assert database.run_with_fetches(act, "a", "b", "a") == [
        "heard of a",
        "heard of b",
        "heard of a",
    ]
    assert site.requests == ["a", "b"]
    assert database.run_with_fetches(act, "a") == ["heard of a"]
    assert site.requests == ["a", "b", "a"]


def test_refusal_is_raised_at_the_fetch_and_cached():
    site = Site()

    def act() -> str:
        with pytest.raises(Refusal, match="Not today"):
            database.fetch_outside_transaction("a", site.refuse)
        with pytest.raises(Refusal, match="Not today"):
            database.fetch_outside_transaction("a", site.refuse)
        return "gone on"

    assert database.run_with_fetches(act) == "gone on"
    assert site.requests == ["refused"]


def test_error_of_a_fetch_surfaces_and_is_not_cached():
    def fails() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        database.run_with_fetches(database.fetch_outside_transaction, "a", fails)
    assert database.fetch_outside_transaction("a", Site().answer_with("a")) == "heard of a"


@pytest.mark.django_db
def test_write_is_rolled_back_during_the_fetch():
    event = make_event(players=0, name="Before")
    rows_seen: list[str] = []

    def ask() -> str:
        rows_seen.append(Tournament.objects.get(pk=event.pk).name)
        return "After"

    @transaction.atomic
    def act() -> None:
        Tournament.objects.filter(pk=event.pk).update(name="Between")
        Tournament.objects.filter(pk=event.pk).update(
            name=database.fetch_outside_transaction("a", ask)
        )

    database.run_with_fetches(act)

    assert rows_seen == ["Before"]
    assert Tournament.objects.get(pk=event.pk).name == "After"
