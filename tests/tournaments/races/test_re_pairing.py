"""Tables re-paired while their players report, in real threads."""

from collections.abc import Callable
from functools import partial

import pytest

from core.errors import Refusal
from matches.models import Match, MatchState, ResultReport, Seat
from tests.factories.tournaments import games_for, get_round, make_event, owner_of, start_round
from tests.tournaments.races.lock_order import EVENT_LOCK, run_in_order
from tests.tournaments.races.threads import run_at_once
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Round
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(30)]

Function = Callable[[], object]
DRAFTING = "tournaments.rounds.drafting.round_seed"
"""The job calls this function once it has locked the event."""


@pytest.fixture
def round_() -> Round:
    return start_round(make_event(players=6))


def re_pair(round_: Round) -> Function:
    owner = owner_of(round_.stage.tournament)
    return partial(draft_changes.pair_the_rest, round_, owner, reason="Somebody came late.")


def reports(round_: Round) -> list[Function]:
    """Return one report per table, by its first player."""
    seats = {pairing: pairing.match.seats.select_related("player")[0] for pairing in tables(round_)}
    return [
        partial(
            results_services.report_result,
            pairing,
            seat,
            games_for(pairing),
            Actor(player=seat.player),
        )
        for pairing, seat in seats.items()
    ]


def tables(round_: Round) -> list[Pairing]:
    pairings = round_.pairings.select_related("match", "round__stage__tournament")
    return list(pairings.order_by("table_number"))


def reported_matches(round_: Round) -> set[int]:
    """Return the ids of matches with a report, and check that each player has one seat."""
    current_tables = tables(get_round(round_.stage.tournament, round_.number))
    seated = Seat.objects.filter(match__in=[pairing.match for pairing in current_tables])
    assert seated.count() == seated.values("player").distinct().count() == 6
    matches = set(ResultReport.objects.values_list("match", flat=True))
    assert matches <= {pairing.match_id for pairing in current_tables}
    return matches


def test_earlier_report_keeps_its_table(round_: Round):
    match_id = tables(round_)[0].match_id
    functions: list[Function] = [reports(round_)[0], re_pair(round_)]

    reported, _ = run_in_order(functions, [EVENT_LOCK, DRAFTING])

    assert isinstance(reported, Match)
    assert reported_matches(round_) == {match_id}


def test_result_that_waited_for_re_pairing_is_refused(round_: Round):
    pairing, owner = tables(round_)[0], owner_of(round_.stage.tournament)
    decide: Function = partial(
        results_services.decide_result, pairing, games_for(pairing), owner, seen_version=1
    )

    _, decided = run_in_order([re_pair(round_), decide], [DRAFTING, EVENT_LOCK])

    assert isinstance(decided, results_services.NotPlayable)
    assert all(current_table.match.state == MatchState.OPEN for current_table in tables(round_))


def test_no_report_is_lost_in_a_simultaneous_re_pairing(round_: Round):
    *answers, last = run_at_once([*reports(round_), re_pair(round_)])

    assert not isinstance(last, Refusal) or isinstance(last, draft_changes.NothingToPair)
    assert reported_matches(round_) == {
        answer.pk for answer in answers if isinstance(answer, Match)
    }
    assert all(isinstance(answer, Match | results_services.NotPlayable) for answer in answers)
