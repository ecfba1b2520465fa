"""Losses imposed by judges: before and after a result, withdrawn, and after a restore."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches import records, services
from matches.models import Match, MatchState, ReportState
from matches.scoring.imposed_losses import ImposedLoss
from matches.scoring.results import Flag, GameEnd, MatchResult
from matches.services import locked_match
from tests.factories.tournaments import sweep
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

AGREED = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
TOTALS = MatchResult(totals=(6, 0))


@pytest.fixture
def match() -> Match:
    return new_match("onr_runner_only", "Ada", "Bo")


@pytest.fixture
def double() -> Match:
    return new_match("anr_double", "Ada", "Bo")


def lose(match: Match, *losses: ImposedLoss) -> Match:
    return services.set_losses(match, losses)


@pytest.mark.parametrize(
    ("rule", "result", "loss", "expected"),
    [
        ("onr_runner_only", sweep(1), ImposedLoss(1, 2), [10, 10]),
        ("anr_double", TOTALS, ImposedLoss(1), [0, 6]),
        ("anr_double", AGREED, ImposedLoss(2, 1), [4, 1]),
        ("free_radicals", MatchResult(victory_points=(5, 3)), ImposedLoss(1), [3, 5]),
    ],
)
def test_withdrawn_loss_restores_the_result(rule, result, loss, expected):
    match = new_match(rule, "Ada", "Bo")
    decide(match, result)
    before = rows(match)

    changed = lose(match, loss)
    assert points(match) == expected
    assert changed.state == MatchState.DECIDED

    lose(match)
    assert rows(match) == before


def test_loss_before_the_result_applies_on_confirmation(match: Match):
    lose(match, ImposedLoss(1, 1))
    assert reloaded(match).state == MatchState.OPEN

    report(match, 1, sweep(1))
    assert reloaded(match).state == MatchState.PROPOSED
    report(match, 2, sweep(1))

    settled = reloaded(match)
    assert points(match) == [10, 10]
    assert records.reported_result(settled) == sweep(1)
    assert records.settled_result(settled).games[0].end is GameEnd.JUDGE
    assert lose(match).state == MatchState.CONFIRMED
    assert points(match) == [20, 0]


@pytest.mark.parametrize("reports", [(), (sweep(1),), (sweep(1), sweep(2))])
def test_lost_match_is_settled_until_the_loss_is_withdrawn(match: Match, reports):
    for position, result in enumerate(reports, start=1):
        report(match, position, result)
    before = rows(match)

    assert lose(match, ImposedLoss(2)).state == MatchState.DECIDED
    assert points(match) == [20, 0]

    lose(match)
    assert rows(match) == before


def test_equal_losses_change_nothing(match: Match):
    decide(match, sweep(1))
    version = lose(match, ImposedLoss(1, 2), ImposedLoss(2, 1)).version

    assert lose(match, ImposedLoss(2, 1), ImposedLoss(1, 2)).version == version


class TestTotals:
    def test_single_game_cannot_be_lost(self, double: Match):
        decide(double, TOTALS)

        with pytest.raises(services.LossRefused, match="Only the totals"):
            lose(double, ImposedLoss(1, 1), ImposedLoss(2, 1))

        lose(double, ImposedLoss(1))
        assert points(double) == [0, 6]
        # A smaller loss is allowed.
        lose(double, ImposedLoss(1, 1))
        assert points(double) == [6, 0]
        lose(double)
        assert points(double) == [6, 0]

    def test_totals_are_refused_after_a_lost_game(self, double: Match):
        lose(double, ImposedLoss(1, 1))

        for enter in (lambda: report(double, 1, TOTALS), lambda: decide(double, TOTALS)):
            with pytest.raises(services.ImpossibleResult, match="Enter who won each game"):
                enter()

        lose(double)
        open_report = report(double, 1, TOTALS)
        with pytest.raises(services.LossRefused, match="Only the totals"):
            lose(double, ImposedLoss(1, 1))
        assert confirm(double, 2, open_report).state == MatchState.CONFIRMED

    def test_restore_to_totals_is_refused_after_a_lost_game(self, double: Match):
        decide(double, TOTALS)
        snapshot = services.take_snapshot(locked_match(double))
        decide(double, AGREED)
        lose(double, ImposedLoss(1, 1))

        with pytest.raises(services.LossRefused, match="Enter its games instead"):
            restore(double, snapshot)

        assert points(double) == [1, 4]
        lose(double)
        restore(double, snapshot)
        assert points(double) == [6, 0]


def test_reopened_report_has_its_full_time(match: Match):
    report(match, 1, sweep(1))
    long_ago = timezone.now() - timedelta(hours=1)
    match.reports.update(created_at=long_ago)

    lose(match, ImposedLoss(1))
    lose(match)

    assert match.reports.get().created_at > long_ago


@pytest.mark.parametrize(
    ("loss", "message"),
    [(ImposedLoss(3), "There is no seat 3"), (ImposedLoss(1, 3), "There is no game 3")],
)
def test_loss_of_an_unknown_seat_or_game_is_refused(match: Match, loss, message: str):
    with pytest.raises(services.LossRefused, match=message):
        lose(match, loss)


def test_contradictions_are_checked_in_the_whole_report(match: Match):
    lose(match, ImposedLoss(1), ImposedLoss(2))

    with pytest.raises(services.ImpossibleResult):
        decide(match, MatchResult(sweep(1).games[:1]))


class TestRestore:
    def test_current_losses_apply_to_the_old_report(self, match: Match):
        decide(match, sweep(1))
        snapshot = services.take_snapshot(locked_match(match))
        decide(match, sweep(2))
        lose(match, ImposedLoss(1, 1))

        restored = restore(match, snapshot)

        assert records.settled_result(restored).games[0].end is GameEnd.JUDGE
        assert points(match) == [10, 10]
        lose(match)
        assert points(match) == [20, 0]

    def test_withdrawn_losses_stay_withdrawn(self, match: Match):
        lose(match, ImposedLoss(1))
        snapshot = services.take_snapshot(locked_match(match))
        decide(match, sweep(1))
        lose(match)

        assert restore(match, snapshot).state == MatchState.OPEN
        assert points(match) == [None, None]

    def test_lost_match_stays_lost_without_a_report(self, match: Match):
        snapshot = services.take_snapshot(locked_match(match))
        decide(match, sweep(1))
        lose(match, ImposedLoss(1))

        assert restore(match, snapshot).state == MatchState.DECIDED
        assert points(match) == [0, 20]
        assert not match.reports.filter(state=ReportState.CONFIRMED).exists()

    def test_snapshot_without_losses_is_read(self, match: Match):
        decide(match, sweep(1))
        snapshot = services.take_snapshot(locked_match(match))
        del snapshot["losses"]
        decide(match, sweep(2))

        restore(match, snapshot)

        assert points(match) == [20, 0]


def test_loss_moves_with_its_player_to_another_seat(match: Match):
    ada, bo = (seat.player_id for seat in match.seats.all())
    lose(match, ImposedLoss(1, 2))

    services.reseat_match(match, (bo, ada))

    assert records.losses_of(reloaded(match)) == [ImposedLoss(2, 2)]


def test_pod_is_decided_when_a_single_player_is_left():
    match = new_match("free_radicals", "Ada", "Bo", "Cy")

    assert lose(match, ImposedLoss(1)).state == MatchState.OPEN
    decide(match, MatchResult(victory_points=(9, 4, 2)))

    assert points(match) == [2, 5, 3]
    assert lose(match, ImposedLoss(1), ImposedLoss(2)).state == MatchState.DECIDED


def test_report_of_a_lost_match_cannot_be_answered(match: Match):
    open_report = report(match, 1, sweep(1))
    lose(match, ImposedLoss(1))

    for answer in (dispute, confirm):
        with pytest.raises(services.NothingToConfirm):
            answer(match, 2, open_report)
    assert (reloaded(match).state, points(match)) == (MatchState.DECIDED, [0, 20])

    lose(match)
    assert confirm(match, 2, open_report).state == MatchState.CONFIRMED
    assert points(match) == [20, 0]
