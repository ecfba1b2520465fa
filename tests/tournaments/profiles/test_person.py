"""A player's page: content, readers and privacy."""

import csv
import io
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from decks.models import Side
from players.models import Player
from tests.factories.cuts import event_with_cut, placings, play_cut_round, seed
from tests.factories.sessions import claim, logged_in
from tests.factories.submissions import identity_card, submit
from tests.factories.tournaments import (
    fresh,
    hide,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.queries import queries_of
from tournaments.event.permissions import Actor
from tournaments.models import Registration, Tournament, Visibility
from tournaments.privacy import services as privacy_services
from tournaments.profiles import queries
from tournaments.settings import services as settings_services
from tournaments.statistics.pages import records_of_player


def finished_event(
    name: str = "Spring Run", player: Player | None = None, **settings: Any
) -> Tournament:
    """Return a finished event of four players after one round, with this player if given."""
    event = make_event(players=3 if player else 4, name=name, **settings)
    if player is not None:
        Registration.objects.create(tournament=event, player=player, number=4, state="checked_in")
    play_round(fresh(event))
    settings_services.finish_event(fresh(event), owner_of(event))
    return fresh(event)


def page(player: Player, client: Client | None = None, path: str = "") -> Any:
    return (client or Client()).get(f"/people/{player.pk}/{path}")


def place_at(player: Player) -> str:
    (line,) = APIClient().get(f"/api/v1/people/{player.pk}/events/").json()["results"]
    place: str = line["place"]
    return place


def make_scene() -> Tournament:
    return finished_event()


@pytest.fixture
def ada(event: Tournament) -> Player:
    return player_number(event, 1).player


def test_events_with_place_record_and_opponents(event: Tournament, ada: Player):
    second_event = finished_event("Autumn Run", ada)
    html = page(ada).text

    for shown in (event, second_event):
        assert f'href="/events/{shown.slug}/"' in html
        assert f"/events/{shown.slug}/players/" in html
    lines = re.findall(r'<p class="person-event__result">(.*?)</p>', html, re.DOTALL)
    assert len(lines) == 2
    assert all(re.search(r"Place \d of 4|Winner of 4", line) for line in lines)
    assert all(re.search(r"<span>\d-\d-\d</span>", line) for line in lines)
    opponents = {
        registration.player.name
        for shown in (event, second_event)
        for registration in shown.registrations.select_related("player").exclude(player=ada)
    }
    assert "Head-to-head" in html
    assert any(name in html for name in opponents)


def test_event_of_a_player_who_never_came_is_left_out(event: Tournament, ada: Player):
    home = make_event(players=4, name="Winter Run")
    missing = player_number(home, 4)
    Registration.objects.filter(pk=missing.pk).update(player=ada, state="registered")
    before = page(ada).text
    play_round(fresh(home))
    settings_services.finish_event(fresh(home), owner_of(home))
    statistics = APIClient().get(f"/api/v1/events/{home.slug}/statistics/").json()

    assert ("Winter Run" in before, "Winter Run" in page(ada).text) == (True, False)
    assert statistics["players"] == 3


def test_private_event_counts_only_for_its_readers(ada: Player):
    secret = finished_event("Secret Run", ada, visibility=Visibility.PRIVATE)
    unlisted = finished_event("Unlisted Run", ada, visibility=Visibility.UNLISTED)
    mate = player_number(secret, 1).player

    assert "Secret Run" not in page(ada).text
    assert "Unlisted Run" not in page(ada).text
    assert "Secret Run" in page(ada, claim(Client(), mate)).text
    own = page(ada, claim(Client(), ada)).text
    assert "Secret Run" in own
    assert "Unlisted Run" in own
    assert unlisted.slug not in page(ada, claim(Client(), mate)).text
    # A player of private events only has no page for strangers.
    assert page(mate).status_code == 404
    assert APIClient().get(f"/api/v1/people/{mate.pk}/").status_code == 404


def test_hidden_history_is_visible_only_to_the_player(event: Tournament, ada: Player):
    hide(ada, hides_history=True)
    mate = player_number(event, 2).player

    assert page(ada).status_code == 404
    assert page(ada, claim(Client(), mate)).status_code == 404
    assert page(ada, claim(Client(), ada)).status_code == 200
    for path in ("", "events/", "opponents/onr/"):
        assert APIClient().get(f"/api/v1/people/{ada.pk}/{path}").status_code == 404


def test_charts_as_csv_for_readers_of_the_page(event: Tournament, ada: Player):
    path = f"statistics/{event.game}.csv"
    assert f"/people/{ada.pk}/{path}" in page(ada).text

    rows = list(csv.DictReader(io.StringIO(page(ada, path=path).content.decode("utf-8-sig"))))

    (game,) = APIClient().get(f"/api/v1/people/{ada.pk}/").json()["games"]
    assert {row["chart"] for row in rows} == {chart["id"] for chart in game["charts"]}
    assert page(ada, path="statistics/anr.csv").status_code == 404
    hide(ada, hides_history=True)
    assert page(ada, path=path).status_code == 404


def test_opponents_who_hide_their_history_are_counted_without_a_name(event: Tournament):
    player = player_number(event, 1).player
    opponents = f"/api/v1/people/{player.pk}/opponents/onr/"
    (opponent,) = APIClient().get(opponents).json()["results"]
    hide(Player.objects.get(pk=opponent["id"]), hides_history=True)

    (after,) = APIClient().get(opponents).json()["results"]

    assert (after["id"], after["name"]) == (None, None)
    assert [after[name] for name in ("tables", "won", "drawn", "lost")] == [
        opponent[name] for name in ("tables", "won", "drawn", "lost")
    ]
    assert opponent["name"] not in page(player).text
    assert APIClient().get(opponents, {"q": opponent["name"]}).json()["count"] == 0


def test_shown_name_is_used_outside_the_event(event: Tournament, ada: Player):
    hide(ada, shown_name="Ghost")

    html = page(ada).text

    assert "Ghost" in html
    assert ada.name not in html
    assert ada.name in Client().get(f"/events/{event.slug}/standings/").text


def test_decks_are_shown_once_public(ada: Player):
    event = make_event(players=4, game="anr", name="Net Run")
    card = identity_card("Precision Design", side=Side.CORP)
    place = player_number(event, 1)
    submit(place, identity=card)
    link = f"/events/{event.slug}/players/1/decks/corp/"

    hidden = page(place.player).text
    start_round(event)
    known = page(place.player).text
    own = page(place.player, claim(Client(), place.player)).text
    logged_in(owner_of(event).user).post(
        f"/events/{event.slug}/desk/decks/reveal/", {"revealed": "yes"}
    )
    shown = page(place.player).text

    assert card.title not in hidden
    # Identities of this game are visible from round 1, lists are not.
    assert card.title in known
    assert link not in known
    assert link in own
    assert link in shown
    assert card.title.partition(":")[0] in shown


def test_place_in_the_cut_counts():
    event = event_with_cut()
    first, second = seed(event, 1), seed(event, 2)
    for winners in ((1, 2), (1, 3), (2,), (1,)):
        play_cut_round(event, winners)

    assert placings(event)[:2] == [str(first.player), str(second.player)]
    assert place_at(first.player) == "Winner of 8"
    assert place_at(second.player) == "Place 2 of 8, in the cut"


def test_player_at_an_event_links_to_the_page(event: Tournament, ada: Player):
    address = f"/events/{event.slug}/players/1/"
    assert f'href="/people/{ada.pk}/"' in Client().get(address).text

    hide(ada, hides_history=True)
    Tournament.objects.filter(pk=event.pk).update(version=99)

    assert f'href="/people/{ada.pk}/"' not in Client().get(address).text


def test_erased_player_has_no_page(event: Tournament):
    place = player_number(event, 1)
    privacy_services.erase_guest(place, owner_of(event))

    assert page(place.player).status_code == 404


def test_queries_do_not_grow_with_events(ada: Player):
    few = queries_of(page, ada)
    for number in range(3):
        finished_event(f"Run {number}", ada)

    assert queries_of(page, ada) <= few + 1
    assert queries.events_of(ada, Actor()).count() == 4


def test_query_parameters_do_not_grow_with_events(ada: Player):
    def parameters() -> list[int]:
        counts: list[int] = []

        def count(execute: Any, sql: str, values: Any, *rest: Any) -> Any:
            counts.append(len(values or ()))
            return execute(sql, values, *rest)

        with connection.execute_wrapper(count):
            (record,) = records_of_player(ada, queries.events_of(ada, Actor()))
        assert record.opponents
        return counts

    few = parameters()
    for number in range(3):
        finished_event(f"Run {number}", ada)

    assert parameters() == few
