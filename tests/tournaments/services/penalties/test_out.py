"""A disqualification: the match lost, the player out, and back only when it is withdrawn."""

import pytest

from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    enter_result,
    make_event,
    owner_of,
    player_number,
    start_round,
    sweep,
)
from tests.tournaments.services.penalties.talk import match_of, points, position, table_with
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import DroppedBy, LogEntry, Registration, RegistrationState
from tournaments.services import registrations, undo
from tournaments.services.undo import CannotUndo

OUT = PenaltyKind.DISQUALIFICATION


def state(place: Registration) -> str:
    return Registration.objects.get(pk=place.pk).state


def test_the_match_is_lost_and_the_player_is_out_and_all_of_it_comes_back(round_, ada):
    given = penalise(ada, OUT)
    assert points(round_, ada) == (0, 20)
    assert state(ada) == RegistrationState.DROPPED

    take_back(given)
    assert points(round_, ada) == (None, None)
    assert state(ada) == RegistrationState.CHECKED_IN


def test_a_match_that_is_over_stays_as_it_was_told(round_, ada):
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))

    given = penalise(ada, OUT)

    assert given.pairing is None
    assert not given.waits
    assert points(round_, ada) == (20, 0)


def test_a_match_that_is_over_is_lost_where_the_judge_names_it(round_, ada):
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))

    penalise(ada, OUT, pairing=table_with(round_, ada))

    assert points(round_, ada) == (0, 20)


def test_nobody_brings_the_player_back_while_it_stands(event, ada):
    penalise(ada, OUT)
    owner = owner_of(event)

    for way in (registrations.return_, registrations.undo_check_in):
        with pytest.raises(registrations.CannotReturn, match="disqualified"):
            way(ada, owner)
    dropped = event.log.filter(action="player dropped").latest("pk")
    with pytest.raises(CannotUndo, match="disqualified"):
        undo.undo(dropped, owner)
    registrations.wait_again(ada, owner)
    assert state(ada) == RegistrationState.DROPPED


def test_who_had_left_before_stays_out_and_cannot_come_back_by_themselves(event, ada):
    start_round(event)
    registrations.drop(ada, Actor(player=ada.player))
    given = penalise(ada, OUT)
    place = Registration.objects.get(pk=ada.pk)
    assert not queries.can_return_self(place)
    with pytest.raises(registrations.CannotReturn):
        registrations.return_self(place, Actor(player=ada.player))

    take_back(given)

    place = Registration.objects.get(pk=ada.pk)
    assert (place.state, place.dropped_by) == (RegistrationState.DROPPED, DroppedBy.PLAYER)
    assert queries.can_return_self(place)


def test_the_last_of_two_brings_the_player_back(event, ada):
    first, second = penalise(ada, OUT), penalise(ada, OUT, infraction="cheating")

    take_back(first)
    assert state(ada) == RegistrationState.DROPPED
    take_back(second)
    assert state(ada) == RegistrationState.CHECKED_IN


def test_who_was_not_there_yet_is_on_the_roster_again():
    event = make_event(players=2, checked_in=False)
    ada = player_number(event, 1)

    take_back(penalise(ada, OUT))

    assert state(ada) == RegistrationState.REGISTERED


def test_the_place_of_who_is_out_goes_to_who_waits():
    event = make_event(players=2, max_players=2, has_waiting_list=True, registration_is_open=True)
    zoe = registrations.register_guest(event, "Zoe")

    penalise(player_number(event, 1), OUT)

    assert state(zoe) == RegistrationState.REGISTERED


def test_the_log_of_all_tells_only_that_the_player_was_dropped(event, ada):
    penalise(ada, OUT)

    read = queries.readable_log(event, with_draft=True, with_checks=False)
    assert [entry.action for entry in read[:1]] == ["player dropped"]
    assert not any("penalty" in entry.action for entry in read)


def test_undo_of_the_withdrawal_puts_the_player_out_again(event, round_, ada):
    take_back(penalise(ada, OUT))
    withdrawn = LogEntry.objects.get(tournament=event, action="penalty withdrawn")

    undo.undo(withdrawn, owner_of(event))

    assert state(ada) == RegistrationState.DROPPED
    assert points(round_, ada) == (0, 20)
    assert match_of(round_, ada).losses == [{"seat": position(round_, ada), "game": None}]
