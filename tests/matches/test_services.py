"""A match from the first report to a settled result, and back to what it was."""

import pytest

from core.errors import StaleVersion
from matches import records, services
from matches.models import GameSeat, Match, MatchState, ReportState, Seat
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from matches.services import locked_match
from players.models import Player
from tests.factories.tournaments import sweep, won_game
from tests.matches.builders import back, decide, made, now, points, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return made("onr_runner_only", "Ada", "Bo")


@pytest.fixture
def players(match: Match) -> list[Player]:
    """Seats of the match, and another seat."""
    seated = [seat.player for seat in match.seats.order_by("position")]
    return [*seated, Player.objects.create(name="Cy")]


@pytest.fixture
def seats(match: Match) -> list[Seat]:
    return list(match.seats.order_by("position"))


def test_the_first_player_is_corp_in_game_one_and_runner_in_game_two(match: Match):
    roles = GameSeat.objects.order_by("game__number", "seat__position")

    assert list(roles.values_list("game__number", "seat__player__name", "role")) == [
        (1, "Ada", "corp"),
        (1, "Bo", "runner"),
        (2, "Ada", "runner"),
        (2, "Bo", "corp"),
    ]


def test_a_hundred_matches_are_made_in_a_few_queries(
    players: list[Player], django_assert_max_num_queries
):
    wanted = [services.MatchRequest((players[0].pk, players[1].pk), "onr_runner_only")] * 100

    with django_assert_max_num_queries(10):
        made = services.create_matches(wanted)

    assert len({match.pk for match in made}) == 100


def test_a_report_waits_for_the_opponent(match: Match, seats: list[Seat]):
    services.propose_result(locked_match(match), seats[0], sweep(1))

    assert now(match).state == MatchState.PROPOSED
    assert points(match) == [None, None]
    assert now(match).version == 2


def test_the_same_report_from_both_confirms(match: Match, seats: list[Seat]):
    services.propose_result(locked_match(match), seats[0], sweep(1, 2))
    services.propose_result(locked_match(match), seats[1], sweep(1, 2))

    assert now(match).state == MatchState.CONFIRMED
    assert points(match) == [20, 2]
    assert {report.state for report in match.reports.all()} == {ReportState.CONFIRMED}


@pytest.mark.parametrize(
    "other",
    [
        won_game(2, Role.CORP, loser_points=2),
        won_game(2, Role.RUNNER, loser_points=3),
        won_game(2, Role.RUNNER, loser_points=2, points=8),
        GameResult(2, 2, Role.RUNNER, GameEnd.CONCESSION, 2, 7),
        GameResult(2, 2, Role.RUNNER, GameEnd.DECKED, 2, 0),
    ],
    ids=["winner", "loser's points", "winner's points", "end", "end and points"],
)
def test_every_field_of_the_reports_is_compared(match: Match, seats: list[Seat], other: GameResult):
    first, second = sweep(1, 2).games

    services.propose_result(locked_match(match), seats[0], MatchResult((first, second)))
    services.propose_result(locked_match(match), seats[1], MatchResult((first, other)))

    assert now(match).state == MatchState.DISPUTED
    assert points(match) == [None, None]


def test_a_player_may_correct_a_report_before_the_answer(match: Match, seats: list[Seat]):
    services.propose_result(locked_match(match), seats[0], sweep(1))
    services.propose_result(locked_match(match), seats[0], sweep(2))

    newest, former = match.reports.order_by("-pk")
    assert (newest.state, former.state) == (ReportState.PROPOSED, ReportState.SUPERSEDED)


def test_player_may_confirm_after_a_dispute(match: Match, seats: list[Seat]):
    services.propose_result(locked_match(match), seats[0], sweep(1))
    services.propose_result(locked_match(match), seats[1], sweep(2))
    services.propose_result(locked_match(match), seats[1], sweep(1))

    assert now(match).state == MatchState.CONFIRMED
    assert points(match) == [20, 0]


def test_confirming_twice_changes_nothing(match: Match, seats: list[Seat]):
    report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()

    services.confirm_report(locked_match(match), seats[1], report.pk)
    version = now(match).version
    services.confirm_report(locked_match(match), seats[1], report.pk)

    assert now(match).version == version
    assert match.reports.count() == 2


class TestAnswerRefused:
    """The reason why a report cannot be answered is the true one."""

    def test_own_report(self, match: Match, seats: list[Seat]):
        report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()

        for answer in (services.confirm_report, services.dispute_report):
            with pytest.raises(services.OwnReport, match="your own report"):
                answer(locked_match(match), seats[0], report.pk)

        assert now(match).state == MatchState.PROPOSED

    def test_replaced_report(self, match: Match, seats: list[Seat]):
        old = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()
        services.propose_result(locked_match(match), seats[0], sweep(2))

        with pytest.raises(services.ReportReplaced, match="Answer the newest"):
            services.confirm_report(locked_match(match), seats[1], old.pk)

        assert now(match).state == MatchState.PROPOSED

    def test_report_of_another_match(self, match: Match, seats: list[Seat], players: list[Player]):
        wanted = services.MatchRequest((players[2].pk, players[1].pk), "onr_runner_only")
        (other,) = services.create_matches([wanted])
        report = services.propose_result(
            locked_match(other), other.seats.get(position=1), sweep(1)
        ).reports.get()

        with pytest.raises(services.UnknownReport, match="no such report"):
            services.confirm_report(locked_match(match), seats[1], report.pk)

    def test_disputed_report(self, match: Match, seats: list[Seat]):
        report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()
        services.dispute_report(locked_match(match), seats[1], report.pk)

        with pytest.raises(services.ReportDisputed, match="report the same result"):
            services.confirm_report(locked_match(match), seats[1], report.pk)

    def test_confirmed_report(self, match: Match, seats: list[Seat]):
        report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()
        services.confirm_report(locked_match(match), seats[1], report.pk)

        with pytest.raises(services.AlreadyConfirmed, match="already confirmed"):
            services.confirm_report(locked_match(match), seats[0], report.pk)
        with pytest.raises(services.AlreadyConfirmed, match="ask the staff"):
            services.dispute_report(locked_match(match), seats[1], report.pk)

    def test_result_decided_by_staff(self, match: Match, seats: list[Seat]):
        report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()
        decide(match, sweep(2))

        with pytest.raises(services.DecidedByStaff, match="The staff have decided"):
            services.confirm_report(locked_match(match), seats[1], report.pk)


def test_disputing_twice_changes_nothing(match: Match, seats: list[Seat]):
    report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()

    services.dispute_report(locked_match(match), seats[1], report.pk, "No")
    services.dispute_report(locked_match(match), seats[1], report.pk, "Still no")

    report.refresh_from_db()
    assert (now(match).state, report.note) == (MatchState.DISPUTED, "No")


@pytest.fixture
def disputed(match: Match, seats: list[Seat]) -> Match:
    """The first player reported a sweep, and the other one said no."""
    report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()
    services.dispute_report(locked_match(match), seats[1], report.pk)
    return match


def test_a_report_sent_again_does_not_lift_its_dispute(disputed: Match, seats: list[Seat]):
    version = now(disputed).version

    services.propose_result(locked_match(disputed), seats[0], sweep(1))

    assert (now(disputed).state, now(disputed).version) == (MatchState.DISPUTED, version)
    assert disputed.reports.count() == 1


def test_a_corrected_report_asks_again_after_a_dispute(disputed: Match, seats: list[Seat]):
    services.propose_result(locked_match(disputed), seats[0], sweep(2))
    report = disputed.reports.get(state=ReportState.PROPOSED)
    assert now(disputed).state == MatchState.PROPOSED

    services.confirm_report(locked_match(disputed), seats[1], report.pk)

    assert points(disputed) == [0, 20]


def test_repeated_disputed_report_is_disputed_again(disputed: Match, seats: list[Seat]):
    services.propose_result(locked_match(disputed), seats[0], sweep(2))
    services.propose_result(locked_match(disputed), seats[0], sweep(1))

    assert now(disputed).state == MatchState.DISPUTED
    states = disputed.reports.order_by("pk").values_list("state", flat=True)
    assert list(states) == [ReportState.DISPUTED, ReportState.SUPERSEDED]


def test_players_cannot_change_a_settled_result(match: Match, seats: list[Seat]):
    decide(match, sweep(1))

    with pytest.raises(services.AlreadySettled):
        services.propose_result(locked_match(match), seats[1], sweep(2))

    assert points(match) == [20, 0]


def test_reporting_the_settled_result_again_is_no_change(match: Match, seats: list[Seat]):
    decide(match, sweep(1))
    version = now(match).version

    services.propose_result(locked_match(match), seats[1], sweep(1))

    assert now(match).version == version


def test_an_impossible_report_is_refused_with_every_reason(match: Match, seats: list[Seat]):
    games = (won_game(1, Role.CORP, points=6), won_game(2, Role.RUNNER, points=6))

    with pytest.raises(services.ImpossibleResult) as refused:
        services.propose_result(locked_match(match), seats[0], MatchResult(games))

    assert [found["game"] for found in refused.value.details["contradictions"]] == [1, 2]
    assert not match.reports.exists()


def test_the_decision_of_the_staff_ends_a_dispute(match: Match, seats: list[Seat]):
    services.propose_result(locked_match(match), seats[0], sweep(1))
    services.propose_result(locked_match(match), seats[1], sweep(2))

    decide(match, sweep(2, 4), note="seen")

    assert now(match).state == MatchState.DECIDED
    assert records.settled_result(now(match)) == sweep(2, 4)
    assert points(match) == [4, 20]


def test_a_decision_takes_back_an_open_report(match: Match, seats: list[Seat]):
    report = services.propose_result(locked_match(match), seats[0], sweep(1)).reports.get()

    decide(match, sweep(2))

    report.refresh_from_db()
    assert report.state == ReportState.SUPERSEDED
    with pytest.raises(services.NothingToConfirm):
        services.confirm_report(locked_match(match), seats[1], report.pk)


def test_a_decision_made_on_an_old_version_is_refused(match: Match, seats: list[Seat]):
    seen = match.version
    services.propose_result(locked_match(match), seats[0], sweep(1))

    with pytest.raises(StaleVersion, match="no result"):
        services.decide_result(locked_match(match), sweep(2), None, seen_version=seen)


def test_roles_reported_the_other_way_round_are_kept(match: Match):
    games = (
        GameResult(1, 2, Role.CORP, GameEnd.AGENDA, 7, 3),
        GameResult(2, 1, Role.CORP, GameEnd.FLATLINE, 2, 5),
    )

    decide(match, MatchResult(games))

    assert records.settled_result(now(match)) == MatchResult(games)
    assert points(match) == [13, 15]


def test_other_players_take_the_seats(match: Match, players: list[Player]):
    services.reseat_match(match, (players[1].pk, players[2].pk))

    assert [seat.player for seat in match.seats.order_by("position")] == players[1:]
    assert match.games.get(number=1).seats.get(role="corp").seat.player == players[1]


def test_two_players_change_seats(match: Match, players: list[Player]):
    services.reseat_match(match, (players[1].pk, players[0].pk))

    assert [seat.player for seat in match.seats.order_by("position")] == [players[1], players[0]]


def test_seats_stay_once_something_was_reported(
    match: Match, seats: list[Seat], players: list[Player]
):
    services.propose_result(locked_match(match), seats[0], sweep(1))

    with pytest.raises(services.AlreadySettled):
        services.reseat_match(match, (players[1].pk, players[2].pk))


def test_only_matches_without_a_result_are_deleted(match: Match, players: list[Player]):
    wanted = services.MatchRequest((players[1].pk, players[2].pk), "onr_runner_only")
    (other,) = services.create_matches([wanted])
    decide(match, sweep(1))

    services.delete_matches([match.pk, other.pk])

    assert list(Match.objects.all()) == [match]


@pytest.mark.parametrize(
    ("rule", "result"),
    [
        ("onr_runner_only", sweep(2, 3)),
        ("anr_double", MatchResult(totals=(6, 0))),
        ("free_radicals", MatchResult(victory_points=(5, 3), factions=("farmers", "couriers"))),
    ],
)
def test_restore_to_no_result(rule: str, result: MatchResult):
    match = made(rule, "Ada", "Bo")
    before, memory = rows(match), services.take_snapshot(locked_match(match))

    decide(match, result)
    changed = rows(match)
    back(match, memory)

    assert rows(match) == before != changed
    assert Match.objects.get(pk=match.pk).settled_at is None


def test_restore_brings_back_the_earlier_result(match: Match):
    decide(match, sweep(1, 3))
    before, memory = rows(match), services.take_snapshot(locked_match(match))

    decide(match, sweep(2, 5))
    again = back(match, memory)

    assert rows(match) == before
    assert records.settled_result(again) == sweep(1, 3)


def test_a_confirmed_report_waits_for_its_answer_again(match: Match):
    ada, bo = match.seats.order_by("position")
    services.propose_result(locked_match(match), ada, sweep(1, 3))
    report, memory = match.reports.get(), services.take_snapshot(locked_match(match))

    services.confirm_report(locked_match(match), bo, report.pk)
    match = back(match, memory)

    assert match.state == "proposed"
    assert list(match.reports.values_list("seat", "state")) == [
        (ada.pk, ReportState.PROPOSED),
        (bo.pk, ReportState.SUPERSEDED),
    ]
    assert services.confirm_report(locked_match(match), bo, report.pk).state == "confirmed"


def test_restore_over_a_newer_result_is_refused(match: Match):
    memory, seen = services.take_snapshot(locked_match(match)), match.version
    decide(match, sweep(1, 3))

    with pytest.raises(StaleVersion):
        services.restore_match(match, memory, seen_version=seen)
