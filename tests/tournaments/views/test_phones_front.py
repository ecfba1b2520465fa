"""A player's page behind the front: what the device has is right, or it hears of the change."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.models import Side
from matches.models import Seat
from players.services import rename
from tests.core.fronting import ask, own_marks
from tests.factories.submissions import plain_card
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
)
from tests.tournaments.views.test_front import Watched
from tournaments.actors import Actor
from tournaments.models import Pairing, Tournament
from tournaments.services import (
    absences,
    calls,
    clock,
    decks,
    registrations,
    results,
    rounds,
    undo,
)

pytestmark = pytest.mark.django_db(transaction=True)

PhoneOf = Callable[..., Client]


@pytest.fixture(autouse=True)
def _own_marks(tmp_path: Path):
    with own_marks(tmp_path):
        yield


@pytest.fixture
def event() -> Tournament:
    """Round 2 is played at four tables."""
    event = make_event(players=8)
    play_round(event)
    start_round(event)
    return event


def seats_of(table: Pairing) -> list[Seat]:
    assert table.match is not None
    return list(table.match.seats.select_related("player"))


def my_table(event: Tournament) -> Pairing:
    """Where player 1 sits in round 2."""
    return next(table for table in tables_of(get_round(event, 2)) if is_mine(table, event))


def other_table(event: Tournament) -> Pairing:
    """One at which player 1 does not sit."""
    return next(table for table in tables_of(get_round(event, 2)) if not is_mine(table, event))


def is_mine(table: Pairing, event: Tournament) -> bool:
    return player_number(event, 1).player in [seat.player for seat in seats_of(table)]


def told_by(table: Pairing, seat: Seat) -> None:
    results.report(table, seat, games_for(table), Actor(player=seat.player))


class Phone(Watched):
    """The phone of player 1, which asks behind a front as static/js/poll.js does."""

    def __init__(self, client: Client, event: Tournament, page: str = "my_event") -> None:
        super().__init__()
        self.cookies = f"sessionid={client.cookies['sessionid'].value}"
        self.address = reverse(f"tournaments:{page}", args=[event.slug])
        self.etag = ""

    def look(self) -> int:
        """The status of a poll; what came is kept."""
        answer = ask(
            self.front,
            self.address,
            HTTP_COOKIE=self.cookies,
            HTTP_X_FRAGMENT="1",
            HTTP_IF_NONE_MATCH=self.etag or '"nothing"',
        )
        if answer.status == 200:
            self.etag = answer.headers["ETag"]
        return answer.status

    def settle(self) -> None:
        """From the second answer on the front knows what it tells of."""
        assert [self.look() for _ in range(3)] == [200, 304, 304]
        self.asked = 0


@pytest.mark.parametrize("page", ["my_event", "pairings", "standings"])
def test_a_phone_that_has_it_all_asks_nobody(event: Tournament, phone_of: PhoneOf, page: str):
    phone = Phone(phone_of(player_number(event, 1)), event, page)
    phone.settle()

    assert [phone.look() for _ in range(4)] == [304] * 4
    assert phone.asked == 0


def _reported_elsewhere(event: Tournament) -> None:
    table = other_table(event)
    told_by(table, seats_of(table)[0])


def _decided_elsewhere(event: Tournament) -> None:
    enter_result(other_table(event), sweep(0))


def _called_elsewhere(event: Tournament) -> None:
    calls.raise_call(other_table(event), owner_of(event), "a question")


@pytest.mark.parametrize("change", [_reported_elsewhere, _decided_elsewhere, _called_elsewhere])
def test_what_happens_at_another_table_is_no_news(
    event: Tournament, phone_of: PhoneOf, change: Callable[[Tournament], None]
):
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.settle()

    change(event)

    assert phone.look() == 304
    assert phone.asked == 0
    # Without a front the site says the same.
    alone = phone_of(player_number(event, 1)).get(
        phone.address,
        headers={"X-Fragment": "1", "If-None-Match": phone.etag, "Host": "hall.example"},
    )
    assert alone.status_code == 304


def test_a_draft_of_the_staff_wakes_no_phone(event: Tournament, phone_of: PhoneOf):
    _closed(event)
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.settle()

    draft_round(event)

    assert (phone.look(), phone.asked) == (304, 0)


def test_pairings_show_a_known_player_every_result_at_once(event: Tournament, phone_of: PhoneOf):
    phone = Phone(phone_of(player_number(event, 1)), event, "pairings")
    phone.settle()

    _reported_elsewhere(event)

    assert phone.look() == 200


def _i_told(event: Tournament) -> None:
    table, me = my_table(event), player_number(event, 1).player
    told_by(table, next(seat for seat in seats_of(table) if seat.player == me))


def _opponent_told(event: Tournament) -> None:
    table, me = my_table(event), player_number(event, 1).player
    told_by(table, next(seat for seat in seats_of(table) if seat.player != me))


def _decided(event: Tournament) -> None:
    enter_result(my_table(event), sweep(0))


def _closed(event: Tournament) -> None:
    for table in tables_of(get_round(event, 2)):
        enter_result(table, sweep(0))
    close_round(get_round(event, 2))


def _published(event: Tournament) -> None:
    _closed(event)
    draft_round(event)
    rounds.publish(get_round(event, 3), owner_of(event))


def _more_time(event: Tournament) -> None:
    clock.add(get_round(event, 2), 5, owner_of(event))


def _time_for_the_table(event: Tournament) -> None:
    clock.add_to_table(my_table(event), 5, owner_of(event))


def _called(event: Tournament) -> None:
    calls.raise_call(my_table(event), owner_of(event), "a question")


def _deck_handed_in(event: Tournament) -> None:
    place = player_number(event, 1)
    plain_card("Some Card")
    decks.hand_in(place, Side.CORP, "3 Some Card", Actor(player=place.player))


def _missed(event: Tournament) -> None:
    absences.tell(my_table(event), player_number(event, 1), owner_of(event))


def _dropped(event: Tournament) -> None:
    registrations.drop(player_number(event, 1), owner_of(event))


def _renamed(event: Tournament) -> None:
    rename(player_number(event, 1).player, "Somebody Else")


def _edited_by_administrator(event: Tournament) -> None:
    event = fresh(event)
    event.feature_tables = "1"
    event.save()


def _old_result_changed(event: Tournament) -> None:
    table = tables_of(get_round(event, 1))[0]
    enter_result(table, sweep(1))


@pytest.mark.parametrize(
    "change",
    [
        _i_told,
        _opponent_told,
        _decided,
        _closed,
        _published,
        _more_time,
        _time_for_the_table,
        _called,
        _deck_handed_in,
        _missed,
        _dropped,
        _renamed,
        _edited_by_administrator,
        _old_result_changed,
    ],
)
def test_whatever_the_page_shows_is_asked_for_at_once(
    event: Tournament, phone_of: PhoneOf, change: Callable[[Tournament], None]
):
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.settle()

    change(event)
    phone.look()

    assert phone.asked == 1
    shown = phone_of(player_number(event, 1)).get(
        phone.address, headers={"X-Fragment": "1", "Host": "hall.example"}
    )
    assert phone.etag == shown.headers["ETag"]


def test_a_report_that_is_taken_back_shows(event: Tournament, phone_of: PhoneOf):
    _decided(event)
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.settle()

    entry = event.log.latest("pk")
    undo.undo(entry, owner_of(event))

    assert phone.look() == 200


def test_the_deadline_of_the_decks_shows_at_its_moment(
    event: Tournament, phone_of: PhoneOf, time_machine
):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    Tournament.objects.filter(pk=event.pk).update(
        decks_close_at=timezone.now() + timedelta(seconds=30)
    )
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.settle()

    time_machine.shift(31)

    assert phone.look() == 200


def test_who_may_check_in_today_is_asked_of_the_site(phone_of: PhoneOf, time_machine):
    time_machine.move_to("2026-05-01T23:59:50Z", tick=False)
    event = make_event(players=2, checked_in=False)
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.look()
    assert [phone.look() for _ in range(2)] == [304, 304]
    assert phone.asked == 3

    time_machine.shift(11)

    assert phone.look() == 200


def test_another_phone_with_the_same_copy_is_asked_who_it_is(event: Tournament, phone_of: PhoneOf):
    phone = Phone(phone_of(player_number(event, 1)), event)
    phone.settle()

    phone.cookies = "sessionid=madeup"

    assert phone.look() == 404
    assert phone.asked == 1
