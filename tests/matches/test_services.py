"""A match of two players, from the first report to a settled result and its restoration."""

import pytest

from core.errors import StaleVersion
from matches import records, services
from matches.models import GameSeat, Match, MatchState, ReportState
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from matches.services import locked_match
from players.models import Player
from tests.factories.tournaments import sweep, won_game
from tests.matches.builders import (
    confirm,
    decide,
    dispute,
    new_match,
    points,
    reloaded,
    report,
    restore,
    rows,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return new_match("onr_runner_only", "Ada", "Bo")


@pytest.fixture
def players(match: Match) -> list[Player]:
    """The players of the match, and another player."""
    seated = [seat.player for seat in match.seats.order_by("position")]
    return [*seated, Player.objects.create(name="Cy")]


def new_match_of(*players: Player) -> Match:
    request = services.MatchRequest(tuple(player.pk for player in players), "onr_runner_only")
    return services.create_matches([request])[0]


class TestCreate:
    def test_players_swap_roles_after_game_1(self, match: Match):
        roles = GameSeat.objects.order_by("game__number", "seat__position")

        assert list(roles.values_list("game__number", "seat__player__name", "role")) == [
            (1, "Ada", "corp"),
            (1, "Bo", "runner"),
            (2, "Ada", "runner"),
            (2, "Bo", "corp"),
        ]

    def test_hundred_matches_take_few_queries(self, players, django_assert_max_num_queries):
        request = services.MatchRequest((players[0].pk, players[1].pk), "onr_runner_only")

        with django_assert_max_num_queries(10):
            matches = services.create_matches([request] * 100)

        assert len({match.pk for match in matches}) == 100


class TestReport:
    def test_report_awaits_the_opponent(self, match: Match):
        report(match, 1, sweep(1))

        assert reloaded(match).state == MatchState.PROPOSED
        assert points(match) == [None, None]
        assert reloaded(match).version == 2

    def test_equal_reports_confirm(self, match: Match):
        report(match, 1, sweep(1, 2))
        report(match, 2, sweep(1, 2))

        assert reloaded(match).state == MatchState.CONFIRMED
        assert points(match) == [20, 2]
        assert {row.state for row in match.reports.all()} == {ReportState.CONFIRMED}

    @pytest.mark.parametrize(
        "game",
        [
            won_game(2, Role.CORP, loser_points=2),
            won_game(2, Role.RUNNER, loser_points=3),
            won_game(2, Role.RUNNER, loser_points=2, points=8),
            GameResult(2, 2, Role.RUNNER, GameEnd.CONCESSION, 2, 7),
            GameResult(2, 2, Role.RUNNER, GameEnd.DECKED, 2, 0),
        ],
        ids=["winner", "loser's points", "winner's points", "end", "end and points"],
    )
    def test_difference_in_any_field_disputes(self, match: Match, game: GameResult):
        first, second = sweep(1, 2).games

        report(match, 1, MatchResult((first, second)))
        report(match, 2, MatchResult((first, game)))

        assert reloaded(match).state == MatchState.DISPUTED
        assert points(match) == [None, None]

    def test_correction_supersedes_the_earlier_report(self, match: Match):
        report(match, 1, sweep(1))
        report(match, 1, sweep(2))

        newest, former = match.reports.order_by("-pk")
        assert (newest.state, former.state) == (ReportState.PROPOSED, ReportState.SUPERSEDED)

    def test_equal_report_after_a_dispute_confirms(self, match: Match):
        report(match, 1, sweep(1))
        report(match, 2, sweep(2))
        report(match, 2, sweep(1))

        assert reloaded(match).state == MatchState.CONFIRMED
        assert points(match) == [20, 0]

    def test_settled_result_cannot_be_changed_by_players(self, match: Match):
        decide(match, sweep(1))
        version = reloaded(match).version

        with pytest.raises(services.AlreadySettled):
            report(match, 2, sweep(2))
        report(match, 2, sweep(1))

        assert points(match) == [20, 0]
        assert reloaded(match).version == version

    def test_impossible_report_is_refused_with_every_reason(self, match: Match):
        games = (won_game(1, Role.CORP, points=6), won_game(2, Role.RUNNER, points=6))

        with pytest.raises(services.ImpossibleResult) as refusal:
            report(match, 1, MatchResult(games))

        reasons = refusal.value.details["contradictions"]
        assert [reason["game"] for reason in reasons] == [1, 2]
        assert not match.reports.exists()


class TestAnswer:
    def test_second_confirmation_changes_nothing(self, match: Match):
        open_report = report(match, 1, sweep(1))

        confirm(match, 2, open_report)
        version = reloaded(match).version
        confirm(match, 2, open_report)

        assert reloaded(match).version == version
        assert match.reports.count() == 2

    def test_second_dispute_changes_nothing(self, match: Match):
        open_report = report(match, 1, sweep(1))

        dispute(match, 2, open_report, "No")
        dispute(match, 2, open_report, "Still no")

        assert open_report is not None
        open_report.refresh_from_db()
        assert (reloaded(match).state, open_report.note) == (MatchState.DISPUTED, "No")

    @pytest.mark.parametrize("answer", [confirm, dispute])
    def test_own_report_cannot_be_answered(self, match: Match, answer):
        open_report = report(match, 1, sweep(1))

        with pytest.raises(services.OwnReport, match="your own report"):
            answer(match, 1, open_report)

        assert reloaded(match).state == MatchState.PROPOSED

    def test_replaced_report_cannot_be_answered(self, match: Match):
        replaced = report(match, 1, sweep(1))
        report(match, 1, sweep(2))

        with pytest.raises(services.ReportReplaced, match="Answer the newest"):
            confirm(match, 2, replaced)

        assert reloaded(match).state == MatchState.PROPOSED

    def test_report_of_another_match_cannot_be_answered(self, match: Match, players: list[Player]):
        other_report = report(new_match_of(players[2], players[1]), 1, sweep(1))

        with pytest.raises(services.UnknownReport, match="no such report"):
            confirm(match, 2, other_report)

    def test_disputed_report_cannot_be_confirmed(self, match: Match):
        disputed = report(match, 1, sweep(1))
        dispute(match, 2, disputed)

        with pytest.raises(services.ReportDisputed, match="report the same result"):
            confirm(match, 2, disputed)

    def test_confirmed_report_cannot_be_answered(self, match: Match):
        confirmed = report(match, 1, sweep(1))
        confirm(match, 2, confirmed)

        with pytest.raises(services.AlreadyConfirmed, match="already confirmed"):
            confirm(match, 1, confirmed)
        with pytest.raises(services.AlreadyConfirmed, match="ask the staff"):
            dispute(match, 2, confirmed)

    def test_result_decided_by_staff_cannot_be_answered(self, match: Match):
        open_report = report(match, 1, sweep(1))
        assert open_report is not None
        decide(match, sweep(2))

        with pytest.raises(services.DecidedByStaff, match="The staff have decided"):
            confirm(match, 2, open_report)
        assert match.reports.get(pk=open_report.pk).state == ReportState.SUPERSEDED


class TestDispute:
    @pytest.fixture
    def disputed(self, match: Match) -> Match:
        dispute(match, 2, report(match, 1, sweep(1)))
        return match

    def test_repeated_report_does_not_lift_the_dispute(self, disputed: Match):
        version = reloaded(disputed).version

        report(disputed, 1, sweep(1))

        assert reloaded(disputed).state == MatchState.DISPUTED
        assert reloaded(disputed).version == version
        assert disputed.reports.count() == 1

    def test_corrected_report_can_be_confirmed(self, disputed: Match):
        corrected = report(disputed, 1, sweep(2))
        assert reloaded(disputed).state == MatchState.PROPOSED

        confirm(disputed, 2, corrected)

        assert points(disputed) == [0, 20]

    def test_disputed_report_after_a_correction_is_disputed_again(self, disputed: Match):
        report(disputed, 1, sweep(2))
        report(disputed, 1, sweep(1))

        assert reloaded(disputed).state == MatchState.DISPUTED
        states = disputed.reports.order_by("pk").values_list("state", flat=True)
        assert list(states) == [ReportState.DISPUTED, ReportState.SUPERSEDED]


class TestDecide:
    def test_decision_ends_a_dispute(self, match: Match):
        report(match, 1, sweep(1))
        report(match, 2, sweep(2))

        decide(match, sweep(2, 4), note="seen")

        assert reloaded(match).state == MatchState.DECIDED
        assert records.settled_result(reloaded(match)) == sweep(2, 4)
        assert points(match) == [4, 20]

    def test_decision_on_a_stale_version_is_refused(self, match: Match):
        stale_version = match.version
        report(match, 1, sweep(1))

        with pytest.raises(StaleVersion, match="no result"):
            services.decide_result(locked_match(match), sweep(2), None, seen_version=stale_version)

    def test_swapped_roles_are_stored(self, match: Match):
        games = (
            GameResult(1, 2, Role.CORP, GameEnd.AGENDA, 7, 3),
            GameResult(2, 1, Role.CORP, GameEnd.FLATLINE, 2, 5),
        )

        decide(match, MatchResult(games))

        assert records.settled_result(reloaded(match)) == MatchResult(games)
        assert points(match) == [13, 15]


class TestReseat:
    @pytest.mark.parametrize("seated", [(1, 2), (1, 0)], ids=["new player", "swapped seats"])
    def test_players_take_their_seats(self, match: Match, players, seated: tuple[int, int]):
        corp, runner = (players[index] for index in seated)

        services.reseat_match(match, (corp.pk, runner.pk))

        assert [seat.player for seat in match.seats.order_by("position")] == [corp, runner]
        assert match.games.get(number=1).seats.get(role="corp").seat.player == corp

    def test_reported_match_is_refused(self, match: Match, players: list[Player]):
        report(match, 1, sweep(1))

        with pytest.raises(services.AlreadySettled):
            services.reseat_match(match, (players[1].pk, players[2].pk))


def test_matches_with_a_result_are_not_deleted(match: Match, players: list[Player]):
    unplayed = new_match_of(players[1], players[2])
    decide(match, sweep(1))

    services.delete_matches([match.pk, unplayed.pk])

    assert list(Match.objects.all()) == [match]


class TestRestore:
    @pytest.mark.parametrize(
        ("rule", "result"),
        [
            ("onr_runner_only", sweep(2, 3)),
            ("anr_double", MatchResult(totals=(6, 0))),
            ("free_radicals", MatchResult(victory_points=(5, 3), factions=("farmers", "couriers"))),
        ],
    )
    def test_match_without_a_result_is_restored(self, rule: str, result: MatchResult):
        match = new_match(rule, "Ada", "Bo")
        before, snapshot = rows(match), services.take_snapshot(locked_match(match))

        decide(match, result)
        changed = rows(match)
        restore(match, snapshot)

        assert rows(match) == before != changed
        assert reloaded(match).settled_at is None

    def test_earlier_result_is_restored(self, match: Match):
        decide(match, sweep(1, 3))
        before, snapshot = rows(match), services.take_snapshot(locked_match(match))

        decide(match, sweep(2, 5))
        restored = restore(match, snapshot)

        assert rows(match) == before
        assert records.settled_result(restored) == sweep(1, 3)

    def test_confirmed_report_is_open_again(self, match: Match):
        open_report = report(match, 1, sweep(1, 3))
        snapshot = services.take_snapshot(locked_match(match))

        confirm(match, 2, open_report)
        restored = restore(match, snapshot)

        assert restored.state == MatchState.PROPOSED
        assert list(match.reports.values_list("seat__position", "state")) == [
            (1, ReportState.PROPOSED),
            (2, ReportState.SUPERSEDED),
        ]
        assert confirm(match, 2, open_report).state == MatchState.CONFIRMED

    def test_stale_version_is_refused(self, match: Match):
        snapshot, stale_version = services.take_snapshot(locked_match(match)), match.version
        decide(match, sweep(1, 3))

        with pytest.raises(StaleVersion):
            services.restore_match(match, snapshot, seen_version=stale_version)
