"""Results of Android: Netrunner and of pods, from the first report to the tables."""

from fractions import Fraction

import pytest

from matches import records, services
from matches.models import Faction, Game, GameSeat, Match, MatchState, ReportState, Seat
from matches.scoring.results import FACTIONS, Flag, GameEnd, GameResult, MatchResult, Role
from matches.services import locked_match
from tests.matches.builders import decide, made, now, points

pytestmark = pytest.mark.django_db

FIRST_WINS = GameResult(1, 1, Role.CORP, GameEnd.NOT_RECORDED)
SECOND_DRAWN = GameResult(2, 2, None, GameEnd.TIME)


@pytest.fixture
def double() -> Match:
    return made("anr_double", "A", "B")


@pytest.fixture
def pod() -> Match:
    return made("free_radicals", *"ABCD", factions=("farmers", "artisans", "", "couriers"))


def seat(match: Match, position: int) -> Seat:
    return match.seats.get(position=position)


def result_of(*victory_points: int, factions: tuple[str, ...] = ()) -> MatchResult:
    return MatchResult(victory_points=victory_points, factions=factions)


# --- Seats ---------------------------------------------------------------------------


def test_a_single_sided_match_is_one_game():
    match = made("anr_single", "A", "B")

    assert list(match.games.values_list("number", flat=True)) == [1]
    assert seat(match, 1).games.get().role == Role.CORP


def test_a_pod_has_factions_and_no_roles(pod: Match):
    played = GameSeat.objects.filter(game__match=pod).order_by("seat__position")

    assert list(played.values_list("role", "faction")) == [
        ("", "farmers"),
        ("", "artisans"),
        ("", ""),
        ("", "couriers"),
    ]


@pytest.mark.parametrize(
    ("rule", "players"), [("anr_double", 3), ("onr_runner_only", 1), ("free_radicals", 1)]
)
def test_a_table_of_a_wrong_size_is_not_made(rule: str, players: int):
    with pytest.raises(services.WrongSeats, match=f"not {players}"):
        made(rule, *"ABC"[:players])


def test_a_pod_may_be_seated_anew_with_fewer_players(pod: Match):
    players = [seat(pod, position).player_id for position in (3, 1)]

    services.reseat_match(pod, tuple(players), ("merchants", "farmers"))

    assert [one.player_id for one in pod.seats.order_by("position")] == players
    assert records.factions_of(now(pod)) == ("merchants", "farmers")


# --- Android: Netrunner --------------------------------------------------------------


def test_equal_reports_of_games_confirm(double: Match):
    result = MatchResult((FIRST_WINS, SECOND_DRAWN), frozenset({Flag.TIMED}))

    services.propose_result(locked_match(double), seat(double, 1), result)
    services.propose_result(locked_match(double), seat(double, 2), result)

    assert now(double).state == MatchState.CONFIRMED
    assert records.settled_result(now(double)) == result
    assert points(double) == [4, 1]


def test_a_flag_that_one_player_leaves_out_makes_a_dispute(double: Match):
    games = (FIRST_WINS, SECOND_DRAWN)

    services.propose_result(
        locked_match(double), seat(double, 1), MatchResult(games, frozenset({Flag.TIMED}))
    )
    services.propose_result(locked_match(double), seat(double, 2), MatchResult(games))

    assert now(double).state == MatchState.DISPUTED


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (MatchResult((FIRST_WINS,), frozenset({Flag.TWO_FOR_ONE})), [6, 0]),
        (MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW})), [2, 2]),
        (MatchResult(totals=(4, 1)), [4, 1]),
        (MatchResult(totals=(3, 3), flags=frozenset({Flag.INTENTIONAL_DRAW})), [3, 3]),
    ],
    ids=["two for one", "intentional draw", "totals", "flagged totals"],
)
def test_what_is_settled_reads_back_the_same(
    double: Match, result: MatchResult, expected: list[int]
):
    decide(double, result)

    assert records.settled_result(now(double)) == result
    assert points(double) == expected


def test_a_change_from_games_to_totals_forgets_the_games(double: Match):
    decide(double, MatchResult((FIRST_WINS, SECOND_DRAWN)))
    decide(double, MatchResult(totals=(0, 6)))

    assert points(double) == [0, 6]
    assert not double.games.exclude(end="", winner=None).exists()
    assert records.settled_result(now(double)).totals == (0, 6)


def test_a_change_from_totals_to_games_forgets_the_totals(double: Match):
    decide(double, MatchResult(totals=(0, 6)))
    decide(double, MatchResult((FIRST_WINS, SECOND_DRAWN)))

    assert records.settled_result(now(double)) == MatchResult((FIRST_WINS, SECOND_DRAWN))
    assert [one.typed_points for one in double.seats.all()] == [None, None]


def test_impossible_totals_are_refused_unless_forced(double: Match):
    with pytest.raises(services.ImpossibleResult, match="is not possible"):
        decide(double, MatchResult(totals=(5, 1)))

    decide(double, MatchResult(totals=(5, 1)), force=True, note="a penalty of one point")

    assert points(double) == [5, 1]


def test_incomplete_totals_are_refused_even_with_force(double: Match):
    with pytest.raises(services.ImpossibleResult, match="each of the 2 seats"):
        decide(double, MatchResult(totals=(5,)), force=True, note="so it was")


# --- Pods ----------------------------------------------------------------------------


def test_one_opponent_confirms_a_pod(pod: Match):
    report = services.propose_result(
        locked_match(pod), seat(pod, 2), result_of(9, 12, 9, 3)
    ).reports.get()

    services.confirm_report(locked_match(pod), seat(pod, 4), report.pk)

    assert now(pod).state == MatchState.CONFIRMED
    assert points(pod) == [Fraction(5, 2), 5, Fraction(5, 2), 1]


def test_an_equal_report_of_another_player_confirms_a_pod(pod: Match):
    services.propose_result(locked_match(pod), seat(pod, 2), result_of(9, 12, 9, 3))
    services.propose_result(locked_match(pod), seat(pod, 3), result_of(9, 12, 9, 3))

    assert now(pod).state == MatchState.CONFIRMED


def test_a_disputed_pod_is_left_to_the_staff(pod: Match):
    report = services.propose_result(
        locked_match(pod), seat(pod, 1), result_of(9, 12, 9, 3)
    ).reports.get()
    services.dispute_report(locked_match(pod), seat(pod, 2), report.pk, "I had 14")

    services.propose_result(locked_match(pod), seat(pod, 3), result_of(9, 12, 9, 3))
    assert now(pod).state == MatchState.DISPUTED

    decide(pod, result_of(9, 14, 9, 3))
    assert now(pod).state == MatchState.DECIDED


def test_repeated_report_does_not_lift_a_pod_dispute(pod: Match):
    report = services.propose_result(
        locked_match(pod), seat(pod, 1), result_of(9, 12, 9, 3)
    ).reports.get()
    services.dispute_report(locked_match(pod), seat(pod, 2), report.pk)

    services.propose_result(locked_match(pod), seat(pod, 1), result_of(9, 12, 9, 3))
    assert now(pod).state == MatchState.DISPUTED
    assert pod.reports.count() == 1

    services.propose_result(locked_match(pod), seat(pod, 1), result_of(9, 13, 9, 3))
    assert now(pod).state == MatchState.DISPUTED
    assert list(pod.reports.order_by("pk").values_list("state", flat=True)) == [
        *(ReportState.SUPERSEDED, ReportState.DISPUTED)
    ]


def test_players_who_differ_make_a_dispute_that_a_third_cannot_end(pod: Match):
    services.propose_result(locked_match(pod), seat(pod, 1), result_of(9, 12, 9, 3))
    services.propose_result(locked_match(pod), seat(pod, 2), result_of(9, 14, 9, 3))
    services.propose_result(locked_match(pod), seat(pod, 3), result_of(9, 14, 9, 3))

    assert now(pod).state == MatchState.DISPUTED
    assert points(pod) == [None] * 4


def test_victory_points_and_factions_are_kept(pod: Match):
    result = result_of(9, 12, 9, 3, factions=("farmers", "artisans", "paladins", "couriers"))

    decide(pod, result)

    assert records.settled_result(now(pod)) == result
    assert Game.objects.get(match=pod).seats.get(seat__position=3).points == Fraction(5, 2)


def test_factions_that_are_not_reported_stay_as_they_were_drafted(pod: Match):
    decide(pod, result_of(1, 2, 3, 4))

    assert records.settled_result(now(pod)).factions == ("farmers", "artisans", "", "couriers")


def test_two_factions_of_one_colour_are_refused(pod: Match):
    clash = result_of(1, 2, 3, 4, factions=("farmers", "executives", "", ""))

    with pytest.raises(services.ImpossibleResult, match="are both red"):
        services.propose_result(locked_match(pod), seat(pod, 1), clash)


def test_the_colours_are_those_of_the_table_that_staff_keep(pod: Match):
    Faction.objects.filter(pk="executives").update(colour="yellow")

    decide(pod, result_of(1, 2, 3, 4, factions=("farmers", "executives", "", "")))

    assert now(pod).is_settled


def test_the_table_of_factions_begins_with_the_ten_of_the_rules():
    assert dict(records.factions_by_id()) == dict(FACTIONS)


@pytest.mark.parametrize("victory_points", [(), (1, 2, 3)])
def test_every_seat_of_a_pod_has_victory_points(pod: Match, victory_points: tuple[int, ...]):
    with pytest.raises(services.ImpossibleResult):
        decide(pod, result_of(*victory_points), force=True, note="so it was")
