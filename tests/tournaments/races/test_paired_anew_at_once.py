"""Tables paired anew while their players report: real threads, on both databases."""

from collections.abc import Callable
from functools import partial

import pytest

from core.errors import Refusal
from matches.models import Match, MatchState, ResultReport, Seat
from tests.factories.tournaments import games_for, get_round, make_event, owner_of, start_round
from tests.tournaments.races.hands import at_once
from tests.tournaments.races.in_order import EVENT_LOCK, in_order
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Round
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(30)]

Act = Callable[[], object]
DRAFTING = "tournaments.rounds.drafting.round_seed"
"""Called by the job, which has locked the event then."""


@pytest.fixture
def round_() -> Round:
    return start_round(make_event(players=6))


def anew(round_: Round) -> Act:
    owner = owner_of(round_.stage.tournament)
    return partial(draft_changes.pair_the_rest, round_, owner, reason="Somebody came late.")


def reports(round_: Round) -> list[Act]:
    """One of each table, as its player has it before them."""
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
    """The matches of the round that have a report, after everybody has a seat once."""
    now = tables(get_round(round_.stage.tournament, round_.number))
    seated = Seat.objects.filter(match__in=[one.match for one in now])
    assert seated.count() == seated.values("player").distinct().count() == 6
    matches = set(ResultReport.objects.values_list("match", flat=True))
    assert matches <= {one.match_id for one in now}
    return matches


def test_a_report_that_comes_first_keeps_its_table(round_: Round):
    made = tables(round_)[0].match_id
    acts: list[Act] = [reports(round_)[0], anew(round_)]

    reported, _ = in_order(acts, [EVENT_LOCK, DRAFTING])

    assert isinstance(reported, Match)
    assert reported_matches(round_) == {made}


def test_a_result_that_waited_for_the_new_tables_is_refused(round_: Round):
    pairing, owner = tables(round_)[0], owner_of(round_.stage.tournament)
    decide: Act = partial(
        results_services.decide_result, pairing, games_for(pairing), owner, seen_version=1
    )

    _, decided = in_order([anew(round_), decide], [DRAFTING, EVENT_LOCK])

    assert isinstance(decided, results_services.NotPlayable)
    assert all(one.match.state == MatchState.OPEN for one in tables(round_))


def test_of_many_reports_none_is_lost(round_: Round):
    *answers, last = at_once([*reports(round_), anew(round_)])

    assert not isinstance(last, Refusal) or isinstance(last, draft_changes.NothingToPair)
    assert reported_matches(round_) == {one.pk for one in answers if isinstance(one, Match)}
    assert all(isinstance(one, Match | results_services.NotPlayable) for one in answers)
