"""My events and My page: the state of each event for this user, and what comes first."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from players.services import create_player
from tests.factories.cuts import event_with_cut, play_cut_round, seed
from tests.factories.sessions import logged_in
from tests.factories.submissions import submit
from tests.factories.tournaments import (
    fresh,
    make_event,
    make_user,
    owner_of,
    place_of,
    play_round,
    start_round,
)
from tests.queries import queries_of
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import path, text_of, url
from tournaments.event.permissions import Actor
from tournaments.models import Registration, Tournament
from tournaments.my_event.pages import my_event_lines, next_event
from tournaments.registration import services as registration_services
from tournaments.settings import services as settings_services

TODAY = timezone.localdate()


@pytest.fixture
def kasia(db: None) -> Player:
    return create_player("Kasia", user=make_user("kasia"))


def join(event: Tournament, player: Player, state: str = "checked_in") -> Tournament:
    number = event.next_player_number()
    Registration.objects.create(tournament=event, player=player, number=number, state=state)
    return fresh(event)


def finish(event: Tournament) -> None:
    settings_services.finish_event(fresh(event), owner_of(event))


def states(player: Player) -> dict[str, str]:
    return {line.event.name: line.state for line in my_event_lines(Actor(player=player))}


class TestState:
    @pytest.mark.parametrize(
        ("state", "words"),
        [
            ("registered", "Registered"),
            ("checked_in", "Checked in"),
            ("waiting", "On the waiting list"),
            ("dropped", "You dropped"),
        ],
    )
    def test_event_before_round_1(self, kasia: Player, state: str, words: str):
        join(make_event(players=2), kasia, state)

        assert states(kasia) == {"Spring Run": words}

    def test_event_in_progress(self, kasia: Player):
        start_round(join(make_event(players=3, planned_rounds=5), kasia))

        assert states(kasia) == {"Spring Run": "Round 1 of 5"}

    def test_player_who_dropped_during_the_event(self, kasia: Player):
        event = join(make_event(players=3), kasia)
        play_round(event)
        registration_services.drop_player(place_of(event, kasia), owner_of(event))

        assert states(kasia) == {"Spring Run": "You dropped"}

    def test_finished_event_shows_the_players_place(self):
        event = make_event(players=4)
        play_round(event)
        finish(event)
        snapshot = event.snapshots.newest()
        assert snapshot is not None
        by_rank = {row.rank: row.registration.player for row in snapshot.rows.all()}

        assert states(by_rank[1]) == {"Spring Run": "You won"}
        assert states(by_rank[2]) == {"Spring Run": "You finished 2nd"}

    def test_place_in_the_cut_takes_precedence(self):
        event = event_with_cut(4, system="single_elimination")
        play_cut_round(event, [2, 4])

        # Seeds 1 and 3 are out; the places of the finalists are open.
        assert states(seed(event, 1).player) == {"Spring Run": "You finished 3rd"}
        assert states(seed(event, 2).player) == {"Spring Run": "Semifinals"}
        play_cut_round(event, [4])
        finish(event)
        assert states(seed(event, 4).player) == {"Spring Run": "You won"}
        assert states(seed(event, 2).player) == {"Spring Run": "You finished 2nd"}
        outside = event.registrations.exclude(
            player__in=[seed(event, number).player for number in (1, 2, 3, 4)]
        )
        places = {states(entry.player)["Spring Run"] for entry in outside.select_related("player")}
        assert places == {f"You finished {place}th" for place in (5, 6, 7, 8)}


def test_events_in_progress_are_first_and_past_events_last(kasia: Player):
    for name, day in (("Next month", 30), ("Next week", 7), ("Last month", -30)):
        join(make_event(players=0, name=name, starts_on=TODAY + timedelta(days=day)), kasia)
    start_round(join(make_event(players=3, name="Now", starts_on=TODAY), kasia))

    lines = my_event_lines(Actor(player=kasia))

    assert [line.event.name for line in lines] == ["Now", "Next week", "Next month", "Last month"]
    assert [line.is_current for line in lines] == [True, True, True, False]


def test_account_can_organise_an_event_from_my_events(kasia: Player, client: Client):
    page = text_of(logged_in(kasia.user).get("/my-events/"))

    assert "Organise an event" in page
    assert "Organise an event" not in text_of(client.get("/my-events/"))


class TestNextEvent:
    def test_organiser_goes_to_the_desk_first(self):
        event = make_event(players=0, starts_on=TODAY)
        staff = desk_of(event)

        page = staff.get("/me/").text

        desk_link = f'class="button button--primary" href="{path(event)}"'
        assert desk_link in page
        assert page.index(desk_link) < page.index(f'href="{event.get_absolute_url()}">Event page')

    def test_table_of_the_event_in_progress(self, kasia: Player):
        event = join(make_event(players=3, starts_on=TODAY), kasia)
        join(make_event(players=0, name="Tomorrow", starts_on=TODAY + timedelta(days=1)), kasia)
        round_ = start_round(event)

        next_ = next_event(Actor(player=kasia))

        assert next_ is not None
        assert next_.line.event == event
        assert next_.table == round_.pairing_of(kasia).table_number

    def test_bye_has_no_table(self):
        event = make_event(players=3, starts_on=TODAY)
        bye = start_round(event).pairings.get(match=None).bye

        next_ = next_event(Actor(player=bye.player))

        assert next_ is not None
        assert (next_.table, next_.has_bye) == (None, True)

    def test_no_next_event_without_upcoming_events(self, kasia: Player):
        join(make_event(players=0, starts_on=TODAY - timedelta(days=30)), kasia)

        assert next_event(Actor(player=kasia)) is None


class TestMyPage:
    def test_event_comes_before_results_decks_and_settings(self, kasia: Player):
        over = join(make_event(players=3, name="Over", starts_on=TODAY), kasia)
        submit(place_of(over, kasia))
        play_round(over)
        finish(over)
        start_round(join(make_event(players=3, name="Now", starts_on=TODAY), kasia))

        page = text_of(logged_in(kasia.user).get("/me/"))

        parts = ("Go to my table", "Results and ratings", "My decks", "My name", "Account settings")
        assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)
        assert page.index("Now") < page.index("Over")

    def test_account_without_a_player_sees_its_own_event(self):
        owner = make_user()
        event = make_event(players=0, owner=owner, starts_on=TODAY)

        page = logged_in(owner).get("/me/").text

        assert event.get_absolute_url() in page
        assert url("my_event", event) not in page

    def test_queries_do_not_grow_with_events(self, kasia: Player):
        def visit(address: str) -> int:
            return queries_of(lambda: logged_in(kasia.user).get(address))

        def add_events(number: int) -> None:
            for _ in range(number):
                finished_event = join(make_event(players=2), kasia)
                submit(place_of(finished_event, kasia))
                play_round(finished_event)
                finish(finished_event)
                join(make_event(players=0, starts_on=TODAY), kasia)

        add_events(1)
        before = [visit(address) for address in ("/me/", "/my-events/")]
        add_events(2)

        assert [visit(address) for address in ("/me/", "/my-events/")] == before


def test_header_of_every_page_links_to_my_events_for_known_readers(kasia: Player):
    link = f'href="{reverse("tournaments:mine")}"'

    assert link in logged_in(kasia.user).get(reverse("tournaments:list")).text
    assert (
        f'{link} aria-current="page">My events'
        in logged_in(kasia.user).get(reverse("tournaments:mine")).text
    )
    assert link not in Client().get(reverse("tournaments:list")).text
