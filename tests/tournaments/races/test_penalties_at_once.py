"""Two judges and two players at one table, at one moment: real threads, on both databases."""

from collections.abc import Callable
from functools import partial

import pytest

from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import owner_of, player_number, start_round, sweep
from tests.tournaments.races.hands import at_once
from tests.tournaments.services.penalties.talk import points, position, table_with
from tournaments.actors import Actor
from tournaments.models import Penalty, Registration, RegistrationState, Tournament
from tournaments.services import penalties, results, rounds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(30)]

GAME, OUT = PenaltyKind.GAME_LOSS, PenaltyKind.DISQUALIFICATION


def test_two_judges_climb_the_ladder_one_after_the_other(event: Tournament):
    ada = player_number(event, 1)

    at_once([partial(penalise, ada) for _ in range(3)])

    kinds = list(event.penalties.values_list("kind", flat=True))
    assert kinds == ["warning", "game_loss", "match_loss"]


def test_one_of_many_withdraws_it(event: Tournament):
    start_round(event)
    given = penalise(player_number(event, 1), GAME, game=1)

    answers = at_once([partial(take_back, given) for _ in range(4)])

    assert sum(isinstance(one, Penalty) for one in answers) == 1
    assert sum(isinstance(one, penalties.AlreadyWithdrawn) for one in answers) == 3


def test_a_result_that_comes_with_the_penalty_has_it(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    pairing, told = table_with(round_, ada), sweep(position(round_, ada))
    seats = list(pairing.match.seats.select_related("player"))
    acts: list[Callable[[], object]] = [
        partial(results.report, table_with(round_, ada), seat, told, Actor(player=seat.player))
        for seat in seats
    ]

    acts.append(partial(penalise, ada, GAME, game=1))

    at_once(acts)

    assert points(round_, ada) == (10, 10)


def test_two_disqualifications_drop_the_player_once(event: Tournament):
    start_round(event)
    ada = player_number(event, 1)

    at_once([partial(penalise, ada, OUT) for _ in range(2)])

    given = list(event.penalties.order_by("pk"))
    assert sorted(one.dropped for one in given) == [False, True]
    at_once([partial(take_back, one) for one in given])
    assert Registration.objects.get(pk=ada.pk).state == RegistrationState.CHECKED_IN


def test_a_penalty_given_as_the_round_is_taken_back_is_not_lost(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)

    acts: list[Callable[[], object]] = [
        partial(rounds.unpublish, round_, owner_of(event), "The wrong list."),
        partial(penalise, ada, PenaltyKind.MATCH_LOSS),
    ]

    at_once(acts)

    given = event.penalties.get()
    assert given.waits
    rounds.publish(round_, owner_of(event))
    assert points(round_, ada) == (0, 20)
