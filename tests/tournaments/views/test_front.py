"""The real site behind its front: the same answers, and never an old one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client
from django.urls import reverse

from core.front import Front
from players.services import rename
from tests.core.fronting import Answer, ask, own_marks
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
)
from tournaments.models import Tournament
from tournaments.services import registrations, rounds

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ("event", "pairings", "standings", "projector")


@pytest.fixture(autouse=True)
def _own_marks(tmp_path: Path):
    with own_marks(tmp_path):
        yield


@pytest.fixture
def event() -> Tournament:
    event = make_event(players=4)
    play_round(event)
    start_round(event)
    return event


class Watched:
    """The site behind its front; `asked` counts how often Django was."""

    def __init__(self) -> None:
        self.asked = 0
        site = WSGIHandler()

        def counted(environ, start_response):
            self.asked += 1
            return site(environ, start_response)

        self.front = Front(counted)


class Strangers(Watched):
    """What a front answers to whoever is not known."""

    def see(self, event: Tournament, page: str, **environ: str) -> Answer:
        address = reverse(f"tournaments:{page}", args=[event.slug])
        return ask(self.front, address, **environ)

    def settle(self, event: Tournament) -> None:
        """Everything is asked for until it is kept."""
        for _ in range(2):
            for page in PAGES:
                self.see(event, page)
        self.asked = 0


def test_kept_pages_are_those_that_django_answers(event: Tournament):
    strangers = Strangers()
    strangers.settle(event)

    for page in PAGES:
        told = strangers.see(event, page)
        alone = Client().get(
            reverse(f"tournaments:{page}", args=[event.slug]),
            headers={"Host": "hall.example"},
        )
        assert told.body.decode() == alone.content.decode()
        of_the_moment = ("Datafort-Now", "X-Request-ID", "Content-Length")
        expected = {name: value for name, value in alone.items() if name not in of_the_moment}
        kept = {name: value for name, value in told.headers.items() if name not in of_the_moment}
        assert kept == expected
    assert strangers.asked == 0


def _result(event: Tournament) -> None:
    enter_result(tables_of(get_round(event, 2))[0], sweep(0))


def _close(event: Tournament) -> None:
    for table in tables_of(get_round(event, 2)):
        enter_result(table, sweep(0))
    close_round(get_round(event, 2))


def _publish(event: Tournament) -> None:
    _close(event)
    draft_round(event)
    rounds.publish(get_round(event, 3), owner_of(event))


def _drop(event: Tournament) -> None:
    registrations.drop(player_number(event, 1), owner_of(event))


def _rename(event: Tournament) -> None:
    rename(player_number(event, 1).player, "Somebody Else")


def _edit_by_administrator(event: Tournament) -> None:
    event.name = "Another Name"
    event.save()


@pytest.mark.parametrize(
    "change", [_result, _close, _publish, _drop, _rename, _edit_by_administrator]
)
def test_a_change_is_in_the_next_answer_of_every_page(
    event: Tournament, change: Callable[[Tournament], None]
):
    strangers = Strangers()
    strangers.settle(event)

    change(event)

    for page in PAGES:
        alone = Client().get(
            reverse(f"tournaments:{page}", args=[event.slug]), headers={"Host": "hall.example"}
        )
        assert strangers.see(event, page).body.decode() == alone.content.decode()


def test_an_event_that_is_made_private_is_gone_at_once(event: Tournament):
    strangers = Strangers()
    strangers.settle(event)

    event.visibility = "private"
    event.save(update_fields=["visibility"])

    assert {strangers.see(event, page).status for page in PAGES} == {404}


def test_a_session_is_never_answered_from_what_strangers_see(event: Tournament):
    strangers = Strangers()
    strangers.settle(event)
    client = Client()
    owner = owner_of(event).user
    assert owner is not None
    client.force_login(owner)
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())

    answer = strangers.see(event, "standings", HTTP_COOKIE=cookies)

    assert strangers.asked == 1
    assert "private" in answer.headers["Cache-Control"]
    assert reverse("tournaments:desk", args=[event.slug]) in answer.body.decode()


def test_the_closing_of_the_registration_shows_at_its_moment(event: Tournament, time_machine):
    time_machine.move_to("2026-11-22T10:00:00Z", tick=False)
    event = make_event(players=3)
    Tournament.objects.filter(pk=event.pk).update(registration_closes_at="2026-11-22T10:00:30Z")
    strangers = Strangers()
    strangers.settle(event)
    open_ = strangers.see(event, "event").headers["ETag"]

    time_machine.shift(31)

    assert strangers.see(event, "event").headers["ETag"] != open_
