"""Results of Android: Netrunner and of pods, entered by staff."""

from fractions import Fraction

import pytest
from django.test import Client

from matches import records as matches_records
from matches.models import Match
from matches.scoring.results import MatchResult
from players.models import User
from tests.factories.tournaments import fresh, make_event, make_user, play_round, start_round, table
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.models import Tournament


def make_scene() -> Tournament:
    """Return an event of Android: Netrunner with two players at table 1."""
    event = make_event(2, owner=make_user(OWNER), game="anr")
    start_round(event)
    return event


@pytest.fixture
def pod(owner: User) -> Tournament:
    """Return an event of Free Radicals with three players at table 1."""
    event = make_event(3, owner=owner, game="free_radicals")
    start_round(event)
    return event


def match_of(event: Tournament) -> Match:
    pairing = table(fresh(event).stages.get().rounds.get(), 1)
    assert pairing.match is not None
    return pairing.match


def enter(desk: Client, event: Tournament, **fields: str):
    match = match_of(event)
    data = {f"t1-{name}": value for name, value in fields.items()}
    data |= {"t1-seen": str(match.version), "t1-corp": "1"}
    return desk.post(path(event, "rounds/1/tables/1/enter/"), data)


def points(event: Tournament) -> list[object]:
    return list(match_of(event).seats.order_by("position").values_list("points", flat=True))


def test_two_winners_are_a_result(desk: Client, event: Tournament):
    enter(desk, event, game_1_winner="1", game_2_winner="0")

    assert points(event) == [4, 1]


def test_victory_points_determine_places_and_points(desk: Client, pod: Tournament):
    enter(desk, pod, victory_points_1="9", victory_points_2="12", victory_points_3="9")

    assert points(pod) == [Fraction(5, 2), 5, Fraction(5, 2)]
    assert "2½" in text_of(desk.get(path(pod, "rounds/1/results/")))


def test_factions_of_one_colour_require_force_and_a_note(desk: Client, pod: Tournament):
    fields = {
        **{f"victory_points_{seat}": str(seat) for seat in (1, 2, 3)},
        "faction_1": "farmers",
        "faction_2": "executives",
    }

    refused = enter(desk, pod, **fields)
    assert refused.status_code == 422
    assert "of the same colour (red)" in text_of(refused)
    enter(desk, pod, **fields, forced="on", note="they noticed at the end")

    assert matches_records.settled_result(match_of(pod)).factions == ("farmers", "executives", "")


def test_public_pages_of_a_pod_show_points_and_factions(client: Client, owner: User):
    event = make_event(3, owner=owner, game="free_radicals")
    factions = ("farmers", "paladins", "couriers")
    round_ = play_round(
        event, play=lambda _: MatchResult(victory_points=(9, 9, 9), factions=factions)
    )

    for address in ("rounds/1/tables/1/", "rounds/1/?by=table", "rounds/1/"):
        assert "Farmers" in text_of(client.get(path(event, address)))
    assert "3⅓ for place 1, shared by 3" in text_of(
        client.get(path(event, f"rounds/{round_.number}/tables/1/"))
    )
    assert "3⅓" in text_of(client.get(path(event, "standings/")))
