"""Deck checks: random draws, picked tables and outcomes."""

from collections.abc import Callable

import pytest

from decks.models import DeckSlot, Side
from engine.table_plan import draw_tables
from tests.factories.decks import legal_corp_list, legal_runner_list
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_staff,
    finish_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    tables_of,
)
from tournaments.decklists import deck_checks
from tournaments.decklists import queries as deck_queries
from tournaments.decklists.pages import tick_list
from tournaments.event.permissions import Actor
from tournaments.models import DeckCheck, LogEntry, Round, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services


def submit_all(event: Tournament, *sides: Side) -> None:
    for registration in event.registrations.select_related("player"):
        player = Actor(player=registration.player)
        for side in sides or Side:
            text = legal_corp_list() if side == Side.CORP else legal_runner_list()
            submit_deck(registration, side, text, player)


def make_scene() -> Tournament:
    """Return an event of six players with both decks."""
    load_cards()
    event = make_event(players=6)
    submit_all(event)
    return event


def tables_drawn(event: Tournament) -> list[int]:
    return sorted(set(deck_queries.deck_checks(event).values_list("table_number", flat=True)))


def test_both_decks_of_both_players_are_checked_in_a_match_of_two_games(
    event: Tournament, round_: Round
):
    drawn = deck_checks.draw_tables(round_, owner_of(event), 1)

    seats = tables_of(round_)[tables_drawn(event)[0] - 1].match.seats.all()
    checks = drawn.checks.all()
    assert {check.submission.registration.player for check in checks} == {
        seat.player for seat in seats
    }
    assert sorted(check.submission.side for check in checks) == ["corp", "corp", "runner", "runner"]


def test_only_the_played_deck_is_checked_in_a_match_of_one_game(round_: Round):
    pairing = tables_of(round_)[0]
    pairing.match.games.filter(number=2).delete()
    pairing = tables_of(round_)[0]

    checked = deck_queries.decks_played_at(pairing)

    roles = {game.seat.player_id: game.role for game in pairing.match.games.get().seats.all()}
    assert {(deck.registration.player_id, deck.side) for deck in checked} == set(roles.items())


def test_stored_seed_draws_the_same_tables_again(event: Tournament, round_: Round):
    before = deck_queries.checkable_tables(round_)

    drawn = deck_checks.draw_tables(round_, owner_of(event), 2)

    assert drawn.seed is not None
    assert list(draw_tables(before, 2, drawn.seed)) == tables_drawn(event)


def test_table_is_drawn_once_per_round_until_no_table_is_left(event: Tournament, round_: Round):
    for _ in range(3):
        deck_checks.draw_tables(round_, owner_of(event), 1)

    assert tables_drawn(event) == [1, 2, 3]
    with pytest.raises(
        deck_checks.NothingToCheck, match="There is no table left to check in round 1"
    ):
        deck_checks.draw_tables(round_, owner_of(event), 1)
    assert event.deck_check_draws.count() == 3


def test_players_never_checked_come_first_in_the_next_round(event: Tournament):
    first = start_round(event)
    deck_checks.draw_tables(first, owner_of(event), 1)
    checked = {check.submission.registration.player_id for check in DeckCheck.objects.all()}
    finish_round(first)
    second = start_round(event)

    drawn = deck_checks.draw_tables(second, owner_of(event), 1)

    seated = {check.submission.registration.player_id for check in drawn.checks.all()}
    tables = [
        {seat.player_id for seat in pairing.match.seats.all()} for pairing in tables_of(second)
    ]
    assert len(seated & checked) == min(len(players & checked) for players in tables)


def test_picked_table_has_no_seed_and_its_own_log_action(event: Tournament, round_: Round):
    picked = deck_checks.pick_table(round_, owner_of(event), 2)

    assert (picked.seed, tables_drawn(event)) == (None, [2])
    entry = LogEntry.objects.get(action="deck check picked")
    assert (entry.subject, entry.after) == ("round 1", {"tables": [2]})


@pytest.mark.parametrize("number", [2, 9])
def test_checked_or_unknown_table_cannot_be_picked(event: Tournament, round_: Round, number: int):
    deck_checks.pick_table(round_, owner_of(event), 2)

    with pytest.raises(deck_checks.NothingToCheck, match=f"Table {number} cannot be checked"):
        deck_checks.pick_table(round_, owner_of(event), number)


def test_table_without_decks_is_never_drawn():
    load_cards()
    event = make_event(players=4)
    round_ = start_round(event)
    seat = tables_of(round_)[1].match.seats.all()[0]
    registration = event.registrations.get(player=seat.player)
    submit_deck(registration, Side.CORP, legal_corp_list(), Actor(player=seat.player))

    deck_checks.draw_tables(round_, owner_of(event), 5)

    assert tables_drawn(event) == [2]


def test_corrected_outcome_names_the_judge_and_keeps_the_public_version(
    event: Tournament, round_: Round
):
    judge, version = Actor(user=add_staff(event, "judge")), fresh(event).version
    deck_checks.draw_tables(round_, owner_of(event), 1)
    check = deck_queries.deck_checks(event)[0]

    deck_checks.record_outcome(check, judge, "wrong", "One card too many")
    deck_checks.record_outcome(check, judge, "mended", "It was a sleeve")

    check.refresh_from_db()
    assert (check.outcome, check.note, check.checked_by) == (
        "mended",
        "It was a sleeve",
        judge.user,
    )
    entries = LogEntry.objects.filter(action="deck checked").order_by("pk")
    assert [(entry.before, entry.after["outcome"]) for entry in entries] == [
        ({}, "wrong"),
        ({"outcome": "wrong"}, "mended"),
    ]
    assert fresh(event).version == version


@pytest.mark.parametrize("outcome", ["", "whatever"])
def test_check_without_an_outcome_is_refused(event: Tournament, round_: Round, outcome: str):
    deck_checks.draw_tables(round_, owner_of(event), 1)
    check = deck_queries.deck_checks(event)[0]

    with pytest.raises(deck_checks.OutcomeMissing):
        deck_checks.record_outcome(check, owner_of(event), outcome)
    check.refresh_from_db()
    assert check.checked_at is None


def test_check_keeps_the_deck_version_that_was_drawn(event: Tournament, round_: Round):
    deck_checks.draw_tables(round_, owner_of(event), 3)
    check = deck_queries.deck_checks(event).filter(submission__side="corp")[0]
    registration = check.submission.registration

    submit_deck(registration, Side.CORP, legal_corp_list(2), Actor(player=registration.player))

    check.refresh_from_db()
    assert check.version != check.submission.version


@pytest.mark.parametrize("check", [deck_checks.draw_tables, deck_checks.pick_table])
def test_tables_of_an_unpublished_round_are_not_drawn(
    event: Tournament, round_: Round, check: Callable[[Round, Actor, int], object]
):
    seen = get_round(event, 1)
    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "Wrong clock.")

    with pytest.raises(deck_checks.NothingToCheck, match="is no longer being played"):
        check(seen, owner_of(event), 1)
    assert not event.deck_check_draws.exists()


def test_player_drawn_in_an_unpublished_round_stays_on_the_roster(event: Tournament, round_: Round):
    deck_checks.draw_tables(round_, owner_of(event), 3)
    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "Wrong clock.")
    draft_changes.discard_draft(get_round(event, 1), owner_of(event))

    with pytest.raises(registration_services.AlreadyPlayed, match="was drawn for a check"):
        roster_changes.remove_player(player_number(event, 1), owner_of(event))
    assert event.registrations.filter(number=1).exists()


def test_boxes_of_a_list_without_positions_are_numbered(event: Tournament, round_: Round):
    deck_checks.draw_tables(round_, owner_of(event), 1)
    DeckSlot.objects.update(position=0)

    ticks = tick_list(deck_queries.deck_checks(event)[0])

    (lines,) = (group.lines for group in ticks.in_list_order)
    places = [line.place for line in lines]
    assert places == list(range(1, len(lines) + 1))
    assert sorted(line.place for group in ticks.by_type for line in group.lines) == places


def test_query_count_of_checkable_tables(
    event: Tournament, round_: Round, django_assert_num_queries
):
    round_ = get_round(event, 1)

    with django_assert_num_queries(5):
        assert len(deck_queries.checkable_tables(round_)) == 3
