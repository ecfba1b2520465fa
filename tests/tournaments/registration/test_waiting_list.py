from typing import Any

import pytest
from django.test import Client

from decks.models import Side
from players.models import User
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    fresh,
    join,
    make_event,
    owner_of,
    player_number,
    start_round,
)
from tests.tournaments.pages import path
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.registration import roster_changes, services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services


def full_event(players: int = 2, **settings: Any) -> Tournament:
    return make_event(players, max_players=players, has_waiting_list=True, **settings)


def make_scene() -> Tournament:
    return full_event()


def waiting(event: Tournament) -> list[str]:
    return [entry.player.name for entry in event.registrations.waiting_list()]


def state_of(entry: Registration) -> str:
    entry.refresh_from_db()
    return entry.state


def test_players_of_a_full_event_wait_in_order(event: Tournament):
    first, second = join(event, "Mia"), join(event, "Noor")

    assert waiting(event) == ["Mia", "Noor"]
    assert second.waiting_position() == 2
    assert state_of(first) == RegistrationState.WAITING
    assert vars(Tournament.objects.listed().get(pk=event.pk))["player_count"] == 2
    assert event.round_target() == 1
    assert not event.registrations.active().filter(pk=first.pk).exists()


def test_full_event_without_a_list_refuses_players():
    event = make_event(2, max_players=2)

    with pytest.raises(services.EventIsFull, match="All 2 places are taken"):
        join(event, "Mia")

    assert not event.can_register()


@pytest.mark.parametrize("leave", [services.drop_player, roster_changes.remove_player])
def test_first_waiting_player_moves_up_when_a_place_is_free(event: Tournament, leave: object):
    first, second = join(event, "Mia"), join(event, "Noor")

    leave(player_number(event, 1), owner_of(event))  # type: ignore[operator]

    assert (state_of(first), state_of(second)) == ("registered", "waiting")
    entry = event.log.get(action="moved up")
    assert (entry.subject, entry.user, entry.player) == ("Mia", None, None)


def test_waiting_players_move_up_when_the_limit_is_raised(event: Tournament):
    entries = [join(event, name) for name in ("Mia", "Noor", "Ola")]

    settings_services.change_settings(fresh(event), owner_of(event), max_players=3)
    assert [state_of(entry) for entry in entries] == ["registered", "waiting", "waiting"]

    settings_services.change_settings(fresh(event), owner_of(event), max_players=None)
    assert waiting(event) == []


def test_waiting_list_moves_after_registration_closes(event: Tournament):
    first = join(event, "Mia")
    settings_services.set_registration(fresh(event), owner_of(event), is_open=False)

    services.drop_player(player_number(event, 2), owner_of(event))

    assert state_of(first) == RegistrationState.REGISTERED


def test_waiting_list_ends_with_round_one():
    event = full_event(4)
    first = join(event, "Mia")
    start_round(event)

    services.drop_player(player_number(event, 1), owner_of(event))

    assert state_of(first) == RegistrationState.WAITING
    assert not fresh(event).waiting_list_moves()


def test_staff_let_a_player_in_over_the_limit_with_a_reason(event: Tournament):
    join(event, "Mia")
    second = join(event, "Noor")

    with pytest.raises(services.NotWaiting, match="Give a reason to let Noor"):
        services.give_place_to_waiting(second, owner_of(event))
    services.give_place_to_waiting(second, owner_of(event), reason="Came from far away")

    assert state_of(second) == RegistrationState.REGISTERED
    assert waiting(event) == ["Mia"]
    assert event.log.get(action="let in over the limit").reason == "Came from far away"
    with pytest.raises(services.NotWaiting, match="no longer on the waiting list"):
        services.give_place_to_waiting(second, owner_of(event), reason="Once more")


def test_waiting_player_is_not_checked_in(event: Tournament):
    first = join(event, "Mia")

    assert services.check_in([first], owner_of(event)) == 0

    assert state_of(first) == RegistrationState.WAITING


def test_returning_player_waits_at_the_end(event: Tournament):
    player = player_number(event, 1)
    join(event, "Mia")
    join(event, "Noor")
    me = Actor(player=player.player)
    services.drop_player(player, me)

    services.return_self(player_number(event, 1), me)

    assert waiting(event) == ["Noor", player.player.name]


def test_deck_of_a_waiting_player_is_hidden():
    load_cards()
    event = full_event()
    events_first_stage = event.stages.get()
    events_first_stage.decks_shown_to = "public"
    events_first_stage.save()
    mia = join(event, "Mia")
    submit_deck(mia, Side.RUNNER, "3 Loony Goon", Actor(player=mia.player))
    Tournament.objects.filter(pk=event.pk).update(decks_revealed_at=event.created_at)
    event = fresh(event)

    assert not visibility.visible_decks(NOBODY, event).exists()
    deck = mia.deck_submissions.get()
    for sees in (visibility.can_see_deck, visibility.can_see_identity):
        assert not sees(NOBODY, deck)
        assert sees(Actor(player=mia.player), deck)
        assert sees(owner_of(event), deck)

    services.give_place_to_waiting(mia, owner_of(event), reason="Let in")
    assert visibility.visible_decks(NOBODY, event).exists()


def test_waiting_player_gets_no_place_by_dropping_after_round_one():
    event = full_event(4)
    mia, noor = join(event, "Mia"), join(event, "Noor")
    start_round(event)
    ada, me = player_number(event, 1), Actor(player=mia.player)
    mia.refresh_from_db()
    services.drop_player(mia, me)

    with pytest.raises(services.EventIsFull):
        services.return_self(mia, me)
    services.drop_player(ada, owner_of(event))
    with pytest.raises(services.EventIsFull, match="players are waiting"):
        services.return_self(mia, me)

    assert (state_of(mia), state_of(noor)) == ("dropped", "waiting")


def test_place_given_up_before_round_one_cannot_be_regained_later():
    event = full_event(4)
    noor = join(event, "Noor")
    ada = player_number(event, 1)
    me = Actor(player=ada.player)
    services.drop_player(ada, me)
    services.return_self(ada, me)
    assert (state_of(ada), state_of(noor)) == ("waiting", "registered")
    services.check_in([player_number(event, noor.number)], owner_of(event))
    start_round(event)
    services.drop_player(player_number(event, 1), me)

    with pytest.raises(services.EventIsFull):
        services.return_self(player_number(event, 1), me)

    assert state_of(ada) == "dropped"


def test_checked_in_player_returns_before_the_waiting_list():
    event = full_event(4)
    noor = join(event, "Noor")
    start_round(event)
    ada = player_number(event, 1)
    services.drop_player(ada, Actor(player=ada.player))
    services.give_place_to_waiting(noor, owner_of(event))

    services.return_self(ada, Actor(player=ada.player))

    assert state_of(ada) == "checked_in"


def test_organiser_moves_a_waiting_player_with_a_reason(desk: Client, owner: User):
    event, entries = waiting_four(owner)
    last = entries[-1]

    desk.post(path(event, f"roster/{last.number}/waiting-place/"), {"place": "1", "reason": "Kin"})

    assert [entry.pk for entry in event.registrations.waiting_list()] == [
        entry.pk for entry in (last, *entries[:-1])
    ]
    assert entries[0].waiting_position() == 2
    entry = event.log.get(action="moved on the waiting list")
    assert (entry.before, entry.after, entry.reason) == ({"place": 4}, {"place": 1}, "Kin")
    undo_services.undo(entry, owner_of(event))
    assert [entry.pk for entry in event.registrations.waiting_list()] == [
        entry.pk for entry in entries
    ]


def test_moved_player_gets_the_next_place(owner: User):
    event, entries = waiting_four(owner)
    services.move_on_waiting_list(entries[2], owner_of(event), place=1, reason="Came by train")

    services.drop_player(player_number(event, 1), owner_of(event))

    assert [entry.pk for entry in event.registrations.waiting_list()] == [
        entry.pk for entry in (entries[0], entries[1], entries[3])
    ]


def test_new_player_waits_behind_moved_players(owner: User):
    event, entries = waiting_four(owner)
    services.move_on_waiting_list(entries[3], owner_of(event), place=2, reason="As agreed")

    new = services.register_guest(event, "Zed")

    assert new.waiting_position() == 5


@pytest.mark.parametrize(
    ("place", "reason", "words"),
    [(0, "Kin", "from 1 to 4"), (5, "Kin", "from 1 to 4"), (1, " ", "Give a reason")],
)
def test_move_without_a_reason_or_to_no_place_is_refused(owner: User, place, reason, words):
    event, entries = waiting_four(owner)

    with pytest.raises(services.NotWaiting, match=words):
        services.move_on_waiting_list(entries[3], owner_of(event), place=place, reason=reason)


def waiting_four(owner: User) -> tuple[Tournament, list[Registration]]:
    event = make_event(players=1, owner=owner, has_waiting_list=True, max_players=1)
    entries = [services.register_guest(event, name) for name in ("Wim", "Xia", "Yan", "Zoe")]
    return event, entries
