"""What a write asks of another site: once, and while nothing of the write stands."""

from collections.abc import Callable

import pytest
from django.db import transaction

from core import outside_transaction
from core.errors import Refusal
from tests.factories.tournaments import make_event
from tournaments.models import Tournament


class Site:
    """Answers everybody the same, and remembers who asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answers(self, what: str) -> Callable[[], str]:
        def ask() -> str:
            self.asked.append(what)
            return f"heard of {what}"

        return ask

    def refuses(self) -> str:
        self.asked.append("refused")
        raise Refusal("Not today.")


def test_outside_of_a_write_it_is_asked_at_once():
    site = Site()

    assert outside_transaction.answer("a", site.answers("a")) == "heard of a"
    assert outside_transaction.answer("a", site.answers("a")) == "heard of a"
    assert site.asked == ["a", "a"]


def test_a_write_asks_each_question_once():
    site = Site()

    def act(*names: str) -> list[str]:
        return [outside_transaction.answer(name, site.answers(name)) for name in names]

    assert outside_transaction.begun_anew(act, "a", "b", "a") == [
        "heard of a",
        "heard of b",
        "heard of a",
    ]
    assert site.asked == ["a", "b"]
    assert outside_transaction.begun_anew(act, "a") == ["heard of a"]
    assert site.asked == ["a", "b", "a"]


def test_a_refusal_is_met_where_it_was_asked_and_not_asked_for_again():
    site = Site()

    def act() -> str:
        with pytest.raises(Refusal, match="Not today"):
            outside_transaction.answer("a", site.refuses)
        with pytest.raises(Refusal, match="Not today"):
            outside_transaction.answer("a", site.refuses)
        return "gone on"

    assert outside_transaction.begun_anew(act) == "gone on"
    assert site.asked == ["refused"]


def test_what_fails_elsewhere_surfaces_and_the_next_write_knows_nothing_of_it():
    def fails() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        outside_transaction.begun_anew(outside_transaction.answer, "a", fails)
    assert outside_transaction.answer("a", Site().answers("a")) == "heard of a"


@pytest.mark.django_db
def test_nothing_of_the_write_stands_while_it_is_asked():
    event = make_event(players=0, name="Before")
    seen: list[str] = []

    def ask() -> str:
        seen.append(Tournament.objects.get(pk=event.pk).name)
        return "After"

    @transaction.atomic
    def act() -> None:
        Tournament.objects.filter(pk=event.pk).update(name="Between")
        Tournament.objects.filter(pk=event.pk).update(name=outside_transaction.answer("a", ask))

    outside_transaction.begun_anew(act)

    assert seen == ["Before"]
    assert Tournament.objects.get(pk=event.pk).name == "After"
