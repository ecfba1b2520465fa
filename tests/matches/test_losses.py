"""A match with something taken by a judge: settled, waiting, and as it was reported again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches import records, services
from matches.models import Match, MatchState, ReportState
from matches.scoring.imposed_losses import ImposedLoss
from matches.scoring.results import Flag, GameEnd, MatchResult
from matches.services import locked_match
from tests.factories.tournaments import sweep
from tests.matches.builders import back, decide, made, now, points, rows

pytestmark = pytest.mark.django_db

AGREED = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))


@pytest.fixture
def match() -> Match:
    return made("onr_runner_only", "Ada", "Bo")


def lose(match: Match, *losses: ImposedLoss) -> Match:
    return services.set_losses(match, losses)


@pytest.mark.parametrize(
    ("rule", "result", "loss", "taken"),
    [
        ("onr_runner_only", sweep(1), ImposedLoss(1, 2), [10, 10]),
        ("anr_double", MatchResult(totals=(6, 0)), ImposedLoss(1), [0, 6]),
        ("anr_double", AGREED, ImposedLoss(2, 1), [4, 1]),
        ("free_radicals", MatchResult(victory_points=(5, 3)), ImposedLoss(1), [3, 5]),
    ],
)
def test_withdrawn_loss_restores_the_result(rule, result, loss, taken):
    match = made(rule, "Ada", "Bo")
    decide(match, result)
    before = rows(match)

    changed = lose(match, loss)
    assert points(match) == taken
    assert changed.state == MatchState.DECIDED

    lose(match)
    assert rows(match) == before


def test_loss_before_the_result_applies_on_confirmation(match: Match):
    ada, bo = match.seats.all()
    lose(match, ImposedLoss(1, 1))
    assert now(match).state == MatchState.OPEN

    services.propose_result(locked_match(match), ada, sweep(1))
    assert now(match).state == MatchState.PROPOSED
    settled = services.propose_result(locked_match(match), bo, sweep(1))

    assert points(match) == [10, 10]
    assert records.reported_result(settled) == sweep(1)
    assert records.settled_result(settled).games[0].end is GameEnd.JUDGE
    assert lose(match).state == MatchState.CONFIRMED
    assert points(match) == [20, 0]


def test_a_lost_match_is_settled_at_once_and_opens_again(match: Match):
    before = rows(match)

    assert lose(match, ImposedLoss(2)).state == MatchState.DECIDED
    assert points(match) == [20, 0]

    lose(match)
    assert rows(match) == before


@pytest.mark.parametrize("answer", ["nothing", "dispute"])
def test_withdrawn_match_loss_restores_the_reports(match: Match, answer: str):
    ada, bo = match.seats.all()
    services.propose_result(locked_match(match), ada, sweep(1))
    if answer == "dispute":
        services.propose_result(locked_match(match), bo, sweep(2))
    was = now(match).state

    lose(match, ImposedLoss(1))
    assert now(match).state == MatchState.DECIDED
    lose(match)

    assert now(match).state == was
    assert points(match) == [None, None]


def test_the_same_losses_again_change_nothing(match: Match):
    decide(match, sweep(1))
    version = lose(match, ImposedLoss(1, 2), ImposedLoss(2, 1)).version

    assert lose(match, ImposedLoss(2, 1), ImposedLoss(1, 2)).version == version


def test_a_game_is_not_taken_from_typed_totals_and_what_is_left_of_a_match_waits():
    match = made("anr_double", "Ada", "Bo")
    decide(match, MatchResult(totals=(6, 0)))
    assert points(match) == [6, 0]

    with pytest.raises(services.LossRefused, match="Only the totals"):
        lose(match, ImposedLoss(1, 1), ImposedLoss(2, 1))

    lose(match, ImposedLoss(1))
    assert points(match) == [0, 6]
    lose(match, ImposedLoss(1, 1))
    assert points(match) == [6, 0]
    lose(match)
    assert points(match) == [6, 0]


def test_totals_are_refused_if_a_game_is_lost():
    match, typed = made("anr_double", "Ada", "Bo"), MatchResult(totals=(6, 0))
    ada, bo = match.seats.all()
    lose(match, ImposedLoss(1, 1))

    with pytest.raises(services.ImpossibleResult, match="Enter who won each game"):
        services.propose_result(locked_match(match), ada, typed)
    with pytest.raises(services.ImpossibleResult, match="Enter who won each game"):
        decide(match, typed)

    lose(match)
    services.propose_result(locked_match(match), ada, typed)
    with pytest.raises(services.LossRefused, match="Only the totals"):
        lose(match, ImposedLoss(1, 1))
    assert services.propose_result(locked_match(match), bo, typed).state == MatchState.CONFIRMED


def test_restore_to_totals_is_refused_after_a_lost_game():
    match = made("anr_double", "Ada", "Bo")
    decide(match, MatchResult(totals=(6, 0)))
    memory = services.take_snapshot(locked_match(match))
    decide(match, AGREED)
    lose(match, ImposedLoss(1, 1))

    with pytest.raises(services.LossRefused, match="Enter its games instead"):
        back(match, memory)

    assert points(match) == [1, 4]
    lose(match)
    back(match, memory)
    assert points(match) == [6, 0]


def test_reopened_report_has_its_full_time(match: Match):
    ada, _bo = match.seats.all()
    services.propose_result(locked_match(match), ada, sweep(1))
    long_ago = timezone.now() - timedelta(hours=1)
    match.reports.update(created_at=long_ago)

    lose(match, ImposedLoss(1))
    lose(match)

    assert match.reports.get().created_at > long_ago


@pytest.mark.parametrize(
    ("loss", "said"),
    [(ImposedLoss(3), "There is no seat 3"), (ImposedLoss(1, 3), "There is no game 3")],
)
def test_loss_of_an_unknown_seat_or_game_is_refused(match: Match, loss: ImposedLoss, said: str):
    with pytest.raises(services.LossRefused, match=said):
        lose(match, loss)


def test_contradictions_are_checked_in_the_whole_report(match: Match):
    lose(match, ImposedLoss(1), ImposedLoss(2))
    impossible = MatchResult(sweep(1).games[:1])

    with pytest.raises(services.ImpossibleResult):
        decide(match, impossible)


def test_restore_applies_current_losses_to_the_old_report(match: Match):
    decide(match, sweep(1))
    memory = services.take_snapshot(locked_match(match))
    decide(match, sweep(2))
    lose(match, ImposedLoss(1, 1))

    assert records.settled_result(back(match, memory)).games[0].end is GameEnd.JUDGE
    assert points(match) == [10, 10]
    lose(match)
    assert points(match) == [20, 0]


def test_restore_does_not_bring_back_withdrawn_losses(match: Match):
    lose(match, ImposedLoss(1))
    memory = services.take_snapshot(locked_match(match))
    decide(match, sweep(1))
    lose(match)

    assert back(match, memory).state == MatchState.OPEN
    assert points(match) == [None, None]


def test_restore_to_no_result_keeps_a_lost_match(match: Match):
    memory = services.take_snapshot(locked_match(match))
    decide(match, sweep(1))
    lose(match, ImposedLoss(1))

    assert back(match, memory).state == MatchState.DECIDED
    assert points(match) == [0, 20]
    assert not match.reports.filter(state=ReportState.CONFIRMED).exists()


def test_snapshot_without_losses_is_read(match: Match):
    decide(match, sweep(1))
    memory = services.take_snapshot(locked_match(match))
    del memory["losses"]
    decide(match, sweep(2))

    back(match, memory)

    assert points(match) == [20, 0]


def test_a_loss_follows_its_player_to_another_seat(match: Match):
    ada, bo = (seat.player_id for seat in match.seats.all())
    lose(match, ImposedLoss(1, 2))

    services.reseat_match(match, (bo, ada))

    match.refresh_from_db()
    assert records.losses_of(match) == [ImposedLoss(2, 2)]


def test_a_pod_waits_for_the_others_of_whom_it_has_several():
    match = made("free_radicals", "Ada", "Bo", "Cy")

    assert lose(match, ImposedLoss(1)).state == MatchState.OPEN
    decide(match, MatchResult(victory_points=(9, 4, 2)))

    assert points(match) == [2, 5, 3]
    assert lose(match, ImposedLoss(1), ImposedLoss(2)).state == MatchState.DECIDED


def test_a_report_is_not_answered_once_the_match_is_lost(match: Match):
    ada, bo = match.seats.all()
    services.propose_result(locked_match(match), ada, sweep(1))
    report = match.reports.get()
    lose(match, ImposedLoss(1))

    for answer in (services.dispute_report, services.confirm_report):
        with pytest.raises(services.NothingToConfirm):
            answer(locked_match(match), bo, report.pk)
    assert (now(match).state, points(match)) == (MatchState.DECIDED, [0, 20])

    lose(match)
    assert services.confirm_report(locked_match(match), bo, report.pk).state == MatchState.CONFIRMED
    assert points(match) == [20, 0]
