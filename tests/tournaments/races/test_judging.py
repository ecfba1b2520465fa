"""Simultaneous actions of judges and players at one call or table, in real threads."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from core.errors import Refusal
from rulings.guide import PenaltyKind
from rulings.models import JudgeCall, JudgeNote
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    add_staff,
    make_event,
    owner_of,
    player_number,
    start_round,
    sweep,
)
from tests.tournaments.judging.penalties.tables import points, position, table_with
from tests.tournaments.races.threads import run_at_once
from tournaments.event.permissions import Actor
from tournaments.judging import calls, local_rulings, penalties
from tournaments.judging.calls import CallAnswer, CallIsOver, CallIsTaken, CannotAppeal
from tournaments.judging.local_rulings import Wording
from tournaments.models import (
    LocalRuling,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.results import services as results_services
from tournaments.rounds import services as rounds_services

pytestmark = pytest.mark.django_db(transaction=True)

REQUESTS = 6


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


def judges(event: Tournament) -> list[Actor]:
    return [Actor(user=add_staff(event, "judge")) for _ in range(REQUESTS)]


def count_refusals(answers: Sequence[object], kind: type[Refusal]) -> int:
    return sum(isinstance(answer, kind) for answer in answers)


def test_call_is_taken_by_one_judge(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))

    answers = run_at_once([partial(calls.take, event, call, judge) for judge in judges(event)])

    assert count_refusals(answers, CallIsTaken) == REQUESTS - 1
    assert event.log.filter(action="judge call taken").count() == 1


def test_call_gets_one_answer_and_its_minutes_once(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))
    answer = CallAnswer("So.", minutes=2)

    answers = run_at_once(
        [partial(calls.answer, event, call, judge, answer) for judge in judges(event)]
    )

    assert count_refusals(answers, CallIsOver) == REQUESTS - 1
    assert JudgeNote.objects.count() == 1
    pairing.refresh_from_db()
    assert pairing.extra_minutes == 2


def test_answer_is_appealed_once(event: Tournament, pairing: Pairing):
    first = calls.raise_call(pairing, owner_of(event))
    calls.answer(event, first, owner_of(event))
    players = [Actor(player=seat.player) for seat in pairing.match.seats.select_related("player")]

    answers = run_at_once([partial(calls.appeal, event, first, player) for player in players * 3])

    assert count_refusals(answers, CannotAppeal) == REQUESTS - 1
    assert JudgeCall.objects.filter(appeals=first).count() == 1


def test_only_the_first_of_answer_and_escalation_counts(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))
    first_judge, second_judge = judges(event)[:2]

    functions: list[Callable[[], object]] = [
        partial(calls.escalate, event, call, first_judge),
        partial(calls.answer, event, call, second_judge, CallAnswer("So.")),
    ]

    escalated, answered = run_at_once(functions)

    call.refresh_from_db()
    if isinstance(escalated, CallIsOver):
        assert (call.for_head_judge, call.is_open) == (False, False)
    else:
        assert isinstance(answered, calls.HeadJudgeOnly)
        assert (call.for_head_judge, call.is_open) == (True, True)


def test_simultaneous_local_rulings_of_two_events_get_different_codes(event: Tournament):
    second_event = make_event(players=0, name="Other")
    functions = [
        partial(local_rulings.make, maker, owner_of(maker), "Slow play", Wording("So."))
        for maker in (event, second_event) * 3
    ]

    made = run_at_once(functions)

    rulings = [local.ruling for local in made if not isinstance(local, Refusal)]
    assert len({ruling.short_code for ruling in rulings}) == REQUESTS
    assert len({ruling.code for ruling in rulings}) == REQUESTS


def test_local_ruling_is_rewritten_while_its_other_event_makes_rulings(event: Tournament):
    second_event = make_event(players=0, name="Other")
    local = local_rulings.make(event, owner_of(event), "Slow play", Wording("So."))
    LocalRuling.objects.create(tournament=second_event, ruling=local.ruling, made_here=False)
    new_wording = Wording("Otherwise.", reason="Too long")
    functions: list[Callable[[], object]] = [
        partial(local_rulings.rewrite, local, owner_of(event), 1, new_wording),
        *(
            partial(
                local_rulings.make,
                second_event,
                owner_of(second_event),
                f"Topic {number}",
                Wording("So."),
            )
            for number in range(REQUESTS - 1)
        ),
    ]

    made = run_at_once(functions)

    assert count_refusals(made, Refusal) == 0
    assert local.ruling.versions.count() == 2
    assert second_event.local_rulings.count() == REQUESTS


GAME_LOSS, DISQUALIFICATION = PenaltyKind.GAME_LOSS, PenaltyKind.DISQUALIFICATION


@pytest.mark.check(30)
def test_simultaneous_penalties_follow_the_ladder(event: Tournament):
    ada = player_number(event, 1)

    run_at_once([partial(penalise, ada) for _ in range(3)])

    kinds = list(event.penalties.values_list("kind", flat=True))
    assert kinds == ["warning", "game_loss", "match_loss"]


@pytest.mark.check(30)
def test_penalty_is_withdrawn_once(event: Tournament):
    start_round(event)
    penalty = penalise(player_number(event, 1), GAME_LOSS, game=1)

    answers = run_at_once([partial(take_back, penalty) for _ in range(4)])

    assert sum(isinstance(answer, Penalty) for answer in answers) == 1
    assert sum(isinstance(answer, penalties.AlreadyWithdrawn) for answer in answers) == 3


@pytest.mark.check(30)
def test_penalty_applies_to_reports_sent_at_the_same_time(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    pairing, result = table_with(round_, ada), sweep(position(round_, ada))
    seats = list(pairing.match.seats.select_related("player"))
    functions: list[Callable[[], object]] = [
        partial(
            results_services.report_result,
            table_with(round_, ada),
            seat,
            result,
            Actor(player=seat.player),
        )
        for seat in seats
    ]

    functions.append(partial(penalise, ada, GAME_LOSS, game=1))

    run_at_once(functions)

    assert points(round_, ada) == (10, 10)


@pytest.mark.check(30)
def test_two_disqualifications_drop_the_player_once(event: Tournament):
    start_round(event)
    ada = player_number(event, 1)

    run_at_once([partial(penalise, ada, DISQUALIFICATION) for _ in range(2)])

    disqualifications = list(event.penalties.order_by("pk"))
    assert sorted(penalty.dropped for penalty in disqualifications) == [False, True]
    run_at_once([partial(take_back, penalty) for penalty in disqualifications])
    assert Registration.objects.get(pk=ada.pk).state == RegistrationState.CHECKED_IN


@pytest.mark.check(30)
def test_penalty_given_while_the_round_is_unpublished_is_kept(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)

    functions: list[Callable[[], object]] = [
        partial(rounds_services.unpublish_round, round_, owner_of(event), "The wrong list."),
        partial(penalise, ada, PenaltyKind.MATCH_LOSS),
    ]

    run_at_once(functions)

    penalty = event.penalties.get()
    assert penalty.is_waiting
    rounds_services.publish_round(round_, owner_of(event))
    assert points(round_, ada) == (0, 20)
