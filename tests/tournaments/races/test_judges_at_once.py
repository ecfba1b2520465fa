"""Judges and players at one call or table at one moment: real threads, on both databases."""

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
from tests.tournaments.races.hands import at_once
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

HANDS = 6


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


def judges(event: Tournament) -> list[Actor]:
    return [Actor(user=add_staff(event, "judge")) for _ in range(HANDS)]


def refused(answers: Sequence[object], kind: type[Refusal]) -> int:
    return sum(isinstance(answer, kind) for answer in answers)


def test_one_judge_goes_to_a_table(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))

    answers = at_once([partial(calls.take, event, call, judge) for judge in judges(event)])

    assert refused(answers, CallIsTaken) == HANDS - 1
    assert event.log.filter(action="judge call taken").count() == 1


def test_a_call_has_one_answer_and_its_minutes_once(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, owner_of(event))
    said = CallAnswer("So.", minutes=2)

    answers = at_once([partial(calls.answer, event, call, judge, said) for judge in judges(event)])

    assert refused(answers, CallIsOver) == HANDS - 1
    assert JudgeNote.objects.count() == 1
    pairing.refresh_from_db()
    assert pairing.extra_minutes == 2


def test_an_answer_is_appealed_once(event: Tournament, pairing: Pairing):
    first = calls.raise_call(pairing, owner_of(event))
    calls.answer(event, first, owner_of(event))
    players = [Actor(player=seat.player) for seat in pairing.match.seats.select_related("player")]

    answers = at_once([partial(calls.appeal, event, first, player) for player in players * 3])

    assert refused(answers, CannotAppeal) == HANDS - 1
    assert JudgeCall.objects.filter(appeals=first).count() == 1


def test_a_call_answered_while_it_is_passed_on_is_one_or_the_other(
    event: Tournament, pairing: Pairing
):
    call = calls.raise_call(pairing, owner_of(event))
    one, other = judges(event)[:2]

    acts: list[Callable[[], object]] = [
        partial(calls.escalate, event, call, one),
        partial(calls.answer, event, call, other, CallAnswer("So.")),
    ]

    passed_on, answered = at_once(acts)

    call.refresh_from_db()
    if isinstance(passed_on, CallIsOver):
        assert (call.for_head_judge, call.is_open) == (False, False)
    else:
        assert isinstance(answered, calls.HeadJudgeOnly)
        assert (call.for_head_judge, call.is_open) == (True, True)


def test_local_rulings_of_two_events_at_once_get_codes_of_their_own(event: Tournament):
    other = make_event(players=0, name="Other")
    acts = [
        partial(local_rulings.make, one, owner_of(one), "Slow play", Wording("So."))
        for one in (event, other) * 3
    ]

    made = at_once(acts)

    rulings = [local.ruling for local in made if not isinstance(local, Refusal)]
    assert len({ruling.short_code for ruling in rulings}) == HANDS
    assert len({ruling.code for ruling in rulings}) == HANDS


def test_a_local_ruling_changes_while_an_event_that_uses_it_makes_its_own(event: Tournament):
    other = make_event(players=0, name="Other")
    local = local_rulings.make(event, owner_of(event), "Slow play", Wording("So."))
    LocalRuling.objects.create(tournament=other, ruling=local.ruling, made_here=False)
    anew = Wording("Otherwise.", reason="Too long")
    acts: list[Callable[[], object]] = [
        partial(local_rulings.rewrite, local, owner_of(event), 1, anew),
        *(
            partial(local_rulings.make, other, owner_of(other), f"Topic {number}", Wording("So."))
            for number in range(HANDS - 1)
        ),
    ]

    made = at_once(acts)

    assert refused(made, Refusal) == 0
    assert local.ruling.versions.count() == 2
    assert other.local_rulings.count() == HANDS


GAME, OUT = PenaltyKind.GAME_LOSS, PenaltyKind.DISQUALIFICATION


@pytest.mark.check(30)
def test_two_judges_climb_the_ladder_one_after_the_other(event: Tournament):
    ada = player_number(event, 1)

    at_once([partial(penalise, ada) for _ in range(3)])

    kinds = list(event.penalties.values_list("kind", flat=True))
    assert kinds == ["warning", "game_loss", "match_loss"]


@pytest.mark.check(30)
def test_one_of_many_withdraws_it(event: Tournament):
    start_round(event)
    given = penalise(player_number(event, 1), GAME, game=1)

    answers = at_once([partial(take_back, given) for _ in range(4)])

    assert sum(isinstance(one, Penalty) for one in answers) == 1
    assert sum(isinstance(one, penalties.AlreadyWithdrawn) for one in answers) == 3


@pytest.mark.check(30)
def test_a_result_that_comes_with_the_penalty_has_it(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    pairing, result = table_with(round_, ada), sweep(position(round_, ada))
    seats = list(pairing.match.seats.select_related("player"))
    acts: list[Callable[[], object]] = [
        partial(
            results_services.report_result,
            table_with(round_, ada),
            seat,
            result,
            Actor(player=seat.player),
        )
        for seat in seats
    ]

    acts.append(partial(penalise, ada, GAME, game=1))

    at_once(acts)

    assert points(round_, ada) == (10, 10)


@pytest.mark.check(30)
def test_two_disqualifications_drop_the_player_once(event: Tournament):
    start_round(event)
    ada = player_number(event, 1)

    at_once([partial(penalise, ada, OUT) for _ in range(2)])

    given = list(event.penalties.order_by("pk"))
    assert sorted(one.dropped for one in given) == [False, True]
    at_once([partial(take_back, one) for one in given])
    assert Registration.objects.get(pk=ada.pk).state == RegistrationState.CHECKED_IN


@pytest.mark.check(30)
def test_a_penalty_given_as_the_round_is_taken_back_is_not_lost(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)

    acts: list[Callable[[], object]] = [
        partial(rounds_services.unpublish_round, round_, owner_of(event), "The wrong list."),
        partial(penalise, ada, PenaltyKind.MATCH_LOSS),
    ]

    at_once(acts)

    given = event.penalties.get()
    assert given.is_waiting
    rounds_services.publish_round(round_, owner_of(event))
    assert points(round_, ada) == (0, 20)
