"""Results of Android: Netrunner and of pods."""

from fractions import Fraction

import pytest

from matches import records, services
from matches.models import Faction, Game, GameSeat, Match, MatchState, ReportState
from matches.scoring.results import FACTIONS, Flag, GameEnd, GameResult, MatchResult, Role
from tests.matches.builders import (
    confirm,
    decide,
    dispute,
    new_match,
    points,
    reloaded,
    report,
)

pytestmark = pytest.mark.django_db

GAMES = (
    GameResult(1, 1, Role.CORP, GameEnd.NOT_RECORDED),
    GameResult(2, 2, None, GameEnd.TIME),
)
TOTALS = MatchResult(totals=(0, 6))


@pytest.fixture
def double() -> Match:
    return new_match("anr_double", "A", "B")


@pytest.fixture
def pod() -> Match:
    return new_match("free_radicals", *"ABCD", factions=("farmers", "artisans", "", "couriers"))


def pod_result(*victory_points: int, factions: tuple[str, ...] = ()) -> MatchResult:
    return MatchResult(victory_points=victory_points, factions=factions)


RESULT = pod_result(9, 12, 9, 3)


class TestSeats:
    def test_single_sided_match_has_a_single_game(self):
        match = new_match("anr_single", "A", "B")

        assert list(match.games.values_list("number", flat=True)) == [1]
        assert match.seats.get(position=1).games.get().role == Role.CORP

    def test_pod_has_factions_and_no_roles(self, pod: Match):
        seats = GameSeat.objects.filter(game__match=pod).order_by("seat__position")

        assert list(seats.values_list("role", "faction")) == [
            ("", "farmers"),
            ("", "artisans"),
            ("", ""),
            ("", "couriers"),
        ]

    @pytest.mark.parametrize(
        ("rule", "players"), [("anr_double", 3), ("onr_runner_only", 1), ("free_radicals", 1)]
    )
    def test_table_of_a_wrong_size_is_refused(self, rule: str, players: int):
        with pytest.raises(services.WrongSeats, match=f"not {players}"):
            new_match(rule, *"ABC"[:players])

    def test_pod_can_be_reseated_with_fewer_players(self, pod: Match):
        players = tuple(pod.seats.get(position=seat_number).player_id for seat_number in (3, 1))

        services.reseat_match(pod, players)

        assert tuple(pod.seats.order_by("position").values_list("player", flat=True)) == players


class TestDouble:
    def test_equal_reports_confirm(self, double: Match):
        result = MatchResult(GAMES, frozenset({Flag.TIMED}))

        report(double, 1, result)
        report(double, 2, result)

        assert reloaded(double).state == MatchState.CONFIRMED
        assert records.settled_result(reloaded(double)) == result
        assert points(double) == [4, 1]

    def test_missing_flag_disputes(self, double: Match):
        report(double, 1, MatchResult(GAMES, frozenset({Flag.TIMED})))
        report(double, 2, MatchResult(GAMES))

        assert reloaded(double).state == MatchState.DISPUTED

    @pytest.mark.parametrize(
        ("result", "expected"),
        [
            (MatchResult(GAMES[:1], frozenset({Flag.TWO_FOR_ONE})), [6, 0]),
            (MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW})), [2, 2]),
            (MatchResult(totals=(4, 1)), [4, 1]),
            (MatchResult(totals=(3, 3), flags=frozenset({Flag.INTENTIONAL_DRAW})), [3, 3]),
        ],
        ids=["two for one", "intentional draw", "totals", "flagged totals"],
    )
    def test_settled_result_is_read_back(self, double: Match, result: MatchResult, expected):
        decide(double, result)

        assert records.settled_result(reloaded(double)) == result
        assert points(double) == expected

    def test_totals_replace_games(self, double: Match):
        decide(double, MatchResult(GAMES))
        decide(double, TOTALS)

        assert points(double) == [0, 6]
        assert not double.games.exclude(end="", winner=None).exists()
        assert records.settled_result(reloaded(double)).totals == (0, 6)

    def test_games_replace_totals(self, double: Match):
        decide(double, TOTALS)
        decide(double, MatchResult(GAMES))

        assert records.settled_result(reloaded(double)) == MatchResult(GAMES)
        assert set(double.seats.values_list("typed_points", flat=True)) == {None}

    def test_impossible_totals_require_force(self, double: Match):
        with pytest.raises(services.ImpossibleResult, match="is not a possible score"):
            decide(double, MatchResult(totals=(5, 1)))

        decide(double, MatchResult(totals=(5, 1)), force=True, note="a penalty of one point")

        assert points(double) == [5, 1]

    def test_incomplete_totals_are_refused_despite_force(self, double: Match):
        with pytest.raises(services.ImpossibleResult, match="each of the 2 seats"):
            decide(double, MatchResult(totals=(5,)), force=True, note="so it was")


class TestPod:
    def test_confirmation_of_a_single_opponent_suffices(self, pod: Match):
        confirm(pod, 4, report(pod, 2, RESULT))

        assert reloaded(pod).state == MatchState.CONFIRMED
        assert points(pod) == [Fraction(5, 2), 5, Fraction(5, 2), 1]

    def test_equal_report_of_another_player_confirms(self, pod: Match):
        report(pod, 2, RESULT)
        report(pod, 3, RESULT)

        assert reloaded(pod).state == MatchState.CONFIRMED

    def test_disputed_pod_is_left_to_the_staff(self, pod: Match):
        dispute(pod, 2, report(pod, 1, RESULT), "I had 14")

        report(pod, 3, RESULT)
        assert reloaded(pod).state == MatchState.DISPUTED

        decide(pod, pod_result(9, 14, 9, 3))
        assert reloaded(pod).state == MatchState.DECIDED

    def test_own_report_does_not_lift_the_dispute(self, pod: Match):
        dispute(pod, 2, report(pod, 1, RESULT))

        report(pod, 1, RESULT)
        assert reloaded(pod).state == MatchState.DISPUTED
        assert pod.reports.count() == 1

        report(pod, 1, pod_result(9, 13, 9, 3))
        assert reloaded(pod).state == MatchState.DISPUTED
        assert list(pod.reports.order_by("pk").values_list("state", flat=True)) == [
            *(ReportState.SUPERSEDED, ReportState.DISPUTED)
        ]

    def test_third_player_cannot_end_a_dispute(self, pod: Match):
        report(pod, 1, RESULT)
        report(pod, 2, pod_result(9, 14, 9, 3))
        report(pod, 3, pod_result(9, 14, 9, 3))

        assert reloaded(pod).state == MatchState.DISPUTED
        assert points(pod) == [None] * 4

    @pytest.mark.parametrize("victory_points", [(), (1, 2, 3)])
    def test_victory_points_of_every_seat_are_required(self, pod: Match, victory_points):
        with pytest.raises(services.ImpossibleResult):
            decide(pod, pod_result(*victory_points), force=True, note="so it was")


class TestFactions:
    @pytest.fixture(autouse=True)
    def faction_table(self, db: None) -> None:
        # An earlier transactional test may have emptied the table that a migration fills.
        Faction.objects.bulk_create(
            (Faction(row.id, row.name, row.colour) for row in FACTIONS.values()),
            ignore_conflicts=True,
        )

    def test_victory_points_and_factions_are_stored(self, pod: Match):
        result = pod_result(9, 12, 9, 3, factions=("farmers", "artisans", "paladins", "couriers"))

        decide(pod, result)

        assert records.settled_result(reloaded(pod)) == result
        assert Game.objects.get(match=pod).seats.get(seat__position=3).points == Fraction(5, 2)

    def test_drafted_factions_stay_without_reported_ones(self, pod: Match):
        decide(pod, pod_result(1, 2, 3, 4))

        result = records.settled_result(reloaded(pod))
        assert result.factions == ("farmers", "artisans", "", "couriers")

    def test_two_factions_of_one_colour_are_refused(self, pod: Match):
        with pytest.raises(services.ImpossibleResult, match=r"of the same colour \(red\)"):
            report(pod, 1, pod_result(1, 2, 3, 4, factions=("farmers", "executives", "", "")))

    def test_colours_are_those_of_the_edited_table(self, pod: Match):
        Faction.objects.filter(pk="executives").update(colour="yellow")

        decide(pod, pod_result(1, 2, 3, 4, factions=("farmers", "executives", "", "")))

        assert reloaded(pod).is_settled

    def test_table_begins_with_the_factions_of_the_rules(self):
        assert dict(records.factions_by_id()) == dict(FACTIONS)
