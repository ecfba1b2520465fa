"""Phones at tables of Android: Netrunner and at pods."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from matches.models import MatchState, ResultReport
from tests.factories.tournaments import make_event, start_round, table
from tournaments import queries
from tournaments.models import Tournament

PhoneOf = Callable[..., Client]
POINTS = {"victory_points_1": "20", "victory_points_2": "31", "victory_points_3": "20"}


def phones(event: Tournament, phone_of: PhoneOf) -> list[Client]:
    """The phones at table 1, by seat."""
    pairing = table(start_round(event), 1)
    by_player = {entry.player_id: entry for entry in queries.roster(event)}
    return [phone_of(by_player[seat.player_id]) for seat in pairing.match.seats.all()]


def url(name: str, event: Tournament) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug, 1, 1])


def state(event: Tournament) -> str:
    return table(event.stages.get().rounds.get(), 1).match.state


def open_report() -> int:
    return ResultReport.objects.get(state="proposed").pk


def test_a_match_with_a_flag_is_reported_and_confirmed(phone_of: PhoneOf):
    event = make_event(2, game="anr")
    one, two = phones(event, phone_of)

    one.post(url("report", event), {"game_1_winner": "1", "two_for_one": "on"})
    asked = two.get(url("confirm", event)).text
    two.post(url("confirm", event), {"report": open_report()})

    assert "2 x 3 for a win as Corp, counted twice" in asked
    assert "Two for one." in asked
    assert state(event) == MatchState.CONFIRMED


def test_players_do_not_type_totals(phone_of: PhoneOf):
    event = make_event(2, game="anr")
    one, _ = phones(event, phone_of)

    answer = one.post(url("report", event), {"total_1": "6", "total_2": "0"})

    assert "Game 1: choose who won, or Draw." in answer.text
    assert state(event) == MatchState.OPEN


def test_a_single_game_is_asked_for_where_a_match_is_one(phone_of: PhoneOf):
    event = make_event(2, game="anr", scoring_rule="anr_single")
    one, two = phones(event, phone_of)

    assert "Game 2" not in one.get(url("report", event)).text
    for phone in (one, two):
        phone.post(url("report", event), {"game_1_winner": "0"})

    assert state(event) == MatchState.CONFIRMED


def test_one_player_reports_a_pod_and_another_confirms(phone_of: PhoneOf):
    event = make_event(3, game="free_radicals")
    one, two, three = phones(event, phone_of)

    told = one.post(url("report", event), POINTS, follow=True).text
    waiting = two.get(reverse("tournaments:my_event", args=[event.slug])).text
    three.post(url("confirm", event), {"report": open_report()})

    assert "Another player at your table is asked to confirm it" in told
    assert "See the report" in waiting
    assert state(event) == MatchState.CONFIRMED
    assert "(3 + 2) / 2" in two.get(reverse("tournaments:my_event", args=[event.slug])).text


def test_any_player_of_a_pod_disputes(phone_of: PhoneOf):
    event = make_event(3, game="free_radicals")
    one, two, three = phones(event, phone_of)
    one.post(url("report", event), POINTS)

    two.post(url("dispute", event), {"report": open_report(), "note": "I had 33"})
    answer = three.post(url("report", event), POINTS, follow=True).text

    assert state(event) == MatchState.DISPUTED
    assert "The table does not agree" in answer


def test_a_clash_of_colours_stands_with_the_factions(phone_of: PhoneOf):
    event = make_event(3, game="free_radicals")
    one, *_ = phones(event, phone_of)

    answer = one.post(
        url("report", event), {**POINTS, "faction_1": "merchants", "faction_3": "hoteliers"}
    )

    assert "Merchants and Hoteliers are both green" in answer.text
    assert state(event) == MatchState.OPEN
