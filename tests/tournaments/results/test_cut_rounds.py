"""Rounds of a cut, played to the end."""

import pytest

from core.errors import Refusal
from tests.factories.cuts import (
    LEVEL,
    event_with_cut,
    make_cut,
    placings,
    play_cut_round,
    seed,
    seeds_by_table,
    stage_of,
    win_of,
)
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    games_for,
    get_round,
    make_event,
    owner_of,
    start_round,
    sweep,
    table,
    tables_of,
)
from tournaments.models import Round, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import cuts, services
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services


def make_scene() -> Tournament:
    """Return an event of eight after one round, with a cut of the best four."""
    return event_with_cut(4)


def in_cut(event: Tournament) -> list[str]:
    return [str(entry.registration.player) for entry in stage_of(event).entries.accepted()]


def corp_of_table(round_: Round, number: int) -> str:
    return str(table(round_, number).match.seats.get(position=1).player)


def test_double_elimination_is_played_to_the_end_with_a_bracket_reset(event: Tournament):
    ada, bo, cy, di = in_cut(event)

    first = play_cut_round(event, winners=[1, 2])
    second = play_cut_round(event, winners=[1, 3])
    third = play_cut_round(event, winners=[2])
    assert placings(event) == [None, None, cy, di]
    final = play_cut_round(event, winners=[2])
    assert placings(event) == [None, None, cy, di]
    reset = play_cut_round(event, winners=[2])

    assert [seeds_by_table(round_) for round_ in (first, second, third, final, reset)] == [
        {1: {1, 4}, 2: {2, 3}},
        {3: {1, 2}, 4: {3, 4}},
        {5: {2, 3}},
        {6: {1, 2}},
        {7: {1, 2}},
    ]
    assert corp_of_table(final, 1) != corp_of_table(reset, 1)
    assert placings(event) == [bo, ada, cy, di]
    with pytest.raises(rounds_cut.NoGameToPlay, match="decided"):
        draft_changes.request_pairing(event, 7, owner_of(event))


def test_single_elimination_is_reseeded_each_round():
    event = event_with_cut(8, players=10, system="single_elimination")
    order = in_cut(event)

    play_cut_round(event, winners=[8, 2, 3, 5])
    semifinals = play_cut_round(event, winners=[8, 3])
    final = play_cut_round(event, winners=[3])

    assert seeds_by_table(semifinals) == {5: {2, 8}, 6: {3, 5}}
    assert seeds_by_table(final) == {7: {3, 8}}
    expected = [3, 8, 2, 5, 1, 4, 6, 7]
    assert placings(event) == [order[number - 1] for number in expected]


def test_fixed_bracket_keeps_its_halves():
    event = event_with_cut(8, players=8, system="single_elimination", fixed_bracket=True)

    play_cut_round(event, winners=[8, 2, 3, 5])

    assert seeds_by_table(draft_round(event)) == {5: {8, 5}, 6: {2, 3}}


def test_rounds_of_the_cut_do_not_change_the_standings(event: Tournament):
    before = event.snapshots.newest()

    play_cut_round(event, winners=[1, 2])

    assert event.snapshots.newest() == before
    assert event.snapshots.count() == 1


def test_cut_has_its_own_scoring_rule():
    event = make_event(players=4, game="anr", scoring_rule="anr_double")
    make_cut(event, 4, scoring_rule="anr_single")

    for rule in ("anr_single", "anr_double"):
        settings_services.change_settings(event, owner_of(event), scoring_rule=rule)

    tables = tables_of(draft_round(event))
    assert {pairing.match.scoring_rule for pairing in tables} == {"anr_single"}


def tied_round(event: Tournament) -> Round:
    """Return the first round of a cut of four with a tied match at table 1."""
    round_ = start_round(event)
    enter_result(table(round_, 1), LEVEL)
    enter_result(table(round_, 2), sweep(1))
    return round_


def test_tied_match_keeps_the_round_open_until_staff_choose(event: Tournament):
    round_ = tied_round(event)

    with pytest.raises(rounds_services.ResultsMissing, match="Choose who advances at table 1"):
        rounds_services.close_round(round_, owner_of(event))

    cuts.set_advancing_player(table(round_, 1), seed(event, 4), owner_of(event))
    close_round(round_)
    assert 4 in seeds_by_table(draft_round(event))[3]


def test_only_players_of_a_tied_match_can_be_chosen(event: Tournament):
    round_ = tied_round(event)

    with pytest.raises(cuts.NothingToSay, match="The result decides who advances"):
        cuts.set_advancing_player(table(round_, 2), seed(event, 2), owner_of(event))
    with pytest.raises(cuts.NothingToSay, match="does not sit at table 1"):
        cuts.set_advancing_player(table(round_, 1), seed(event, 2), owner_of(event))


def test_changed_result_overrides_the_decision_of_the_staff(event: Tournament):
    round_ = tied_round(event)
    cuts.set_advancing_player(table(round_, 1), seed(event, 4), owner_of(event))

    enter_result(table(round_, 1), win_of(table(round_, 1), {seed(event, 1).player_id}))
    close_round(round_)

    assert 1 in seeds_by_table(draft_round(event))[3]


def test_closed_round_that_becomes_tied_blocks_the_next_draft(event: Tournament):
    round_ = play_cut_round(event, winners=[1, 2])
    enter_result(table(round_, 1), LEVEL)

    with pytest.raises(rounds_cut.NoGameToPlay, match="round 2, table 1: the match is tied"):
        draft_changes.request_pairing(event, 3, owner_of(event))


def test_result_of_a_published_game_cannot_change_its_players(event: Tournament):
    first = play_cut_round(event, winners=[1, 2])
    start_round(event)

    with pytest.raises(services.NotPlayable, match="later game of the bracket is published"):
        enter_result(table(first, 1), win_of(table(first, 1), {seed(event, 4).player_id}))

    enter_result(table(first, 1), win_of(table(first, 1), {seed(event, 1).player_id}))


def test_draft_is_outdated_when_a_result_changed(event: Tournament):
    first = play_cut_round(event, winners=[1, 2])
    draft = draft_round(event)
    enter_result(table(first, 1), win_of(table(first, 1), {seed(event, 4).player_id}))

    with pytest.raises(rounds_services.DraftIsOld, match="bracket has changed"):
        rounds_services.publish_round(draft, owner_of(event))


def test_dropped_player_of_the_cut_is_still_drafted(event: Tournament):
    registration_services.drop_player(seed(event, 4), owner_of(event))

    round_ = start_round(event)

    assert seeds_by_table(round_) == {1: {1, 4}, 2: {2, 3}}
    assert table(round_, 1).reasons[-1]["kind"] == "left"


def test_players_of_a_cut_cannot_be_swapped(event: Tournament):
    draft = draft_round(event)

    with pytest.raises(rounds_services.NotADraft, match="The bracket decides the pairings"):
        draft_changes.swap_seats(draft, seed(event, 1), seed(event, 2), owner_of(event))
    with pytest.raises(rounds_services.NotADraft, match="The bracket decides the pairings"):
        draft_changes.pair_the_rest(draft, owner_of(event))


def test_pods_can_play_a_single_elimination():
    event = make_event(players=5, game="free_radicals", scoring_rule="free_radicals")
    make_cut(event, 3, system="single_elimination")

    assert seeds_by_table(draft_round(event)) == {1: {2, 3}}


def test_side_chosen_by_the_higher_seed_is_stored_with_its_reason(event: Tournament, round_: Round):
    pairing = table(round_, 1)
    assert pairing.has_open_choice

    cuts.choose_corp(pairing, seed(event, 4), owner_of(event))

    pairing = table(round_, 1)
    assert not pairing.has_open_choice
    assert corp_of_table(round_, 1) == str(seed(event, 4).player)
    assert pairing.reasons[-1]["code"] == "chose_runner"


def test_choice_can_change_until_a_result_is_reported(event: Tournament, round_: Round):
    cuts.choose_corp(table(round_, 1), seed(event, 4), owner_of(event))
    cuts.choose_corp(table(round_, 1), seed(event, 1), owner_of(event))
    enter_result(table(round_, 1), games_for(table(round_, 1)))

    with pytest.raises(Refusal, match="seats cannot change"):
        cuts.choose_corp(table(round_, 1), seed(event, 4), owner_of(event))

    assert corp_of_table(round_, 1) == str(seed(event, 1).player)


def test_unseen_choice_is_not_overwritten(event: Tournament, round_: Round):
    top_seed, last_seed = seed(event, 1), seed(event, 4)
    seen = rounds_cut.get_chosen_corp(table(round_, 1))
    cuts.choose_corp(table(round_, 1), last_seed, owner_of(event), seen=seen)

    with pytest.raises(cuts.NothingToSay, match="The sides have been chosen"):
        cuts.choose_corp(table(round_, 1), top_seed, owner_of(event), seen=seen)
    # Repeating the same choice is no error.
    cuts.choose_corp(table(round_, 1), last_seed, owner_of(event), seen=seen)

    assert corp_of_table(round_, 1) == str(last_seed.player)


def test_side_of_a_later_game_cannot_be_chosen(event: Tournament):
    play_cut_round(event, winners=[1, 2])
    round_ = start_round(event)

    with pytest.raises(cuts.NothingToSay, match="not chosen by a player"):
        cuts.choose_corp(table(round_, 1), seed(event, 1), owner_of(event))


def test_event_with_an_undecided_cut_cannot_be_finished(event: Tournament):
    with pytest.raises(settings_services.NotOver, match="cut is not decided"):
        settings_services.finish_event(event, owner_of(event))


def test_round_of_a_cut_cannot_be_forced(event: Tournament):
    start_round(event)

    with pytest.raises(rounds_services.ResultsMissing, match="requires every result"):
        draft_changes.request_pairing(event, 3, owner_of(event), force_reason="It is late.")


def test_cut_can_be_undone_after_its_round_is_unpublished(event: Tournament, round_: Round):
    rounds_services.unpublish_round(get_round(event, round_.number), owner_of(event), "Wrong seeds")

    cuts.undo_cut(stage_of(event), owner_of(event))

    assert event.rounds.count() == 1
