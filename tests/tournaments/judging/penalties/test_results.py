"""Effects of penalties on results, rounds and registrations."""

import pytest

from matches import records as matches_records
from matches.models import Match, MatchState
from matches.scoring.results import GameEnd, MatchResult
from rulings.guide import PenaltyKind
from tests.factories.cuts import event_with_cut
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    finish_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
    work_off,
)
from tests.tournaments.judging.penalties.tables import (
    match_of,
    points,
    position,
    report_as_both,
    table_with,
)
from tournaments import tasks
from tournaments.event.permissions import Actor
from tournaments.judging import penalties
from tournaments.models import (
    DroppedBy,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.registration import services as registration_services
from tournaments.results.pages import get_latest_result
from tournaments.results.queries import get_impact
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo

GAME_LOSS, MATCH_LOSS = PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS
DISQUALIFICATION = PenaltyKind.DISQUALIFICATION


def test_game_loss_before_the_reports_applies_to_the_reports(round_, ada):
    penalty = penalise(ada, GAME_LOSS, game=1)
    assert match_of(round_, ada).state == MatchState.OPEN

    reported = sweep(position(round_, ada))
    report_as_both(round_, ada, reported)

    match = match_of(round_, ada)
    assert match.state == MatchState.CONFIRMED
    assert points(round_, ada) == (10, 10)
    assert matches_records.settled_result(match).games[0].end is GameEnd.JUDGE

    take_back(penalty)
    assert points(round_, ada) == (20, 0)
    assert matches_records.settled_result(match_of(round_, ada)) == reported


def test_two_penalties_at_a_table_are_withdrawn_separately(round_, ada):
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    first, second = penalise(ada, GAME_LOSS, game=1), penalise(ada, GAME_LOSS, game=1)

    take_back(first)
    assert points(round_, ada) == (10, 10)
    take_back(second)
    assert points(round_, ada) == (20, 0)


def test_both_players_can_lose_the_same_game(event, round_, ada):
    seats = table_with(round_, ada).match.seats.all()
    for seat in seats:
        penalise(event.registrations.get(player=seat.player_id), GAME_LOSS, game=1)
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))

    assert points(round_, ada) == (10, 0)


def test_saving_the_form_unchanged_stores_no_penalty(round_, ada):
    reported = sweep(position(round_, ada))
    enter_result(table_with(round_, ada), reported)
    penalty = penalise(ada, GAME_LOSS, game=2)

    shown = get_latest_result(match_of(round_, ada))
    assert shown == reported
    enter_result(table_with(round_, ada), shown)

    assert points(round_, ada) == (10, 10)
    take_back(penalty)
    assert points(round_, ada) == (20, 0)


def test_game_loss_is_refused_for_typed_totals():
    event = make_event(players=2, game="anr", scoring_rule="anr_double")
    round_, ada = start_round(event), player_number(event, 1)
    enter_result(table_with(round_, ada), MatchResult(totals=(6, 0)))

    with pytest.raises(penalties.CannotApply, match="Only the totals"):
        penalise(ada, GAME_LOSS, game=1)

    assert not Penalty.objects.exists()
    penalise(ada, MATCH_LOSS)
    assert points(round_, ada) == (0, 6)


def test_game_loss_without_a_table_applies_to_game_1_of_the_next_round(event, ada):
    penalty = penalise(ada, GAME_LOSS)
    assert penalty.is_waiting
    penalise(ada, PenaltyKind.WARNING)
    take_back(penalise(ada, GAME_LOSS))
    assert [waiting for waiting in event.penalties.all() if waiting.is_waiting] == [penalty]

    draft = draft_round(event)
    job = draft_changes.pair_the_rest(draft, owner_of(event))
    tasks.pair_round(job.pk)
    assert Penalty.objects.get(pk=penalty.pk).is_waiting, "a draft can still be re-paired"
    rounds_services.publish_round(get_round(event, 1), owner_of(event))

    penalty.refresh_from_db()
    assert (penalty.pairing, penalty.round_number, penalty.game) == (table_with(draft, ada), 1, 1)
    enter_result(table_with(draft, ada), sweep(position(draft, ada)))
    assert points(draft, ada) == (10, 10)


def test_waiting_penalties_apply_to_one_game_each(event, ada):
    waiting_penalties = [penalise(ada, GAME_LOSS) for _ in range(3)]

    first = start_round(event)
    assert points(first, ada) == (0, 20)
    finish_round(first)
    second = start_round(event)

    places = Penalty.objects.filter(pk__in=[waiting.pk for waiting in waiting_penalties]).order_by(
        "pk"
    )
    assert [(placed.round_number, placed.game) for placed in places] == [(1, 1), (1, 2), (2, 1)]
    assert match_of(second, ada).state == MatchState.OPEN


def test_waiting_penalty_skips_a_bye():
    event = make_event(players=3)
    round_ = start_round(event)
    sits_out = round_.pairings.get(match=None).bye
    assert sits_out is not None
    penalty = penalise(sits_out, MATCH_LOSS)
    assert penalty.is_waiting
    finish_round(round_)

    second = start_round(event)

    penalty.refresh_from_db()
    assert penalty.pairing == table_with(second, sits_out)
    assert points(second, sits_out) == (0, 20)


def test_penalty_waits_again_when_its_round_is_unpublished(event, round_, ada):
    game, match = penalise(ada, GAME_LOSS, game=2), penalise(player_number(event, 2), MATCH_LOSS)

    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "The wrong list.")

    for penalty in (game, match):
        penalty.refresh_from_db()
        assert penalty.is_waiting
        assert penalty.game is None
    assert not Match.objects.exclude(losses=[], state=MatchState.OPEN).exists()
    rounds_services.publish_round(get_round(event, 1), owner_of(event))
    game.refresh_from_db()
    assert (game.pairing, game.game) == (table_with(round_, ada), 1)


def test_round_with_reports_and_penalties_cannot_be_unpublished(event, round_, ada):
    penalty = penalise(ada, GAME_LOSS, game=2)
    enter_result(table_with(round_, ada), sweep(1))

    with pytest.raises(rounds_services.ResultsAreIn):
        rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "The wrong list.")

    penalty.refresh_from_db()
    assert penalty.pairing == table_with(round_, ada)
    assert match_of(round_, ada).losses


def test_penalty_moves_to_the_re_paired_table(event, round_, ada):
    penalty = penalise(ada, GAME_LOSS, game=2)
    old = penalty.pairing

    job = draft_changes.pair_the_rest(get_round(event, 1), owner_of(event), reason="Somebody came.")
    tasks.pair_round(job.pk)

    penalty.refresh_from_db()
    assert penalty.pairing == table_with(round_, ada)
    assert penalty.pairing != old
    assert (penalty.game, match_of(round_, ada).losses != []) == (1, True)


def test_penalty_in_a_closed_round_recomputes_the_standings(event, ada):
    round_ = play_round(event)
    version, before = fresh(event).version, standings_of(event)

    penalty = penalise(ada, MATCH_LOSS, pairing=table_with(round_, ada))
    assert points(round_, ada) == (0, 20)
    assert fresh(event).version > version
    work_off(event)
    assert standings_of(event)[ada.pk] == 0

    take_back(penalty)
    work_off(event)
    assert standings_of(event) == before


def standings_of(event: Tournament) -> dict[int, object]:
    snapshot = fresh(event).snapshots.newest()
    assert snapshot is not None
    rows = snapshot.rows.ranked()
    return {row.registration_id: row.match_points for row in rows}


def test_impact_includes_the_penalty(event, ada):
    round_ = play_round(event)
    penalise(ada, MATCH_LOSS, pairing=table_with(round_, ada))
    pairing = Pairing.objects.get(pk=table_with(round_, ada).pk)

    seen = get_impact(pairing, sweep(position(round_, ada)))

    assert ada.player.name not in [moved.name for moved in seen.moved]


def test_public_version_changes_only_with_a_result(event, round_, ada):
    version = fresh(event).version

    waiting = penalise(ada, GAME_LOSS, game=1)
    warning = penalise(ada, PenaltyKind.WARNING)
    take_back(warning)
    assert fresh(event).version == version

    take_back(waiting)
    enter_result(table_with(round_, ada), sweep(1))
    version = fresh(event).version
    penalise(ada, GAME_LOSS, game=1)
    assert fresh(event).version > version


def test_penalty_is_refused_after_the_next_bracket_game():
    event = event_with_cut(4)
    first = play_round(event, play=lambda _: sweep(1))
    start_round(event)
    pairing = tables_of(first)[0]
    winner = event.registrations.get(player=pairing.match.seats.get(position=1).player_id)

    with pytest.raises(penalties.CannotApply, match="A later game of the bracket"):
        penalise(winner, MATCH_LOSS, pairing=pairing)

    assert points(first, winner)[0] == 20


def test_closed_round_keeps_a_result_at_every_table(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    penalty = penalise(ada, MATCH_LOSS)
    finish_round(round_)

    with pytest.raises(penalties.CannotApply, match="Enter what was played at this table first"):
        take_back(penalty)
    assert points(round_, ada) == (0, 20)

    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    take_back(penalty)
    assert points(round_, ada) == (20, 0)


def test_disqualified_winner_loses_the_next_bracket_game():
    event = event_with_cut(4)
    first = play_round(event, play=lambda _: sweep(1))
    pairing = tables_of(first)[0]
    winner = event.registrations.get(player=pairing.match.seats.get(position=1).player_id)
    penalty = penalise(winner, DISQUALIFICATION)
    assert penalty.pairing is None

    second = start_round(event)

    assert match_of(second, winner).is_settled
    assert points(second, winner)[0] == 0
    rounds_services.unpublish_round(
        get_round(event, second.number), owner_of(event), "The wrong room."
    )
    rounds_services.publish_round(get_round(event, second.number), owner_of(event))
    assert match_of(second, winner).is_settled
    assert points(first, winner)[0] == 20


def state(place: Registration) -> str:
    return Registration.objects.get(pk=place.pk).state


@pytest.mark.parametrize("kind", [MATCH_LOSS, DISQUALIFICATION])
def test_match_loss_is_applied_and_withdrawn(round_, ada, kind: PenaltyKind):
    penalty = penalise(ada, kind)
    assert points(round_, ada) == (0, 20)
    is_out = state(ada) == RegistrationState.DROPPED
    assert is_out == (kind is DISQUALIFICATION)

    take_back(penalty)
    assert match_of(round_, ada).state == MatchState.OPEN
    assert points(round_, ada) == (None, None)
    assert state(ada) == RegistrationState.CHECKED_IN


def test_disqualification_loses_a_finished_match_only_if_named(round_, ada):
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))

    penalty = penalise(ada, DISQUALIFICATION)

    assert penalty.pairing is None
    assert not penalty.is_waiting
    assert points(round_, ada) == (20, 0)

    penalise(ada, DISQUALIFICATION, pairing=table_with(round_, ada))
    assert points(round_, ada) == (0, 20)


def test_disqualified_player_cannot_return(event, ada):
    penalise(ada, DISQUALIFICATION)
    owner = owner_of(event)

    for service in (registration_services.return_player, registration_services.undo_check_in):
        with pytest.raises(registration_services.CannotReturn, match="disqualified"):
            service(ada, owner)
    dropped = event.log.filter(action="player dropped").latest("pk")
    with pytest.raises(CannotUndo, match="disqualified"):
        undo_services.undo(dropped, owner)
    registration_services.return_to_waiting_list(ada, owner)
    assert state(ada) == RegistrationState.DROPPED


def test_player_who_dropped_before_a_disqualification_stays_dropped(event, ada):
    start_round(event)
    registration_services.drop_player(ada, Actor(player=ada.player))
    penalty = penalise(ada, DISQUALIFICATION)
    place = Registration.objects.get(pk=ada.pk)
    assert not place.can_return()
    with pytest.raises(registration_services.CannotReturn):
        registration_services.return_self(place, Actor(player=ada.player))

    take_back(penalty)

    place = Registration.objects.get(pk=ada.pk)
    assert (place.state, place.dropped_by) == (RegistrationState.DROPPED, DroppedBy.PLAYER)
    assert place.can_return()


def test_withdrawing_the_last_disqualification_returns_the_player(event, ada):
    first, second = (
        penalise(ada, DISQUALIFICATION),
        penalise(ada, DISQUALIFICATION, infraction="cheating"),
    )

    take_back(first)
    assert state(ada) == RegistrationState.DROPPED
    take_back(second)
    assert state(ada) == RegistrationState.CHECKED_IN


def test_returned_player_without_check_in_is_only_registered():
    event = make_event(players=2, checked_in=False)
    ada = player_number(event, 1)

    take_back(penalise(ada, DISQUALIFICATION))

    assert state(ada) == RegistrationState.REGISTERED


def test_place_of_a_disqualified_player_goes_to_the_waiting_list():
    event = make_event(players=2, max_players=2, has_waiting_list=True, registration_is_open=True)
    zoe = registration_services.register_guest(event, "Zoe")

    penalise(player_number(event, 1), DISQUALIFICATION)

    assert state(zoe) == RegistrationState.REGISTERED


def test_public_log_shows_only_the_drop(event, ada):
    penalise(ada, DISQUALIFICATION)

    read = event.readable_log(with_draft=True, with_checks=False)
    assert [entry.action for entry in read[:1]] == ["player dropped"]
    assert not any("penalty" in entry.action for entry in read)
