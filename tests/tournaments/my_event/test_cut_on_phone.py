"""A player's page during a cut."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.factories.cuts import LEVEL, event_with_cut, play_cut_round, seed, win_of
from tests.factories.tournaments import (
    close_round,
    enter_result,
    fresh,
    owner_of,
    start_round,
    tables_of,
)
from tests.tournaments.pages import path, text_of
from tournaments.event.permissions import Actor
from tournaments.models import Registration, Round, Tournament
from tournaments.my_event.pages import my_page_context
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.settings import services as settings_services

PhoneOf = Callable[[Registration], Client]


def day(event: Tournament, place: int) -> dict[str, Any]:
    return my_page_context(seed(fresh(event), place))


def settle(round_: Round, event: Tournament, winners: list[int]) -> None:
    """Enter the result of every table; the round stays open."""
    advancing = {seed(event, number).player_id for number in winners}
    for pairing in tables_of(round_):
        enter_result(pairing, win_of(pairing, advancing))


def test_match_of_the_cut_is_named(phone_of: PhoneOf):
    event = event_with_cut(8, system="single_elimination")
    start_round(event)

    page = text_of(phone_of(seed(event, 3)).get(path(event, "me/")))

    assert "Quarterfinal, seed 3" in page
    assert "Round 2" not in page


def test_side_is_shown_and_reported_after_the_choice(phone_of: PhoneOf):
    event = event_with_cut(4, system="single_elimination")
    table = tables_of(start_round(event))[0]
    chooser, opponent = (phone_of(seed(event, number)) for number in (1, 4))

    before = text_of(chooser.get(path(event, "me/")))
    waiting = text_of(opponent.get(path(event, "me/")))
    seat = table.match.seats.get(player=seed(event, 4).player)
    with pytest.raises(results_services.NotPlayable, match="has not chosen a side yet"):
        results_services.report_result(table, seat, LEVEL, Actor(player=seat.player))
    cuts.choose_corp(table, seed(event, 4), owner_of(event))

    assert before.index("You choose: Corp or Runner first?") < before.index("Semifinal, seed 1")
    assert f"Semifinal, seed 1 against {seed(event, 4).player.name}" in before
    assert "Report the result here once the side is chosen." in before
    name = seed(event, 1).player.name
    assert f"{name} is the higher seed and chooses which side to play first." in waiting
    assert f"If {name} cannot choose on a phone, tell the staff the choice." in waiting
    assert f"Semifinal, seed 4 against {seed(event, 1).player.name}" in waiting
    assert "won both" not in waiting
    assert "seed 1 Runner first" in text_of(chooser.get(path(event, "me/")))
    assert "seed 4 Corp first" in text_of(opponent.get(path(event, "me/")))


def test_loser_of_a_single_elimination_is_out_immediately(phone_of: PhoneOf):
    event = event_with_cut(4, system="single_elimination")
    settle(start_round(event), event, [1, 2])

    assert day(event, 4)["state"] == "out_of_cut"
    assert day(event, 4)["placing"].rank == 4
    assert "You finished 4th" in text_of(phone_of(seed(event, 4)).get(path(event, "me/")))
    assert day(event, 1)["state"] == "seated"


def test_place_stays_open_until_its_round_is_played(phone_of: PhoneOf):
    event = event_with_cut(4, system="single_elimination")
    round_ = start_round(event)
    first = tables_of(round_)[0]
    enter_result(first, win_of(first, {seed(event, 1).player_id}))

    page = text_of(phone_of(seed(event, 4)).get(path(event, "me/")))

    assert "You are out of the cut" in page
    assert "Your final place will be decided when this round is over." in page


def test_players_of_the_final_see_their_place(phone_of: PhoneOf):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])
    final = start_round(event)
    settle(final, event, [2])
    second, first = (phone_of(seed(event, number)) for number in (1, 2))

    assert "You finished 2nd" in text_of(second.get(path(event, "me/")))
    assert "You won the event" in text_of(first.get(path(event, "me/")))
    close_round(final)
    settings_services.finish_event(fresh(event), owner_of(event))
    page = text_of(second.get(path(event, "me/")))
    assert "You finished 2nd" in page
    assert "Bracket" in page


def test_standings_on_the_phone_name_the_final_place_and_not_that_of_the_swiss(phone_of: PhoneOf):
    event = event_with_cut(4, system="single_elimination")
    play_cut_round(event, [1, 2])
    final = start_round(event)
    settle(final, event, [2])
    close_round(final)
    settings_services.finish_event(fresh(event), owner_of(event))

    winner, second = (phone_of(seed(event, number)) for number in (2, 1))
    pages = [text_of(phone.get(path(event, "standings/"))) for phone in (winner, second)]

    assert "You won the event" in pages[0]
    assert "You finished 2nd" in pages[1]
    for page, place in zip(pages, ("2nd", "1st"), strict=True):
        assert f"You were {place} after round 1, before the cut" in page
        assert f"You are {place}" not in page


def test_list_of_rounds_says_who_won_a_tied_match_of_the_cut(phone_of: PhoneOf):
    event = event_with_cut(2, system="single_elimination")
    (pairing,) = tables_of(start_round(event))
    enter_result(pairing, LEVEL)
    before = text_of(phone_of(seed(event, 1)).get(path(event, "me/")))
    cuts.set_advancing_player(pairing, seed(event, 2), owner_of(event))

    loser, winner = (
        text_of(phone_of(seed(event, number)).get(path(event, "me/"))) for number in (1, 2)
    )

    assert "You won" not in before
    assert "You lost" in loser
    assert "You won" in winner


def test_next_match_is_named_between_rounds(phone_of: PhoneOf):
    event = event_with_cut(4)
    play_cut_round(event, [1, 2])

    upper = text_of(phone_of(seed(event, 1)).get(path(event, "me/")))
    lower = text_of(phone_of(seed(event, 4)).get(path(event, "me/")))

    assert f"Next: Upper bracket final against {seed(event, 2).player.name}" in upper
    assert f"Next: Lower bracket semifinal against {seed(event, 3).player.name}" in lower


def test_winner_of_the_upper_bracket_waits_for_the_final(phone_of: PhoneOf):
    event = event_with_cut(4)
    play_cut_round(event, [1, 2])
    play_cut_round(event, [1, 3])
    start_round(event)

    page = text_of(phone_of(seed(event, 1)).get(path(event, "me/")))

    assert day(event, 1)["state"] == "no_match"
    assert "Next: Final" in page


def test_bracket_reset_has_its_name(phone_of: PhoneOf):
    event = event_with_cut(2)
    play_cut_round(event, [1])
    play_cut_round(event, [2])
    start_round(event)

    assert "Bracket reset, seed 1" in text_of(phone_of(seed(event, 1)).get(path(event, "me/")))
