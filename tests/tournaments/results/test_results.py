"""Results reported, confirmed, disputed and decided."""

import pytest

from core.errors import ReasonMissing, StaleVersion
from engine.standings.ranking import standings
from engine.standings.records import PlayedTable
from matches.models import MatchState, Seat
from matches.scoring.results import MatchResult, Role
from matches.services import AlreadySettled, ImpossibleResult
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    make_event,
    owner_of,
    play_round,
    seats_of,
    start_round,
    sweep,
    table,
    tables_of,
    won_game,
)
from tournaments import tasks
from tournaments.event import engine_input
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Tournament
from tournaments.results import services
from tournaments.rounds import draft_changes


def state_of(pairing: Pairing) -> str:
    pairing.match.refresh_from_db()
    return pairing.match.state


def actor_of(seat: Seat) -> Actor:
    return Actor(player=seat.player)


def test_confirmed_report_settles_the_table(pairing: Pairing):
    ada, bo = seats_of(pairing)

    match = services.report_result(pairing, ada, sweep(1, 3), actor_of(ada))
    services.confirm_report(pairing, bo, match.reports.get().pk, actor_of(bo))

    assert state_of(pairing) == MatchState.CONFIRMED
    # Losers keep agenda points as Runner only, which seat 2 was in game 1.
    assert [seat.points for seat in seats_of(pairing)] == [20, 3]


def test_two_different_reports_are_disputed(event: Tournament, pairing: Pairing):
    ada, bo = seats_of(pairing)

    services.report_result(pairing, ada, sweep(1, 3), actor_of(ada))
    services.report_result(pairing, bo, sweep(1, 4), actor_of(bo))

    assert state_of(pairing) == MatchState.DISPUTED
    assert pairing.round.open_tables().get(match__state="disputed") == pairing
    assert event.log.filter(action="result reported").count() == 2


def test_note_of_a_dispute_is_logged(event: Tournament, pairing: Pairing):
    ada, bo = seats_of(pairing)
    match = services.report_result(pairing, ada, sweep(1, 3), actor_of(ada))

    services.dispute_report(pairing, bo, match.reports.get().pk, actor_of(bo), "I stole four")

    assert state_of(pairing) == MatchState.DISPUTED
    assert event.log.get(action="result disputed").reason == "I stole four"


def test_decision_logs_the_old_and_the_new_result(event: Tournament, pairing: Pairing):
    enter_result(pairing, sweep(1, 3))
    enter_result(pairing, sweep(2, 0))

    entry = event.log.get(action="result changed")
    assert "Corp won (agenda points; Corp 7, Runner 3)" in entry.before["result"]
    assert "Runner won (agenda points; Corp 0, Runner 7)" in entry.after["result"]
    assert [seat.points for seat in seats_of(pairing)] == [0, 20]


def test_decision_from_an_outdated_page_is_refused_with_both_results(
    event: Tournament, pairing: Pairing
):
    seen = pairing.match.version
    enter_result(pairing, sweep(1, 3))

    with pytest.raises(StaleVersion) as stale:
        services.decide_result(pairing, sweep(2, 5), owner_of(event), seen_version=seen)

    assert "Runner 3" in stale.value.details["recorded"]
    assert "Corp 5" in stale.value.details["entered"]
    assert [seat.points for seat in seats_of(pairing)] == [20, 3]


def test_impossible_result_requires_force_and_a_note(event: Tournament, pairing: Pairing):
    result = MatchResult((won_game(1, Role.CORP, points=5), won_game(2, Role.CORP)))
    version = pairing.match.version

    with pytest.raises(ImpossibleResult, match="7 are needed"):
        services.decide_result(pairing, result, owner_of(event), seen_version=version)
    with pytest.raises(ImpossibleResult, match="Explain in the note why"):
        services.decide_result(pairing, result, owner_of(event), seen_version=version, force=True)
    services.decide_result(
        pairing, result, owner_of(event), seen_version=version, force=True, note="a house rule"
    )

    assert state_of(pairing) == MatchState.DECIDED
    assert event.log.get(action="result entered").reason == "a house rule"


def test_results_in_a_draft_are_refused(event: Tournament):
    pairing = tables_of(draft_round(event))[0]
    ada, _ = seats_of(pairing)

    with pytest.raises(services.NotPlayable, match="not published"):
        services.report_result(pairing, ada, sweep(1), actor_of(ada))
    with pytest.raises(services.NotPlayable, match="not published"):
        enter_result(pairing, sweep(1))

    assert state_of(pairing) == MatchState.OPEN


def test_only_a_changed_result_requires_a_reason(event: Tournament, pairing: Pairing):
    owner = owner_of(event)
    draft_changes.request_pairing(event, 2, owner, force_reason="The last slip is on its way.")

    match = services.decide_result(pairing, sweep(1), owner, seen_version=pairing.match.version)

    with pytest.raises(ReasonMissing):
        services.decide_result(pairing, sweep(2), owner, seen_version=match.version)


def test_players_cannot_change_a_closed_round(event: Tournament):
    round_ = play_round(event)
    pairing = table(round_, 1)
    ada, _ = seats_of(pairing)

    with pytest.raises(services.NotPlayable, match="Ask the staff"):
        services.report_result(pairing, ada, sweep(2), actor_of(ada))


def test_bye_has_no_result():
    event = make_event(players=3)
    round_ = start_round(event)
    bye = round_.pairings.with_players().get(match=None)

    with pytest.raises(services.NotPlayable, match="bye"):
        services.decide_result(bye, sweep(1), owner_of(event), seen_version=1)


def test_changed_result_recomputes_all_later_standings(event: Tournament):
    first = play_round(event)
    play_round(event)
    old = event.snapshots.newest(1)
    pairing = table(first, 1)
    loser = next(seat for seat in seats_of(pairing) if seat.position == 2)

    enter_result(pairing, sweep(2))
    job = event.jobs.get(state="queued")
    tasks.recompute_standings(job.pk)

    new = event.snapshots.newest(1)
    assert new.pk > old.pk
    assert job.payload == {"from_round": 1}
    assert new.rows.get(registration__player=loser.player).match_points == 20
    assert event.snapshots.filter(round__number=2).count() == 2


def test_earlier_decision_takes_precedence_over_a_report(event: Tournament):
    start_round(event)
    read = Pairing.objects.for_player_page(event.slug, 1, 1)
    assert read is not None
    ada, _ = seats_of(read)
    enter_result(table(read.round, 1), sweep(1, 3))

    with pytest.raises(AlreadySettled):
        services.report_result(read, ada, sweep(2), actor_of(ada))

    assert state_of(read) == MatchState.DECIDED
    assert not read.match.reports.filter(seat=ada)


def test_agenda_points_of_both_games_count_in_the_standings() -> None:
    event = make_event(2)
    play_round(event, play=lambda _: sweep(1, loser_points=3))
    rows = standings(engine_input.standings_records(event), ("agenda_point_difference",), seed=1)
    tables = [
        entry
        for record in engine_input.standings_records(event)
        for entry in record.rounds
        if entry
    ]

    assert [row.values["agenda_point_difference"] for row in rows] == [8, -8]
    assert {entry.agenda_points for entry in tables if isinstance(entry, PlayedTable)} == {
        (14, 6),
        (6, 14),
    }


def test_bye_has_no_agenda_points() -> None:
    event = make_event(3)
    play_round(event)
    rows = standings(engine_input.standings_records(event), ("agenda_point_difference",), seed=1)

    assert sum(int(row.values["agenda_point_difference"] or 0) for row in rows) == 0
